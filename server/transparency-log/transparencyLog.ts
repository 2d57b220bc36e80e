import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { AuditHead } from "#core/operator/auditChain.ts";
import { equalBytes } from "#core/transparency-log/bytes.ts";
import { checkpointText, signNote } from "#core/transparency-log/checkpoint.ts";
import type { LeafKind } from "#core/transparency-log/leaf.ts";
import { rangeRoot } from "#core/transparency-log/range.ts";
import type { AppContext } from "#server/platform/context.ts";
import { lockKey, type Tx } from "#server/platform/db/database.ts";
import type { Job } from "#server/platform/jobs.ts";
import {
  type Acknowledgements,
  createAcknowledgements,
} from "#server/transparency-log/acknowledge.ts";
import { certifyAcknowledgementKey } from "#server/transparency-log/acknowledgementKey.ts";
import {
  readAuditHead,
  readPublished,
  type StoredPublication,
} from "#server/transparency-log/auditChain.ts";
import { readNewestBuild, recordBuild } from "#server/transparency-log/builds.ts";
import { type LogKeys, openKeys, readIdentity } from "#server/transparency-log/keys.ts";
import {
  createSignedHeadFile,
  requireContinuation,
  type SignedHead,
} from "#server/transparency-log/signedHead.ts";
import { recordSleep } from "#server/transparency-log/sleeps.ts";
import {
  countLeaves,
  insertCheckpoint,
  insertLeaves,
  insertTiles,
  lockNextIndex,
  readCheckpoint,
  readLeaves,
  readSuccessions,
  type StoredCheckpoint,
  type StoredLeaf,
} from "#server/transparency-log/store.ts";
import {
  type GrowingTree,
  growTree,
  loadTree,
  readConsistencyPath,
  readInclusionPath,
} from "#server/transparency-log/tree.ts";
import { createWitnesses, type Witnesses } from "#server/transparency-log/witnesses/witnesses.ts";

declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /** Leaves were added to the log table and wait for the tree. */
    "log.appended": { next: number };
  }
}

/**
 * Real time between two polls for new leaves. A leaf is under a checkpoint about a second after its
 * commit.
 */
const restMs = 1_000;
/** Leaves integrated into the tree per transaction: bounds its memory and duration. */
const batchMax = 4_096;

interface LogIdentity {
  /** The log's name for itself. */
  origin: string;
  /** Verifier keys (C2SP vkeys), newest first. */
  keys: { vkey: string; fromSize: number }[];
}

/**
 * The world's public log. Leaves are appended in the transaction that they record; the tree follows
 * asynchronously, in batches.
 */
export interface TransparencyLog {
  /**
   * Reads the signing key, or creates it together with the log's name. For the startup of a process
   * that integrates: throws a StartError if the key that signed before is gone.
   */
  prepare(): Promise<void>;
  /** Takes the append lock until the transaction ends and returns the index of the next leaf. */
  next(tx: Tx): Promise<number>;
  /** Appends at least one leaf in the caller's transaction; returns the index of the first. */
  append(tx: Tx, leaves: readonly { kind: LeafKind; bytes: Uint8Array }[]): Promise<number>;
  /**
   * Brings all committed leaves under a checkpoint and returns it; null while there are no leaves.
   * One process at a time does it, the others wait. Throws a StartError if the signing key is gone.
   */
  integrate(): Promise<StoredCheckpoint | null>;
  /** The latest signed checkpoint; null before the first. */
  checkpoint(): Promise<StoredCheckpoint | null>;
  /**
   * Real milliseconds for which the oldest leaf without a checkpoint has been waiting; 0 if none is
   * waiting.
   */
  lagMs(): Promise<number>;
  /** Existing leaves of `[from, to)`, whether or not a checkpoint covers them. */
  leaves(from: number, to: number): Promise<StoredLeaf[]>;
  /** Leaves committed so far. */
  count(): Promise<number>;
  /** RFC 9162 inclusion path. The size must be under a checkpoint, the leaf below it. */
  inclusion(leaf: number, size: number): Promise<Uint8Array[]>;
  /** RFC 9162 consistency path. Both sizes must be under a checkpoint. */
  consistency(from: number, to: number): Promise<Uint8Array[]>;
  /** The log's name and newest key; null until a signed checkpoint covers the leaf. */
  signedBy(leaf: number): Promise<{ origin: string; vkey: string } | null>;
  /** The newest leaf of the audit chain in the tree of a size; null before the first. */
  auditHead(size: number): Promise<AuditHead | null>;
  /** The published state of a publication in the log; null if nothing. */
  published(publication: string): Promise<StoredPublication | null>;
  /** The newest `build` leaf; null before the first. */
  newestBuild(): ReturnType<typeof readNewestBuild>;
  /**
   * Records in the log which pages this process serves, unless the newest `build` leaf does. False
   * while the log is empty.
   */
  recordBuild(directory: string, version: string): Promise<boolean>;
  /**
   * Records in the log that the world was asleep until now; call before the next second is closed.
   */
  recordSleep(): Promise<void>;
  /** Leaves that say which log this one succeeds. */
  successions(): Promise<number[]>;
  /** The log's name and keys, created on first use where the signing key is kept. */
  identity(): Promise<LogIdentity>;
  witnesses: Pick<Witnesses, "round" | "standings" | "cosigned" | "newest">;
  acknowledgements: Acknowledgements;
  jobs: readonly Job[];
}

