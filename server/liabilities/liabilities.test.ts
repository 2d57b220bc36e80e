import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chainGenesis, computeAccountStart } from "#core/ledger/chain.ts";
import type { Coin } from "#core/money/coins.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { decodeLiabilities } from "#core/transparency-log/liabilitiesLeaf.ts";
import {
  createAccountNode,
  foldNodes,
  getSumPath,
} from "#core/transparency-log/liabilitiesTree.ts";
import { createAudit } from "#server/ledger/audit/audit.ts";
import { chainPosted } from "#server/ledger/jobs.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import {
  createJournal,
  createMoveLegs,
  createPersonWith,
  type Person,
} from "#server/ledger/testing.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { commitLiabilities, liabilitiesJob } from "#server/liabilities/commit.ts";
import { reconcileLiabilities } from "#server/liabilities/reconciliation.ts";
import { readPathAt } from "#server/liabilities/tree.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import {
  createTransparencyLog,
  type TransparencyLog,
} from "#server/transparency-log/transparencyLog.ts";

let ctx: TestContext;
let ledger: Ledger;
let transparencyLog: TransparencyLog;
beforeAll(async () => {
  ctx = await createTestContext();
  ledger = createLedger(ctx);
  transparencyLog = createTransparencyLog(ctx);
  await transparencyLog.prepare();
});
afterAll(async () => {
  await ledger.stop();
  await ctx.destroy();
});

/** Chains new postings and commits to them. */
async function commit() {
  await chainPosted(ctx);
  return commitLiabilities(ctx, transparencyLog);
}

async function leafAt(index: number) {
  const [leaf] = await transparencyLog.leaves(index, index + 1);
  const liabilities = decodeLiabilities(leaf!.bytes, worldTag(ctx.world.name));
  if (!liabilities.ok) throw new Error(liabilities.error);
  return liabilities.value;
}

/** The tree's current leaves from the chain, by tree index, without using any stored nodes. */
async function currentNodes() {
  const { rows } = await sql<{
    account: bigint;
    coin: Coin;
    position: bigint;
    balance: bigint;
    hash: Buffer;
    owner: string;
    attempt_id: string;
    kind: string;
    owner_commitment: string;
  }>`select l.account, a.owner, a.attempt_id, a.kind, a.owner_commitment, a.coin, h.position, h.balance, h.hash
    from liability_account l join account a on a.id = l.account join chain_head h on h.account = l.account
    order by l.tree_index`.execute(ctx.database.db);
  const genesis = chainGenesis(ctx.world.name);
  return rows.map((row) => {
    const { account: id, attempt_id: attemptId, owner_commitment: ownerCommitment } = row;
    const start = computeAccountStart(genesis, { ...row, id, attemptId, ownerCommitment });
    return createAccountNode({ ...row, start, hash: new Uint8Array(row.hash) });
  });
}

const people: Person[] = [];
async function addPeople(count: number) {
  for (let index = 0; index < count; index += 1)
    people.push(await createPersonWith(ledger, 1_000n));
}
async function getMove(person: Person, amount: bigint) {
  const house = await ledger.account("house", "contracts", "pUSDT");
  await ledger.post(createJournal(createMoveLegs(person.wallet, house, amount)));
}

test("an unchanged ledger is not committed again", async () => {
  expect(await commit()).toBeNull();
  await addPeople(1);
  expect(await commit()).toMatchObject({ run: 1, accounts: 1 });
  expect(await commit()).toBeNull();
});

test.each([
  2, 15, 16, 17, 60, 260,
])("a tree grown to %i accounts equals one built from all of them", async (accounts) => {
  await addPeople(accounts - people.length);
  await getMove(people[0]!, 1n);
  const commitment = (await commit())!;
  const nodes = await currentNodes();
  expect(nodes).toHaveLength(accounts);
  const leaf = await leafAt(commitment.leaf);
  const root = foldNodes(nodes);
  expect(leaf).toMatchObject({ accounts, root: root.hash, users: root.sums });
  expect(leaf.house).toEqual(leaf.users.map((sum) => -sum));
  for (const treeIndex of [0, 1, Math.floor(accounts / 2), accounts - 1]) {
    expect(await readPathAt(ctx.database.db, commitment.run, treeIndex, accounts)).toEqual(
      getSumPath(nodes, treeIndex),
    );
  }
});

