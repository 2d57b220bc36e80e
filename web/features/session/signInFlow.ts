import type { AnswerOf } from "#api/call.ts";
import { createSession, getNonce } from "#api/routes/session.ts";
import { writeMessage } from "#core/session/message.ts";
import type { DiscoveredWallet } from "#web/features/session/discover.ts";
import { clearInvite, readInvite } from "#web/features/session/invite.ts";
import { askAboutInviter } from "#web/features/session/inviteQuestion.ts";
import { NoAccountError, type WalletChange } from "#web/features/session/provider.ts";
import { enterSession } from "#web/features/session/sessionCache.ts";
import { client } from "#web/lib/api/client.ts";
import { rememberWallet, type UsedWallet } from "./walletStorage.ts";

/** A signer of the message: a browser wallet's account, or the practice wallet. */
export interface Signer {
  used: NonNullable<UsedWallet>;
  /** The wallet's own name; empty for the practice wallet and for wallets without one. */
  name: string;
  address: string;
  /** Decimal. */
  chainId: string;
  sign(text: string): Promise<string>;
  onChange: (listener: (change: WalletChange) => void) => () => void;
}

/** The message to be signed, and its parts for display. */
export interface PreparedMessage {
  signer: Signer;
  text: string;
  domain: string;
  expiresAtMs: number;
}

/** Requests account and network from a browser wallet. */
export async function connectWallet({ wallet, rdns, name }: DiscoveredWallet): Promise<Signer> {
  const [address] = await wallet.accounts();
  if (address === undefined) throw new NoAccountError();
  const chainId = await wallet.chainId();
  // The value is not used, but a wallet that cannot name its network is not fit to sign.
  await wallet.networkId();
  return {
    used: { kind: "browser", rdns },
    name,
    address,
    chainId,
    sign: (text) => wallet.personalSign(text, address),
    onChange: (listener) => wallet.onChange(listener),
  };
}

/** Creates the signer of a practice wallet from its seed. Its code is loaded on demand. */
export async function createPracticeSigner(seed: Uint8Array): Promise<Signer> {
  const { practiceChainId, deriveWallet } = await import("#web/features/session/practice/key.ts");
  const wallet = deriveWallet(seed);
  return {
    used: { kind: "practice" },
    name: "",
    address: wallet.address,
    chainId: practiceChainId,
    sign: async (text) => wallet.sign(text),
    onChange: () => () => {},
  };
}

/**
 * Builds the EIP-4361 message for `signer` to sign. Every field except its address and chain comes
 * from the server.
 */
export function buildSignInMessage(
  { address, chainId }: Signer,
  data: Omit<AnswerOf<typeof getNonce>, "expires_at_ms">,
): string {
  return writeMessage({
    scheme: null,
    domain: data.domain,
    address,
    statement: data.statement,
    uri: data.uri,
    chainId,
    nonce: data.nonce,
    issuedAt: data.issued_at,
    expirationTime: data.expiration_time,
    notBefore: null,
    requestId: null,
    resources: null,
  });
}

/** Fetches a nonce from the server and composes the message. */
export async function prepareMessage(signer: Signer): Promise<PreparedMessage> {
  const { data } = await client.call(getNonce, {
    address: signer.address,
    chain_id: signer.chainId,
  });
  const text = buildSignInMessage(signer, data);
  return { signer, text, domain: data.domain, expiresAtMs: data.expires_at_ms };
}

/**
 * The person moved on while the wallet was being asked: its late answer must not sign anyone in.
 */
class CancelledError extends Error {
  constructor() {
    super("cancelled before the wallet answered");
    this.name = "CancelledError";
  }
}

/**
 * Requests the signature and, if the attempt is still the latest, opens the session. Resolves with
 * the server's message.
 */
export async function signAndEnter(
  { signer, text }: PreparedMessage,
  isLatest: () => boolean,
): Promise<string> {
  const signature = await signer.sign(text);
  if (!isLatest()) throw new CancelledError();
  const invite = readInvite();
  const { data, msg } = await client.call(createSession, {
    address: signer.address,
    type: "erc",
    message: text,
    signature,
    ...(invite === null ? {} : { invite }),
  });
  clearInvite();
  rememberWallet(signer.used, signer.onChange);
  await enterSession();
  // `class` is not asked about: its link and its codes come from a teacher.
  if (data.invite === "kept") askAboutInviter(data.user_id);
  return msg;
}
