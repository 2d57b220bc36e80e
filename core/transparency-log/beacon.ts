import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";

/**
 * A public randomness beacon of the drand network, scheme `bls-unchained-g1-rfc9380`: every period
 * its members sign the number of a round together, so no one knows a round before it is published
 * and no one can choose it. Source: docs/formats/log.md, "Beacon".
 */
export interface Beacon {
  /** The network's key, 96 bytes: a point of G2 of BLS12-381. */
  publicKey: Uint8Array;
  /** Unix time of the first round. */
  genesisSeconds: number;
  periodSeconds: number;
}

/** The beacon that a world was made with. */
export interface WorldBeacon extends Beacon {
  /** Real time at which the world began, so that its days have a real time. */
  startedAtMs: number;
}

/** A round as published. */
export interface BeaconRound {
  round: number;
  /** 48 bytes: a point of G1. */
  signature: Uint8Array;
}

/**
 * Returns true if a round's signature is that of the network, in its one encoding. Supplied by the
 * caller, which loads BLS12-381 only if a beacon is named.
 */
export type VerifyRound = (round: BeaconRound, publicKey: Uint8Array) => boolean;

/** The domain separation tag of the scheme's hash to a point of G1. */
export const roundDomain = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
export const beaconKeyBytes = 96;
export const roundSignatureBytes = 48;

/** The message that the network signs: SHA-256 of the round's number, 8 bytes, big-endian. */
export function roundMessage(round: number): Uint8Array {
  return sha256(roundBytes(round));
}

export function roundBytes(round: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(round));
  return bytes;
}

/** Beacons that a reader of this program knows, by their keys. */
export const knownBeacons: readonly (Beacon & { name: string })[] = [
  {
    name: "drand quicknet",
    publicKey: hexToBytes(
      "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    ),
    genesisSeconds: 1_692_803_367,
    periodSeconds: 3,
  },
];

/** The name of a beacon that the reader knows; null for any other. */
export function getBeaconName(beacon: Beacon): string | null {
  const match = knownBeacons.find(
    ({ publicKey, genesisSeconds, periodSeconds }) =>
      bytesToHex(publicKey) === bytesToHex(beacon.publicKey) &&
      genesisSeconds === beacon.genesisSeconds &&
      periodSeconds === beacon.periodSeconds,
  );
  return match?.name ?? null;
}

/**
 * Real time before a day's midnight by which its round is published: enough to fetch it from
 * several places, so that a slow source does not delay the day's first second.
 */
export const noticeMs = 30_000;
const dayLengthMs = 86_400_000;

/** Real time at which a round is published. */
export function computePublishedMs(beacon: Beacon, round: number): number {
  return (beacon.genesisSeconds + (round - 1) * beacon.periodSeconds) * 1_000;
}

/** The parameters that determine the round of a day, from the `world` leaf. */
export interface BeaconWorld {
  beacon: WorldBeacon | null;
  createdAtMs: number;
  market: { speed: number };
}

/**
 * The round that is mixed into the seed of the UTC day that a world time is in: the newest one that
 * is due `noticeMs` before the day's midnight. It follows from the `world` leaf alone, so it is
 * named before it exists. Null if it was published before the world began, when the world's creator
 * could have known it.
 */
export function getRoundOfDay(world: BeaconWorld, atMs: number): number | null {
  const { beacon, createdAtMs, market } = world;
  if (!beacon) return null;
  const midnightMs = Math.floor(atMs / dayLengthMs) * dayLengthMs;
  const realMs = beacon.startedAtMs + Math.floor((midnightMs - createdAtMs) / market.speed);
  const seconds = Math.floor((realMs - noticeMs) / 1_000) - beacon.genesisSeconds;
  const round = Math.floor(seconds / beacon.periodSeconds) + 1;
  return round >= 1 && computePublishedMs(beacon, round) > beacon.startedAtMs ? round : null;
}

/**
 * World time before a day's midnight from which on the log may hold the day's round: it is written
 * as soon as it is published, between seconds that are closed up to ten real seconds late.
 */
export function getRoundWindowMs({ beacon, market }: BeaconWorld): number {
  return (noticeMs + ((beacon?.periodSeconds ?? 0) + 20) * 1_000) * market.speed;
}
