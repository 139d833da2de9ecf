import { expect, it } from "vitest";
import { Room } from "./room.ts";

it("gives what is left, and what is given back once", () => {
  const room = new Room(3);
  const back = room.take(2);
  expect([room.take(2), typeof room.take(1), room.take(1)]).toEqual([null, "function", null]);
  back?.();
  back?.();
  expect([room.take(3), typeof room.take(2)]).toEqual([null, "function"]);
});
