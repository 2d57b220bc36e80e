import { hash } from "node:crypto";
import {
  acknowledgementText,
  batchText,
  computeDueAt,
  type SignedAcknowledgement,
} from "#core/transparency-log/acknowledgement.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { signNote } from "#core/transparency-log/checkpoint.ts";
import { rangeRoot } from "#core/transparency-log/range.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { AcceptedCall, Acknowledger } from "#server/platform/http/acknowledger.ts";
import {
  type AcknowledgementKey,
  readAcknowledgementKey,
} from "#server/transparency-log/acknowledgementKey.ts";
import { loadTree } from "#server/transparency-log/tree.ts";

/** Roots of the latest trees: all calls within about a second name the same one. */
const rootsMax = 64;

export interface Acknowledgements extends Acknowledger {
  /** The certificate of the key that signs; null while there is none. */
  certificate(): string | null;
}

/** Signs accepted calls (docs/formats/acknowledgement.md). */
export function createAcknowledgements(ctx: AppContext): Acknowledgements {
  const { config, world, database, clock } = ctx;
  let cachedKey: AcknowledgementKey | null = null;
  const key = () => {
    cachedKey ??= readAcknowledgementKey(config.dataDirectory, world.name);
    return cachedKey;
  };
  const requireKey = () => {
    const acknowledgementKey = key();
    if (!acknowledgementKey) throw new ApiError("server.unavailable");
    return acknowledgementKey;
  };
  const roots = new Map<number, Promise<string>>();
  const rootAt = (size: number): Promise<string> => {
    const before = roots.get(size);
    if (before) return before;
    const root = loadTree(database.db, size).then(({ range }) => bytesToHex(rangeRoot(range)));
    root.catch(() => roots.delete(size));
    roots.set(size, root);
    if (roots.size > rootsMax) roots.delete(roots.keys().next().value!);
    return root;
  };
  const sign = batchSigner((count, root) => {
    const { origin, signer } = requireKey();
    return signNote(batchText(world.name, origin, count, root), [signer]);
  });
  return {
    certificate: () => key()?.certificate ?? null,
    requireReady: () => void requireKey(),
    acknowledge: async (acceptedCall: AcceptedCall) => {
      const { origin } = requireKey();
      const { call, key, id, acceptedAtMs, treeSize: size } = acceptedCall;
      // From a recording's end on, no second binds anything more.
      const hasWorldEnded = clock.endMs !== null && acceptedAtMs >= clock.endMs;
      const hash = hasWorldEnded ? null : acceptedCall.hash;
      const text = acknowledgementText({
        world: world.name,
        log: origin,
        call,
        key,
        body_hash: bytesToHex(acceptedCall.bodyHash),
        id,
        hash,
        accepted_at_ms: acceptedAtMs,
        due_at_ms: computeDueAt(acceptedAtMs, hash, world.market.speed),
        tree: { size, root: await rootAt(size) },
      });
      return sign(text);
    },
  };
}

/**
 * Signs promises in batches, those of one turn of the event loop together: a signature costs as
 * much as the rest of an order's answer, and orders are accepted in batches anyway.
 */
function batchSigner(
  signRoot: (count: number, root: string) => string,
): (text: string) => Promise<SignedAcknowledgement> {
  interface PendingAcknowledgement {
    text: string;
    resolve: (acknowledgement: SignedAcknowledgement) => void;
    reject: (error: unknown) => void;
  }
  let queue: PendingAcknowledgement[] = [];
  const flush = () => {
    const batch = queue;
    queue = [];
    try {
      const { root, paths } = buildTree(batch.map(({ text }) => text));
      const note = signRoot(batch.length, root);
      for (const [index, { text, resolve }] of batch.entries())
        resolve({ promise: text, index, path: paths[index]!, batch: note });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return (text) =>
    new Promise((resolve, reject) => {
      queue.push({ text, resolve, reject });
      if (queue.length === 1) setImmediate(flush);
    });
}

/** The RFC 9162 tree over texts, and each one's inclusion path; with the fast hash of Node. */
function buildTree(texts: readonly string[]): { root: string; paths: string[][] } {
  const paths: string[][] = texts.map(() => []);
  let row = texts.map((text) => hash("sha256", `\0${text}`));
  for (let level = 0; row.length > 1; level += 1) {
    for (const [index, path] of paths.entries()) {
      const sibling = row[(index >> level) ^ 1];
      if (sibling !== undefined) path.push(sibling);
    }
    const parents: string[] = [];
    for (let index = 0; index < row.length; index += 2) {
      const [leftHash, right] = [row[index]!, row[index + 1]];
      const node = () => hash("sha256", Buffer.from(`01${leftHash}${right}`, "hex"));
      parents.push(right === undefined ? leftHash : node());
    }
    row = parents;
  }
  return { root: row[0]!, paths };
}
