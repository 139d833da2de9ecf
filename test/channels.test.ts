import { expect, test } from "vitest";
import { channels } from "./channels.ts";

test("every channel has a name of its own and says how it is tried", () => {
  expect(new Set(channels.map((channel) => channel.name)).size).toBe(channels.length);
  const target = "http://127.0.0.1:1/x";
  for (const channel of channels) {
    const markup = channel.page(target);
    expect([channel.name, markup.includes('id="go"')]).toEqual([channel.name, channel.needs === "click"]);
    const files = Object.values(channel.files?.(target) ?? {});
    expect([channel.name, [markup, ...files.map((file) => file.body)].some((text) => text.includes("fired"))]).toEqual([
      channel.name,
      true,
    ]);
  }
});
