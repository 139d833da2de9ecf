import type { ReachSettings } from "./policy.ts";
import { REACH_KINDS } from "./policy.ts";

/** How strictly a session is guarded, from the strictest on. */
export const PROFILES = ["strict", "guarded", "observe"] as const;
export type ProfileName = (typeof PROFILES)[number];

/** What a profile changes. All else is the same in all of them. */
export interface Profile {
  /** What scope, reading, lists of sites and effects refuse or ask: done so, or only recorded. */
  readonly choices: "enforced" | "recorded";
  /** Every site holds something of a person. */
  readonly everySiteIsPrivate: boolean;
  /** Assets and frames of other sites: as configured, or closed. */
  readonly otherSites: "configured" | "closed";
  /** Whether a running browser may be attached to. */
  readonly attaches: boolean;
}

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  strict: { choices: "enforced", everySiteIsPrivate: true, otherSites: "closed", attaches: false },
  guarded: { choices: "enforced", everySiteIsPrivate: false, otherSites: "configured", attaches: true },
  observe: { choices: "recorded", everySiteIsPrivate: false, otherSites: "configured", attaches: true },
};

/** The settings of reach as they count under a profile. */
export function underProfile(reach: ReachSettings, { otherSites }: Profile): ReachSettings {
  return otherSites === "closed" ? { ...reach, assets: "closed", reach: REACH_KINDS } : reach;
}

export const MODES = ["read", "act"] as const;
export type Mode = (typeof MODES)[number];

/** What a mode lets leave. Tools of a mode are those of the registry. */
export const modes: Readonly<Record<Mode, { readonly says: string; readonly sockets: boolean }>> = {
  read: {
    says: "Nothing that changes something leaves: of unsafe methods only reads (by the operation's name; GraphQL queries), upkeep such as heartbeats, and what `effects.readLike` names; no address that does something, no socket. Nobody is asked about it.",
    sockets: false,
  },
  act: {
    says: "What has a stake waits for a yes, unless a rule or a grant lets it pass (docs/rules.md): what changes something at a private site, carries what was typed, crosses sites, or says itself that it is serious. Else it passes, counted. Sockets go to sites in scope only; a private page's are asked about once it was touched.",
    sockets: true,
  },
};

const MARKS = { yes: "yes", no: "no" } as const;

/** The page `docs/policy.md`. `tools`: the names that each mode lists. */
export function policyPage(tools: Readonly<Record<Mode, readonly string[]>>): string {
  const all = tools.act;
  const mark = (is: boolean): string => (is ? MARKS.yes : MARKS.no);
  return [
    "# Modes and profiles",
    "",
    "Generated from `src/gate/profiles.ts` and the registry of tools by `npm run docs`; do not edit.",
    "",
    "## Modes",
    "",
    ...MODES.map((mode) => `- \`${mode}\`: ${modes[mode].says}`),
    "",
    "The option `mode` sets it. Where it is not set, `chaperone read` and `chaperone open` read and everything else acts, with one exception: when something private is in reach (`private`, `sites`, a stored state) and nobody can be asked, the session starts in `read` and says so. Set `mode: act` with `approve: none` for unattended work: what is granted is done, what would be asked is refused.",
    "",
    "| tool | read | act |",
    "| --- | --- | --- |",
    ...all.map((tool) => `| \`${tool}\` | ${mark(tools.read.includes(tool))} | ${mark(tools.act.includes(tool))} |`),
    "",
    "In `read`, `press_key` takes keys that scroll or close only, `handle_next_dialog` only dismisses, and `batch` has the tools of its mode. `click` may open and close things, since nothing unsafe leaves.",
    "",
    "## Profiles",
    "",
    "| profile | scope, reading, lists of sites, effects | every site is private, and only reads pass unasked | assets and frames of other sites | attaches to a running browser |",
    "| --- | --- | --- | --- | --- |",
    ...PROFILES.map((name) => {
      const { choices, everySiteIsPrivate, otherSites, attaches } = profiles[name];
      return `| \`${name}\` | ${choices} | ${mark(everySiteIsPrivate)} | ${otherSites} | ${mark(attaches)} |`;
    }),
    "",
    "Addresses, schemes, the block list and secrets are enforced in all of them.",
    "",
  ].join("\n");
}
