/**
 * The words that all rooms share (design.md, "Words" and "Types"). No logic lives here.
 */
import type { Offer, RuleId } from "./rules/index.ts";

export type { RuleId } from "./rules/index.ts";

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** A schemeful-less site: registrable domain by the public suffix list, or `host:port` for addresses and localhost. */
export type Site = Branded<"Site">;
/** `scheme://host[:port]`, canonical, as WHATWG URL serialises it. */
export type Origin = Branded<"Origin">;
/** `e12`: an element as it was shown. Never reused within a session. */
export type Ref = Branded<"Ref">;
/** `t1`: a tab. Never reused within a session. */
export type TabId = Branded<"TabId">;
/** `c7`: one call of one tool. */
export type CallId = Branded<"CallId">;
/** Chromium's loader id of a document, the same for every look at it. */
export type DocumentId = Branded<"DocumentId">;
/** Name of a decision's record in the ledger. */
export type Receipt = Branded<"Receipt">;
/** `q3`: one question to a person. */
export type QuestionId = Branded<"QuestionId">;

/** The sites a text came from. Joins are unions; labels only grow. */
export interface Label {
  readonly sites: ReadonlySet<Site>;
  readonly private: ReadonlySet<Site>;
}

/** All that `page/` may hand out about a page's words. */
export interface Text {
  readonly text: string;
  readonly label: Label;
  /** True when something secret was taken out of `text`. */
  readonly masked: boolean;
}

/** Where a value came from. */
export type Channel =
  | { readonly kind: "USER" | "USER_CONFIRMED" | "ALLOWLIST" | "MODEL" }
  | { readonly kind: "PAGE"; readonly sites: ReadonlySet<Site> }
  | { readonly kind: "SECRET"; readonly name: string };

/** All that may go into a page. */
export interface Value extends Text {
  readonly channel: Channel;
}

/** What the model said it means. */
export type Target =
  /** With a place inside of it: CSS pixels from the upper left corner of its box. */
  | { readonly by: "ref"; readonly ref: Ref; readonly at?: { readonly x: number; readonly y: number } }
  | { readonly by: "role"; readonly role: string; readonly name: string; readonly within?: string };

/** What that is now, in the page. */
export interface Element {
  readonly ref: Ref;
  readonly tab: TabId;
  readonly document: DocumentId;
  readonly frame: string;
  readonly site: Site | null;
  readonly role: string;
  readonly name: string;
  /** Text of the row or section that holds it, cut. */
  readonly within: string | null;
  /** Absolute address of a link. */
  readonly href: string | null;
  readonly field: FieldFacts | null;
  readonly form: FormFacts | null;
}

export interface FieldFacts {
  readonly type: string;
  readonly name: string;
  /** Its value is never read, shown, logged. */
  readonly secret: boolean;
}

export interface FormFacts {
  readonly action: string;
  readonly method: string;
  /** Of a field: the name of the button that Enter in it presses. */
  readonly button?: string;
}

/** Where a value goes. */
export type Sink =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "field"; readonly element: Element }
  /** One judgement for a form: `Intent.values` holds all values, too. `submit`: one act more, in the last field. */
  | {
      readonly kind: "fields";
      readonly fields: readonly { readonly element: Element; readonly values: readonly Value[] }[];
      readonly submit: boolean;
    }
  | { readonly kind: "dialog" }
  | { readonly kind: "file" }
  | { readonly kind: "answer" };

/** `point`: the pointer only hovers, or the page only scrolls. */
export type Verb = "go" | "look" | "point" | "press" | "enter" | "choose" | "answer" | "upload" | "signIn";

/** One call, understood: what `guard.call` decides on. */
export interface Intent {
  readonly call: CallId;
  readonly tool: string;
  readonly verb: Verb;
  readonly tab: TabId | null;
  readonly element: Element | null;
  readonly values: readonly Value[];
  readonly sink: Sink | null;
  /** Site of the tab's document. */
  readonly site?: Site | null;
  /** Sites of all documents of the tab: where the input goes when no element says it. Absent: not known. */
  readonly sites?: readonly (Site | null)[];
  /** Chromium's loader id of the tab's document. */
  readonly document?: string | null;
  /** What had the focus, where no element says what it acts on. For words only: the focus may move. */
  readonly focus?: Element | null;
  /** The model's own words for why, for whoever approves. Never a ground for anything. */
  readonly reason?: string | undefined;
}

