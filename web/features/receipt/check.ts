import type { VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";
import { decodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import { LogReadError, type LogReader } from "#web/features/receipt/logReader.ts";
import { type LogView, NotInLogError } from "#web/features/receipt/logView.ts";
import {
  alarming,
  type CheckpointStore,
  followLog,
  type LogFinding,
  type StoredCheckpoint,
} from "#web/features/receipt/memory.ts";
import { type Cosigned, nothingCosigned, readCosigned } from "#web/features/receipt/witnesses.ts";

/** One checked fact. `inputs` are named values for readers who follow the computation. */
export interface CheckStep {
  step: string;
  ok: boolean;
  /** Name of the mismatch; its message is `receipt.problem.<name>`. */
  problem: string | null;
  inputs: Record<string, string | number | null>;
}

/** What a receipt format provides: the leaves it needs, and what it recomputes from them. */
export interface ReceiptKind<Detail> {
  format: string;
  /** The log it names. */
  logOf(receipt: unknown): { origin: string; vkey: string } | null;
  /** Indexes of the leaves it rests on; null when the receipt is not of this format. */
  leavesOf(receipt: unknown): number[] | null;
  /**
   * Further leaves known only from the leaves read so far or from the log's size; called again
   * until it returns no new index.
   */
  leavesBehind?(
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
  ): { ok: boolean; steps: CheckStep[]; detail: Detail };
}

export interface CheckedReceipt<Detail> {
  ok: boolean;
  steps: CheckStep[];
  detail: Detail | null;
  log: {
    finding: LogFinding;
    size: number;
    before: StoredCheckpoint | null;
    /** `covers`: the receipt's leaves are all in the tree that they cosigned. */
    witnesses: Cosigned & { covers: boolean };
  } | null;
}

export interface CheckDeps {
  reader: LogReader;
  served: { origin: string; vkeys: readonly string[] };
  store: CheckpointStore;
  /** Verifier keys of the witnesses that the reader named. */
  witnessKeys: readonly string[];
  verify: VerifyEd25519;
  nowMs: number;
}

class CheckStoppedError extends Error {}

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
  const steps: CheckStep[] = [];
  const result: CheckedReceipt<Detail> = { ok: false, steps, detail: null, log: null };
  const add = (...more: CheckStep[]) => {
    steps.push(...more);
    onProgress([...steps]);
    if (more.some(({ ok }) => !ok)) throw new CheckStoppedError();
  };
  try {
    const needed = kind.leavesOf(receipt);
    const named = kind.logOf(receipt);
    if (!needed || !named) add(step("form", "receipt_malformed"));
    else {
      add(step("form", null, { format: kind.format, leaves: needed.length }));
      const view = await follow(tools, named, result, add);
      const leaves = await prove(view, kind, receipt, add);
      const { witnesses } = result.log!;
      witnesses.covers = Math.max(...leaves.keys()) < witnesses.size;
      const world = readWorld(leaves, add);
      const checked = kind.check(receipt, world, leaves, view.checkpoint.size);
      result.detail = checked.detail;
      add(...checked.steps);
      result.ok = checked.ok;
    }
  } catch (problem) {
    if (!(problem instanceof CheckStoppedError)) throw problem;
  }
  return result;
}

function step(name: string, problem: string | null, inputs: CheckStep["inputs"] = {}): CheckStep {
  return { step: name, ok: problem === null, problem, inputs };
}

async function follow(
  tools: CheckDeps,
  named: { origin: string; vkey: string },
  result: CheckedReceipt<unknown>,
  add: (...more: CheckStep[]) => void,
): Promise<LogView> {
  const { reader, served, store, verify, nowMs, witnessKeys } = tools;
  if (named.origin !== served.origin) {
    add(step("signature", "other_log", { origin: named.origin, served: served.origin }));
  }
  if (!served.vkeys.includes(named.vkey)) {
    add(step("signature", "key_unlisted", { key: named.vkey }));
  }
  const followed = await followLog(reader, served, store, verify, nowMs);
  if (!followed.ok) {
    add(step("signature", followed.error, { origin: served.origin }));
    throw new CheckStoppedError();
  }
  const { view, finding, before } = followed;
  const { origin, size } = view.checkpoint;
  add(step("signature", null, { origin, size, key: view.key.id }));
  const vkeys = [...served.vkeys, ...(before?.vkeys ?? [])];
  const read = await readCosigned(reader, view, vkeys, { keys: witnessKeys, nowMs }, verify);
  const problem = alarming.has(finding) ? `log_${finding}` : read.ok ? null : read.problem;
  const witnesses = read.ok ? read.cosigned : nothingCosigned(witnessKeys);
  result.log = { finding, size, before, witnesses: { ...witnesses, covers: false } };
  add(step("memory", problem, { finding, stored: before?.size ?? null, size }));
  return view;
}

async function prove(
  view: LogView,
  kind: ReceiptKind<unknown>,
  receipt: unknown,
  add: (...more: CheckStep[]) => void,
): Promise<Map<number, Uint8Array>> {
  const { size } = view.checkpoint;
  try {
    const leaves = await view.entries(kind.leavesOf(receipt) ?? []);
    const world = leaves.has(0) ? decodeWorld(leaves.get(0)!) : null;
    for (let going = world?.ok === true; going && world?.ok; ) {
      const behind = kind.leavesBehind?.(receipt, world.value, leaves, size) ?? [];
      const fresh = behind.filter((leaf) => !leaves.has(leaf));
      for (const [leaf, bytes] of await view.entries(fresh)) leaves.set(leaf, bytes);
      going = fresh.length > 0;
    }
    add(step("leaves", null, { leaves: leaves.size, size }));
    return leaves;
  } catch (problem) {
    if (problem instanceof LogReadError || !(problem instanceof NotInLogError)) throw problem;
    const missing = problem.leaf >= size;
    add(step("leaves", missing ? "leaf_beyond_log" : "leaf_not_in_log", { leaf: problem.leaf }));
    throw new CheckStoppedError();
  }
}

function readWorld(
  leaves: ReadonlyMap<number, Uint8Array>,
  add: (...more: CheckStep[]) => void,
): WorldLeaf {
  const first = leaves.get(0);
  const world = first ? decodeWorld(first) : null;
  if (!world?.ok) {
    add(step("world", "world_unreadable"));
    throw new CheckStoppedError();
  }
  const { market } = world.value;
  add(step("world", null, { world: world.value.world, market: market.kind, speed: market.speed }));
  return world.value;
}
