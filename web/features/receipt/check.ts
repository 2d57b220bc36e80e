import type { VerifyRound } from "#core/transparency-log/beacon.ts";
import type { VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";
import { type DayLeaf, decodeDay } from "#core/transparency-log/dayLeaf.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { decodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import { LogReadError, type LogReader } from "#web/features/receipt/logReader.ts";
import { type LogView, NotInLogError } from "#web/features/receipt/logView.ts";
import type { LogSuccessor } from "#web/features/receipt/succession.ts";
import {
  type CosignatureReport,
  createEmptyReport,
  readCosignatures,
} from "#web/features/receipt/witnesses.ts";
import {
  alarmingChanges,
  type CheckpointStore,
  followLog,
  type LogChange,
  type ServedLog,
  type StoredCheckpoint,
} from "./checkpointStore.ts";

/** One checked fact. `inputs` are named values for readers who follow the computation. */
export interface CheckStep {
  step: string;
  ok: boolean;
  /** Name of the mismatch; its message is `receipt.problem.<name>`. */
  mismatch: string | null;
  inputs: Record<string, string | number | null>;
}

/**
 * The part of a check that one receipt format contributes: the leaves it needs, and what it
 * recomputes from them.
 */
export interface ReceiptKind<Detail> {
  format: string;
  /** Returns the log that the receipt names. */
  getLog(receipt: unknown): { origin: string; vkey: string } | null;
  /**
   * Returns the indexes of the leaves that the receipt rests on; null when it has another format.
   */
  listLeaves(receipt: unknown): number[] | null;
  /**
   * Returns further leaves, known only from the leaves read so far or from the log's size. Called
   * again until it returns no new index.
   */
  listDependentLeaves?(
    receipt: unknown,
    world: WorldLeaf,
    leaves: ReadonlyMap<number, Uint8Array>,
    size: number,
  ): number[];
  check(
    receipt: unknown,
    world: WorldLeaf,
    leaves: ReadonlyMap<number, Uint8Array>,
    size: number,
    verify: VerifyEd25519,
    verifyRound: VerifyRound | null,
  ): { ok: boolean; steps: CheckStep[]; detail: Detail };
}

/** Earlier receipts that agreed, by the origin of their log. */
export interface EarlierReceipts {
  /**
   * Compares a receipt that agrees with the earlier ones, and adds it unless it contradicts them.
   */
  compare(origin: string, receipt: unknown, leaves: ReadonlyMap<number, Uint8Array>): CheckStep;
}

/**
 * The source of proven leaves of a log of `size`; rejects with a NotInLogError for any other leaf.
 */
export interface LeafSource {
  size: number;
  entries: (indexes: Iterable<number>) => Promise<Map<number, Uint8Array>>;
}

/** A receipt whose leaves are proven, as evidence of what was found. */
export interface ProvenReceipt {
  kind: ReceiptKind<unknown>;
  receipt: unknown;
  view: LogView;
  reader: LogReader;
  verify: VerifyEd25519;
}

/** The support for an evidence file besides its signature. */
export interface EvidenceReport {
  receipt: unknown;
  origin: string;
  vkey: string;
  size: number;
  /**
   * The signing key, as this browser knows it; `other`: the browser knows the log under a different
   * key.
   */
  key: "known" | "unknown" | "other";
  /** The reader's witnesses that cosigned, at any time: a file is checked years later. */
  witnesses: { configured: number; count: number; atMs: number | null };
  mismatch: { step: string; difference: string } | null;
}

export interface CheckedReceipt<Detail> {
  ok: boolean;
  steps: CheckStep[];
  detail: Detail | null;
  /** The newest day of the world that is over; null where the log has none yet, or was not read. */
  day: DayLeaf | null;
  /** Null unless every leaf was proven from the log. */
  proven: ProvenReceipt | null;
  /** Null unless the receipt came in an evidence file whose leaves are proven. */
  evidence: EvidenceReport | null;
  log: {
    finding: LogChange;
    size: number;
    before: StoredCheckpoint | null;
    /** `covers`: the receipt's leaves are all in the tree that they cosigned. */
    witnesses: CosignatureReport & { covers: boolean };
  } | null;
}

export interface CheckDeps {
  reader: LogReader;
  servedLog: ServedLog;
  store: CheckpointStore;
  /** Verifier keys of the witnesses that the reader named. */
  witnessKeys: readonly string[];
  verify: VerifyEd25519;
  nowMs: number;
  /** Earlier receipts; without them nothing is compared. */
  earlier?: EarlierReceipts;
  /** Index of the newest `day` leaf according to the instance; null for none. */
  dayLeaf?: number | null;
}

class CheckStoppedError extends Error {}

type AddSteps = (...more: CheckStep[]) => void;

/**
 * Runs the parts of a check. Each adds its steps; the first that does not agree ends the check.
 */
export async function runCheck<Detail>(
  onProgress: (steps: CheckStep[]) => void,
  parts: (result: CheckedReceipt<Detail>, add: AddSteps) => Promise<void>,
): Promise<CheckedReceipt<Detail>> {
  const steps: CheckStep[] = [];
  const none = { detail: null, day: null, proven: null, evidence: null, log: null };
  const result: CheckedReceipt<Detail> = { ok: false, steps, ...none };
  const add: AddSteps = (...newSteps) => {
    steps.push(...newSteps);
    onProgress([...steps]);
    if (newSteps.some(({ ok }) => !ok)) throw new CheckStoppedError();
  };
  try {
    await parts(result, add);
  } catch (error) {
    if (!(error instanceof CheckStoppedError)) throw error;
  }
  return result;
}

/**
 * Checks a receipt against the public log, reporting each step through `onProgress`; stops at the
 * first mismatch. Rejects only when the log cannot be read (LogReadError), which says nothing about
 * the receipt.
 */
export async function checkAgainstLog<Detail>(
  kind: ReceiptKind<Detail>,
  receipt: unknown,
  tools: CheckDeps,
  onProgress: (steps: CheckStep[]) => void = () => {},
): Promise<CheckedReceipt<Detail>> {
  return await runCheck<Detail>(onProgress, async (result, add) => {
    const { named } = parseReceipt(kind, receipt, add);
    const view = await follow(tools, named, result, add);
    const { size } = view.checkpoint;
    const source: LeafSource = { size, entries: (indexes) => view.entries(indexes) };
    const leaves = await prove(source, kind, receipt, add);
    add(createStep("leaves", null, { leaves: leaves.size, size }));
    result.day = await readNewestDay(source, tools.dayLeaf ?? null, leaves);
    const { witnesses } = result.log!;
    witnesses.covers = Math.max(...leaves.keys()) < witnesses.size;
    const { reader, verify } = tools;
    result.proven = { kind, receipt, view, reader, verify };
    await recompute(kind, receipt, { leaves, size, verify }, result, add);
    if (tools.earlier)
      compareWithEarlier(tools.earlier, named.origin, { receipt, leaves }, result, add);
  });
}

/** Compares a receipt that agrees with the receipts that were checked before it. */
export function compareWithEarlier(
  earlierReceipts: EarlierReceipts,
  origin: string,
  { receipt, leaves }: { receipt: unknown; leaves: ReadonlyMap<number, Uint8Array> },
  result: CheckedReceipt<unknown>,
  add: AddSteps,
): void {
  if (!result.ok) return;
  const comparison = earlierReceipts.compare(origin, receipt, leaves);
  result.ok = comparison.ok;
  add(comparison);
}

/** The first step: parses the receipt and returns the log and leaves that it names. */
export function parseReceipt(kind: ReceiptKind<unknown>, receipt: unknown, add: AddSteps) {
  const leafIndexes = kind.listLeaves(receipt);
  const logIdentity = kind.getLog(receipt);
  if (!leafIndexes || !logIdentity) {
    add(createStep("form", "receipt_malformed"));
    throw new CheckStoppedError();
  }
  add(createStep("form", null, { format: kind.format, leaves: leafIndexes.length }));
  return { named: logIdentity };
}

/** The last steps: recomputes everything that follows from the leaves. */
export async function recompute<Detail>(
  kind: ReceiptKind<Detail>,
  receipt: unknown,
  {
    leaves,
    size,
    verify,
  }: {
    leaves: ReadonlyMap<number, Uint8Array>;
    size: number;
    verify: VerifyEd25519;
  },
  result: CheckedReceipt<Detail>,
  add: AddSteps,
): Promise<void> {
  const world = readWorld(leaves, add);
  const verifyRound = world.beacon
    ? (await import("#web/features/receipt/verifyRound.ts")).verifyRound
    : null;
  const kindResult = kind.check(receipt, world, leaves, size, verify, verifyRound);
  result.detail = kindResult.detail;
  add(...kindResult.steps);
  result.ok = kindResult.ok;
}

export function createStep(
  name: string,
  mismatch: string | null,
  inputs: CheckStep["inputs"] = {},
): CheckStep {
  return { step: name, ok: mismatch === null, mismatch, inputs };
}

async function follow(
  tools: CheckDeps,
  logIdentity: { origin: string; vkey: string },
  result: CheckedReceipt<unknown>,
  add: AddSteps,
): Promise<LogView> {
  const { reader, servedLog, store, verify, nowMs, witnessKeys } = tools;
  if (logIdentity.origin !== servedLog.origin) {
    add(
      createStep("signature", "other_log", {
        origin: logIdentity.origin,
        served: servedLog.origin,
      }),
    );
  }
  if (!servedLog.vkeys.includes(logIdentity.vkey)) {
    add(createStep("signature", "key_unlisted", { key: logIdentity.vkey }));
  }
  const followResult = await followLog(reader, servedLog, store, verify, nowMs);
  if (!followResult.ok) {
    add(createStep("signature", followResult.error, { origin: servedLog.origin }));
    throw new CheckStoppedError();
  }
  const { view, finding, before, succeeded } = followResult;
  const { origin, size } = view.checkpoint;
  add(createStep("signature", null, { origin, size, key: view.key.id }));
  const vkeys = [...servedLog.vkeys, ...(before?.vkeys ?? [])];
  const cosignedResult = await readCosignatures(
    reader,
    view,
    vkeys,
    { keys: witnessKeys, nowMs },
    verify,
  );
  const mismatch = alarmingChanges.has(finding)
    ? `log_${finding}`
    : cosignedResult.ok
      ? null
      : cosignedResult.error;
  const witnesses = cosignedResult.ok ? cosignedResult.report : createEmptyReport(witnessKeys);
  result.log = { finding, size, before, witnesses: { ...witnesses, covers: false } };
  add(
    createStep("memory", mismatch, {
      finding,
      stored: before?.size ?? null,
      size,
      ...getLoss(succeeded),
    }),
  );
  return view;
}

/** Describes the leaves lost in a succession, as values of a step. */
function getLoss(successor: LogSuccessor | null): CheckStep["inputs"] {
  if (!successor) return {};
  const { lost, survived, lostFromMs } = successor;
  const from = lostFromMs === null ? null : new Date(lostFromMs).toISOString();
  return { survived, lost, lost_from: from };
}

async function prove(
  source: LeafSource,
  kind: ReceiptKind<unknown>,
  receipt: unknown,
  add: AddSteps,
): Promise<Map<number, Uint8Array>> {
  try {
    return await readLeaves(source, kind, receipt);
  } catch (error) {
    if (error instanceof LogReadError || !(error instanceof NotInLogError)) throw error;
    const isMissing = error.leaf >= source.size;
    add(
      createStep("leaves", isMissing ? "leaf_beyond_log" : "leaf_not_in_log", { leaf: error.leaf }),
    );
    throw new CheckStoppedError();
  }
}

/** Reads all leaves that the receipt rests on, including those known only from other leaves. */
export async function readLeaves(
  { size, entries }: LeafSource,
  kind: ReceiptKind<unknown>,
  receipt: unknown,
): Promise<Map<number, Uint8Array>> {
  const leaves = await entries(kind.listLeaves(receipt) ?? []);
  const world = leaves.has(0) ? decodeWorld(leaves.get(0)!) : null;
  for (let hasMore = world?.ok === true; hasMore && world?.ok; ) {
    const earlierLeaves = kind.listDependentLeaves?.(receipt, world.value, leaves, size) ?? [];
    const unreadLeaves = earlierLeaves.filter((leaf) => !leaves.has(leaf));
    for (const [leaf, bytes] of await entries(unreadLeaves)) leaves.set(leaf, bytes);
    hasMore = unreadLeaves.length > 0;
  }
  return leaves;
}

/** Reads the log's newest day, proven like every other leaf; null if it cannot be read. */
async function readNewestDay(
  { size, entries }: LeafSource,
  leaf: number | null,
  leaves: ReadonlyMap<number, Uint8Array>,
): Promise<DayLeaf | null> {
  if (leaf === null || leaf >= size) return null;
  const world = leaves.has(0) ? decodeWorld(leaves.get(0)!) : null;
  const bytes = (await entries([leaf])).get(leaf);
  const decodedDay = bytes && world?.ok ? decodeDay(bytes, worldTag(world.value.world)) : null;
  return decodedDay?.ok ? decodedDay.value : null;
}

function readWorld(leaves: ReadonlyMap<number, Uint8Array>, add: AddSteps): WorldLeaf {
  const first = leaves.get(0);
  const world = first ? decodeWorld(first) : null;
  if (!world?.ok) {
    add(createStep("world", "world_unreadable"));
    throw new CheckStoppedError();
  }
  const { market } = world.value;
  add(
    createStep("world", null, {
      world: world.value.world,
      market: market.kind,
      speed: market.speed,
    }),
  );
  return world.value;
}
