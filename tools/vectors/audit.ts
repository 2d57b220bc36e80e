import type { AuditHead, ChainMismatch } from "#core/operator/auditChain.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import {
  createLog,
  createNewsRecord,
  createSalt,
  genuineReceipts,
  log,
  records,
} from "./auditLog.ts";
import { createFalsifiedReceipts, createOtherAct, swapOrder } from "./falsifiedAudit.ts";

interface ChainCase {
  name: string;
  head: AuditHead | null;
  entries: Uint8Array[];
  difference: ChainMismatch | null;
}

function buildChains(): ChainCase[] {
  const { head, places, entries } = log;
  const before = createLog(records.slice(0, -1)).head;
  const without = (name: string) => entries.with(places[name]!.leaf, entries[1]!);
  const skippedLog = createLog(records.filter(([name]) => name !== "second edition"));
  const repeatedLog = createLog([
    ...records,
    ["withdrawn again", createNewsRecord(2, "withdrawn")],
  ]);
  const otherText = createLog(
    records.with(-1, ["withdrawn", createNewsRecord(2, "withdrawn", "Other")]),
  );
  const emptyLog = { entries: createLog([]).entries, head: null };
  const chainCase = (
    name: string,
    difference: ChainCase["difference"],
    change: Partial<ChainCase>,
  ) => ({
    name,
    head,
    entries,
    difference,
    ...change,
  });
  return [
    chainCase("the whole chain", null, {}),
    chainCase("no chain", null, emptyLog),
    chainCase("the head is told of an earlier state", "audit_tail_cut", { head: before }),
    chainCase("no head is told although there is a chain", "audit_tail_cut", { head: null }),
    chainCase("another hash of the head", "audit_head_differs", {
      head: { ...head, hash: createSalt(1) },
    }),
    chainCase("another number of the head", "audit_head_differs", { head: { ...head, seq: 9 } }),
    chainCase("a second as the head", "audit_head_differs", {
      head: { ...head, leaf: head.leaf + 1 },
    }),
    chainCase("an act is taken out", "audit_chain_broken", { entries: without("found") }),
    chainCase("an act is replaced", "audit_chain_broken", {
      entries: entries.with(places.found!.leaf, createOtherAct("found")),
    }),
    chainCase("the one before an act stands behind it", "audit_chain_broken", swapOrder().swapped),
    chainCase("a number is left out", "audit_chain_broken", swapOrder().skipped),
    chainCase("a version is left out", "publication_versions_differ", skippedLog),
    chainCase("withdrawn twice", "publication_versions_differ", repeatedLog),
    chainCase("another text is withdrawn", "publication_versions_differ", otherText),
  ];
}

const toHex = (entries: readonly Uint8Array[]) => entries.map(bytesToHex);

/** The log's size, and by index the entries that differ from those of the honest log. */
function getChanges(entries: readonly Uint8Array[]) {
  const changedLeaves = toHex(entries).flatMap((hex, index) =>
    log.entries[index] && bytesToHex(log.entries[index]) === hex ? [] : [[index, hex] as const],
  );
  return { size: entries.length, changed: Object.fromEntries(changedLeaves) };
}

export function createAuditVectors() {
  return {
    about:
      "A log with acts of operators and published texts; receipts of them, falsified ones with what a check must find, and the chain with its told head, honest and falsified. Logs of falsified cases are told by their size and the entries that differ from the first, by index.",
    entries: toHex(log.entries),
    receipts: Object.entries(genuineReceipts).map(([name, receipt]) => ({ name, receipt })),
    falsified: createFalsifiedReceipts().map(({ name, difference, receipt, log: other }) => ({
      name,
      difference,
      receipt,
      log: getChanges((other ?? log).entries),
    })),
    chains: buildChains().map(({ name, head, entries, difference }) => ({
      name,
      difference,
      head,
      log: getChanges(entries),
    })),
  };
}
