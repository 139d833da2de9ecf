import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BrowserEvent, TabId } from "../types.ts";
import { EventStream } from "./events.ts";

const tab = "t1" as TabId;
const line = (message: string, level = "log"): BrowserEvent => ({ kind: "console", tab, level, message });
const dialog = (message: string): BrowserEvent => ({
  kind: "dialog",
  tab,
  type: "alert",
  message,
  answered: "dismissed",
});
const request = (url: string, status: number | null): BrowserEvent => ({
  ...{ kind: "request", tab, method: "GET", url, resourceType: "Document", status, refused: null, call: null },
});

describe("the stream of events", () => {
  test("keeps the newest 500 of each sort: a flood pushes out only its own", () => {
    const events = new EventStream();
    events.emit(line("the error", "error"));
    events.emit(dialog("hello"));
    for (let count = 1; count <= 2_000; count++) events.emit(line(`line ${count}`));
    expect(events.kept("errors")).toMatchObject({ forgotten: 0, events: [{ seq: 1 }] });
    const { events: lines, forgotten } = events.kept("console");
    expect([lines.length, forgotten]).toEqual([500, 1_500]);
    expect([lines[0], lines.at(-1)].map((entry) => entry?.event.kind === "console" && entry.event.message)).toEqual([
      "line 1501",
      "line 2000",
    ]);
    expect(events.since(0)).toHaveLength(502);
  });

  test("what is amended stays in its place; what is forgotten cannot be", () => {
    const events = new EventStream();
    const seq = events.emit(request("http://a.test/", null));
    events.emit(dialog("later"));
    expect(events.amend(seq, request("http://a.test/", 200))).toBe(true);
    expect(events.since(0)[0]).toEqual({ seq, event: request("http://a.test/", 200) });
    for (let count = 0; count < 500; count++) events.emit(request("http://b.test/", 200));
    expect(events.amend(seq, request("http://a.test/", 404))).toBe(false);
  });

  test("a subscriber that throws stops nobody", () => {
    const events = new EventStream();
    const seen: string[] = [];
    events.subscribe(() => {
      throw new Error("its own affair");
    });
    const stop = events.subscribe((event) => seen.push(event.kind));
    events.emit(dialog("one"));
    stop();
    events.emit(dialog("two"));
    expect(seen).toEqual(["dialog"]);
  });

  test("since gives what came after a mark, in order, whatever the sorts", () => {
    const any = fc.constantFrom(line("a"), line("b", "error"), dialog("c"), request("http://a.test/", null));
    fc.assert(
      fc.property(fc.array(any, { maxLength: 60 }), fc.nat(70), (all, mark) => {
        const events = new EventStream();
        for (const event of all) events.emit(event);
        expect(events.since(mark)).toEqual(all.map((event, at) => ({ seq: at + 1, event })).slice(mark));
      }),
    );
  });
});
