import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Slot } from "./slot.ts";

const IDLE_MS = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched(idleMs: number | null = IDLE_MS) {
  const opened: { isAsking: boolean; closed: number; close(): Promise<void> }[] = [];
  const slot = new Slot(async () => {
    const tenant = {
      isAsking: false,
      closed: 0,
      async close() {
        tenant.closed += 1;
      },
    };
    opened.push(tenant);
    return tenant;
  }, idleMs);
  return { slot, opened, closed: () => opened.map(({ closed }) => closed) };
}

describe("Slot", () => {
  it("opens once, ends after its time without a call, and opens anew", async () => {
    const { slot, opened, closed } = watched();
    expect(await slot.tenant()).toBe(await slot.tenant());
    await slot.during(async () => {});
    await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
    expect(closed()).toEqual([0]);
    await vi.advanceTimersByTimeAsync(1);
    expect(closed()).toEqual([1]);
    expect(await slot.tenant()).toBe(opened[1]);
  });

  it("is not idle while a call runs, however long", async () => {
    const { slot, closed } = watched();
    await slot.tenant();
    let end = (): void => {};
    const long = slot.during(() => new Promise((resolve) => (end = resolve)));
    await slot.during(async () => {});
    await vi.advanceTimersByTimeAsync(10 * IDLE_MS);
    expect(closed()).toEqual([0]);
    end();
    await long;
    await vi.advanceTimersByTimeAsync(IDLE_MS);
    expect(closed()).toEqual([1]);
  });

  it("is not idle while somebody is asked", async () => {
    const { slot, opened, closed } = watched();
    await slot.tenant();
    const [tenant] = opened;
    if (tenant) tenant.isAsking = true;
    await slot.during(async () => {});
    await vi.advanceTimersByTimeAsync(10 * IDLE_MS);
    expect(closed()).toEqual([0]);
    if (tenant) tenant.isAsking = false;
    await vi.advanceTimersByTimeAsync(IDLE_MS);
    expect(closed()).toEqual([1]);
  });

  it("a call that throws counts as one that has ended", async () => {
    const { slot, closed } = watched();
    await slot.tenant();
    await expect(slot.during(() => Promise.reject(new Error("broke")))).rejects.toThrow("broke");
    await vi.advanceTimersByTimeAsync(IDLE_MS);
    expect(closed()).toEqual([1]);
  });

  it("never ends by itself without a time", async () => {
    const { slot, closed } = watched(null);
    await slot.tenant();
    await slot.during(async () => {});
    await vi.advanceTimersByTimeAsync(1_000_000_000);
    expect(closed()).toEqual([0]);
  });

  it("what could not be opened is tried again", async () => {
    let tries = 0;
    const tenant = { isAsking: false, close: async () => {} };
    const slot = new Slot(async () => {
      tries += 1;
      if (tries === 1) throw new Error("no place");
      return tenant;
    }, IDLE_MS);
    await expect(slot.tenant()).rejects.toThrow("no place");
    expect(await slot.tenant()).toBe(tenant);
    await slot.close();
  });

  it("close ends it at once, and waits for those that are ending", async () => {
    const { slot, opened, closed } = watched();
    await slot.tenant();
    let end = (): void => {};
    const [tenant] = opened;
    if (tenant) tenant.close = () => new Promise((resolve) => (end = resolve));
    await slot.during(async () => {});
    await vi.advanceTimersByTimeAsync(IDLE_MS);
    await slot.tenant();
    let isClosed = false;
    const closing = slot.close().then(() => (isClosed = true));
    await vi.advanceTimersByTimeAsync(0);
    expect([isClosed, closed()]).toEqual([false, [0, 1]]);
    end();
    await closing;
    expect(vi.getTimerCount()).toBe(0);
  });
});
