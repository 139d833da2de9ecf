import { Failure } from "../errors.ts";
import type { Waiting } from "../guard/index.ts";
import type { Look, Show } from "../page/snapshot/look.ts";
import type { View } from "../page/view/view.ts";
import type {
  Approver,
  BrowserEvent,
  CallId,
  Choice,
  Element,
  Intent,
  Pending,
  Permit,
  Receipt,
  Refuse,
  Site,
  TabId,
  Value,
  Verb,
} from "../types.ts";
import type { Deadline, DeadlineKind } from "./deadline.ts";
import type { EventStream } from "./events.ts";
import type { RequestLog } from "./requests.ts";
import type { Tabs } from "./tabs.ts";

/** What a tool wants to do, before it is decided. */
export interface Plan<Fields> {
  readonly verb: Verb;
  readonly view: View | null;
  readonly element?: Element | null;
  /** What has the focus, where no element says what it acts on. */
  readonly focus?: Element | null;
  readonly values?: readonly Value[];
  readonly sink?: Intent["sink"];
  /** What the model gets to see afterwards. */
  readonly look: "page" | "change" | "nothing";
  /** A look that the page may react to, as to being put in front. */
  readonly stirs?: boolean;
  /** Where a look at less than the page begins. */
  readonly root?: Element | null;
  /** Somebody must have answered that before anything else is done. */
  readonly waits?: Waiting;
  /** The model's own words for why, for whoever approves. */
  readonly reason?: string | undefined;
  /** What of it, when not simply all. */
  readonly show?: Show;
  act(permit: Permit): Promise<Fields>;
}

/** One call's workplace: the deadline it has and the tabs it can use. */
export interface Desk {
  readonly call: CallId;
  readonly time: Deadline;
  readonly tabs: Tabs;
  readonly events: EventStream;
  readonly requests: RequestLog;
  /** A question of this session; its choice is null as long as it waits. */
  approval(id: string): (Waiting & { readonly choice: Choice | null }) | undefined;
}

export interface Request<Fields> {
  readonly tool: string;
  readonly deadline: DeadlineKind;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** It may start on an empty tab: the others are told when the browser's end took the page away. */
  readonly opens: boolean;
  /** It only reads, from a page or from what we know ("aside"): it goes on while somebody is asked. */
  readonly reads?: "page" | "aside" | undefined;
  /** The face's own channel for what it asks. */
  readonly approver?: Approver | undefined;
  /** More calls follow at once: what changed on the page is told by a later look. */
  readonly quiet?: boolean;
  plan(desk: Desk): Promise<Plan<Fields>>;
}

/** What the guard decides on. */
export function intentOf<Fields>(
  { tool }: Pick<Request<Fields>, "tool">,
  { verb, view, element, focus, values, sink, reason }: Plan<Fields>,
  call: CallId,
  siteOf: (url: string) => Site | null,
): Intent {
  return {
    call,
    tool,
    verb,
    tab: view?.tab ?? null,
    ...(view !== null && { site: siteOf(view.url), sites: view.sites(), document: view.document }),
    element: element ?? null,
    ...(focus != null && { focus }),
    values: values ?? [],
    sink: sink ?? null,
    reason,
  };
}

export interface Performed<Fields> {
  readonly ok: boolean;
  readonly fields: Fields | null;
  readonly refused: Refuse | null;
  /** Somebody has been asked and has not answered yet. */
  readonly pending: Pending | null;
  readonly error: Failure | null;
  readonly look: Look | null;
  readonly page: { readonly url: string; readonly title: string; readonly tab: TabId } | null;
  readonly changed: "document" | "content" | "nothing" | null;
  readonly events: readonly BrowserEvent[];
  readonly receipt: Receipt | null;
}

/** Makes one call. Never rejects. */
export type Perform = <Fields>(request: Request<Fields>) => Promise<Performed<Fields>>;

/** A call that came to nothing; what it did come to is put over it. */
export const nothing = {
  ok: false,
  fields: null,
  refused: null,
  pending: null,
  error: null,
  look: null,
  page: null,
  changed: null,
  events: [],
  receipt: null,
} as const;

export function failed<Fields>(error: unknown): Performed<Fields> {
  return { ...nothing, error: asFailure(error) };
}

/** What nobody foresaw is a failure of the page as far as the model needs to know. */
export function asFailure(error: unknown): Failure {
  return Failure.is(error)
    ? error
    : new Failure("page_ended", "The call could not be finished. Take a snapshot to see what the page shows.", {
        cause: error,
      });
}
