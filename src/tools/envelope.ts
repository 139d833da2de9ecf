import { detailsOf } from "../page/view/incomplete.ts";
import type { Performed } from "../session/session.ts";
import type { BrowserEvent, Envelope, ToolResult } from "../types.ts";
import type { Fields } from "./tool.ts";

const MAX_MESSAGE_CHARS = 200;
const MAX_EVENTS = 20;

/**
 * What a call came to, as every face shows it. `lastPage` is the page line of the result before: it is not repeated.
 */
export function envelopeOf(
  performed: Performed<Fields>,
  lastPage: string | null,
): { readonly result: ToolResult; readonly page: string | null } {
  const { image, ...fields } = performed.fields ?? {};
  const { refused, pending, error, look, page, changed, receipt } = performed;
  const pageLine = page === null ? lastPage : JSON.stringify(page);
  const events = eventsOf(performed.events);
  const envelope: Envelope = {
    ok: performed.ok,
    ...(page !== null && pageLine !== lastPage && { page }),
    ...(changed !== null && { changed }),
    // "changed: nothing" says it already.
    ...(look !== null && changed !== "nothing" && { snapshot: look.text.text }),
    ...(look?.elements != null && {
      elements: look.elements,
      ...(look.cursor !== null && { cursor: look.cursor }),
      ...(look.left > 0 && { elements_left: look.left }),
    }),
    ...(refused !== null && {
      refused: {
        rule: refused.rule,
        reason: refused.reason,
        remedy: refused.remedy,
        ...(refused.operator !== null && { operator: refused.operator }),
        ...(refused.site !== null && { site: refused.site }),
      },
    }),
    ...(pending !== null && { pending }),
    ...(error !== null && { error: { code: error.code, message: error.message }, ...detailsOf(error) }),
    ...(events.length > 0 && { events }),
    ...(receipt !== null && { receipt }),
    ...fields,
  };
  return { result: { envelope, ...(image !== undefined && { image }) }, page: pageLine };
}

/** Only what the model should know; requests and console lines as counts, to be read with their own tools. */
function eventsOf(events: readonly BrowserEvent[]): readonly Readonly<Record<string, unknown>>[] {
  const told: Record<string, unknown>[] = [];
  const refusedRequests = new Map<string, number>();
  let consoleErrors = 0;
  for (const event of events) {
    switch (event.kind) {
      case "dialog":
        told.push({
          kind: event.kind,
          type: event.type,
          message: event.message.slice(0, MAX_MESSAGE_CHARS),
          answered: event.answered,
        });
        break;
      case "dialogs_suppressed":
        told.push({ kind: event.kind, tab: event.tab, count: event.count });
        break;
      case "popups_refused":
        told.push({ kind: event.kind, count: event.count, reason: "there are too many tabs: close some first" });
        break;
      case "popup":
        told.push({ kind: event.kind, tab: event.tab, url: event.url });
        break;
      case "tab_closed":
        told.push({ kind: event.kind, tab: event.tab });
        break;
      case "download":
        told.push({
          kind: event.kind,
          url: event.url,
          name: event.name.slice(0, MAX_MESSAGE_CHARS),
          outcome: event.outcome,
        });
        break;
      case "request":
        if (event.refused !== null)
          refusedRequests.set(event.refused.rule, (refusedRequests.get(event.refused.rule) ?? 0) + 1);
        break;
      case "console":
        if (event.level === "error") consoleErrors += 1;
        break;
      case "browser_ended":
        told.push({ kind: event.kind, reason: event.reason });
        break;
      // No word of the page's.
      case "browser_started":
        break;
      default:
        event satisfies never;
    }
  }
  const cut =
    told.length > MAX_EVENTS ? [...told.slice(0, MAX_EVENTS), { kind: "more", count: told.length - MAX_EVENTS }] : told;
  return [
    ...cut,
    ...[...refusedRequests].map(([rule, count]) => ({ kind: "requests_refused", rule, count })),
    ...(consoleErrors > 0 ? [{ kind: "console_errors", count: consoleErrors }] : []),
  ];
}
