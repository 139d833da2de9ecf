/** A real Chromium with the observer in isolated worlds, for tests of what it sees. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type CDPSession, chromium, type Page } from "playwright-core";
import { launchBrowser } from "../browser/launch.ts";
import { pipeChannel } from "../wire/channel.ts";
import { worldSource } from "./generated/world.ts";
import type { SeenFrame, SeenNode, World } from "./seen.ts";

const VIEWPORT = { width: 1_000, height: 800 };

type Call = Exclude<keyof World, "document">;

export interface Looked {
  readonly page: Page;
  look(budgetTokens?: number, rootId?: number): Promise<SeenFrame>;
  call<Name extends Call>(name: Name, ...args: Parameters<World[Name]>): Promise<Awaited<ReturnType<World[Name]>>>;
  /** Any expression in the isolated world. */
  inWorld(expression: string): Promise<unknown>;
  /** Gives a closed shadow root to the observer. */
  adopt(backendNodeId: number): Promise<void>;
  /** Runs the observer's script once more in the same world. */
  runAgain(): Promise<void>;
  /** An expression in the isolated world of the first child frame. */
  inFrame(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

export interface Observatory {
  /** One page at a time: what was open before is gone. */
  open(html: string): Promise<Looked>;
  close(): Promise<void>;
}

interface Isolated {
  readonly contextId: number;
  run(expression: string): Promise<unknown>;
}

async function isolated(session: CDPSession, frameId: string): Promise<Isolated> {
  const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId, worldName: "observer" });
  const run = async (expression: string): Promise<unknown> => {
    const answer = await session.send("Runtime.evaluate", {
      expression,
      contextId: executionContextId,
      returnByValue: true,
      awaitPromise: true,
    });
    if (answer.exceptionDetails !== undefined)
      throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    return answer.result.value;
  };
  await run(worldSource);
  return { contextId: executionContextId, run };
}

/** Pages are served on loopback, so that they have an origin and addresses like any page. */
export async function openObservatory(): Promise<Observatory> {
  const launched = await launchBrowser();
  const channel = pipeChannel(launched.toBrowser, launched.fromBrowser);
  const transport = {
    send: (message: object) => channel.send(message),
    close: () => channel.close(),
    onmessage: undefined as ((message: object) => void) | undefined,
    onclose: undefined as ((reason?: string) => void) | undefined,
  };
  channel.onmessage = (message) => transport.onmessage?.(message);
  channel.onclose = () => transport.onclose?.();
  const browser = await chromium.connectOverCDP(transport as Parameters<typeof chromium.connectOverCDP>[0]);
  let html = "";
  const server = createServer((request, response) => {
    if (request.url !== "/page") {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();

  return {
    async open(content) {
      html = content;
      await page.goto(`http://127.0.0.1:${port}/page`);
      const session = await context.newCDPSession(page);
      const { frameTree } = await session.send("Page.getFrameTree");
      const { contextId, run: inWorld } = await isolated(session, frameTree.frame.id);
      return {
        page,
        inWorld,
        async inFrame(expression) {
          const { frameTree: now } = await session.send("Page.getFrameTree");
          const child = now.childFrames?.[0];
          if (child === undefined) throw new Error("no child frame");
          return (await isolated(session, child.frame.id)).run(expression);
        },
        async call(name, ...args) {
          return (await inWorld(`__chaperone.${name}(...${JSON.stringify(args)})`)) as never;
        },
        async look(budgetTokens = 4_000, rootId) {
          return (await inWorld(
            `__chaperone.look(${JSON.stringify(rootId === undefined ? { budgetTokens } : { budgetTokens, rootId })})`,
          )) as SeenFrame;
        },
        async adopt(backendNodeId) {
          const { object } = await session.send("DOM.resolveNode", { backendNodeId, executionContextId: contextId });
          if (object.objectId === undefined) throw new Error("no such node");
          await session.send("Runtime.callFunctionOn", {
            objectId: object.objectId,
            functionDeclaration: "function () { __chaperone.adoptRoot(this); }",
          });
        },
        async runAgain() {
          await inWorld(worldSource);
        },
        close: () => session.detach(),
      };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await browser.close();
      await launched.close();
    },
  };
}

/** One line a node, for tests that compare whole views: role, name, marks, children indented. */
export function outline(nodes: readonly SeenNode[], depth = 0): string {
  return nodes
    .map((node) => {
      const parts = [node.role];
      if (node.name !== undefined) parts.push(JSON.stringify(node.name));
      if (node.nonvisual === true) parts.push("unseen");
      if (node.act === true) parts.push("act");
      if (node.value !== undefined) parts.push(`= ${JSON.stringify(node.value)}`);
      if (node.secret !== undefined) parts.push(node.secret.filled ? "secret" : "secret empty");
      if (node.states !== undefined) parts.push(`[${node.states.join(", ")}]`);
      if (node.more !== undefined) parts.push(`+${node.more}`);
      const line = `${"  ".repeat(depth)}${parts.join(" ")}`;
      return node.children === undefined ? line : `${line}\n${outline(node.children, depth + 1)}`;
    })
    .join("\n");
}
