import { readdirSync, readlinkSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { endianness } from "node:os";

/** The client's end of a connection to the proxy, as the proxy sees it. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

/**
 * Who is at the other end. `unknown`: this system does not tell (no /proc, or the browser's files are closed to us);
 * the open ways alone then say what can be reached.
 */
export type PeerVerdict = "browser" | "stranger" | "unknown";

export interface BrowserPeers {
  check(peer: Peer, proxyPort: number): Promise<PeerVerdict>;
}

const PROC = "/proc";
/** Fields 4 and 5 of /proc/PID/stat, counted after the name, which may hold blanks and brackets. */
const PARENT_FIELD = 1;
const GROUP_FIELD = 2;
const LOCAL_FIELD = 1;
const REMOTE_FIELD = 2;
const OWNER_FIELD = 7;
const INODE_FIELD = 9;
const NETWORK_PROCESS = "network.mojom.NetworkService";

export interface PeersOptions {
  /**
   * Which processes are the browser. `group`: of the process group that `root` leads, which as root has an account that
   * nobody else runs under. `tree`: `root` and all that descend from it, in whatever account.
   */
  readonly members: "group" | "tree";
  /** For tests. */
  readonly proc?: string;
}

/**
 * Knows the sockets of one browser by its processes. On Linux the kernel says who owns the client's end of a loopback
 * connection and which process holds it; elsewhere every answer is `unknown`. Until `root` gives a number, everybody is
 * a stranger.
 */
export function browserPeers(
  root: () => number | null,
  { members, proc = PROC }: PeersOptions = { members: "group" },
): BrowserPeers {
  let holder: string | null = null;
  const readTable = socketTable(proc);
  return {
    async check(peer, proxyPort) {
      const wanted = root();
      if (wanted === null) return "stranger";
      const [table, uid] = await Promise.all([readTable(), ownerOf(proc, String(wanted))]);
      if (table === null) return "unknown";
      const socket = socketIn(table, peer, proxyPort);
      if (socket === null) return "stranger";
      if (uid === null || uid !== socket.uid) return "stranger";
      // As root our browser has an account of its own, which nobody else runs under.
      if (members === "group" && uid !== process.getuid?.()) return "browser";
      if (holder !== null && holds(proc, holder, socket.inode) === true) return "browser";
      let closed = false;
      for (const pid of await (members === "group" ? groupOf : treeOf)(proc, wanted)) {
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
export function socketIn(
  table: string,
  peer: Peer,
  proxyPort: number,
): { readonly uid: number; readonly inode: string } | null {
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

async function groupOf(proc: string, leader: number): Promise<string[]> {
  return (await processes(proc)).filter(({ group }) => group === leader).map(({ pid }) => pid);
}

async function treeOf(proc: string, root: number): Promise<string[]> {
  const all = await processes(proc);
  const found = all.filter(({ pid }) => pid === String(root)).map(({ pid }) => pid);
  // It grows while it is gone through: children of children come last.
  for (const parent of found)
    found.push(
      ...all.filter((each) => String(each.parent) === parent && !found.includes(each.pid)).map(({ pid }) => pid),
    );
  return found;
}

interface ProcessEntry {
  readonly pid: string;
  readonly parent: number;
  readonly group: number;
}

async function processes(proc: string): Promise<ProcessEntry[]> {
  const pids = (await readdir(proc)).filter((name) => /^\d+$/.test(name));
  const read = async (pid: string): Promise<ProcessEntry> => {
    const stat = await readFile(`${proc}/${pid}/stat`, "latin1").catch(() => "");
    const fields = stat
      .slice(stat.lastIndexOf(")") + 1)
      .trim()
      .split(" ");
    return { pid, parent: Number(fields[PARENT_FIELD] ?? -1), group: Number(fields[GROUP_FIELD] ?? -1) };
  };
  return Promise.all(pids.map(read));
}

/**
 * Null: the process does not show its files to us, or is gone. In one go: a hundred short waits would take longer than
 * the work.
 */
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
async function doesNetworking(proc: string, pid: string, root: number): Promise<boolean> {
  if (pid === String(root)) return true;
  const commandLine = await readFile(`${proc}/${pid}/cmdline`, "latin1").catch(() => "");
  return commandLine.includes(NETWORK_PROCESS);
}
