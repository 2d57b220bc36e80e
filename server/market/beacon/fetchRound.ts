import type { BeaconRound } from "#core/transparency-log/beacon.ts";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import { verifyRound } from "#server/market/beacon/verifyRound.ts";
import type { BeaconChain } from "#server/platform/config/beacon.ts";

/** Real time for a relay to answer. */
const timeoutMs = 4_000;
/** A round is one line of JSON. */
const answerMax = 4_096;

/** Fetches and verifies a round of the network; null if no relay returns it in time. */
export type FetchRound = (round: number) => Promise<BeaconRound | null>;

/** Asks all relays concurrently over drand's HTTP API and takes the first valid answer. */
export function createFetchRound(chain: BeaconChain, relays: readonly string[]): FetchRound {
  const key = hexToBytes(chain.publicKey);
  const fetchFrom = async (relay: string, round: number): Promise<BeaconRound> => {
    const response = await fetch(`${relay}/${chain.hash}/public/${round}`, {
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) throw new Error(`answers ${response.status}`);
    const result = parseRound(await readText(response), round);
    // A relay is not trusted: a round without the network's signature is rejected.
    if (!result || !verifyRound(result, key)) throw new Error("gives another round");
    return result;
  };
  return (round) => Promise.any(relays.map((relay) => fetchFrom(relay, round))).catch(() => null);
}

async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > answerMax) throw new Error("answers too much");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function parseRound(text: string, round: number): BeaconRound | null {
  const value = JSON.parse(text) as { round?: unknown; signature?: unknown } | null;
  const { signature } = value ?? {};
  if (value?.round !== round || typeof signature !== "string") return null;
  return /^[0-9a-f]{96}$/.test(signature) ? { round, signature: hexToBytes(signature) } : null;
}
