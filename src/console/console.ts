import type { Answer, Approver, Question } from "../types.ts";
import { Access } from "./access.ts";
import { desktopOpener, type Opener } from "./desktop.ts";
import { OPENING_PAUSE_MS, STATUS_EVERY_MS } from "./limits.ts";
import { Questions } from "./questions.ts";
import {
  addressOf,
  prepareDirectory,
  removeEntry,
  removeOpening,
  sweep,
  writeEntry,
  writeOpening,
} from "./registry.ts";
import { type ConsoleServer, startServer } from "./server.ts";
import type { ConsoleStatus } from "./shape.ts";
import { Streams } from "./streams.ts";
import { viewOf } from "./view.ts";

export interface ConsoleOptions {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly sessionId: string;
  /** Of `liveSessionsDirectory`. Made, and made ours alone, when it is not. */
  readonly directory: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** So many bytes that nobody can guess. */
  readonly random: (bytes: number) => Uint8Array;
  /**
   * Whether the first question, and each that nobody watches, opens the person's browser where there is a desktop; or
   * how.
   */
  readonly openBrowser: boolean | Opener;
  /** Adds to the task what the person wrote. Null, or why not, for the person. */
  addOperatorText(text: string): string | null | Promise<string | null>;
  /** Adds a site to the scope. Null, or why not, for the person. */
  addSite(site: string): string | null | Promise<string | null>;
  status(): ConsoleStatus;
  /** Names the session, for a person who has several. */
  readonly title: string;
}

/** A local page where a person sees a session's questions and answers (AP-4). */
export interface Console {
  readonly approver: Approver;
  /** On 127.0.0.1, for whoever keeps the session's own browser away from it; null when there is no server. */
  readonly port: number | null;
  /** Questions end without an answer, pages say so, and nothing is left behind. Never rejects. */
  close(): Promise<void>;
}

const NO_STATUS: ConsoleStatus = { mode: "?", profile: "?", sites: [], recent: [] };
const NOT_ADDED = "it could not be added";

/**
 * Starts listening and writes the session down, so that `chaperone console` finds it at any time: both take a few
 * milliseconds. Never rejects: without a server the approver is not available.
 */
export async function startConsole(options: ConsoleOptions): Promise<Console> {
  const desk = new LiveConsole(options);
  await desk.start();
  return desk;
}

class LiveConsole implements Console {
  readonly approver: Approver;
  readonly #options: ConsoleOptions;
  readonly #access: Access;
  readonly #questions: Questions;
  readonly #streams: Streams;
  readonly #opener: Opener | null;
  readonly #started: number;
  #server: ConsoleServer | null = null;
  #ticker: NodeJS.Timeout | null = null;
  /** Nobody is sent to the page again before. */
  #nextOpeningAt = Number.NEGATIVE_INFINITY;
  /** Files are written one after another. */
  #writing: Promise<void> = Promise.resolve();

  constructor(options: ConsoleOptions) {
    this.#options = options;
    this.#access = new Access(options.random);
    this.#questions = new Questions(options.clock, () => this.#changed());
    this.#streams = new Streams(() => this.#line());
    this.#opener = openerOf(options.openBrowser);
    this.#started = options.clock();
    this.approver = {
      name: "console",
      person: true,
      unsure: false,
      ask: (question, signal) => this.#ask(question, signal),
    };
  }

  get port(): number | null {
    return this.#server?.port ?? null;
  }

  async start(): Promise<void> {
    const { directory, random } = this.#options;
    try {
      await prepareDirectory(directory);
      this.#server = await startServer(this.#access, random, {
        answer: (given) => this.#questions.answer(given),
        addOperatorText: (text) => added(() => this.#options.addOperatorText(text)),
        addSite: (site) => added(() => this.#options.addSite(site)),
        opened: () => this.#keyWasUsed(),
        watch: (response) => this.#streams.add(response),
      });
      await this.#writeEntry();
    } catch {
      await this.close();
      return;
    }
    this.#ticker = setInterval(() => this.#streams.changed(), STATUS_EVERY_MS).unref();
    await sweep(directory).catch(() => {});
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (this.#ticker !== null) clearInterval(this.#ticker);
    this.#questions.end();
    this.#streams.end();
    if (server === null) return;
    await server.close();
    await this.#write(() => removeEntry(this.#options.directory, this.#options.sessionId));
  }

  #ask(question: Question, signal: AbortSignal): Promise<Answer | null> {
    if (this.#server === null) return Promise.resolve(null);
    const answer = this.#questions.ask(question, signal);
    this.#bringSomebody();
    return answer;
  }

  #changed(): void {
    this.#server?.hold(this.#questions.open.length > 0);
    this.#streams.changed();
  }

  /** A failing opener changes nothing: `chaperone console` still opens the page. */
  #bringSomebody(): void {
    const { clock } = this.#options;
    const opener = this.#opener;
    if (opener === null || this.#questions.open.length === 0 || this.#streams.size > 0 || clock() < this.#nextOpeningAt)
      return;
    this.#nextOpeningAt = clock() + OPENING_PAUSE_MS;
    void this.#writeOpening()
      .then((file) => (file === null ? undefined : opener(file)))
      .catch(() => {});
  }

  async #writeOpening(): Promise<string | null> {
    const { directory, sessionId } = this.#options;
    let file: string | null = null;
    await this.#write(async () => {
      const { port } = this;
      if (port !== null) file = await writeOpening(directory, sessionId, addressOf({ port, key: this.#access.key }));
    });
    return file;
  }

  #keyWasUsed(): Promise<void> {
    return this.#write(async () => {
      await removeOpening(this.#options.directory, this.#options.sessionId);
      await this.#writeEntry();
    });
  }

  async #writeEntry(): Promise<void> {
    const { port } = this;
    if (port === null) return;
    await writeEntry(this.#options.directory, this.#options.sessionId, {
      pid: process.pid,
      port,
      key: this.#access.key,
      started: this.#started,
    });
  }

  #write(what: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(what).catch(() => {});
    return this.#writing;
  }

  #line(): { readonly line: string; readonly news: string } {
    const view = viewOf(
      this.#options.title,
      this.#status(),
      this.#questions.open,
      this.#questions.done,
      this.#options.clock(),
    );
    return {
      line: JSON.stringify(view),
      news: JSON.stringify({ ...view, open: view.open.map(({ id, digest }) => [id, digest]) }),
    };
  }

  #status(): ConsoleStatus {
    try {
      return this.#options.status();
    } catch {
      return NO_STATUS;
    }
  }
}

function openerOf(openBrowser: ConsoleOptions["openBrowser"]): Opener | null {
  if (typeof openBrowser === "function") return openBrowser;
  return openBrowser ? desktopOpener(process.platform, process.env) : null;
}

async function added(add: () => string | null | Promise<string | null>): Promise<string | null> {
  try {
    return await add();
  } catch {
    return NOT_ADDED;
  }
}
