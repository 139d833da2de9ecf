import { expect, test } from "vitest";
import type { CallId, Site } from "../types.ts";
import { CauseKeeper } from "./causes.ts";

const PAGE = "page";
const URL_OF_PAGE = "https://shop.test/";

function keeper(): CauseKeeper {
  return new CauseKeeper({
    siteOf: (url) => new URL(url).hostname as Site,
    active: () => PAGE,
    openerOf: () => null,
    isThere: () => true,
  });
}

const inputOf = (causes: CauseKeeper, document: string) => causes.of(PAGE, URL_OF_PAGE, document).input;

test("what a document sends follows from the latest input in it", () => {
  const causes = keeper();
  expect(inputOf(causes, "first")).toBeNull();
  causes.input(PAGE, "first", URL_OF_PAGE, "c1" as CallId);
  causes.input(PAGE, "first", URL_OF_PAGE, "c2" as CallId);
  expect(inputOf(causes, "first")).toBe("c2");
});

test("what an address took the place of follows from what was done in it, and the next document from nothing", () => {
  const causes = keeper();
  causes.input(PAGE, "first", URL_OF_PAGE, "c1" as CallId);
  causes.leaves(PAGE, "first", "c2" as CallId);
  expect([inputOf(causes, "first"), inputOf(causes, "second")]).toEqual(["c1", null]);
  causes.input(PAGE, "second", URL_OF_PAGE, "c3" as CallId);
  expect([inputOf(causes, "first"), inputOf(causes, "second")]).toEqual(["c1", "c3"]);
});

test("an address that leads to a part of the same document takes the place of nothing", () => {
  const causes = keeper();
  causes.leaves(PAGE, "first", "c1" as CallId);
  causes.input(PAGE, "first", URL_OF_PAGE, "c2" as CallId);
  expect(inputOf(causes, "first")).toBe("c2");
});

test("what a document sends that came after the input is its own, not what another one sends that was there", () => {
  const causes = keeper();
  causes.input(PAGE, "first", URL_OF_PAGE, "c1" as CallId, new Set(["first", "frame"]));
  const isLater = (document: string | null): boolean => causes.of(PAGE, URL_OF_PAGE, document).isLater === true;
  expect([isLater("first"), isLater("frame"), isLater("second"), isLater(null)]).toEqual([false, false, true, false]);
});

test("pages of one opener follow from one another's inputs, whatever their sites; that of a popup that has closed stays with its opener until an address comes", () => {
  const openers: Readonly<Record<string, string>> = { popup: "opener", sibling: "opener" };
  const gone = new Set<string>();
  const causes = new CauseKeeper({
    siteOf: (url) => new URL(url).hostname as Site,
    active: () => PAGE,
    openerOf: (page) => (gone.has(page) ? null : (openers[page] ?? null)),
    isThere: (page) => !gone.has(page),
  });
  const inputIn = (page: string): CallId | null => causes.of(page, `https://${page}.test/`, "first").input;
  causes.input("popup", "first", "https://other.test/", "c1" as CallId);
  expect([inputIn("opener"), inputIn("sibling"), inputIn("popup"), inputIn("stranger")]).toEqual([
    "c1",
    "c1",
    "c1",
    null,
  ]);
  gone.add("popup");
  expect([inputIn("opener"), inputIn("stranger")]).toEqual(["c1", null]);
  causes.leaves("opener", "first", "c2" as CallId);
  expect(causes.of("opener", "https://opener.test/", "second").input).toBeNull();
});
