import { expect, test } from "vitest";
import type { CallId, Site } from "../types.ts";
import { CauseKeeper } from "./causes.ts";

const PAGE = "page";
const URL_OF_PAGE = "https://shop.test/";

function keeper(): CauseKeeper {
  return new CauseKeeper({ siteOf: (url) => new URL(url).hostname as Site, active: () => PAGE, openerOf: () => null, isThere: () => true });
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
