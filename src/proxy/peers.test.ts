import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { browserPeers, socketIn } from "./peers.ts";

const HEADER = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
const line = (local: string, remote: string, uid: number, inode: number) =>
  `   0: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000 ${uid}        0 ${inode} 1 0000000000000000 20 4 30 10 -1\n`;
const ours = line("0100007F:C001", "0100007F:1F90", 1000, 77);

describe("the kernel's table of sockets", () => {
  test.each([
    ["the client's own line", ours, { uid: 1000, inode: "77" }],
    ["not the proxy's end of it", line("0100007F:1F90", "0100007F:C001", 0, 78), null],
    ["not one to another port", line("0100007F:C001", "0100007F:1F91", 1000, 77), null],
    ["not one to another address", line("0100007F:C001", "0200007F:1F90", 1000, 77), null],
    ["not one from another address", line("0200007F:C001", "0100007F:1F90", 1000, 77), null],
    ["not one that nobody holds any more", line("0100007F:C001", "0100007F:1F90", 0, 0), null],
    ["nothing in an empty table", "", null],
    ["nothing in a cut line", "   0: 0100007F:C001 0100007F:1F90", null],
  ])("%s", (_name, rows, found) => {
    expect(
      socketIn(
        `${HEADER}${line("0100007F:0016", "0100007F:C001", 5, 9)}${rows}`,
        { address: "127.0.0.1", port: 0xc001 },
        0x1f90,
      ),
    ).toEqual(found);
  });

  test.each(["::1", "", "127.0.0", "127.0.0.256", "a.b.c.d"])("an address %j is nobody's", (address) => {
    expect(socketIn(HEADER + ours, { address, port: 0xc001 }, 0x1f90)).toBeNull();
  });
});

describe("processes", () => {
  let server: Server;
  let port = 0;
  let started: ChildProcess[] = [];

  beforeEach(async () => {
    server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    port = typeof address === "object" && address !== null ? address.port : 0;
  });

  afterEach(async () => {
    for (const child of started) child.kill("SIGKILL");
    started = [];
    await new Promise((resolve) => server.close(resolve));
  });

  /** A process, leader of its own group, whose child is the one that connects. */
  async function connecting(): Promise<{ readonly group: number; readonly socket: Socket }> {
    const inner = `require("node:net").connect(${port}, "127.0.0.1").on("close", () => process.exit())`;
    const outer = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(inner)}]).on("exit", () => process.exit())`;
    const arrived = once(server, "connection");
    const child = spawn(process.execPath, ["-e", outer], { detached: true, stdio: "ignore" });
    started.push(child);
    const [socket] = await arrived;
    socket.on("error", () => undefined);
    return { group: child.pid ?? 0, socket };
  }

  const childOf = async (parent: number): Promise<number> =>
    Number((await readFile(`/proc/${parent}/task/${parent}/children`, "utf8")).trim());

  const peerOf = (socket: Socket) => ({ address: socket.remoteAddress ?? "", port: socket.remotePort ?? 0 });

  test.runIf(process.platform === "linux")(
    "a process of the group is the browser, of another group a stranger, all before there is a group too",
    async () => {
      const one = await connecting();
      const two = await connecting();
      const peers = browserPeers(() => one.group);
      expect(await peers.check(peerOf(one.socket), port)).toBe("browser");
      expect(await peers.check(peerOf(one.socket), port)).toBe("browser");
      expect(await peers.check(peerOf(two.socket), port)).toBe("stranger");
      expect(await browserPeers(() => null).check(peerOf(one.socket), port)).toBe("stranger");
      expect(await browserPeers(() => 999_999_999).check(peerOf(one.socket), port)).toBe("stranger");
      one.socket.destroy();
      two.socket.destroy();
      await expect.poll(() => peers.check({ address: "127.0.0.1", port: 1 }, port)).toBe("stranger");
    },
  );

  test.runIf(process.platform === "linux")(
    "what descends from a process is the browser, whatever group it is in; its parent and its siblings are strangers",
    async () => {
      const one = await connecting();
      const two = await connecting();
      const within = (root: number) => browserPeers(() => root, { members: "tree" });
      expect(await within(one.group).check(peerOf(one.socket), port)).toBe("browser");
      expect(await within(one.group).check(peerOf(two.socket), port)).toBe("stranger");
      expect(await within(process.pid).check(peerOf(two.socket), port)).toBe("browser");
      expect(await browserPeers(() => process.pid, { members: "group" }).check(peerOf(two.socket), port)).toBe(
        "stranger",
      );
      const child = await childOf(one.group);
      expect(await within(child).check(peerOf(one.socket), port)).toBe("browser");
      expect(await within(child).check(peerOf(two.socket), port)).toBe("stranger");
      one.socket.destroy();
      two.socket.destroy();
    },
  );

  test("where the system does not tell, that is said", async () => {
    const nothing = mkdtempSync(join(tmpdir(), "chaperone-proc-"));
    try {
      expect(
        await browserPeers(() => 1, { members: "group", proc: nothing }).check({ address: "127.0.0.1", port: 1 }, 2),
      ).toBe("unknown");
    } finally {
      rmSync(nothing, { recursive: true });
    }
  });
});
