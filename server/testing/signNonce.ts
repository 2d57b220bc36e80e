import type { PrivateKeyAccount } from "viem/accounts";
import { type SignInMessage, writeMessage } from "#core/session/message.ts";

/** The server's fields of a message to sign, for signing in and for elevating a session. */
export type NonceFields = Record<
  "domain" | "statement" | "uri" | "nonce" | "issued_at" | "expiration_time",
  string
>;

/** The message with this nonce, signed as a wallet does; `change` overrides its fields. */
export async function signNonce(
  account: PrivateKeyAccount,
  fields: NonceFields,
  change: Partial<SignInMessage> = {},
): Promise<{ message: string; signature: `0x${string}` }> {
  const message = writeMessage({
    scheme: null,
    domain: fields.domain,
    address: account.address,
    statement: fields.statement,
    uri: fields.uri,
    chainId: "1",
    nonce: fields.nonce,
    issuedAt: fields.issued_at,
    expirationTime: fields.expiration_time,
    notBefore: null,
    requestId: null,
    resources: null,
    ...change,
  });
  return { message, signature: await account.signMessage({ message }) };
}
