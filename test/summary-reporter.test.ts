import { expect, test } from "vitest";
import { commandFor } from "./summary-reporter.ts";

test.each<[readonly string[]]>([[["T18 (https)", "a $1 + [b] it's 100% \\d"]], [["two\nlines"]], [["A-67"]]])(
  "the pattern for %j finds it and nothing longer",
  (names) => {
    const command = commandFor("arena/arena.test.ts", names);
    const pattern = new RegExp(/npx vitest run arena\/arena\.test\.ts -t '([^']*)'$/.exec(command)?.[1] ?? "");
    expect(names.join(" ")).toMatch(pattern);
    expect(`${names.join(" ")}0`).not.toMatch(pattern);
  },
);
