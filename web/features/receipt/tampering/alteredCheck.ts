import { openEvidence } from "#core/evidence/evidence.ts";
import type { EvidenceFile } from "#core/evidence/evidenceSchema.ts";
import { bytesToBase64 } from "#core/transparency-log/bytes.ts";
import { encodeVkey, type VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";
import { decodeNetwork, encodeNetwork } from "#core/transparency-log/networkLeaf.ts";
import { decodeSecond, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { tileWidth } from "#core/transparency-log/tile.ts";
import { decodeWorld } from "#core/transparency-log/worldLeaf.ts";
import {
  type CheckDeps,
  type CheckedReceipt,
  checkAgainstLog,
  type ProvenReceipt,
  readLeaves,
} from "#web/features/receipt/check.ts";
import { checkEvidence } from "#web/features/receipt/evidence/checkEvidence.ts";
import { findReceiptKind, type ReceiptDetail } from "#web/features/receipt/kinds/kinds.ts";
import type { LogReader } from "#web/features/receipt/logReader.ts";
import type { Alterable, Target } from "#web/features/receipt/tampering/alterable.ts";

export type CheckedCopy = CheckedReceipt<ReceiptDetail>;

/** A receipt that agrees, and the same check for a copy of it with one value changed. */
export interface Subject {
  /** The leaves that its check reads, by index. */
  leaves: ReadonlyMap<number, Uint8Array>;
  check: (target: Target, value: string | number) => Promise<CheckedCopy>;
}

/**
 * An empty store, so that the check of a copy does not use or change the stored state of the log.
 */
const nothingStored = { read: () => null, write: () => {} };

/**
 * Creates the subject for a receipt that was read from its log. A copy is checked under the same
 * checkpoint, from files that are already in memory, so the server gets no request.
 */
export async function createLogSubject({
  kind,
  receipt,
  view,
  reader,
  verify,
}: ProvenReceipt): Promise<Subject> {
  const { size, origin } = view.checkpoint;
  const source = { size, entries: (indexes: Iterable<number>) => view.entries(indexes) };
  const leaves = await readLeaves(source, kind, receipt);
  const vkeys = [kind.getLog(receipt)!.vkey, encodeVkey(view.key)];
  const deps: Omit<CheckDeps, "reader"> = {
    servedLog: { origin, vkeys },
    store: nothingStored,
    witnessKeys: [],
    verify,
    nowMs: 0,
  };
  const memoryReader: LogReader = {
    ...reader,
    checkpoint: async () => view.note,
    cosigned: async () => null,
    handovers: async () => [],
  };
  return {
    leaves,
    check: async (target, value) => {
      const copy = target.in === "receipt" ? withMember(receipt, target.path, value) : receipt;
      const kindOfCopy = findReceiptKind(copy);
      if (!kindOfCopy) throw new TypeError("a copy has the format of its receipt");
      const forgedLog =
        target.in === "receipt" ? memoryReader : withLeaf(memoryReader, leaves, target, value);
      return await checkAgainstLog(kindOfCopy, copy, { ...deps, reader: forgedLog });
    },
  };
}

/**
 * Creates the subject for an evidence file. Its copy is checked from the file alone, like the file
 * itself.
 */
export function createEvidenceSubject(file: EvidenceFile, verify: VerifyEd25519): Subject {
  const opening = openEvidence(file, verify);
  const leaves = opening.ok ? opening.opened.leaves : new Map<number, Uint8Array>();
  const deps = { kindOf: findReceiptKind, store: nothingStored, witnessKeys: [], verify };
  return {
    leaves,
    check: async (target, value) => {
      const copy =
        target.in === "receipt"
          ? withMember(file, ["receipt", ...target.path], value)
          : withEntry(file, target.leaf, falsifiedLeaf(leaves, target, value));
      return await checkEvidence<ReceiptDetail>(copy, deps);
    },
  };
}

type Members = { [name: string | number]: unknown };

/** Returns a copy of `value` with another value at `path`. */
function withMember<Value>(value: Value, path: readonly (string | number)[], to: unknown): Value {
  const copy = structuredClone(value);
  const owner = path
    .slice(0, -1)
    .reduce<Members>((parent, name) => parent[name] as Members, copy as Members);
  owner[path.at(-1)!] = to;
  return copy;
}

/** Returns a reader that replaces one leaf, as a deceiving operator would. */
function withLeaf(
  reader: LogReader,
  leaves: Subject["leaves"],
  target: Exclude<Target, { in: "receipt" }>,
  value: Alterable["value"],
): LogReader {
  const forgedLeaf = falsifiedLeaf(leaves, target, value);
  const bundle = Math.floor(target.leaf / tileWidth);
  return {
    ...reader,
    entries: async (index, width) => {
      const entries = await reader.entries(index, width);
      return index === bundle ? entries.with(target.leaf % tileWidth, forgedLeaf) : entries;
    },
  };
}

function withEntry(file: EvidenceFile, leaf: number, bytes: Uint8Array): EvidenceFile {
  const holds = ({ from, entries }: EvidenceFile["leaves"][number]) =>
    leaf >= from && leaf < from + entries.length;
  const leaves = file.leaves.map((run) =>
    holds(run) ? { ...run, entries: run.entries.with(leaf - run.from, bytesToBase64(bytes)) } : run,
  );
  return { ...file, leaves };
}

/** Encodes the leaf again with the false value. */
function falsifiedLeaf(
  leaves: Subject["leaves"],
  target: Exclude<Target, { in: "receipt" }>,
  value: Alterable["value"],
): Uint8Array {
  const bytes = leaves.get(target.leaf) ?? new Uint8Array();
  if (target.in === "second") {
    const second = decodeSecond(bytes, null);
    if (!second.ok) return bytes;
    const index = second.value.index.with(target.column, BigInt(value));
    return encodeSecond({ ...second.value, index }, bytes.subarray(3, 11));
  }
  const network = decodeNetwork(bytes, null);
  const world = decodeWorld(leaves.get(0) ?? new Uint8Array());
  if (!network.ok || !world.ok) return bytes;
  return encodeNetwork({ ...network.value, feeSum: BigInt(value) }, world.value.world);
}
