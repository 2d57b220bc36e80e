import { base64urlnopad } from "@scure/base";
import type { AnswerOf, InputOf } from "#api/call.ts";
import type { SecurityKeyView } from "#api/operator/factors.ts";
import type { addKey, getKeyChallenge } from "#api/routes/operator/factors.ts";
import type { raise } from "#api/routes/operator/session.ts";
import { hexToBytes } from "#core/transparency-log/bytes.ts";

/** How long the browser waits for the key to be touched. */
const timeoutMs = 120_000;

/** The key gave no answer, or the person cancelled: browsers do not say which. */
export class KeyFailedError extends Error {
  constructor(error?: unknown) {
    super("the security key gave no answer", { cause: error });
    this.name = "KeyFailedError";
  }
}

/** The key that was touched is registered already. */
export class KeyKnownError extends Error {
  constructor() {
    super("the security key is registered already");
    this.name = "KeyKnownError";
  }
}

/** Returns true if this browser has WebAuthn; it never does without a secure context. */
export function supportsKeys(): boolean {
  return window.isSecureContext && typeof window.PublicKeyCredential === "function";
}

const encode = (bytes: ArrayBuffer) => base64urlnopad.encode(new Uint8Array(bytes));
const decode = (text: string) => new Uint8Array(base64urlnopad.decode(text));

type Challenge = AnswerOf<typeof getKeyChallenge>;
type Attestation = Omit<InputOf<typeof addKey>, "name">;
type Assertion = NonNullable<InputOf<typeof raise>["key"]>;

/** Has an authenticator create a credential for this site; the authenticator verifies the user. */
export async function createKey(challenge: Challenge): Promise<Attestation> {
  const credential = await ask(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: decode(challenge.challenge),
        rp: { id: challenge.rp_id, name: challenge.rp_name },
        user: {
          id: decode(challenge.user_handle),
          name: challenge.user_name,
          displayName: challenge.user_name,
        },
        pubKeyCredParams: challenge.algorithms.map((alg) => ({ type: "public-key", alg })),
        excludeCredentials: challenge.exclude.map((id) => ({ type: "public-key", id: decode(id) })),
        authenticatorSelection: { residentKey: "discouraged", userVerification: "required" },
        attestation: "none",
        timeout: timeoutMs,
      },
    }),
  );
  const response = credential.response as AuthenticatorAttestationResponse;
  return {
    credential_id: encode(credential.rawId),
    client_data: encode(response.clientDataJSON),
    attestation: encode(response.attestationObject),
    transports: response.getTransports(),
  };
}

/** Has one of `keys` sign the nonce (hex) of an elevation. */
export async function signNonce(
  nonce: string,
  rpId: string,
  keys: readonly SecurityKeyView[],
): Promise<Assertion> {
  const credential = await ask(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: new Uint8Array(hexToBytes(nonce)),
        rpId,
        allowCredentials: keys.map(({ credential_id: id, transports }) => ({
          type: "public-key",
          id: decode(id),
          transports: transports as AuthenticatorTransport[],
        })),
        userVerification: "required",
        timeout: timeoutMs,
      },
    }),
  );
  const response = credential.response as AuthenticatorAssertionResponse;
  return {
    credential_id: encode(credential.rawId),
    client_data: encode(response.clientDataJSON),
    authenticator_data: encode(response.authenticatorData),
    signature: encode(response.signature),
  };
}

async function ask(work: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  let credential: Credential | null;
  try {
    credential = await work();
  } catch (error) {
    if (error instanceof DOMException && error.name === "InvalidStateError")
      throw new KeyKnownError();
    throw new KeyFailedError(error);
  }
  if (!(credential instanceof PublicKeyCredential)) throw new KeyFailedError();
  return credential;
}
