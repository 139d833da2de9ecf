import { createHash, generateKeyPairSync, sign, X509Certificate } from "node:crypto";

/** PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const tlv = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const size = body.length < 256 ? [body.length] : [body.length >> 8, body.length & 0xff];
  // Chromium insists on the shortest form.
  const length = Buffer.from(body.length < 128 ? size : [0x80 + size.length, ...size]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
};
const sequence = (...parts: readonly Uint8Array[]) => tlv(0x30, ...parts);
const ecdsaWithSha256 = sequence(Buffer.from("06082a8648ce3d040302", "hex"));
const commonName = (name: string) =>
  sequence(tlv(0x31, sequence(Buffer.from("0603550403", "hex"), tlv(0x0c, Buffer.from(name)))));
const time = (text: string) => tlv(0x17, Buffer.from(text));

/** What Chromium knows a key by that it is told to trust: base64 of its digest. */
export function keyDigestOf({ cert }: Pick<Certificate, "cert">): string {
  return createHash("sha256")
    .update(new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");
}

/** A certificate for the names, signed by itself, with its key: for a browser that is told to trust that very key. */
export function selfSigned(...names: readonly string[]): Certificate {
  return issued(names, names[0] ?? "", []);
}

/** The same of an issuer that nobody knows; its certificate is said to be at that address (RFC 5280, 4.2.2.1). */
export function signedByUnknown(issuerAt: string, ...names: readonly string[]): Certificate {
  const description = sequence(Buffer.from("06082b06010505073002", "hex"), tlv(0x86, Buffer.from(issuerAt)));
  const access = sequence(Buffer.from("06082b06010505070101", "hex"), tlv(0x04, sequence(description)));
  return issued(names, "unknown", [access]);
}

function issued(names: readonly string[], issuer: string, more: readonly Uint8Array[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const alternatives = sequence(...names.map((name) => tlv(0x82, Buffer.from(name))));
  const extensions = tlv(0xa3, sequence(sequence(Buffer.from("0603551d11", "hex"), tlv(0x04, alternatives)), ...more));
  const body = sequence(
    tlv(0xa0, Buffer.from([2, 1, 2])),
    Buffer.from([2, 1, 1]),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(time("250101000000Z"), time("491231235959Z")),
    commonName(names[0] ?? ""),
    publicKey.export({ type: "spki", format: "der" }),
    extensions,
  );
  const signature = tlv(0x03, Buffer.from([0]), sign("sha256", body, privateKey));
  // Without a line that is empty: OpenSSL takes none.
  const base64 = sequence(body, ecdsaWithSha256, signature).toString("base64");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}(?=.)/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
