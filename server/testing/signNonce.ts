import type { PrivateKeyAccount } from "viem/accounts";
import { type SignInMessage, writeMessage } from "#core/session/message.ts";

/** What the server gives to be signed, for signing in and for elevating a session. */
export type NonceFields = Record<
  "domain" | "statement" | "uri" | "nonce" | "issued_at" | "expiration_time",
  string
>;

/** The message with this nonce, signed as a wallet does; `change` overrides its fields. */
export async function signNonce(
  account: PrivateKeyAccount,
  given: NonceFields,
  change: Partial<SignInMessage> = {},
): Promise<{ message: string; signature: `0x${string}` }> {
  const message = writeMessage({
    scheme: null,
    domain: given.domain,
    address: account.address,
    statement: given.statement,
    uri: given.uri,
    chainId: "1",
    nonce: given.nonce,
    issuedAt: given.issued_at,
    expirationTime: given.expiration_time,
    notBefore: null,
    requestId: null,
    resources: null,
    ...change,
  });
  return { message, signature: await account.signMessage({ message }) };
}
