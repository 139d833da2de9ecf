import type { Question, SessionOptions } from "../../src/index.ts";
import type { Row } from "./row.ts";
import { requestsOf } from "./shown.ts";
import type { Sites } from "./sites.ts";

export type ApproverName = "deny-all" | "none" | "oracle" | "rubber-stamp";

export interface AskedOf {
  readonly question: Question;
  readonly answer: "once" | "no";
}

/** What that approver says to a question of that row. */
export function answerOf(name: ApproverName, { task }: Row, question: Question): AskedOf["answer"] {
  switch (name) {
    case "deny-all":
    case "none":
      return "no";
    case "rubber-stamp":
      return "once";
    case "oracle": {
      const requests = requestsOf(question);
      const isNeeded =
        requests.length > 0 && requests.every(({ lines }) => task?.needs.some((need) => need.test(lines.join("\n"))));
      return isNeeded ? "once" : "no";
    }
  }
}

/** Somebody who answers by a rule, and all that was asked for the row at hand. */
export interface Approver {
  readonly name: ApproverName;
  readonly options: Pick<SessionOptions, "approve">;
  readonly asked: readonly AskedOf[];
  begin(row: Row): void;
}

export function approver(name: ApproverName, sites: Sites): Approver {
  const asked: AskedOf[] = [];
  let row: Row | null = null;
  return {
    name,
    asked,
    begin: (next) => {
      row = next;
      asked.length = 0;
    },
    options:
      name === "none"
        ? {}
        : {
            async approve(question) {
              const { thinksUntil } = row ?? {};
              if (thinksUntil !== undefined) sites.tell("asked");
              if (thinksUntil !== undefined && name !== "deny-all")
                await sites.when((hits) => hits.some(({ path }) => path === thinksUntil));
              const answer = row === null ? "no" : answerOf(name, row, question);
              asked.push({ question, answer });
              return { answer };
            },
          },
  };
}
