import type { LeafReader, Step } from "../contracts/receipt.ts";
import { equalBytes, MismatchError, sha256 } from "../log/bytes.ts";
import { canonicalBytes } from "../log/canonical.ts";
import { requireConstants } from "../log/constants.ts";
import {
  decodeSecond,
  decodeTerms,
  decodeWorld,
  kinds,
  readKind,
  type Second,
  type World,
  worldTag,
} from "../log/leaves.ts";
import { computeWorth } from "./rules.ts";
import type { Terms } from "./schema.ts";

/**
 * Shared by the checks of docs/formats/hosting.md: steps "marks" and "terms", and reading leaves.
 */
export interface ReceiptContext {
  world: World;
  tag: Uint8Array;
  leaf: LeafReader;
  steps: Step[];
}

interface LabelledReceipt {
  practice: unknown;
  backing: unknown;
  world: string;
  market: { kind: string; speed: number };
}

export function addStep({ steps }: ReceiptContext, step: string, message: string): void {
  steps.push({ step, message });
}

/** Step "marks": everything that carries practice labels is of this world and market. */
export async function openReceipt(
  leaf: LeafReader,
  all: readonly LabelledReceipt[],
): Promise<ReceiptContext> {
  const world = decodeWorld(await leaf(0));
  for (const { practice, backing, world: name, market } of all) {
    if (practice !== true || backing !== "none") throw new MismatchError("marks", "not_practice");
    if (name !== world.name) throw new MismatchError("marks", "world_differs", world.name);
    const { kind, speed } = world.market;
    if (market.kind !== kind || market.speed !== speed)
      throw new MismatchError("marks", "market_differs", `the log says ${kind} ${speed}`);
  }
  const receiptContext = { world, tag: worldTag(world.name), leaf, steps: [] };
  addStep(receiptContext, "marks", `Practice only, backed by nothing; world "${world.name}".`);
  return receiptContext;
}

/** Values that the rules fix in any terms. */
const constants = {
  engine: "drydock.hosting/1",
  coin: "pUSDT",
  unit_scale: 8,
  nav_scale: 8,
  redemption_fee_bp: 10,
  taker_fee_bp: 10,
  latency_ms: 500,
  transfer_ms: 600_000,
  margin_bp: 2,
  limit_bp: 25,
  refill_share: 5,
  expiry_ms: 600_000,
  least_order: "10",
  marks: "each-world-minute",
};

/**
 * Step "terms": they are in the log before `first`, hold the rules' constants and belong to the
 * pool. Returns their hash.
 */
export async function checkTerms(
  receiptContext: ReceiptContext,
  { terms, terms_leaf: termsLeaf }: { terms: Terms; terms_leaf: number },
  poolId: string,
  first: number,
): Promise<string> {
  const bytes = canonicalBytes(terms);
  let loggedBytes: Uint8Array;
  try {
    loggedBytes = decodeTerms(await receiptContext.leaf(termsLeaf), receiptContext.tag);
  } catch (error) {
    throw error instanceof MismatchError && error.difference === "leaf_kind_wrong"
      ? new MismatchError("terms", "terms_not_in_log")
      : error;
  }
  if (!equalBytes(loggedBytes, bytes))
    throw new MismatchError("terms", "terms_not_in_log", `leaf ${termsLeaf}`);
  if (termsLeaf >= first)
    throw new MismatchError("terms", "terms_after_order", `leaf ${termsLeaf}`);
  requireConstants(terms, { ...constants, band_bp: terms.strategy === "hold" ? 100 : 1_000 });
  if (terms.pool_id !== poolId)
    throw new MismatchError("terms", "terms_do_not_allow_pool_order", terms.pool_id);
  addStep(
    receiptContext,
    "terms",
    `Version ${terms.version} of the terms of pool ${poolId}, logged at leaf ${termsLeaf}: ${terms.strategy} on ${terms.venues.join(", ")}.`,
  );
  return sha256(bytes).toString("hex");
}

/**
 * Reads the leaves of a range one by one and refuses a second that is not later than the previous
 * one.
 */
export function readAscendingSeconds(
  receiptContext: ReceiptContext,
  step: string,
): (index: number) => Promise<Second | null> {
  let last: { at: number; ms: number } | null = null;
  return async (index) => {
    const entry = await receiptContext.leaf(index);
    if (readKind(entry, receiptContext.tag) !== kinds.second) return null;
    const second = decodeSecond(entry, receiptContext.tag);
    if (last && second.secondMs <= last.ms)
      throw new MismatchError(
        step,
        "seconds_not_ascending",
        `leaf ${index} is of ${new Date(second.secondMs).toISOString()}, leaf ${last.at} of ${new Date(last.ms).toISOString()}`,
      );
    last = { at: index, ms: second.secondMs };
    return second;
  };
}

/**
 * Refuses a whole minute from leaf `from` to `to` (exclusive) that has an index for each of the
 * pool's assets: it must have a mark, or the operator could wait for a favourable one.
 */
export async function requireMarked(
  receiptContext: ReceiptContext,
  step: string,
  { symbols }: Terms,
  [from, to]: readonly [number, number],
): Promise<void> {
  const assets = [...new Set(symbols.flatMap((symbol) => symbol.split("/")))];
  for (let index = from; index < to; index++) {
    const entry = await receiptContext.leaf(index);
    if (readKind(entry, receiptContext.tag) !== kinds.second) continue;
    const second = decodeSecond(entry, receiptContext.tag);
    if (second.secondMs % 60_000 !== 0) continue;
    if (assets.every((asset) => computeWorth(receiptContext.world, second, asset) !== null))
      throw new MismatchError(
        step,
        "minute_not_marked",
        `leaf ${index}: ${new Date(second.secondMs).toISOString()} has every index`,
      );
  }
}

/** The `second` leaf at `index`; throws if it is of another kind or another second than `atMs`. */
export async function secondAt(
  { leaf, tag, world }: ReceiptContext,
  index: number,
  atMs: number | null,
): Promise<Second> {
  let second: Second;
  try {
    second = decodeSecond(await leaf(index), tag);
  } catch (error) {
    throw error instanceof MismatchError && error.difference === "leaf_kind_wrong"
      ? new MismatchError("leaves", "second_leaf_wrong", `leaf ${index}`)
      : error;
  }
  if (second.columns.length < world.symbols.length)
    throw new MismatchError("leaves", "leaf_value_invalid", `leaf ${index}`);
  if (atMs !== null && second.secondMs !== atMs)
    throw new MismatchError("leaves", "second_leaf_wrong", `leaf ${index} is of another second`);
  return second;
}
