import { readdirSync, readlinkSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { endianness } from "node:os";

/** The client's end of a connection to the proxy, as the proxy sees it. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

/**
 * Who is at the other end. `unknown`: this system does not tell (no /proc, or the browser's files are closed to us); the open ways alone
 * then say what can be reached.
 */
export type PeerVerdict = "browser" | "stranger" | "unknown";

export interface BrowserPeers {
  check(peer: Peer, proxyPort: number): Promise<PeerVerdict>;
}

const PROC = "/proc";
/** Field 5 of /proc/PID/stat, counted after the name, which may hold blanks and brackets. */
const GROUP_FIELD = 2;
const LOCAL_FIELD = 1;
const REMOTE_FIELD = 2;
const OWNER_FIELD = 7;
const INODE_FIELD = 9;
const NETWORK_PROCESS = "network.mojom.NetworkService";

/**
 * Knows the sockets of one browser by its process group (`Launched.pid`). On Linux the kernel says who owns the client's end of a loopback
 * connection and which process holds it; elsewhere every answer is `unknown`. Until `group` gives a number, everybody is a stranger.
 */
export function browserPeers(group: () => number | null, proc = PROC): BrowserPeers {
  let holder: string | null = null;
  const readTable = socketTable(proc);
  return {
    async check(peer, proxyPort) {
      const wanted = group();
      if (wanted === null) return "stranger";
      const [table, uid] = await Promise.all([readTable(), ownerOf(proc, String(wanted))]);
      if (table === null) return "unknown";
      const socket = socketIn(table, peer, proxyPort);
      if (socket === null) return "stranger";
      if (uid === null || uid !== socket.uid) return "stranger";
      // As root the browser has an account of its own, which nobody else runs under.
      if (uid !== process.getuid?.()) return "browser";
      if (holder !== null && holds(proc, holder, socket.inode) === true) return "browser";
      let closed = false;
      for (const pid of await membersOf(proc, wanted)) {
        const held = holds(proc, pid, socket.inode);
        if (held === true) {
          holder = pid;
          return "browser";
        }
        // Sandboxed processes are always closed to us, and cannot have such sockets.
        if (held === null && (await doesNetworking(proc, pid, wanted))) closed = true;
      }
      return closed ? "unknown" : "stranger";
    },
  };
}

/** The client's own line in the kernel's table of IPv4 sockets. */
export function socketIn(table: string, peer: Peer, proxyPort: number): { readonly uid: number; readonly inode: string } | null {
  const local = kernelAddress(peer.address, peer.port);
  const remote = kernelAddress("127.0.0.1", proxyPort);
  if (local === null || remote === null) return null;
  for (const line of table.split("\n")) {
    // Splitting every line of a busy machine's table would cost more than all the rest.
    if (!line.includes(local)) continue;
    const fields = line.trim().split(/\s+/);
    if (fields[LOCAL_FIELD] !== local || fields[REMOTE_FIELD] !== remote) continue;
    const inode = fields[INODE_FIELD] ?? "0";
    return inode === "0" ? null : { uid: Number(fields[OWNER_FIELD]), inode };
  }
  return null;
}

/** Address bytes in the machine's order, port in the network's, in hex. */
function kernelAddress(address: string, port: number): string | null {
  const bytes = address.split(".").map(Number);
  if (bytes.length !== 4 || bytes.some((byte) => !Number.isInteger(byte) || byte < 0 || byte > 255)) return null;
  if (endianness() === "LE") bytes.reverse();
  return `${Buffer.from(bytes).toString("hex").toUpperCase()}:${port.toString(16).toUpperCase().padStart(4, "0")}`;
}

async function ownerOf(proc: string, pid: string): Promise<number | null> {
  const status = await readFile(`${proc}/${pid}/status`, "latin1").catch(() => "");
  const uid = /^Uid:\s+(\d+)/m.exec(status)?.[1];
  return uid === undefined ? null : Number(uid);
}

async function membersOf(proc: string, group: number): Promise<string[]> {
  const pids = (await readdir(proc)).filter((name) => /^\d+$/.test(name));
  const groups = await Promise.all(pids.map((pid) => groupOf(proc, pid)));
  return pids.filter((_, index) => groups[index] === group);
}

async function groupOf(proc: string, pid: string): Promise<number | null> {
  const stat = await readFile(`${proc}/${pid}/stat`, "latin1").catch(() => "");
  const group = stat
    .slice(stat.lastIndexOf(")") + 1)
    .trim()
    .split(" ")[GROUP_FIELD];
  return group === undefined ? null : Number(group);
}

/** Null: the process does not show its files to us, or is gone. */
/** Null: the process does not show its files to us, or is gone. In one go: a hundred short waits would take longer than the work. */
function holds(proc: string, pid: string, inode: string): boolean | null {
  const folder = `${proc}/${pid}/fd`;
  try {
    return readdirSync(folder).some((file) => linkOf(`${folder}/${file}`) === `socket:[${inode}]`);
  } catch {
    return null;
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return "";
  }
}

/** The kernel takes milliseconds for this file: one reading serves all who asked before it began. */
function socketTable(proc: string): () => Promise<string | null> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<string | null> | null = null;
  return () => {
    next ??= last.then(() => {
      next = null;
      const reading = readFile(`${proc}/net/tcp`, "latin1").catch(() => null);
      last = reading;
      return reading;
    });
    return next;
  };
}

/** In Chromium one process has the network, or the first one when it does all itself. */
async function doesNetworking(proc: string, pid: string, group: number): Promise<boolean> {
  if (pid === String(group)) return true;
  const commandLine = await readFile(`${proc}/${pid}/cmdline`, "latin1").catch(() => "");
  return commandLine.includes(NETWORK_PROCESS);
}
