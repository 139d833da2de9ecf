import { describe, expect, it } from "vitest";
import { Failure } from "../errors.ts";
import type { CallableSession } from "../types.ts";
import { lazySession } from "./lazy.ts";

function scripted(open?: () => Promise<void>) {
  const happened: string[] = [];
  const session: CallableSession = {
    tools: [],
    instructions: "",
    call: async (tool) => {
      happened.push(`call ${tool}`);
      return { envelope: { ok: true } };
    },
    close: async () => void happened.push("close"),
  };
  const openSession = async (): Promise<CallableSession> => {
    happened.push("open");
    await open?.();
    return session;
  };
  return { happened, lazy: lazySession({ tools: [], instructions: "", openSession }, (line) => happened.push(line)) };
}

describe("lazySession", () => {
  it("opens once for calls that come together, and closes what it opened", async () => {
    const { happened, lazy } = scripted();
    await Promise.all([lazy.call("a", {}), lazy.call("b", {})]);
    await lazy.close();
    expect(happened).toEqual(["open", "call a", "call b", "close"]);
  });

  it("closes nothing when nothing was opened, and opens nothing after", async () => {
    const { happened, lazy } = scripted();
    await lazy.close();
    expect(await lazy.call("a", {})).toMatchObject({ envelope: { ok: false, error: { code: "cancelled" } } });
    expect(happened).toEqual([]);
  });

  it("closes a session that is still opening", async () => {
    let opened = (): void => {};
    const { happened, lazy } = scripted(() => new Promise((resolve) => (opened = resolve)));
    const call = lazy.call("a", {});
    await Promise.resolve();
    const closing = lazy.close();
    opened();
    await Promise.all([call, closing]);
    expect(happened).toContain("close");
  });

  it("keeps a failure's own code and words, and tries again", async () => {
    const { happened, lazy } = scripted(async () => {
      throw new Failure("no_browser", "Install Chromium.");
    });
    expect(await lazy.call("a", {})).toEqual({
      envelope: { ok: false, error: { code: "no_browser", message: "Install Chromium." } },
    });
    await lazy.call("a", {});
    await lazy.close();
    expect(happened.filter((line) => line === "open")).toHaveLength(2);
    expect(happened).not.toContain("close");
  });
});