test("an older commitment keeps its paths when accounts change and new ones open", async () => {
  const before = await currentNodes();
  const { rows } = await sql<{ number: bigint }>`
    select max(number) as number from liability_run`.execute(ctx.database.db);
  await addPeople(40);
  await Promise.all([3, 16, 100, 259].map((index) => getMove(people[index]!, 7n)));
  const now = (await commit())!;
  const oldNumber = Number(rows[0]!.number);
  for (const treeIndex of [3, 4, 16, 100, 259]) {
    expect(await readPathAt(ctx.database.db, oldNumber, treeIndex, before.length)).toEqual(
      getSumPath(before, treeIndex),
    );
  }
  const after = await currentNodes();
  expect((await leafAt(now.leaf)).root).toEqual(foldNodes(after).hash);
});

describe("the cost of a commitment", () => {
  test("one moved account of 300 writes one head and one node per level", async () => {
    const count = async () => {
      const { rows } = await sql<{ heads: bigint; nodes: bigint }>`
        select (select count(*) from liability_head) as heads, (select count(*) from liability_node) as nodes`.execute(
        ctx.database.db,
      );
      return rows[0]!;
    };
    const before = await count();
    await getMove(people[200]!, 1n);
    await commit();
    const after = await count();
    expect([after.heads - before.heads, after.nodes - before.nodes]).toEqual([1n, 3n]);
  });
});

test("the job commits, and the application's role cannot change a commitment", async () => {
  ctx.jobs.add([liabilitiesJob(ctx, transparencyLog)]);
  await getMove(people[5]!, 1n);
  await chainPosted(ctx);
  const size = await transparencyLog.count();
  await ctx.jobs.runNow("liabilities.commit");
  expect(await transparencyLog.count()).toBe(size + 1);
  for (const table of ["liability_run", "liability_account", "liability_head", "liability_node"]) {
    await expect(ctx.database.pool.query(`delete from ${table}`)).rejects.toThrow(
      "permission denied",
    );
  }
});

describe("the audit", () => {
  const findings = async () => {
    const contributions = { auditChecks: [{ liabilities: reconcileLiabilities(ctx.world.name) }] };
    const { findings } = await createAudit(ctx, { contributions }).run({ complete: true });
    return [...new Set(findings.map(({ check }) => check))];
  };
  const queryAsOwner = (query: string) => ctx.owner.pool.query(query);
  const flipByte = (column: string) => `set_byte(${column}, 0, 255 - get_byte(${column}, 0))`;

  test("every committed tree is recomputed", async () => {
    expect(await findings()).toEqual([]);
  });

  test.each([
    [
      "liability_node",
      `hash = ${flipByte("hash")}`,
      `hash = ${flipByte("hash")}`,
      "liabilities.node",
    ],
    ["liability_node", "sums[1] = sums[1] + 1", "sums[1] = sums[1] - 1", "liabilities.node"],
    ["liability_head", "balance = balance + 1", "balance = balance - 1", "liabilities.root"],
    ["liability_head", "balance = balance + 1", "balance = balance - 1", "liabilities.account"],
    ["liability_run", "accounts = accounts + 1", "accounts = accounts - 1", "liabilities.run"],
    [
      "liability_run",
      "snapshot = '1:1:'",
      "snapshot = (select snapshot from chain_batch b where b.number = batch)",
      "liabilities.run",
    ],
  ])("the audit finds a change of %s (%s)", async (table, change, back, check) => {
    const last = `where ${table === "liability_run" ? "number" : "run"} = (select max(number) from liability_run)`;
    await queryAsOwner(`update ${table} set ${change} ${last}`);
    expect(await findings()).toContain(check);
    await queryAsOwner(`update ${table} set ${back} ${last}`);
    expect(await findings()).toEqual([]);
  });

  test("the audit finds a missing node", async () => {
    await queryAsOwner("delete from liability_node where run = 3 and level = 1 and tree_index = 0");
    expect(await findings()).toEqual(["liabilities.node"]);
  });
});
