import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A WebAuthn authenticator in software: produces a browser's messages, with any field altered. */
export interface SoftwareKey {
  credentialId: Buffer;
  counter: number;
  /** For `addKey`. */
  create(challenge: string, change?: Change): Record<string, unknown>;
  /** For `raise`. */
  get(challenge: Buffer, change?: Change): Record<string, string>;
}

export interface Change {
  origin?: string;
  rpId?: string;
  type?: string;
  userVerified?: boolean;
  /** The signature counter of this answer; one more than before if omitted. */
  counter?: number;
}

const site = { origin: "http://localhost:4100", rpId: "localhost" };
const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest();
const uint32 = (value: number) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);

/** CBOR (RFC 8949) of byte strings from 24 to 255 bytes, and of short texts. */
const cborBytes = (bytes: Buffer) => Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);
const cborText = (text: string) => Buffer.from([0x60 + text.length, ...Buffer.from(text)]);

/** COSE_Key of an ES256 public key (RFC 9053). */
function coseKey(x: Buffer, y: Buffer): Buffer {
  // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]);
  return Buffer.concat([head, cborBytes(x), Buffer.from([0x22]), cborBytes(y)]);
}

export function createSoftwareKey(): SoftwareKey {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" });
  const credentialId = randomBytes(32);
  const clientData = (type: string, challenge: string, { origin, type: other }: Change) =>
    Buffer.from(
      JSON.stringify({
        type: other ?? type,
        challenge,
        origin: origin ?? site.origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (flags: number, change: Change, rest = Buffer.alloc(0)) => {
    const verifiedFlag = (change.userVerified ?? true) ? 0x04 : 0;
    const header = Buffer.from([flags | verifiedFlag | 0x01]);
    key.counter = change.counter ?? key.counter + 1;
    return Buffer.concat([sha256(change.rpId ?? site.rpId), header, uint32(key.counter), rest]);
  };
  const key: SoftwareKey = {
    credentialId,
    counter: 0,
    create: (challenge, change = {}) => {
      const point = coseKey(Buffer.from(x!, "base64url"), Buffer.from(y!, "base64url"));
      const attested = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, credentialId.length]),
        credentialId,
        point,
      ]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText("fmt"),
        cborText("none"),
        cborText("attStmt"),
        Buffer.from([0xa0]),
        cborText("authData"),
        cborBytes(authenticatorData(0x40, change, attested)),
      ]);
      return {
        credential_id: credentialId.toString("base64url"),
        client_data: clientData("webauthn.create", challenge, change).toString("base64url"),
        attestation: attestation.toString("base64url"),
        transports: ["usb"],
      };
    },
    get: (challenge, change = {}) => {
      const client = clientData("webauthn.get", challenge.toString("base64url"), change);
      const data = authenticatorData(0, change);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      return {
        credential_id: credentialId.toString("base64url"),
        client_data: client.toString("base64url"),
        authenticator_data: data.toString("base64url"),
        signature: signature.toString("base64url"),
      };
    },
  };
  return key;
}
