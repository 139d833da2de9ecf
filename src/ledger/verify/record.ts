import { isUtf8 } from "node:buffer";
import { createPublicKey, hash, type KeyObject, verify } from "node:crypto";
import canonicalize from "canonicalize";

const HASH = /^[0-9a-f]{64}$/;
const SIGNATURE = /^[0-9a-f]{128}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** One line of a ledger, with what every line has checked; the rest is as it came. */
export interface LedgerRecord {
  readonly seq: number;
  readonly time: string;
  readonly session: string;
  readonly kind: string;
  readonly prev: string;
  readonly hash: string;
  readonly sig: string;
  readonly [field: string]: unknown;
}

/** The record of a line, whose hash is right; or why it is none. */
export function recordOf(bytes: Buffer): LedgerRecord | string {
  if (!isUtf8(bytes)) return "is not UTF-8";
  return recordOfText(bytes.toString("utf8"));
}

export function recordOfText(text: string): LedgerRecord | string {
  let value: unknown;
  let isCanonical: boolean;
  try {
    value = JSON.parse(text);
    isCanonical = canonicalize(value) === text;
  } catch {
    return "is not JSON";
  }
  if (!isRecord(value)) return "is not a record";
  if (!isCanonical) return "is not in its canonical form";
  const body = without(without(text, "hash", value.hash), "sig", value.sig);
  if (body === null) return "is not a record";
  return hash("sha256", body, "hex") === value.hash ? value : "was changed: its hash is another one";
}

/** The canonical text without one member; neither of the two that are taken out can be the last one, `time` follows. */
function without(text: string | null, name: string, value: string): string | null {
  if (text === null) return null;
  const member = `"${name}":"${value}",`;
  const start = text.indexOf(member);
  // A second one, further inside, would leave open which is meant.
  return start < 0 || text.includes(member, start + 1)
    ? null
    : text.slice(0, start) + text.slice(start + member.length);
}

function isRecord(value: unknown): value is LedgerRecord {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { seq, time, session, kind, prev, hash: own, sig } = value as Partial<Record<string, unknown>>;
  return (
    typeof seq === "number" &&
    Number.isSafeInteger(seq) &&
    seq >= 0 &&
    typeof time === "string" &&
    TIME.test(time) &&
    typeof session === "string" &&
    typeof kind === "string" &&
    [prev, own].every((each) => typeof each === "string" && HASH.test(each)) &&
    typeof sig === "string" &&
    SIGNATURE.test(sig)
  );
}

/**
 * Resolves with whether the record carries that key's signature. Runs beside the caller, on another core where there is
 * one.
 */
export function isSigned(record: LedgerRecord, key: KeyObject): Promise<boolean> {
  return new Promise((resolve) => {
    verify(
      null,
      Buffer.from(`chaperone-ledger-1:${record.hash}`, "utf8"),
      key,
      Buffer.from(record.sig, "hex"),
      (error, isRight) => {
        resolve(error === null && isRight);
      },
    );
  });
}

/** An Ed25519 key of 32 bytes in hex; null when it is none. */
export function publicKeyOf(hex: unknown): KeyObject | null {
  if (typeof hex !== "string" || !HASH.test(hex)) return null;
  return createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(hex, "hex").toString("base64url") },
    format: "jwk",
  });
}

/** The other way: of a key in PEM, public or private, its public 32 bytes in hex. Throws when it is no Ed25519 key. */
export function publicKeyHex(pem: string): string {
  const { crv, x } = createPublicKey(pem).export({ format: "jwk" });
  if (crv !== "Ed25519" || x === undefined) throw new Error("this is no Ed25519 key");
  return Buffer.from(x, "base64url").toString("hex");
}
