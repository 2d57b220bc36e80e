import { bls12_381 } from "@noble/curves/bls12-381.js";
import { fromHex, sha256, toHex } from "./bytes.ts";

/** "Beacon" of docs/formats/log.md: a public random value for each day of a simulated world. */

export interface Beacon {
  /** Hex, 96 bytes. */
  publicKey: string;
  /** Unix seconds. */
  genesis: number;
  period: number;
}

export interface WorldBeacon extends Beacon {
  /** Real time at which the world began. */
  startedAtMs: number;
}

/** The beacons that this verifier knows. */
const knownBeacons: readonly (Beacon & { name: string })[] = [
  {
    name: "drand quicknet",
    publicKey:
      "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    genesis: 1_692_803_367,
    period: 3,
  },
];

/** The name of a beacon that this verifier knows; null for any other. */
export function getBeaconName({ publicKey, genesis, period }: Beacon): string | null {
  const match = knownBeacons.find(
    (item) => item.publicKey === publicKey && item.genesis === genesis && item.period === period,
  );
  return match?.name ?? null;
}

const day = 86_400_000;
/** How long before midnight a day's round is published, in real seconds. */
const noticeSeconds = 30;

interface BeaconWorld {
  beacon: WorldBeacon | null;
  createdAtMs: number;
  market: { speed: number };
}

/** The round that is due on the UTC day of `atMs`; null if none is due. */
export function getDueRound({ beacon, createdAtMs, market }: BeaconWorld, atMs: number) {
  if (!beacon) return null;
  const midnight = atMs - (atMs % day);
  const realMs = beacon.startedAtMs + Math.floor((midnight - createdAtMs) / market.speed);
  const elapsedSeconds = Math.floor(realMs / 1_000) - noticeSeconds - beacon.genesis;
  if (elapsedSeconds < 0) return null;
  const rounds = Math.floor(elapsedSeconds / beacon.period);
  const publishedAtMs = (beacon.genesis + rounds * beacon.period) * 1_000;
  return publishedAtMs > beacon.startedAtMs ? rounds + 1 : null;
}

/** World time before midnight from which on the log may hold the day's round. */
export function getWindowSeconds({ beacon, market }: BeaconWorld): number {
  return (noticeSeconds + (beacon?.period ?? 0) + 20) * 1_000 * market.speed;
}

const scheme = bls12_381.shortSignatures;
const domain = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

export function encodeRound(round: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(round));
  return bytes;
}

/** Returns true if the beacon signed the round, in the one encoding of that signature. */
export function isRoundSigned(round: number, signature: string, { publicKey }: Beacon): boolean {
  try {
    const point = scheme.Signature.fromHex(signature);
    if (toHex(scheme.Signature.toBytes(point)) !== signature) return false;
    const message = scheme.hash(sha256(encodeRound(round)), domain);
    return scheme.verify(point, message, fromHex(publicKey));
  } catch {
    return false;
  }
}
