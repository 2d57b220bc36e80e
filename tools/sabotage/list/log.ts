import type { Sabotage } from "./sabotage.ts";

const sql = "server/migrations/050-transparency-log.sql";
const merkle = "core/transparency-log/merkle.ts";
const merkleTest = "core/transparency-log/merkle.test.ts";
const checkpoint = "core/transparency-log/checkpoint.ts";
const checkpointTest = "core/transparency-log/checkpoint.test.ts";
const logTest = "server/transparency-log/transparencyLog.test.ts";

/** The transparency log: appending, the tree, checkpoints, witnesses. */
export const logSabotages: readonly Sabotage[] = [
  {
    name: "log: the append lock is left out",
    file: sql,
    find: "select next into strict found from log_head for update;",
    replace: "select next into strict found from log_head;",
    tests: [logTest],
  },
  {
    name: "log: a checkpoint may cover leaves that do not exist",
    file: sql,
    find: "if new_size > (select next from log_head) then",
    replace: "if false then",
    tests: [logTest],
  },
  {
    name: "log: two processes integrate at the same time",
    file: "server/transparency-log/transparencyLog.ts",
    find: '      await sql`select pg_advisory_xact_lock(${lockKey(schema, "log")}::bigint)`.execute(tx);\n',
    replace: "",
    tests: [logTest],
  },
  {
    name: "log: a database that lost signed leaves is signed again",
    file: "server/transparency-log/transparencyLog.ts",
    find: "      if (head && !isAt(head, before)) await requireContinuation(tx, head, before);\n",
    replace: "",
    tests: ["server/transparency-log/signedHead.test.ts"],
  },
  {
    name: "log: the signed head is written after its checkpoint can be read",
    file: "server/transparency-log/transparencyLog.ts",
    find: `      await headFile.write({ origin: keys.origin, ...checkpoint });
      await insertCheckpoint(tx, checkpoint);
      return { checkpoint, tree, more: leaves.length === batchMax };
    });`,
    replace: `      await insertCheckpoint(tx, checkpoint);
      return { checkpoint, tree, more: leaves.length === batchMax };
    }).then(async (taken) => {
      if (taken?.tree) await headFile.write({ origin: keys!.origin, ...taken.checkpoint! });
      return taken;
    });`,
    tests: ["server/transparency-log/signedHead.test.ts"],
  },
  {
    name: "log: a signed head is compared by its size only",
    file: "server/transparency-log/signedHead.ts",
    find: "if (equalBytes(await readRootAt(db, head.size, tree), head.root)) return null;",
    replace: "if (head.root.length === 32) return null;",
    tests: ["server/transparency-log/signedHead.test.ts"],
  },
  {
    name: "log: a successor begins over leaves that were changed",
    file: "server/transparency-log/succession.ts",
    find: "if (checkpoint && !equalBytes(rangeRoot(tree.range), checkpoint.root))",
    replace: "if (checkpoint && checkpoint.root.length !== 32)",
    tests: ["server/transparency-log/succession.test.ts"],
  },
  {
    name: "log: a leaf is hashed without its prefix",
    file: merkle,
    find: "sha256.create().update(Uint8Array.of(0)).update(entry).digest()",
    replace: "sha256.create().update(entry).digest()",
    tests: [merkleTest],
  },
  {
    name: "log: an inclusion proof may be longer than the tree is high",
    file: merkle,
    find: `  let hash = leaf;
  for (const sibling of path) {
    if (last === 0) return null;`,
    replace: `  let hash = leaf;
  for (const sibling of path) {`,
    tests: [merkleTest],
  },
  {
    name: "log: a consistency proof need not lead to the old root",
    file: merkle,
    find: "return last === 0 && equalBytes(oldHash, from.root) && equalBytes(newHash, to.root);",
    replace: "return last === 0 && equalBytes(newHash, to.root);",
    tests: [merkleTest],
  },
  {
    name: "log: a checkpoint's signature is not verified",
    file: checkpoint,
    find: "if (signature.length !== 64 || !verify(signature, message, key.publicKey)) {",
    replace: "if (signature.length !== 64) {",
    tests: [checkpointTest],
  },
  {
    name: "log: a checkpoint of another log is accepted",
    file: checkpoint,
    find: '  if (checkpoint.origin !== origin) return { ok: false, error: "origin_wrong" };\n',
    replace: "",
    tests: [checkpointTest],
  },
  {
    name: "log: a key's id need not match the key",
    file: checkpoint,
    find: "return key.id === match[2] ? key : null;",
    replace: "return key;",
    tests: [checkpointTest],
  },
  {
    name: "log: a witness's cosignature is not verified",
    file: "core/transparency-log/witnesses/cosignature.ts",
    find: "return verify(bytes.subarray(8), cosignedBytes(text, readTime(bytes)), publicKey);",
    replace:
      "return verify(bytes.subarray(8), cosignedBytes(text, readTime(bytes)), publicKey) || true;",
    tests: ["server/transparency-log/witnesses/witnesses.test.ts"],
  },
  {
    name: "log: one witness is enough for any quorum",
    file: "server/transparency-log/witnesses/witnesses.ts",
    find: "    if (!meetsQuorum(policy, new Set(cosigned.map(({ witness }) => witness.name)))) return;\n",
    replace: "",
    tests: ["server/transparency-log/witnesses/witnesses.test.ts"],
  },
];
