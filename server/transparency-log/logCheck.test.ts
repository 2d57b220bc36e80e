import { afterAll, beforeAll, expect, test } from "vitest";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { createAudit } from "#server/ledger/audit/audit.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import { recordPublished, recordWithdrawn } from "#server/transparency-log/auditChain.ts";
import { insertBindings } from "#server/transparency-log/bindings.ts";
import { createLogCheck } from "#server/transparency-log/logCheck.ts";
import { createPublicationCheck } from "#server/transparency-log/publicationCheck.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";

let ctx: TestContext;
const queryAsOwner = (query: string) => ctx.owner.pool.query(query);
const startMs = 1_767_571_200_000;

/** Seconds, one with two bound hashes; texts, one of them withdrawn; two checkpoints. */
beforeAll(async () => {
  ctx = await createTestContext();
  const log = createTransparencyLog(ctx);
  const { name } = ctx.world;
  const { db } = ctx.database;
  const hashes = [1, 2].map((byte) => new Uint8Array(32).fill(byte));
  await db.transaction().execute(async (tx) => {
    for (const index of [0, 1, 2, 3]) {
      const bound = bindOrders(index === 2 ? hashes : []);
      const second = { secondMs: startMs + index * 1_000, quotes: [], index: [], ...bound };
      const bytes = encodeSecond(second, worldTag(name));
      const leaf = await log.append(tx, [{ kind: "second", bytes }]);
      if (index === 2) await insertBindings(tx, [{ leaf, hashes }]);
    }
  });
  await log.integrate();
  await db.transaction().execute(async (tx) => {
    const text = { kind: "news", subject: null, version: 1 };
    for (const publication of ["one", "two"])
      await recordPublished(tx, name, { publication, ...text, body: { en: publication } }, startMs);
    await recordWithdrawn(tx, name, "two", startMs + 1);
  });
  await log.integrate();
});
afterAll(() => ctx.destroy());

async function findings(): Promise<string[]> {
  const { name } = ctx.world;
  const checks = { log: createLogCheck(name), publications: createPublicationCheck(name) };
  const audit = createAudit(ctx, { contributions: { auditChecks: [checks] } });
  const { findings } = await audit.run({ complete: true });
  return [...new Set(findings.map(({ check }) => check))];
}

test("a log with texts and bound hashes yields no findings", async () => {
  const { rows } = await queryAsOwner("select count(*)::int as count from log_checkpoint");
  expect(rows).toEqual([{ count: 2 }]);
  expect(await findings()).toEqual([]);
});

test.each<[string, string, string, string]>([
  [
    "the hashes stored for a leaf",
    "update log_binding set hashes = set_byte(hashes, 0, 9)",
    "update log_binding set hashes = set_byte(hashes, 0, 1)",
    "log.binding",
  ],
  [
    "the leaf of stored hashes",
    "update log_binding set leaf = leaf + 1",
    "update log_binding set leaf = leaf - 1",
    "log.binding",
  ],
  [
    "an older checkpoint's root",
    "update log_checkpoint set root = set_byte(root, 0, get_byte(root, 0) # 1) where size = 4",
    "update log_checkpoint set root = set_byte(root, 0, get_byte(root, 0) # 1) where size = 4",
    "log.checkpoint",
  ],
  [
    "the position where the log continues",
    "update log_head set next = next + 1",
    "update log_head set next = next - 1",
    "log.leaf",
  ],
  [
    "a word of a text",
    "update log_publication set body = replace(body, 'one', 'two')",
    `update log_publication set body = '{"en":"one"}' where publication = 'one'`,
    "log.audit",
  ],
  [
    "the time of a text",
    "update log_publication set at_ms = at_ms + 1",
    "update log_publication set at_ms = at_ms - 1",
    "log.audit",
  ],
  [
    "a text's withdrawal",
    "update log_publication set withdrawn_leaf = null",
    "update log_publication set withdrawn_leaf = 6 where publication = 'two'",
    "log.audit",
  ],
])("the audit finds a manual change of %s", async (_what, change, back, check) => {
  await queryAsOwner(change);
  expect(await findings()).toContain(check);
  await queryAsOwner(back);
  expect(await findings()).toEqual([]);
});

test.each([
  ["that was never signed", 5],
  ["of a later moment", 7],
  ["before the first, of a later moment", 0],
])("the audit finds a posting that names a tree %s", async (_what, size) => {
  for (const [seconds, tree] of [
    [90, 0],
    [60, 4],
    [30, 4],
    [0, 7],
  ] as const)
    await queryAsOwner(
      `insert into journal (id, kind, body_hash, at_ms, tree_size, recorded_at)
       values (gen_random_uuid(), 'test', sha256(''), ${seconds}, ${tree},
         now() - interval '${seconds} seconds')`,
    );
  expect(await findings()).toEqual([]);
  await queryAsOwner(
    `update journal set tree_size = ${size} where at_ms = ${size === 7 ? 60 : 30}`,
  );
  expect(await findings()).toEqual(["log.posting"]);
  await queryAsOwner("delete from journal");
});