/** The log of `ctx.world`. */
export function createTransparencyLog(ctx: AppContext): TransparencyLog {
  const { db } = ctx.database;
  const integrate = createIntegrator(ctx);
  const run = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      await integrate();
      await sleep(restMs, undefined, { signal }).catch(() => {});
    }
  };
  const consistency = (from: number, to: number) => readConsistencyPath(db, from, to);
  const identity = async () => {
    const storedIdentity = await readIdentity(db);
    if (storedIdentity) return storedIdentity;
    await openKeys(ctx);
    return (await readIdentity(db))!;
  };
  const witnesses = createWitnesses(ctx, { checkpoint: () => readCheckpoint(db), consistency });
  return {
    jobs: [{ name: "log.integrate", service: "feed", loop: run }, ...witnesses.jobs],
    witnesses,
    acknowledgements: createAcknowledgements(ctx),
    prepare: async () => {
      const { dataDirectory } = ctx.config;
      await certifyAcknowledgementKey(dataDirectory, ctx.world.name, await openKeys(ctx));
      const head = await createSignedHeadFile(dataDirectory, ctx.world.name).read();
      const size = (await readCheckpoint(db))?.size ?? 0;
      if (head) await requireContinuation(db, head, await loadTree(db, size));
    },
    next: lockNextIndex,
    append: (tx, leaves) => insertLeaves(tx, leaves, ctx.realClock.nowMs()),
    integrate,
    checkpoint: () => readCheckpoint(db),
    lagMs: createLagReader(ctx),
    leaves: (from, to) => readLeaves(db, from, to),
    count: () => countLeaves(db),
    inclusion: (leaf, size) => readInclusionPath(db, leaf, size),
    consistency,
    newestBuild: () => readNewestBuild(db),
    successions: () => readSuccessions(db),
    recordBuild: (directory, version) => recordBuild(ctx, directory, version),
    recordSleep: () => recordSleep(ctx),
    identity,
    signedBy: async (leaf) => {
      const [checkpoint, { origin, keys }] = await Promise.all([readCheckpoint(db), identity()]);
      const [key] = keys;
      return checkpoint && checkpoint.size > leaf && key ? { origin, vkey: key.vkey } : null;
    },
    auditHead: (size) => readAuditHead(db, size),
    published: (publication) => readPublished(db, publication),
  };
}

/** Signs committed leaves; see `TransparencyLog.integrate`. */
export function createIntegrator(
  ctx: Pick<AppContext, "database" | "config" | "world" | "realClock">,
): () => Promise<StoredCheckpoint | null> {
  const { db, schema } = ctx.database;
  const headFile = createSignedHeadFile(ctx.config.dataDirectory, ctx.world.name);
  let keys: LogKeys | null = null;
  // The tree after the last batch; after a crash, or once another process integrates, it differs
  // from the database and is reloaded.
  let cachedTree: GrowingTree | null = null;
  /** Null if there is something to sign but no key yet. */
  const takeBatch = () =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${lockKey(schema, "log")}::bigint)`.execute(tx);
      const last = await readCheckpoint(tx);
      const size = last?.size ?? 0;
      const leaves = await readLeaves(tx, size, size + batchMax);
      if (leaves.length === 0) return { checkpoint: last, tree: null, more: false };
      if (!keys) return null;
      const before = cachedTree?.range.size === size ? cachedTree : await loadTree(tx, size);
      const head = await headFile.read();
      if (head && !isAt(head, before)) await requireContinuation(tx, head, before);
      const { tree, tiles } = growTree(
        before,
        leaves.map(({ bytes }) => bytes),
      );
      await insertTiles(tx, tiles);
      const checkpoint = signCheckpoint(keys, tree, ctx.realClock.nowMs());
      // Durable before anyone can read the checkpoint, so that no other tree is ever signed.
      await headFile.write({ origin: keys.origin, ...checkpoint });
      await insertCheckpoint(tx, checkpoint);
      return { checkpoint, tree, more: leaves.length === batchMax };
    });
  return async () => {
    for (;;) {
      const batch = await takeBatch();
      if (!batch) {
        keys = await openKeys(ctx);
        continue;
      }
      const { checkpoint, tree, more } = batch;
      // Only now: a failed transaction must leave nothing behind in memory either.
      if (tree) cachedTree = tree;
      if (!more) return checkpoint;
    }
  };
}

function isAt({ size, root }: Omit<SignedHead, "origin">, { range }: GrowingTree): boolean {
  return range.size === size && equalBytes(rangeRoot(range), root);
}

function signCheckpoint(keys: LogKeys, tree: GrowingTree, atMs: number): StoredCheckpoint {
  const { size } = tree.range;
  const root = rangeRoot(tree.range);
  const note = signNote(checkpointText({ origin: keys.origin, size, root }), keys.signers);
  return { size, root, note, atMs };
}

/** Orders ask for this one by one; calls during a read share it. */
function createLagReader({ database, realClock }: AppContext): () => Promise<number> {
  const readWaiting = singleFlight(async () => {
    const { rows } = await sql<{ at_ms: bigint }>`
      select at_ms from log_leaf
      where leaf = (select coalesce(max(size), 0) from log_checkpoint)
    `.execute(database.db);
    return rows[0] ? Number(rows[0].at_ms) : null;
  });
  return async () => {
    const sinceMs = await readWaiting();
    return sinceMs === null ? 0 : Math.max(0, realClock.nowMs() - sinceMs);
  };
}

/** Concurrent callers share one read and its result. */
export function singleFlight<Value>(readValue: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | null = null;
  return () => {
    running ??= readValue().finally(() => {
      running = null;
    });
    return running;
  };
}
