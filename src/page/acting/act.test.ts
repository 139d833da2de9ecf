import { expect, test } from "vitest";
import { lookAt } from "../snapshot/look.ts";
import { openBench, time } from "../view/identity.fixture.ts";
import { enter } from "./act.ts";

const PASSWORD = "tr0ub4dor-and-3";

test("what the browser tells us holds no typed password before the form is submitted, but for the list by which the host masks words", async () => {
  await using bench = await openBench();
  const told: string[] = [];
  bench.hear((bytes) => told.push(bytes.toString("latin1")));
  await bench.open(
    `<form method=post action="/in"><label>Password <input type=password name=p></label><button>Go</button></form>`,
  );

  const field = await bench.resolve({ by: "role", role: "textbox", name: "Password" });
  expect(await enter(bench.view, field, PASSWORD, bench.permit(), { sequential: true }, time)).toBe("(secret)");
  expect(await enter(bench.view, field, PASSWORD, bench.permit(), {}, time)).toBe("(secret)");
  const look = await lookAt(bench.view, { since: "nothing", maxTokens: 4_000, root: null, time });
  expect(look.text.text).toContain("(secret)");
  const list = /\\"secrets\\":\[[^\]]*\]/g;
  expect(told.join("").match(list)?.join()).toContain(PASSWORD);
  const before = told.join("").replace(list, "");
  expect(before).not.toContain(PASSWORD);
  expect(before).not.toContain(Buffer.from(PASSWORD).toString("base64"));

  // The control: the same watching does find it once the form is on its way.
  await bench.page.locator("button").click();
  await bench.server.waitForHit("/in");
  expect(bench.server.hitsTo("/in")[0]?.body).toContain(PASSWORD);
  expect(told.join("")).toMatch(
    new RegExp(`${PASSWORD}|${Buffer.from(`p=${PASSWORD}`).toString("base64").slice(0, 20)}`),
  );
});
