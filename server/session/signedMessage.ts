import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hashMessage, recoverAddress } from "viem/utils";
import { hasValidCase } from "#core/session/address.ts";
import { parseTime, type SignInMessage } from "#core/session/message.ts";
import { ApiError } from "#server/platform/apiError.ts";

/** The required content of a message, from the nonce's row and the request. */
export interface ExpectedMessage {
  /** Lower case. */
  address: string;
  chainId: string;
  /** The host the nonce was issued for, which is one of ours. */
  host: string;
  /** The only text that may be signed for this purpose. */
  statement: string;
  issuedAtMs: number;
  nowMs: number;
}

type MismatchedField =
  | "domain"
  | "address"
  | "chain_id"
  | "uri"
  | "statement"
  | "request_id"
  | "resources"
  | "issued_at"
  | "expiration_time"
  | "not_before";

/** How far a client's clock may be ahead of ours. */
const clockSkewMs = 30_000;

/**
 * Returns the first field that differs from the expected one; `expired` if only its own end has
 * passed; null if all match.
 */
function getMismatch(
  message: SignInMessage,
  expected: ExpectedMessage,
): MismatchedField | "expired" | null {
  const { nowMs } = expected;
  if (message.domain.toLowerCase() !== expected.host.toLowerCase()) return "domain";
  if (message.scheme !== null && !/^https?$/i.test(message.scheme)) return "domain";
  if (message.address.toLowerCase() !== expected.address) return "address";
  if (!hasValidCase(message.address)) return "address";
  if (message.chainId !== expected.chainId) return "chain_id";
  if (!isPage(message.uri, expected.host)) return "uri";
  // The person agreed to the text above the signature: nothing else, and no more.
  if (message.statement !== expected.statement) return "statement";
  if (message.requestId !== null) return "request_id";
  if (message.resources !== null) return "resources";
  const issuedAtMs = parseTime(message.issuedAt);
  if (issuedAtMs === null || issuedAtMs > nowMs + clockSkewMs) return "issued_at";
  if (issuedAtMs < expected.issuedAtMs - clockSkewMs) return "issued_at";
  if (message.expirationTime === null) return "expiration_time";
  const expiresAtMs = parseTime(message.expirationTime);
  if (expiresAtMs === null) return "expiration_time";
  if (expiresAtMs <= nowMs) return "expired";
  if (message.notBefore !== null) {
    const notBeforeMs = parseTime(message.notBefore);
    if (notBeforeMs === null || notBeforeMs > nowMs + clockSkewMs) return "not_before";
  }
  return null;
}

function isPage(uri: string, host: string): boolean {
  if (!URL.canParse(uri)) return false;
  const url = new URL(uri);
  return /^https?:$/.test(url.protocol) && url.host === host.toLowerCase() && url.username === "";
}

/** The type of a signature by its form alone. */
type SignatureKind = "key" | "contract" | "wrong";

/**
 * A key's signature is 65 bytes r, s, v with v of 27, 28, 0 or 1 and s in the lower half (EIP-2):
 * one signature has one form. What contract wallets return (nothing, longer bytes, the v of 31 and
 * 32 that Safe marks with) is `contract`.
 */
function signatureKind(signature: string): SignatureKind {
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(signature)) return "wrong";
  const bytes = (signature.length - 2) / 2;
  if (bytes === 0 || bytes > 65) return "contract";
  if (bytes < 65) return "wrong";
  const v = Number.parseInt(signature.slice(130), 16);
  if (v === 31 || v === 32) return "contract";
  if (![0, 1, 27, 28].includes(v)) return "wrong";
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  return s > secp256k1.Point.Fn.ORDER / 2n ? "wrong" : "key";
}

/**
 * The address (lower case) whose key signed `text` by EIP-191; null if the signature is not from a
 * key. Queries no chain.
 */
async function createSigner(text: string, signature: string): Promise<string | null> {
  try {
    const hash = hashMessage(text);
    return (await recoverAddress({ hash, signature: signature as `0x${string}` })).toLowerCase();
  } catch {
    return null;
  }
}

/** The signed message with its signature. */
export interface SignedMessage {
  message: SignInMessage;
  /** The message as it was signed. */
  text: string;
  signature: string;
}

/**
 * For proving again that a session belongs to its user. Throws `session.*` unless it is the
 * expected message, signed by that address.
 */
export async function proveSignedMessage(
  { message, text, signature }: SignedMessage,
  expected: ExpectedMessage,
): Promise<void> {
  const field = getMismatch(message, expected);
  if (field === "expired") throw new ApiError("session.nonce_expired");
  if (field !== null) throw new ApiError("session.message_mismatch", { field });
  const kind = signatureKind(signature);
  if (kind === "contract") throw new ApiError("session.contract_wallet");
  const signer = kind === "key" ? await createSigner(text, signature) : null;
  if (signer !== expected.address) throw new ApiError("session.signature_wrong");
}
