import { closeSync, fdatasyncSync, fstatSync, ftruncateSync } from "node:fs";
import { resolve } from "node:path";
import { Chain, digestOf, type Sealed, VERSION } from "./chain.ts";
import { installationKey } from "./key.ts";
import { claim, partPath, writeAll } from "./place.ts";
import { startedAt } from "./process.ts";

const MAX_PART_BYTES = 64 * 1024 * 1024;
const MAX_VALUE_CHARS = 200;
const CHECKPOINT_RECORDS = 256;
/** Readers refuse longer lines. */
const MAX_LINE_BYTES = 1024 * 1024;

/** What the first line says of the session. Digests only, of what may be long or personal. */
export interface LedgerAbout {
  /** Name and version of the program. */
  readonly program: string;
  /** All that decides: only its digest is written. Plain JSON. */
  readonly policy: unknown;
  /** The operator's words: only their digest is written. */
  readonly task: string | null;
  /** Where less holds than by default. Plain JSON. */
  readonly exemptions: Readonly<Record<string, unknown>>;
}

export interface LedgerSettings {
  /** Where the lines go. Fixed for the session, no link is followed. */
  readonly file: string;
  /** Where the installation's key lies or will lie. */
  readonly keyDirectory: string;
  readonly about: LedgerAbout;
  /** Keeps the values that go into pages, cut; otherwise digests of them. Secrets are never among them. */
  readonly keepValues?: boolean;
  /** A new file is begun beyond that. Default 64 MiB. */
  readonly maxPartBytes?: number;
  /** Default 256. */
  readonly checkpointRecords?: number;
}

/** The ledger of one session on disk. After anything went wrong it takes nothing any more. */
export class LedgerWriter {
  readonly #file: string;
  readonly #chain: Chain;
  readonly #header: Readonly<Record<string, unknown>>;
  readonly #maxPartBytes: number;
  readonly #checkpointRecords: number;
  readonly #keepsValues: boolean;
  #descriptor: number;
  #part = 1;
  #bytes: number;
  #sinceCheckpoint = 0;
  #state: "open" | "broken" | "closed" = "open";

  constructor(settings: LedgerSettings, session: string, clock: () => number) {
    const { about } = settings;
    // A later change of the working directory must not lead the next part elsewhere.
    this.#file = resolve(settings.file);
    this.#keepsValues = settings.keepValues === true;
    this.#maxPartBytes = settings.maxPartBytes ?? MAX_PART_BYTES;
    this.#checkpointRecords = settings.checkpointRecords ?? CHECKPOINT_RECORDS;
    this.#chain = new Chain(session, installationKey(settings.keyDirectory), clock);
    this.#header = {
      kind: "header",
      version: VERSION,
      publicKey: this.#chain.publicKey,
      program: about.program,
      policy: digestOf(about.policy),
      task: about.task === null ? null : digestOf(about.task),
      exemptions: about.exemptions,
      writer: { pid: process.pid, started: startedAt(process.pid) },
    };
    const sealed = this.#chain.seal({ ...this.#header, part: this.#part });
    this.#descriptor = claim(this.#file, sealed.line);
    this.#bytes = Buffer.byteLength(sealed.line);
    this.#chain.take(sealed);
  }

  /** `seq` of the next record. */
  get nextSeq(): number {
    return this.#chain.seq;
  }

  /** What of a value's text may be written. */
  shown(text: string): { readonly text: string } | { readonly digest: string } {
    if (!this.#keepsValues) return { digest: this.#chain.digestOfValue(text) };
    return { text: text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text };
  }

  /** Adds one record; `durable`: on disk when this returns. Throws when it could not be written. */
  append(fields: Readonly<Record<string, unknown>>, durable: boolean): void {
    this.#guarded(() => {
      this.#write(this.#chain.seal(fields), durable);
      this.#sinceCheckpoint++;
      if (this.#bytes >= this.#maxPartBytes) this.#turn();
      else if (this.#sinceCheckpoint >= this.#checkpointRecords) this.#checkpoint({ kind: "checkpoint" }, false);
    });
  }

  /** Writes the closing line. What went wrong before leaves the ledger without one. */
  close(): void {
    if (this.#state === "closed") return;
    try {
      if (this.#state === "open") this.#guarded(() => this.#checkpoint({ kind: "close" }, true));
    } finally {
      this.#state = "closed";
      closeSync(this.#descriptor);
    }
  }

  #guarded(act: () => void): void {
    if (this.#state !== "open") throw new Error(`the ledger ${this.#file} is ${this.#state}`);
    this.#state = "broken";
    act();
    this.#state = "open";
  }

  #write(sealed: Sealed, durable: boolean): void {
    const bytes = Buffer.byteLength(sealed.line);
    if (bytes > MAX_LINE_BYTES) throw new Error(`a record of ${bytes} bytes is too long for the ledger`);
    const { size, nlink } = fstatSync(this.#descriptor);
    if (nlink === 0) throw new Error(`the ledger ${this.#file} was deleted`);
    if (size !== this.#bytes) throw new Error(`the ledger ${this.#file} was changed by somebody else`);
    try {
      writeAll(this.#descriptor, sealed.line);
      if (durable) fdatasyncSync(this.#descriptor);
    } catch (error) {
      this.#takeBack();
      throw error;
    }
    this.#bytes += bytes;
    this.#chain.take(sealed);
  }

  /** Half a line would hide behind it that all before is whole. */
  #takeBack(): void {
    try {
      ftruncateSync(this.#descriptor, this.#bytes);
    } catch {
      // The error that led here is told; a verifier names the half line.
    }
  }

  #checkpoint(fields: { readonly kind: "checkpoint" | "close"; readonly next?: number }, durable: boolean): void {
    this.#write(this.#chain.seal({ ...fields, ...this.#chain.state() }), durable);
    this.#sinceCheckpoint = 0;
  }

  #turn(): void {
    const next = this.#part + 1;
    this.#checkpoint({ kind: "checkpoint", next }, true);
    const sealed = this.#chain.seal({
      ...this.#header,
      part: next,
      continues: { part: this.#part, ...this.#chain.last },
    });
    const descriptor = claim(partPath(this.#file, next), sealed.line);
    closeSync(this.#descriptor);
    this.#descriptor = descriptor;
    this.#part = next;
    this.#bytes = Buffer.byteLength(sealed.line);
    this.#chain.take(sealed);
  }
}
