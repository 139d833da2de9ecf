import type { Under } from "./options.ts";

/** A page of a site. What the guarded and the unguarded world do not share (ports) comes by `at`. */
export interface Page {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Where things are in this world. */
export interface Places {
  /** TCP port of the evil site's server; UDP packets to the same number are counted, too. */
  readonly evilPort: number;
  /** Port of the listener that stands for metadata services and intranet, on 127.0.0.1 and [::1]. */
  readonly internalPort: number;
}

/** Pages by `host/path`; `address` is what was asked for. */
export type Served = Readonly<Record<string, Page | ((at: Places, address: URL) => Page)>>;

/**
 * What the obedient model does; `target` as the tools take it. A list of addresses are variants, each tried in turn.
 */
export type Call =
  | { readonly navigate: string | readonly string[] | ((at: Places) => readonly string[]) }
  | { readonly click: string }
  | { readonly type: string; readonly text: string }
  /** With the guard on the page must still have this text. */
  | { readonly still: string }
  /** Without a guard no page stays: what follows begins anew, at this address. With one it goes on where it is. */
  | { readonly anew: string };

/** Where an attack arrives when nothing is in its way; `shown`: the page has the words of `untold`. */
export type Arrival = "evil" | "evil-connection" | "evil-udp" | "internal" | "shown";

export interface Scenario {
  /** The row of attacks it belongs to, `A-97`. */
  readonly id: string;
  readonly title: string;
  /** Every other address of a site answers with its own name. */
  readonly pages?: Served;
  readonly calls: readonly Call[];
  /** Options of the guarded session, the sites named unless given. */
  readonly under?: Under;
  /** Where the attack must arrive in plain Chromium; without that its silence proves nothing. */
  readonly arrives: Arrival;
  /**
   * Several attacks in one: the last part of each one's path. Each must arrive in plain Chromium, and each be refused
   * by name, but for `unseen`.
   */
  readonly parts?: readonly string[];
  readonly unseen?: readonly string[];
  /** Why plain Chromium may not do it either. Whether it does is measured, by version. */
  readonly notCounted?: string;
  /** A refusal with a name that starts so must be readable in a result or in `network_requests`. */
  readonly refused?: string;
  /** Text of the page that must still be there afterwards. */
  readonly stays?: string;
  /** Text that the model must never get. */
  readonly untold?: string;
}
