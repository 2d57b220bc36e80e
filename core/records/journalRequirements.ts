import { computeOwnerCommitment } from "#core/ledger/chain.ts";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import { readKind, worldTag } from "#core/transparency-log/leaf.ts";
import type { ProvenLeaves } from "#core/transparency-log/provenLeaves.ts";
import type { JournalReceipt } from "./journalReceiptSchema.ts";

/**
 * A reader's requirements on a receipt of a journal beyond its own check (docs/formats/journal.md,
 * "The newest commitment" and "Whose accounts").
 */

/** The reader's wallet, and the salt that ties accounts to it, in hex. */
export interface JournalOwner {
  address: string;
  salt: string;
}

/** Leaves requested at a time. */
const stride = 1_024;

/**
 * Leaves behind the receipt's commitment that are not read yet, up to the next commitment or the
 * end of a log of `size` leaves: one later commitment is enough to refuse the receipt.
 */
export function listLeavesAfterCommitment(
  { world, liabilities_leaf: from }: JournalReceipt,
  leaves: ProvenLeaves,
  size: number,
): number[] {
  const tag = worldTag(world);
  for (let index = from + 1; index < size; index += 1) {
    const bytes = leaves.get(index);
    const kind = bytes && readKind(bytes, tag);
    if (kind && (!kind.ok || kind.value === "liabilities")) return [];
    if (!kind)
      return Array.from({ length: Math.min(stride, size - index) }, (_, offset) => index + offset);
  }
  return [];
}

/**
 * Checks that no later commitment follows: an account that only an older one covers may have been
 * left out since.
 */
export function findNewestMismatch(
  { world, liabilities_leaf: from }: JournalReceipt,
  leaves: ProvenLeaves,
  size: number,
): "commitment_not_newest" | "leaf_missing" | "leaf_unreadable" | null {
  const tag = worldTag(world);
  for (let index = from + 1; index < size; index += 1) {
    const bytes = leaves.get(index);
    if (!bytes) return "leaf_missing";
    const kind = readKind(bytes, tag);
    if (!kind.ok) return "leaf_unreadable";
    if (kind.value === "liabilities") return "commitment_not_newest";
  }
  return null;
}

/** Checks that every account starts from the mark of this wallet. */
export function findOwnerMismatch(
  { accounts }: JournalReceipt,
  { address, salt }: JournalOwner,
): "owner_differs" | null {
  const mark = computeOwnerCommitment(hexToBytes(salt), address);
  return accounts.every((account) => account.mark === mark) ? null : "owner_differs";
}
