import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bytesToHex, equalBytes } from "#core/transparency-log/bytes.ts";
import { rangeRoot } from "#core/transparency-log/range.ts";
import type { Db } from "#server/platform/db/database.ts";
import { writeDurably } from "#server/platform/durableFiles.ts";
import { StartError } from "#server/platform/startError.ts";
import { countLeaves, readLeaves } from "#server/transparency-log/store.ts";
import { type GrowingTree, growTree, loadTree } from "#server/transparency-log/tree.ts";

/** The newest tree that the key beside it has signed. */
export interface SignedHead {
  /** The log's name. */
  origin: string;
  size: number;
  root: Uint8Array;
}

/**
 * The newest signed head, in a file beside the log's key and outside the database. A database that
 * was restored, or a standby that lagged when it took over, may have lost leaves that were signed;
 * growing another tree from there would fork the log under one key.
 */
export interface SignedHeadFile {
  read(): Promise<SignedHead | null>;
  /** Durable on return. */
  write(head: SignedHead): Promise<void>;
}

export function createSignedHeadFile(dataDirectory: string, worldName: string): SignedHeadFile {
  const path = join(dataDirectory, `log-head-${worldName}.json`);
  return {
    read: async () => {
      let text: string;
      try {
        text = await readFile(path, "utf8");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw new StartError(`The file ${path} cannot be read.`);
      }
      const head = parse(text);
      if (!head) throw new StartError(`The file ${path} is damaged: put a copy of it back.`);
      return head;
    },
    write: async ({ origin, size, root }) => {
      await mkdir(dirname(path), { recursive: true });
      await writeDurably(path, `${JSON.stringify({ origin, size, root: bytesToHex(root) })}\n`);
    },
  };
}

/**
 * Throws a StartError unless the log in the database continues the signed head: has its leaves, and
 * the same root over them. `tree` is the tree of the newest checkpoint.
 */
export async function requireContinuation(
  db: Db,
  head: SignedHead,
  tree: GrowingTree,
): Promise<void> {
  const loss = await findLoss(db, head, tree);
  if (loss !== null)
    throw new StartError(`${loss}: signing it would fork the public log. ${wayOut}`);
}

const wayOut =
  'Bring back the database that has them all, or begin a successor with "npm run succession" (docs/operating.md, "When the log has lost leaves").';

/** Why the log in the database does not continue the signed head; null if it does. */
export async function findLoss(
  db: Db,
  head: SignedHead,
  tree: GrowingTree,
): Promise<string | null> {
  const leaves = await countLeaves(db);
  if (leaves < head.size)
    return `The log was signed with ${head.size} leaves and this database has ${leaves}`;
  if (equalBytes(await readRootAt(db, head.size, tree), head.root)) return null;
  return `The first ${head.size} leaves of the log in this database are not those that were signed`;
}

/** Root of the first `size` leaves; `tree` is the newest checkpoint's tree. */
export async function readRootAt(db: Db, size: number, tree: GrowingTree): Promise<Uint8Array> {
  if (tree.range.size > size) return rangeRoot((await loadTree(db, size)).range);
  // A crash between signing and committing the checkpoint leaves a head ahead of it.
  const newLeaves = await readLeaves(db, tree.range.size, size);
  const entries = newLeaves.map(({ bytes }) => bytes);
  return rangeRoot(growTree(tree, entries).tree.range);
}

function parse(text: string): SignedHead | null {
  try {
    const { origin, size, root } = JSON.parse(text) as Record<string, unknown>;
    const isValid = typeof origin === "string" && origin !== "" && Number.isSafeInteger(size);
    if (!isValid || typeof root !== "string" || !/^[0-9a-f]{64}$/.test(root)) return null;
    return { origin, size: size as number, root: new Uint8Array(Buffer.from(root, "hex")) };
  } catch {
    return null;
  }
}
