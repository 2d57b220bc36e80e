import {
  encodeRound,
  getBeaconName,
  getDueRound,
  isRoundSigned,
  type WorldBeacon,
} from "./beacon.ts";
import { fromHex, MismatchError, sha256, toHex } from "./bytes.ts";
import { verifyEd25519 } from "./ed25519.ts";
import { decodeJson, type Fields, type World } from "./leaves.ts";
import { parseWitnessKey } from "./note.ts";

/**
 * "`seed`" of docs/formats/log.md: the leaves that begin and reveal the seed of a simulated day.
 */

export type Source =
  | { kind: "none" }
  | { kind: "beacon"; round: number; signature: string }
  | {
      kind: "witness";
      vkey: string;
      size: number;
      root: string;
      time: number;
      signature: string;
    };

export type Seed =
  | { action: "begin"; dayMs: number; source: Source }
  | { action: "round"; dayMs: number; round: number; signature: string }
  | { action: "reveal"; dayMs: number; link: string; simulator: string; state: Buffer };

const malformed = (detail: string) => new MismatchError("leaves", "leaf_value_invalid", detail);
const day = 86_400_000;
/** The number of days in a seed chain. */
const chainDays = 36_525;

const hasMembers = (members: object, ...names: string[]): boolean =>
  Object.keys(members).sort().join() === names.sort().join();
const isHex = (value: unknown, bytes: number): value is string =>
  typeof value === "string" && value.length === 2 * bytes && /^[0-9a-f]*$/.test(value);
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

export function decodeSeed(entry: Uint8Array, tag: Uint8Array | null): Seed {
  const fields: Fields = decodeJson(entry, "seed", tag);
  const { action, day_ms: dayMs, source, link, simulator, state } = fields;
  if (!isCount(dayMs) || dayMs % 1_000 !== 0) throw malformed("day_ms");
  const commonNames = ["backing", "practice", "world", "action", "day_ms"];
  if (action === "begin") {
    if (!hasMembers(fields, ...commonNames, "source")) throw malformed("members");
    return { action, dayMs, source: readSource(source) };
  }
  if (action === "round") {
    if (!hasMembers(fields, ...commonNames, "round", "signature") || dayMs % day !== 0)
      throw malformed("members");
    return { action, dayMs, ...readRound(fields) };
  }
  if (action !== "reveal" || !hasMembers(fields, ...commonNames, "link", "simulator", "state"))
    throw malformed("members");
  if (!isHex(link, 32)) throw malformed("link");
  if (typeof simulator !== "string" || simulator === "") throw malformed("simulator");
  if (typeof state !== "string" || state.length > 32_768 || !/^([0-9a-f]{2})*$/.test(state))
    throw malformed("state");
  return { action, dayMs, link, simulator, state: fromHex(state) };
}

function readRound({ round, signature }: { [name: string]: unknown }) {
  if (!isCount(round) || round < 1 || !isHex(signature, 48)) throw malformed("round");
  return { round, signature };
}

function readSource(value: unknown): Source {
  if (typeof value !== "object" || value === null) throw malformed("source");
  const source = value as { [name: string]: unknown };
  if (source.kind === "none" && hasMembers(source, "kind")) return { kind: "none" };
  if (source.kind === "beacon" && hasMembers(source, "kind", "round", "signature"))
    return { kind: "beacon", ...readRound(source) };
  const { kind, vkey, size, root, time, signature } = source;
  const isWellFormed =
    kind === "witness" &&
    hasMembers(source, "kind", "vkey", "size", "root", "time", "signature") &&
    isCount(size) &&
    size > 0 &&
    isCount(time) &&
    isHex(root, 32) &&
    isHex(signature, 64) &&
    typeof vkey === "string" &&
    vkey.length <= 300;
  if (!isWellFormed) throw malformed("source");
  try {
    parseWitnessKey(vkey);
  } catch {
    throw malformed("vkey");
  }
  return { kind: "witness", vkey, size, root, time, signature };
}

/** The beginning of a day: its leaf, log and world. */
export interface SeedBegin {
  at: number;
  dayMs: number;
  origin: string;
  world: World;
}