/** What a request is for. Chromium's finer `resourceType` travels beside it. */
export type RequestKind =
  | "navigation" // a main frame's document
  | "subframe" // a child frame's document
  | "data" // fetch, XHR, EventSource, beacon, ping, report
  | "subresource" // image, style, script, font, media
  | "worker" // a worker's script
  | "prefetch"
  | "socket"
  | "unknown"; // judged as strictly as navigation and data together

/** Who is behind a request. */
export type Cause =
  | { readonly by: "call"; readonly call: CallId }
  | { readonly by: "page" | "person" | "signIn" | "browser" | "code" };

/** What a request carries. Never shown unmasked; digests are SHA-256 in hex over the exact bytes. */
export type Body =
  | { readonly kind: "none" }
  | { readonly kind: "bytes"; readonly contentType: string; readonly bytes: Uint8Array; readonly digest: string }
  /** At least one part came without its bytes (a file, a stream): cannot be inspected. */
  | { readonly kind: "opaque"; readonly contentType: string; readonly knownBytes: number };

/** Where in the browser a request comes from. */
export interface RequestFrom {
  readonly target: string;
  /** page, iframe, worker, shared_worker, service_worker, other. */
  readonly targetType: string;
  readonly frame: string;
  /** Address of the document that asks; null when the browser asks by itself or it is not known. */
  readonly documentUrl: string | null;
  /** Chromium's loader of that document; null for workers and where it is not known. */
  readonly document?: string | null;
  /** Address of the top document of that tab. */
  readonly mainUrl: string | null;
  /** Playwright's page target that this tab is, when it is one. */
  readonly page: string | null;
  /** True when the target is a popup whose main frame has not committed a document of its own. */
  readonly freshPopup: boolean;
}

/** One request, or one redirect hop of it, held at the wire before its first byte leaves. */
export interface RequestFacts {
  readonly id: string;
  readonly kind: RequestKind;
  readonly resourceType: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly from: RequestFrom;
  /** 0 for a first request, n for its n-th redirect hop. */
  readonly hop: number;
  /** Address of the hop before; null for a first request. */
  readonly redirectedFrom: string | null;
  readonly cause: Cause;
  /**
   * The agent's latest input (a click, a key, a choice) that this may follow from: in its tab, in a tab that opened it,
   * in another tab of its site. Null: none; absent: not known.
   */
  readonly input?: CallId | null;
  /**
   * The document that asks is not the one that the input went to: it came later, and sends as it loads or by itself.
   */
  readonly isLater?: boolean;
  /**
   * Of a picture, style, script or font from another host: whether the top document's HTML, as it came, names that
   * host. Null or absent where nobody looked.
   */
  readonly namedByDocument?: boolean | null;
}

export interface Allow {
  readonly verdict: "allow";
  readonly rule: RuleId;
}

export interface Refuse {
  readonly verdict: "refuse";
  readonly rule: RuleId;
  /** For the model: why, in one line, with no text from a page. */
  readonly reason: string;
  /** For the model: what to do instead. */
  readonly remedy: string;
  /** For the operator: the exact option or configuration line that would allow it, if any would. */
  readonly operator: string | null;
  readonly site: Site | null;
  /** At the wire: answered 204, so that a page that only reports goes on as if it had. */
  readonly quiet?: true;
  /** Not what a call itself did: told as an event, never as the call's result. */
  readonly aside?: true;
}

export type Verdict = Allow | Refuse;

/** What a request changes, as far as its facts tell. */
export type EffectClass = "reversible" | "irreversible" | "unknown";

/** An answer to a question: this very thing, once; this and the next steps of its form; this kind for the task; no. */
export type Choice = Offer | "no";

/** What somebody is asked. The same lines in every channel. */
export interface Question {
  readonly id: QuestionId;
  /** The call that it holds up; null when no call runs. */
  readonly call: CallId | null;
  readonly about: "effect" | "reach";
  /** One fact a line, escaped and cut, a page's words marked as such; the model's own reason last, fenced. */
  readonly lines: readonly string[];
  /** SHA-256 in hex of all that is asked: an answer holds for this and nothing else. */
  readonly digest: string;
  /** The digests of the requests that wait for the answer; none when it is about a place. */
  readonly requests: readonly string[];
  readonly effect: EffectClass | "none";
  /** What may be answered; "no" is always among them. */
  readonly choices: readonly Choice[];
  /** What each of them means here, in a few words. */
  readonly means: Readonly<Partial<Record<Choice, string>>>;
  /** What a person must type to say anything but no; null where a click is enough. */
  readonly code: string | null;
  /** Milliseconds since 1970. Afterwards the answer is no. */
  readonly expires: number;
}

export interface Answer {
  readonly answer: Choice;
  /** As the person typed it. */
  readonly code?: string;
}

