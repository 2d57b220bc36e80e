import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { getBeaconName, knownBeacons } from "#core/transparency-log/beacon.ts";
import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";
import { StartError } from "#server/platform/startError.ts";

/** A drand network as a world is pinned to it. */
export interface BeaconChain {
  /** Names the network in the addresses of its rounds; hex. */
  hash: string;
  /** Hex. */
  publicKey: string;
  genesisSeconds: number;
  periodSeconds: number;
}

const [quicknet] = knownBeacons as [(typeof knownBeacons)[number]];
/** The networks that a setting may name, with the hash under which relays serve them. */
const chains: Readonly<Record<string, BeaconChain>> = {
  quicknet: {
    hash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    publicKey: bytesToHex(quicknet.publicKey),
    genesisSeconds: quicknet.genesisSeconds,
    periodSeconds: quicknet.periodSeconds,
  },
};

/** The answer of a network's relays at `/<hash>/info`. */
const info = z.object({
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  public_key: z.string().check(z.regex(/^[0-9a-f]{192}$/)),
  genesis_time: z.int().check(z.minimum(0)),
  period: z.int().check(z.minimum(1), z.maximum(60)),
  schemeID: z.literal("bls-unchained-g1-rfc9380"),
});

/** The network that `BEACON` names: by name, or by a file with its info. */
export function readBeacon(value: string | null): BeaconChain | null {
  if (value === null) return null;
  const chain = Object.hasOwn(chains, value) ? chains[value] : undefined;
  if (chain) return chain;
  let chainInfo: z.infer<typeof info>;
  try {
    chainInfo = info.parse(JSON.parse(readFileSync(value, "utf8")));
  } catch {
    throw new StartError(
      `BEACON is wrong: it is ${Object.keys(chains).join(" or ")}, or a file with the info of a drand network of the scheme bls-unchained-g1-rfc9380.`,
    );
  }
  return {
    hash: chainInfo.hash,
    publicKey: chainInfo.public_key,
    genesisSeconds: chainInfo.genesis_time,
    periodSeconds: chainInfo.period,
  };
}

/** The display name of a network: its name, or the hash that relays know it by. */
export function getChainName(chain: BeaconChain): string {
  return getBeaconName({ ...chain, publicKey: hexToBytes(chain.publicKey) }) ?? chain.hash;
}
