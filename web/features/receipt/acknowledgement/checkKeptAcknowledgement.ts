import { sha256 } from "@noble/hashes/sha2.js";
import {
  type Acknowledgement,
  computeDueAt,
  isDelayed,
  type KeptAcknowledgement,
  openAcknowledgement,
  parseKept,
} from "#core/transparency-log/acknowledgement.ts";
import { bytesToHex, equalBytes, hexToBytes } from "#core/transparency-log/bytes.ts";
import { type Canonical, canonicalBytes } from "#core/transparency-log/canonical.ts";
import { parseVkey, type VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { splitHashes } from "#core/transparency-log/tile.ts";
import { decodeWorld } from "#core/transparency-log/worldLeaf.ts";
import { isAskedFor } from "#web/features/receipt/acknowledgement/askedFor.ts";
import type { LogView } from "#web/features/receipt/logView.ts";

/** The log that an acknowledgement is checked against. */
export interface AcknowledgedLog {
  view: Pick<LogView, "checkpoint" | "entries" | "continues">;
  /** Verifier keys of the log. */
  vkeys: readonly string[];
  verify: VerifyEd25519;
  /** Returns the concatenated hashes that a leaf binds. */
  hashes: (leaf: number) => Promise<Uint8Array>;
}

export type AcknowledgementState =
  /** `leaf` binds it. */
  | { state: "kept"; leaf: number }
  /** The log has no second after acceptance yet, or no second binds this call. */
  | { state: "open" }
  | { state: "broken"; step: string; problem: string };

const leavesMax = 5_000;
/** The number of leaves read together; most promises are kept by the first second after them. */
const rangeLeaves = 16;

const brokenAt = (step: string, problem: string): AcknowledgementState => ({
  state: "broken",
  step: `acknowledgement_${step}`,
  problem,
});

/**
 * Steps 1 to 6 of docs/formats/acknowledgement.md. Rejects with a LogReadError when the log cannot
 * be read, which says nothing about the promise.
 */
export async function checkKeptAcknowledgement(
  value: unknown,
  log: AcknowledgedLog,
): Promise<AcknowledgementState> {
  const { view, vkeys, verify } = log;
  const result = parseKept(value);
  if (!result.ok) return brokenAt("form", result.error);
  const keptAcknowledgement = result.value;
  const { origin } = view.checkpoint;
  const trusted = vkeys.map((vkey) => parseVkey(vkey)).filter((key) => key !== null);
  const openResult = openAcknowledgement(keptAcknowledgement, origin, trusted, verify);
  if (!openResult.ok) {
    const isFormError = ["acknowledgement_malformed", "not_practice"].includes(openResult.error);
    return brokenAt(isFormError ? "form" : "key", openResult.error);
  }
  const acknowledgement = openResult.value;
  const world = decodeWorld((await view.entries([0])).get(0)!);
  if (!world.ok || world.value.world !== acknowledgement.world)
    return brokenAt("form", "not_practice");
  if (!matchesCall(keptAcknowledgement, acknowledgement))
    return brokenAt("sent", "acknowledged_otherwise");
  const { speed } = world.value.market;
  if (isDelayed(acknowledgement, keptAcknowledgement.sent.at_ms, speed))
    return brokenAt("sent", "acknowledged_held_up");
  const dueMs = computeDueAt(acknowledgement.accepted_at_ms, acknowledgement.hash, speed);
  if (dueMs !== acknowledgement.due_at_ms) return brokenAt("due", "acknowledged_due_differs");
  const { size, root } = acknowledgement.tree;
  if (!(await view.continues({ size, root: hexToBytes(root) })))
    return brokenAt("tree", "acknowledged_tree_differs");
  return acknowledgement.hash === null
    ? { state: "open" }
    : findBound(acknowledgement, acknowledgement.hash, log);
}

function matchesCall({ sent }: KeptAcknowledgement, acknowledgement: Acknowledgement): boolean {
  return (
    sent.call === acknowledgement.call &&
    sent.key === acknowledgement.key &&
    sent.body_hash === acknowledgement.body_hash
  );
}

/** Step 6: the first second after acceptance must bind the hash. */
async function findBound(
  acknowledgement: Acknowledgement,
  hash: string,
  { view, hashes }: AcknowledgedLog,
): Promise<AcknowledgementState> {
  const { accepted_at_ms: acceptedAtMs, due_at_ms: dueAtMs, tree } = acknowledgement;
  const tag = worldTag(acknowledgement.world);
  const end = Math.min(view.checkpoint.size, tree.size + leavesMax);
  let lastMs = Number.NEGATIVE_INFINITY;
  for (let from = tree.size; from < end; from += rangeLeaves) {
    const indexes = Array.from(
      { length: Math.min(rangeLeaves, end - from) },
      (_, index) => from + index,
    );
    const leaves = await view.entries(indexes);
    for (const leaf of indexes) {
      const entry = leaves.get(leaf)!;
      const second = decodeSecond(entry, tag);
      if (!second.ok && second.error === "leaf_kind_wrong") continue;
      if (!second.ok) return brokenAt("bound", "leaf_unreadable");
      const { secondMs, ordersCount, ordersRoot } = second.value;
      if (secondMs <= lastMs) return brokenAt("bound", "seconds_not_ascending");
      lastMs = secondMs;
      if (secondMs < acceptedAtMs) continue;
      const hashBytes = ordersCount === 0 ? new Uint8Array() : await hashes(leaf);
      if (hashBytes.length !== ordersCount * 32) return brokenAt("bound", "orders_hashes_differ");
      const boundHashes = splitHashes(hashBytes);
      if (!equalBytes(treeRoot(boundHashes.map(leafHash)), ordersRoot))
        return brokenAt("bound", "orders_hashes_differ");
      if (boundHashes.some((item) => bytesToHex(item) === hash))
        return secondMs <= dueAtMs
          ? { state: "kept", leaf }
          : brokenAt("bound", "acknowledged_bound_late");
      if (secondMs > acceptedAtMs) return brokenAt("bound", "acknowledged_not_bound");
    }
  }
  return { state: "open" };
}

interface ReceiptStatement {
  order?: { order_id?: unknown; accepted_at_ms?: unknown };
  lease?: { lease_id?: unknown; accepted_at_ms?: unknown };
  journal?: { id?: unknown; at_ms?: unknown; body_hash?: unknown };
  bound_leaf?: unknown;
}

/** Returns the id of the accepted call that this receipt is about; null for other receipts. */
export function getReceiptId(receipt: unknown): string | null {
  const { order, lease, journal } = (receipt ?? {}) as ReceiptStatement;
  const id = order?.order_id ?? lease?.lease_id ?? journal?.id;
  return typeof id === "string" ? id : null;
}

/**
 * Step 7: returns the mismatch of a receipt that has the promise's id; null when the receipt states
 * what was promised.
 */
export function compareReceipt(acknowledgement: Acknowledgement, receipt: unknown): string | null {
  const { order, lease, journal, bound_leaf: boundLeaf } = receipt as ReceiptStatement;
  const statement = order ?? lease;
  if (statement) {
    const hash = bytesToHex(sha256(canonicalBytes(statement as Canonical)));
    if (
      hash !== acknowledgement.hash ||
      statement.accepted_at_ms !== acknowledgement.accepted_at_ms
    )
      return "acknowledgement_differs";
    if (!isAskedFor(acknowledgement, statement as Record<string, Canonical>))
      return "acknowledgement_differs";
    const isBoundAfter = typeof boundLeaf === "number" && boundLeaf >= acknowledgement.tree.size;
    return isBoundAfter ? null : "acknowledged_bound_before";
  }
  const isSame =
    journal?.at_ms === acknowledgement.accepted_at_ms &&
    journal.body_hash === acknowledgement.body_hash;
  return isSame ? null : "acknowledgement_differs";
}
