import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { bech32, bech32m } from "@scure/base";
import { findRealChain } from "#core/addresses/addressChains.ts";
import { isNetwork, type Network } from "#core/wallet/networks.ts";

/** Longer input is rejected without parsing. */
const addressLengthMax = 120;
const payloadBytes = 20;

/** The result of reading a practice address: the address, or why the text is not one. */
export type AddressResult =
  | { ok: true; network: Network; address: string }
  | {
      ok: false;
      error: "empty" | "malformed" | "checksum" | "real_chain" | "network_unknown";
      /** Name of the real chain that addresses of this form belong to. */
      chain?: string;
    };

/**
 * Encodes 20 bytes as a practice address: bech32m (BIP-350), in lower case, with the network's name
 * as the human-readable part.
 */
export function encodeAddress(network: Network, bytes20: Uint8Array): string {
  if (bytes20.length !== payloadBytes) throw new RangeError("an address payload must be 20 bytes");
  return bech32m.encode(network, bech32m.toWords(bytes20));
}

/**
 * A person's address on a network, the same for every coin the network carries. Derived from the
 * opaque user id without revealing it. Source: docs/rules/units.md, "Practice addresses".
 */
export function deriveAddress(world: string, userId: string, network: Network): string {
  return encodeAddress(network, addressPayload("drydock.address/1", world, userId, network));
}

/**
 * The person's practice account outside this instance on a network: a first withdrawal can go to it
 * before the person has any other address. No one on this instance owns it. Source:
 * docs/rules/units.md.
 */
export function deriveOutsideAddress(world: string, userId: string, network: Network): string {
  return encodeAddress(
    network,
    addressPayload("drydock.outside-address/1", world, userId, network),
  );
}

function addressPayload(format: string, world: string, userId: string, network: Network) {
  return sha256(utf8ToBytes(`${format}\n${world}\n${userId}\n${network}`)).slice(0, payloadBytes);
}

/**
 * Reads a practice address. All-uppercase input is accepted (QR codes use it), mixed case is
 * malformed; `address` is returned in lower case. Real-chain addresses are recognised by form
 * alone, whether or not their checksum is valid.
 */
export function parseAddress(text: string): AddressResult {
  if (text === "") return { ok: false, error: "empty" };
  if (text.length > addressLengthMax) return { ok: false, error: "malformed" };
  const lowerCase = text.toLowerCase();
  const isPracticeNetwork = isNetwork(lowerCase.slice(0, Math.max(0, lowerCase.lastIndexOf("1"))));
  if (!isPracticeNetwork) {
    const chain = findRealChain(text);
    if (chain !== null) return { ok: false, error: "real_chain", chain };
  }
  if (!/^[!-~]+$/.test(text) || (text !== lowerCase && text !== text.toUpperCase())) {
    return { ok: false, error: "malformed" };
  }
  return readLowerCase(lowerCase);
}

function readLowerCase(text: string): AddressResult {
  const end = text.lastIndexOf("1");
  const part = text.slice(0, Math.max(0, end));
  const data = text.slice(end + 1);
  if (!/^[a-z]+$/.test(part) || !/^[02-9ac-hj-np-z]{6,}$/.test(data)) {
    return { ok: false, error: "malformed" };
  }
  const bech32mResult = bech32m.decodeUnsafe(text as `${string}1${string}`, addressLengthMax);
  if (!bech32mResult) {
    // A valid bech32 (pre-BIP-350) checksum with an unknown human-readable part is another
    // network's address; with a practice one it is a typo.
    const bech32Result = bech32.decodeUnsafe(text as `${string}1${string}`, addressLengthMax);
    if (bech32Result && !isNetwork(part)) return { ok: false, error: "network_unknown" };
    return { ok: false, error: isNetwork(part) ? "checksum" : "malformed" };
  }
  if (!isNetwork(part)) return { ok: false, error: "network_unknown" };
  const bytes = bech32m.fromWordsUnsafe(bech32mResult.words);
  return bytes && bytes.length === payloadBytes
    ? { ok: true, network: part, address: text }
    : { ok: false, error: "malformed" };
}
