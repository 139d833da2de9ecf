import { z } from "zod";
import { Failure } from "../errors.ts";
import type { View } from "../page/view/view.ts";
import type { Desk, Session } from "../session/session.ts";
import type { TabId } from "../types.ts";
import { aside } from "./aside.ts";
import { timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";

export const tabs = tool({
  name: "tabs",
  title: "Tabs",
  description:
    "Lists, selects, closes or opens tabs. Popups that pages open wait here; they are not selected by themselves.",
  input: z.strictObject({
    action: z.enum(["list", "select", "close", "new"]).optional().describe("list unless given"),
    tab: z.string().max(12).optional().describe("such as t2, for select and close"),
    timeout_ms: timeoutArgument,
  }),
  effect: "look",
  reads: () => "aside",
  deadline: "action",
  opens: true,
  check(args) {
    const needsTab = args.action === "select" || args.action === "close";
    if (needsTab && args.tab === undefined) return `tabs ${args.action} needs tab.`;
    return !needsTab && args.tab !== undefined ? "tab goes only with select and close." : null;
  },
  async plan(args, desk, session) {
    switch (args.action ?? "list") {
      case "list":
        return aside("look", async () => {
          return { tabs: await listed(desk, session) };
        });
      case "new":
        return aside("go", async () => {
          const { tab } = await desk.tabs.open();
          return { tab, tabs: await listed(desk, session) };
        });
      case "close": {
        const view = named(desk, args.tab);
        return aside("go", async () => {
          await desk.tabs.close(view);
          return { tabs: await listed(desk, session) };
        });
      }
      case "select": {
        const view = named(desk, args.tab);
        return {
          verb: "look",
          view,
          look: "page",
          stirs: true,
          act: async (permit) => {
            permit.take();
            await desk.tabs.select(view);
            return { tabs: await listed(desk, session) };
          },
        };
      }
    }
  },
});

function named(desk: Desk, tab: string | undefined): View {
  const view = desk.tabs.get(tab as TabId);
  if (view === undefined)
    throw new Failure(
      "no_match",
      `There is no such tab. Open: ${
        desk.tabs
          .list()
          .map((open) => open.tab)
          .join(", ") || "none"
      }.`,
    );
  return view;
}

/** Titles and addresses only of pages that may be shown. */
async function listed(desk: Desk, session: Session): Promise<readonly object[]> {
  const active = desk.tabs.active;
  return Promise.all(
    desk.tabs.list().map(async (view) => ({
      id: view.tab,
      ...(await session.shownPage(view)),
      active: view === active,
    })),
  );
}
