import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import { equalBytes } from "#core/transparency-log/bytes.ts";
import { encodeVkey, signNote } from "#core/transparency-log/checkpoint.ts";
import { readLeafKind, worldTag } from "#core/transparency-log/leaf.ts";
import { rangeRoot } from "#core/transparency-log/range.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import {
  encodeSuccession,
  type Succession,
  successionText,
} from "#core/transparency-log/successionLeaf.ts";
import type { AppContext } from "#server/platform/context.ts";
import { type Db, lockKey } from "#server/platform/db/database.ts";
import { flush } from "#server/platform/durableFiles.ts";
import { StartError } from "#server/platform/startError.ts";
import {
  createSigner,
  type KeyFile,
  keyFilePath,
  makeOrigin,
  makePrivateKey,
  readKeyFile,
  writeKeyFile,
} from "#server/transparency-log/keys.ts";
import {
  createSignedHeadFile,
  findLoss,
  readRootAt,
  type SignedHead,
} from "#server/transparency-log/signedHead.ts";
import {
  countLeaves,
  insertLeaves,
  readCheckpoint,
  readLeaves,
  readOrigin,
  replaceIdentity,
} from "#server/transparency-log/store.ts";
import { loadTree } from "#server/transparency-log/tree.ts";

/**
 * The part of the context that begins a successor; `database` belongs to the owner of the tables.
 */
export type SuccessionContext = Pick<AppContext, "database" | "config" | "world" | "realClock">;

/** The leaves that a log lost after its key had signed them. */
export interface LogLoss {
  ended: SignedHead;
  /** Leaves that still exist. */
  survived: number;
  /** World time of the last second in the log; null if there is none. */
  lastSecondMs: number | null;
}

/**
 * Reads the loss; null if nothing was lost. Throws a StartError if the log cannot be continued by a
 * successor either: its key, or the file beside it, is gone, or its leaves differ from the signed
 * ones.
 */
export async function readLoss(ctx: SuccessionContext): Promise<LogLoss | null> {
  const { db } = ctx.database;
  const { head } = await readKept(ctx);
  const checkpoint = await readCheckpoint(db);
  const tree = await loadTree(db, checkpoint?.size ?? 0);
  if (checkpoint && !equalBytes(rangeRoot(tree.range), checkpoint.root))
    throw new StartError(
      "The log in this database differs from its own newest checkpoint: it was changed, not cut short. Bring back a database that was not changed.",
    );
  const survivingSize = await countLeaves(db);
  if ((await findLoss(db, head, tree)) === null) return null;
  if (survivingSize >= head.size)
    throw new StartError(
      `The first ${head.size} leaves of the log in this database are not those that were signed: no successor can begin over them. Bring back the database that has them, or start a new world.`,
    );
  return {
    ended: head,
    survived: survivingSize,
    lastSecondMs: await readLastSecond(ctx, survivingSize),
  };
}

async function readKept({ config, world }: SuccessionContext): Promise<{
  file: KeyFile;
  head: SignedHead;
}> {
  const path = keyFilePath(config.dataDirectory, world.name);
  const file = readKeyFile(path);
  if (!file)
    throw new StartError(
      `The log's key file ${path} is missing: without it nobody can vouch for a successor. Put a copy of it back, or start a new world.`,
    );
  const head = await createSignedHeadFile(config.dataDirectory, world.name).read();
  if (!head)
    throw new StartError(
      `There is no file log-head-${world.name}.json beside ${path}: nothing says what was signed. Put a copy of it back.`,
    );
  if (head.origin !== file.origin)
    throw new StartError(
      `The files log-head-${world.name}.json and ${path} are of two logs: put both back as they were together.`,
    );
  return { file, head };
}

/**
 * Begins a successor over the remaining leaves: another name and another key, and as its first new
 * leaf a statement, signed by the ended log's keys, of what they had signed last. The ended key
 * signs nothing else any more. Repeating it after a crash completes it. Null if nothing was lost.
 */
export async function beginSuccessor(ctx: SuccessionContext): Promise<Succession | null> {
  const { config, world, database } = ctx;
  const path = keyFilePath(config.dataDirectory, world.name);
  const nextPath = path.replace(/\.json$/, ".next.json");
  const interrupted = readKeyFile(nextPath);
  if (interrupted && (await readOrigin(database.db)) === interrupted.origin) {
    await takeOver(ctx, interrupted, nextPath);
    return null;
  }
  const loss = await readLoss(ctx);
  if (!loss) return null;
  const { file } = await readKept(ctx);
  const next: KeyFile = { origin: makeOrigin(ctx), private_keys: [makePrivateKey()] };
  await writeKeyFile(nextPath, next);
  const vkey = encodeVkey(createSigner(next.origin, next.private_keys[0]!).key);
  const { ended, survived } = loss;
  const succession: Succession = { ended, survived, successor: { origin: next.origin, vkey } };
  // By all keys that the ended log had: its readers may know any of them.
  const signers = file.private_keys.map((pem) => createSigner(file.origin, pem));
  const note = signNote(successionText(succession), signers);
  const bytes = encodeSuccession({ world: world.name, note });
  await database.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${lockKey(database.schema, "log")}::bigint)`.execute(tx);
    const leaf = { kind: "succession" as const, bytes };
    const first = await insertLeaves(tx, [leaf], ctx.realClock.nowMs());
    if (first !== survived)
      throw new StartError("The log has grown meanwhile: stop Drydock, and try again.");
    await replaceIdentity(tx, { origin: next.origin, vkey, fromSize: survived });
  });
  await takeOver(ctx, next, nextPath);
  return succession;
}

/** Puts the successor's files in place; the ended log's key is kept under another name. */
async function takeOver(ctx: SuccessionContext, next: KeyFile, nextPath: string): Promise<void> {
  const { config, world, database } = ctx;
  const { db } = database;
  const path = keyFilePath(config.dataDirectory, world.name);
  const endedKey = readKeyFile(path);
  if (endedKey && endedKey.origin !== next.origin) {
    const copyPath = join(
      dirname(path),
      `ended-log-key-${world.name}-${getId(endedKey.origin)}.json`,
    );
    if (!existsSync(copyPath)) await writeKeyFile(copyPath, endedKey);
  }
  const size = await countLeaves(db);
  const tree = await loadTree(db, (await readCheckpoint(db))?.size ?? 0);
  const root = await readRootAt(db, size, tree);
  await createSignedHeadFile(config.dataDirectory, world.name).write({
    origin: next.origin,
    size,
    root,
  });
  await rename(nextPath, path);
  await flush(dirname(path));
}

/** The eight digits that end a log's name. */
const getId = (origin: string): string => origin.slice(origin.lastIndexOf("/") + 1);

async function readLastSecond(
  { database, world }: SuccessionContext,
  survived: number,
): Promise<number | null> {
  const tag = worldTag(world.name);
  for (let to = survived; to > 0; to -= 256) {
    for (const { bytes } of (await readLeaves(database.db as Db, to - 256, to)).toReversed()) {
      if (readLeafKind(bytes) !== "second") continue;
      const second = decodeSecond(bytes, tag);
      return second.ok ? second.value.secondMs : null;
    }
  }
  return null;
}
