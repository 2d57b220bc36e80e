import {
  type AuditLeaf,
  auditHash,
  decodeAudit,
  type PublicationRecord,
} from "#core/transparency-log/auditLeaf.ts";
import { readKind } from "#core/transparency-log/leaf.ts";

/** The newest leaf of the audit chain, as reported by an instance. */
export interface AuditHead {
  leaf: number;
  seq: number;
  hash: string;
}

export type ChainMismatch =
  | "leaf_unreadable"
  | "audit_head_differs"
  | "audit_tail_cut"
  | "audit_chain_broken"
  | "publication_versions_differ";

export type ChainCheck =
  | { ok: true; leaves: readonly { index: number; leaf: AuditLeaf }[] }
  | { ok: false; difference: ChainMismatch; leaf: number };

type Entries = (indexes: readonly number[]) => Promise<ReadonlyMap<number, Uint8Array>>;

class ChainError extends Error {
  readonly difference: ChainMismatch;
  readonly leaf: number;
  constructor(difference: ChainMismatch, leaf: number) {
    super(`${difference} ${leaf}`);
    this.difference = difference;
    this.leaf = leaf;
  }
}

/** Leaves read per request after the reported head. */
const batchSize = 2_048;

/**
 * Follows the audit chain from the head that an instance reports back to its first leaf, and looks
 * for a later one after the head: in all leaves up to the log's size, or in the newest `atMost`.
 * `entries` returns proven leaves. Without a head the log must contain no audit leaf.
 */
export async function checkAuditChain(
  head: AuditHead | null,
  tag: Uint8Array,
  log: { size: number; entries: Entries },
  atMost = Number.POSITIVE_INFINITY,
): Promise<ChainCheck> {
  try {
    const chain = head === null ? [] : await followBack(head, tag, log.entries);
    checkVersions(chain);
    await findLater(head?.leaf ?? 0, tag, log, atMost);
    return { ok: true, leaves: chain };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return { ok: false, difference: error.difference, leaf: error.leaf };
  }
}

async function followBack(head: AuditHead, tag: Uint8Array, entries: Entries) {
  const chain: { index: number; leaf: AuditLeaf }[] = [];
  const readEntry = async (index: number, otherwise: ChainMismatch) => {
    const bytes = (await entries([index])).get(index)!;
    const decodedLeaf = decodeAudit(bytes, tag);
    if (decodedLeaf.ok) return { leaf: decodedLeaf.value, hash: auditHash(bytes) };
    throw new ChainError(
      decodedLeaf.error === "leaf_kind_wrong" ? otherwise : "leaf_unreadable",
      index,
    );
  };
  let index = head.leaf;
  let { leaf, hash } = await readEntry(index, "audit_head_differs");
  if (leaf.seq !== head.seq || hash !== head.hash)
    throw new ChainError("audit_head_differs", index);
  for (;;) {
    chain.unshift({ index, leaf });
    const { before, previous, seq } = leaf;
    if (before === null) return chain;
    if (before >= index) throw new ChainError("audit_chain_broken", index);
    const previousEntry = await readEntry(before, "audit_chain_broken");
    if (previousEntry.hash !== previous || previousEntry.leaf.seq !== seq - 1)
      throw new ChainError("audit_chain_broken", index);
    index = before;
    leaf = previousEntry.leaf;
    hash = previousEntry.hash;
  }
}

/** A leaf after the reported head is one that the instance hides. */
async function findLater(
  head: number,
  tag: Uint8Array,
  { size, entries }: { size: number; entries: Entries },
  atMost: number,
): Promise<void> {
  for (let from = Math.max(head + 1, size - atMost); from < size; from += batchSize) {
    const count = Math.min(batchSize, size - from);
    const entriesByIndex = await entries(Array.from({ length: count }, (_, index) => from + index));
    for (const [index, bytes] of entriesByIndex) {
      const kind = readKind(bytes, tag);
      if (!kind.ok) throw new ChainError("leaf_unreadable", index);
      if (kind.value === "audit") throw new ChainError("audit_tail_cut", index);
    }
  }
}

/**
 * Checks for each publication that versions ascend by one, and that only a published one is
 * withdrawn.
 */
function checkVersions(chain: readonly { index: number; leaf: AuditLeaf }[]): void {
  const latestRecords = new Map<string, PublicationRecord>();
  for (const { index, leaf } of chain) {
    const { record } = leaf;
    if (record.type !== "publication") continue;
    const before = latestRecords.get(record.publication);
    const isConsistent =
      record.state === "published"
        ? record.version === (before?.version ?? 0) + 1
        : before?.state === "published" &&
          before.version === record.version &&
          before.text === record.text;
    if (!isConsistent) throw new ChainError("publication_versions_differ", index);
    latestRecords.set(record.publication, record);
  }
}
