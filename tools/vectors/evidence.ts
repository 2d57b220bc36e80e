import { ed25519 } from "@noble/curves/ed25519.js";
import { listNeededLeaves, parseReceipt } from "#core/contracts/receiptSchema.ts";
import { type OpenedEvidence, openEvidence, writeEvidence } from "#core/evidence/evidence.ts";
import type { EvidenceFile } from "#core/evidence/evidenceSchema.ts";
import { multiproofRanges } from "#core/evidence/multiproof.ts";
import { formatTlogProof } from "#core/evidence/tlogProof.ts";
import { listMarkLeavesBehind, listNeededMarkLeaves } from "#core/hosting/receipt/markReceipt.ts";
import { listNeededHostingLeaves } from "#core/hosting/receipt/receipt.ts";
import {
  parseHostingReceipt,
  parseMarkReceipt,
  parseTradeReceipt,
} from "#core/hosting/receipt/receiptSchema.ts";
import {
  listNeededTradeLeaves,
  listTradeLeavesBehind,
} from "#core/hosting/receipt/tradeReceipt.ts";
import { listNeededLeaseLeaves, parseLeaseReceipt } from "#core/mining/receiptSchema.ts";
import { listNeededOrderLeaves } from "#core/records/journalOrders.ts";
import {
  listJournalLeavesBehind,
  listNeededJournalLeaves,
  parseJournalReceipt,
} from "#core/records/journalReceiptSchema.ts";
import { bytesToBase64, hexToBytes } from "#core/transparency-log/bytes.ts";
import {
  checkpointText,
  encodeVkey,
  noteKey,
  signNote,
} from "#core/transparency-log/checkpoint.ts";
import {
  inclusionRanges,
  type LeafRange,
  leafHash,
  treeRoot,
} from "#core/transparency-log/merkle.ts";
import { decodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import { createCosignature, vectorKey, vectorOrigin, vectorSigner, vectorWitness } from "./log.ts";

/**
 * Evidence files of every kind of receipt over the logs of the other vectors, files about falsified
 * receipts, and altered files.
 */
type Receipt = Record<string, unknown>;

interface AlteredFile {
  receipt: Receipt;
  name: string;
  at: number;
  remove: number;
  insert: string[];
  step: string;
  difference: string;
}

/** The parts of the other vectors from which files are made. */
interface Sources {
  contracts: {
    entries: string[];
    receipts: object[];
    falsified: object[];
    journals: { receipts: { keep: number; append: string[]; receipt: object }[] };
  };
  journals: { entries: string[]; receipts: object[] };
  mining: { entries: string[]; receipts: object[] };
  hosting: { leaves: string[]; receipts: { orders: object[]; trades: object[]; marks: object[] } };
}

const log = { origin: vectorOrigin, vkey: encodeVkey(vectorKey) };
const strangerSecret = new Uint8Array(32).fill(0x44);
const stranger = {
  key: noteKey(vectorOrigin, ed25519.getPublicKey(strangerSecret)),
  sign: (message: Uint8Array) => ed25519.sign(message, strangerSecret),
};
const witnessedAt = 1_767_571_500n;

/** The signed note of a log, cosigned by one witness. */
function formatNote(hashes: readonly Uint8Array[], signer = vectorSigner): string {
  const text = checkpointText({
    origin: vectorOrigin,
    size: hashes.length,
    root: treeRoot(hashes),
  });
  return (
    signNote(text, [signer]) + createCosignature(text, vectorWitness, witnessedAt, witnessedAt)
  );
}

const getSpan = ([from, to]: readonly [number, number]) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The leaves that a receipt of any kind rests on, as the browser would fetch them. */
function neededFor(receipt: Receipt, world: WorldLeaf, entries: readonly Uint8Array[]): number[] {
  const bytes = new Map(entries.map((entry, index) => [index, entry]));
  const contract = parseReceipt(receipt);
  const lease = parseLeaseReceipt(receipt);
  const pool = parseHostingReceipt(receipt);
  const trade = parseTradeReceipt(receipt);
  const mark = parseMarkReceipt(receipt);
  const journal = parseJournalReceipt(receipt);
  if (contract) return listNeededLeaves(contract).flatMap(getSpan);
  if (lease) return listNeededLeaseLeaves(lease).flatMap(getSpan);
  if (pool) return listNeededHostingLeaves(pool);
  if (trade)
    return [...listNeededTradeLeaves(trade), ...listTradeLeavesBehind(trade, world, bytes)];
  if (mark) return [...listNeededMarkLeaves(mark), ...listMarkLeavesBehind(mark, world, bytes)];
  if (!journal) throw new Error("a receipt of no kind");
  return [
    ...listNeededJournalLeaves(journal),
    ...listNeededOrderLeaves(journal),
    ...listJournalLeavesBehind(journal, bytes),
  ];
}

function createFile(
  receiptObject: object,
  hex: readonly string[],
  finding: EvidenceFile["found"] = null,
  {
    without = [],
    signer = vectorSigner,
  }: { without?: number[]; signer?: typeof vectorSigner } = {},
): EvidenceFile {
  const entries = hex.map((entry) => hexToBytes(entry));
  const world = decodeWorld(entries[0]!);
  if (!world.ok) throw new Error("no world");
  const receipt = { ...(receiptObject as Receipt), log };
  const neededIndexes = new Set(neededFor(receipt, world.value, entries));
  const indexes = [...neededIndexes]
    .filter((index) => !without.includes(index))
    .sort((a, b) => a - b);
  const hashes = entries.map(leafHash);
  const computeRoot = ({ start, end }: LeafRange) => treeRoot(hashes.slice(start, end));
  return writeEvidence({
    world: world.value.world,
    receipt,
    found: finding,
    note: formatNote(hashes, signer),
    leaves: new Map(indexes.map((index) => [index, entries[index]!])),
    path: inclusionRanges(indexes.at(-1)!, hashes.length).map(computeRoot),
    hashes: multiproofRanges(indexes, hashes.length).map(computeRoot),
  });
}

export function createEvidenceVectors({ contracts, journals, mining, hosting }: Sources) {
  const journal = (kind: string) =>
    journals.receipts.find((receipt) => (receipt as { journal: Receipt }).journal.kind === kind)!;
  const paymentReceipt = contracts.journals.receipts.find(
    ({ receipt }) => (receipt as { journal: Receipt }).journal.kind === "contract.settle",
  )!;
  const order = (action: string) =>
    hosting.receipts.orders.find((order) => (order as { order: Receipt }).order.action === action)!;
  const files: Record<string, EvidenceFile> = {
    "a contract": createFile(contracts.receipts[0]!, contracts.entries),
    "an exchange": createFile(journal("exchange.execute"), journals.entries),
    "a settlement": createFile(paymentReceipt.receipt, [
      ...contracts.entries.slice(0, paymentReceipt.keep),
      ...paymentReceipt.append,
    ]),
    "a lease": createFile(mining.receipts[1]!, mining.entries),
    "a subscription": createFile(order("subscribe"), hosting.leaves),
    "a redemption": createFile(order("redeem"), hosting.leaves),
    "a paper trade": createFile(hosting.receipts.trades[0]!, hosting.leaves),
    "a mark": createFile(hosting.receipts.marks[1]!, hosting.leaves),
  };
  for (const [name, file] of Object.entries(files)) openOrThrow(name, file);
  return {
    about:
      "Evidence files that agree; files about logs that lie, with what a check finds; and alterations of the first file: `set` has members' paths with their new values (null removes one). One key of a witness has cosigned every checkpoint.",
    witness: vectorWitness.vkey,
    files: Object.entries(files).map(([name, file]) => ({ name, file })),
    lies: contracts.falsified.slice(0, 3).map((item) => {
      const { name, at, remove, insert, receipt, step, difference } = item as AlteredFile;
      const falsifiedEntries = contracts.entries.toSpliced(at, remove, ...insert);
      const file = createFile(receipt, falsifiedEntries, { step, difference });
      openOrThrow(name, file);
      return { name, file, step, difference };
    }),
    altered: alterations(contracts.entries, contracts.receipts[0]!, files["a contract"]!),
  };
}

function openOrThrow(name: string, file: EvidenceFile): OpenedEvidence {
  const evidence = openEvidence(file, (...verifyArguments) => ed25519.verify(...verifyArguments));
  if (!evidence.ok) throw new Error(`${name}: ${evidence.difference}`);
  return evidence.opened;
}

/** Changes a base64 text so that it stays valid base64. */
const flipFirst = (text: string) => (text[0] === "A" ? "B" : "A") + text.slice(1);

type Change = [path: (string | number)[], value: unknown];
type Row = [name: string, step: string, difference: string, ...set: Change[]];

function alterations(hex: readonly string[], receiptObject: object, file: EvidenceFile) {
  const { proof, leaves, hashes, receipt } = file;
  const last = leaves.length - 1;
  const end = leaves[last]!.entries.length - 1;
  const entry = leaves[last]!.entries[end]!;
  const first = leaves[0]!;
  const [window] = (receipt as unknown as { window_leaves: [number, number] }).window_leaves;
  const gap = createFile(receiptObject, hex, null, { without: [window + 3] });
  const size = hex.length;
  const row = (line: RegExp, by: string) => proof.replace(line, by);
  const rows: Row[] = [
    ["a later version", "evidence", "evidence_version_unknown", [["format"], "drydock.evidence/2"]],
    ["a further member", "evidence", "evidence_malformed", [["note"], "x"]],
    ["no leaves", "evidence", "evidence_malformed", [["leaves"], []]],
    ["without the practice mark", "evidence", "not_practice", [["practice"], false]],
    ["another backing", "evidence", "not_practice", [["backing"], "gold"]],
    ["another world", "evidence", "world_differs", [["world"], "other"]],
    ["a run beside the one before", "evidence", "evidence_malformed", [["leaves"], split(leaves)]],
    ["runs in another order", "evidence", "evidence_malformed", [["leaves"], leaves.toReversed()]],
    [
      "an entry that is not base64",
      "evidence",
      "evidence_malformed",
      [["leaves", 0, "entries", 0], `${first.entries[0]!.slice(0, -1)}!`],
    ],
    [
      "a hash of 31 bytes",
      "evidence",
      "evidence_malformed",
      [["hashes", 0], bytesToBase64(new Uint8Array(31))],
    ],
    ["a finding without a name", "evidence", "evidence_malformed", [["found"], { step: "window" }]],
    ["an extra line", "note", "note_malformed", [["proof"], row(/\n/, "\nextra eA==\n")]],
    ["a later version of the proof", "note", "note_malformed", [["proof"], row(/@v1/, "@v2")]],
    [
      "an index with a zero before it",
      "note",
      "note_malformed",
      [["proof"], row(/index /, "index 0")],
    ],
    ["no signature line", "note", "note_malformed", [["proof"], row(/\n\n\u2014.*$/su, "\n")]],
    [
      "a key with another id",
      "note",
      "key_malformed",
      [["receipt", "log", "vkey"], log.vkey.replace(/\+[0-9a-f]{8}\+/, "+00000000+")],
    ],
    ["another log's name", "note", "origin_differs", [["receipt", "log", "origin"], "elsewhere"]],
    [
      "the log's key under another name",
      "note",
      "origin_differs",
      [["receipt", "log", "vkey"], encodeVkey(noteKey("elsewhere", vectorKey.publicKey))],
    ],
    [
      "another key of that name",
      "note",
      "key_unknown",
      [["receipt", "log", "vkey"], encodeVkey(stranger.key)],
    ],
    [
      "signed by another key",
      "note",
      "key_unknown",
      [["proof"], createFile(receiptObject, hex, null, { signer: stranger }).proof],
    ],
    [
      "a larger tree",
      "note",
      "signature_wrong",
      [["proof"], row(new RegExp(`\\n${size}\\n`), `\n${size + 1}\n`)],
    ],
    [
      "another log in the checkpoint",
      "note",
      "origin_differs",
      [["proof"], row(/\n\ndrydock/, "\n\nelsewhere")],
    ],
    [
      "the proof of the leaf before",
      "proofs",
      "tlog_proof_wrong",
      [["proof"], row(/index (\d+)/, `index ${leaves[last]!.from + end - 1}`)],
    ],
    [
      "a path without its first hash",
      "proofs",
      "tlog_proof_wrong",
      [["proof"], row(/(index \d+\n)[^\n]+\n/, "$1")],
    ],
    [
      "an altered last entry",
      "proofs",
      "tlog_proof_wrong",
      [["leaves", last, "entries", end], flipFirst(entry)],
    ],
    [
      "an altered entry",
      "proofs",
      "leaf_not_in_log",
      [["leaves", 0, "entries", 0], flipFirst(first.entries[0]!)],
    ],
    ["an altered hash", "proofs", "leaf_not_in_log", [["hashes", 0], flipFirst(hashes[0]!)]],
    ["a hash too few", "proofs", "leaf_not_in_log", [["hashes"], hashes.slice(1)]],
    ["a hash too many", "proofs", "leaf_not_in_log", [["hashes"], [...hashes, hashes[0]]]],
    [
      "a second of the window left out",
      "leaves",
      "leaf_missing",
      [["leaves"], gap.leaves],
      [["hashes"], gap.hashes],
    ],
    [
      "a payout of one unit more",
      "outcome",
      "payout_differs",
      [["receipt", "result", "payout"], addOne(receipt)],
    ],
    [
      "a difference that is none",
      "found",
      "finding_differs",
      [["found"], { step: "window", difference: "window_incomplete" }],
    ],
  ];
  rows.push(
    ["a finding with an empty name", "evidence", "evidence_malformed", [["found"], unnamed]],
    [
      "the proof of the same entry further on",
      "proofs",
      "tlog_proof_wrong",
      ...repeated(hex, receiptObject),
    ],
  );
  return rows.map(([name, step, difference, ...set]) => ({ name, set, step, difference }));
}

const unnamed = { step: "", difference: "window_incomplete" };

/** The last entry of the file occurs again in the log, and `proof` is for that occurrence. */
function repeated(hex: readonly string[], receipt: object): Change[] {
  const { leaves } = createFile(receipt, hex);
  const { from, entries } = leaves.at(-1)!;
  const log = [...hex, hex[from + entries.length - 1]!];
  const { hashes } = createFile(receipt, log);
  const tree = log.map((entry) => leafHash(hexToBytes(entry)));
  const path = inclusionRanges(hex.length, log.length).map(({ start, end }) =>
    treeRoot(tree.slice(start, end)),
  );
  const proof = formatTlogProof({ index: hex.length, path, note: formatNote(tree) });
  return [
    [["hashes"], hashes],
    [["proof"], proof],
  ];
}

/** Splits the last run into two adjacent ones. */
function split(leaves: EvidenceFile["leaves"]): EvidenceFile["leaves"] {
  const { from, entries } = leaves.at(-1)!;
  const rest = { from: from + 1, entries: entries.slice(1) };
  return [...leaves.slice(0, -1), { from, entries: entries.slice(0, 1) }, rest];
}

const addOne = (receipt: Receipt) =>
  String(BigInt((receipt as { result: { payout: string } }).result.payout) + 1n);