/**
 * Checks the source of a day: the round that is due, or a cosignature of this log from before the
 * leaf.
 */
export function checkSource(source: Source, { at, dayMs, origin, world }: SeedBegin): void {
  if (source.kind === "none") return;
  if (source.kind === "beacon") {
    checkRound(source, dayMs, world);
    return;
  }
  const mismatch = (detail: string) => new MismatchError("seed", "seed_source_differs", detail);
  const { vkey, size, root, time, signature } = source;
  if (size > at) throw mismatch(`a tree of ${size} leaves holds leaf ${at}`);
  const text = `${origin}\n${size}\n${fromHex(root).toString("base64")}\n`;
  const message = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`, "utf8");
  if (!verifyEd25519(message, fromHex(signature), parseWitnessKey(vkey).publicKey))
    throw mismatch("its signature is not the witness's");
}

/** Checks that a round is the one due on the day, signed by the world's beacon. */
export function checkRound(
  { round, signature }: { round: number; signature: string },
  dayMs: number,
  world: World,
): void {
  const mismatch = (detail: string) => new MismatchError("seed", "seed_source_differs", detail);
  const dueRound = getDueRound(world, dayMs);
  if (!world.beacon || round !== dueRound)
    throw mismatch(`round ${round}, due is ${dueRound ?? "none"}`);
  if (!isRoundSigned(round, signature, world.beacon))
    throw mismatch(`round ${round} is not signed by the world's beacon`);
}

/** The source mixed into a day's seed, and the beacon whose round is due on that day. */
export interface MixedSeed {
  source: Source;
  due: WorldBeacon | null;
}

export const toMixedSeed = (source: Source, { dayMs, world }: SeedBegin): MixedSeed => ({
  source,
  due: getDueRound(world, dayMs) === null ? null : world.beacon,
});

export const nothingMixed = "nothing was mixed into it";

/**
 * Describes the source, after "mixed with"; states whether the operator could have chosen the seed.
 */
export function describeMixedSeed(
  { source, due }: MixedSeed,
  isWitnessKnown: (vkey: string) => boolean,
): { mixed: string | null; chosen: string | null } {
  const missingRound = due ? "the round of the beacon that was due is not in it" : null;
  if (source.kind === "none") return { mixed: null, chosen: missingRound ?? nothingMixed };
  if (source.kind === "beacon") {
    const name = due && getBeaconName(due);
    const sourceText = `round ${source.round} of ${name ?? "a public beacon"}`;
    return { mixed: sourceText, chosen: name ? null : "this verifier does not know its beacon" };
  }
  const mixed = `a cosignature of ${source.vkey.split("+")[0]}`;
  const unknownWitness = isWitnessKnown(source.vkey)
    ? null
    : `you did not name its witness ${source.vkey}`;
  return { mixed, chosen: missingRound ?? unknownWitness };
}

/** Checks that a revealed link leads to the anchor in as many steps as days have passed. */
export function checkLink({ seedAnchor, createdAtMs }: World, dayMs: number, link: string): void {
  const days = Math.floor(dayMs / day) - Math.floor(createdAtMs / day);
  let hash: Uint8Array = fromHex(link);
  if (days >= 0 && days < chainDays)
    for (let remaining = days; remaining >= 0; remaining--) hash = sha256(hash);
  if (days < 0 || days >= chainDays || toHex(hash) !== seedAnchor)
    throw new MismatchError("seed", "seed_link_differs", `of day ${days + 1}`);
}

/**
 * The day's seed: its link, mixed with the number and signature of the round, or with the time and
 * signature of the cosignature, if there is one.
 */
export function deriveSeed(link: string, source: Source): Buffer {
  const begin = Buffer.from("drydock.seed/1\n", "utf8");
  if (source.kind === "none") return sha256(begin, fromHex(link));
  if (source.kind === "beacon")
    return sha256(begin, fromHex(link), encodeRound(source.round), fromHex(source.signature));
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(source.time));
  return sha256(begin, fromHex(link), time, fromHex(source.signature));
}