/** One channel to somebody who can answer. */
export interface Approver {
  readonly name: "console" | "elicitation" | "terminal" | "callback" | "command";
  /** A person answers there, and types the code where the question has one. */
  readonly person: boolean;
  /** It may never answer although it takes questions: the next channel is asked at the same time. */
  readonly unsure: boolean;
  /**
   * The answer; null when this channel is not available (then the next one is asked). A rejection counts as null.
   * `signal`: answered elsewhere, or too late.
   */
  ask(question: Question, signal: AbortSignal): Promise<Answer | null>;
}

declare const permitBrand: unique symbol;
/**
 * What the guard hands to the one act it allowed; for a form, to as many acts as it has fields. Only `guard/` can make
 * one.
 */
export interface Permit {
  readonly [permitBrand]: true;
  readonly call: CallId;
  readonly receipt: Receipt;
  /** Takes it; throws when it was for fewer acts. */
  take(): void;
}

/** What happened in the browser. The one stream that tool results, the record and consoles subscribe to. */
export type BrowserEvent =
  | {
      readonly kind: "dialog";
      readonly tab: TabId;
      readonly type: string;
      readonly message: string;
      readonly answered: "dismissed" | "accepted";
    }
  /** Beyond what one call tells one by one: they are only counted. */
  | { readonly kind: "dialogs_suppressed"; readonly tab: TabId; readonly count: number }
  | { readonly kind: "popup"; readonly tab: TabId; readonly url: string; readonly opener: TabId | null }
  /** There are too many tabs: closed as soon as they came. */
  | { readonly kind: "popups_refused"; readonly count: number }
  | { readonly kind: "tab_closed"; readonly tab: TabId }
  | {
      readonly kind: "download";
      readonly tab: TabId | null;
      readonly url: string;
      readonly name: string;
      readonly outcome: "cancelled";
    }
  | {
      readonly kind: "request";
      readonly tab: TabId | null;
      readonly method: string;
      readonly url: string;
      readonly resourceType: string;
      readonly status: number | null;
      /** `operator`: what would permit it, where there is such an option. */
      readonly refused: { readonly rule: RuleId; readonly reason: string; readonly operator?: string } | null;
      readonly call: CallId | null;
    }
  | { readonly kind: "console"; readonly tab: TabId | null; readonly level: string; readonly message: string }
  | { readonly kind: "browser_started" | "browser_ended"; readonly reason: string };

/** Closed list of failure codes (surface.md, "Envelope"). */
export type ErrorCode =
  | "bad_arguments"
  | "unknown_tool"
  | "no_match"
  | "ambiguous"
  | "stale"
  | "covered"
  | "disabled"
  | "timeout"
  | "still_loading"
  | "navigation_failed"
  | "no_browser"
  | "browser_ended"
  | "page_ended"
  | "dialog_open"
  | "too_large"
  | "cancelled";

/** Somebody was asked and has not answered. `note`: what waits, and how to go on; fixed words. */
export interface Pending {
  readonly approval: QuestionId;
  readonly expires_in_s: number;
  readonly note: string;
}

/** The same for every tool (surface.md, "Envelope"). Tools add fields of their own. */
export interface Envelope {
  readonly ok: boolean;
  readonly page?: { readonly url: string; readonly title: string; readonly tab: TabId };
  readonly changed?: "document" | "content" | "nothing";
  readonly snapshot?: string;
  readonly refused?: {
    readonly rule: RuleId;
    readonly reason: string;
    readonly remedy: string;
    readonly operator?: string;
    readonly site?: Site;
  };
  /** Somebody has been asked and has not answered yet. */
  readonly pending?: Pending;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
  readonly events?: readonly Readonly<Record<string, unknown>>[];
  readonly receipt?: Receipt;
  readonly [extra: string]: unknown;
}

export interface ToolResult {
  readonly envelope: Envelope;
  readonly image?: { readonly bytes: Uint8Array; readonly mimeType: "image/png" };
}

/** A tool as faces list it. Schemas are plain JSON schema objects, the input's root without oneOf, anyOf, allOf. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  readonly readOnly: boolean;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The face's own channel for what this call asks: MCP elicitation lives inside of a call. */
  readonly approver?: Approver;
}

/** What a face needs of a session. A refusal or a failure is a result; `call` never rejects. */
export interface CallableSession {
  readonly tools: readonly ToolDescription[];
  readonly instructions: string;
  call(tool: string, args: unknown, options?: CallOptions): Promise<ToolResult>;
  close(): Promise<void>;
}
