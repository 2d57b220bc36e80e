import { createPublicKey, verify } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { utf8ToBytes } from "#core/transparency-log/bytes.ts";
import {
  openCheckpoint,
  parseVkey,
  type VerifyEd25519,
} from "#core/transparency-log/checkpoint.ts";
import { followHandovers } from "#core/transparency-log/handover.ts";
import {
  leafHash,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from "#core/transparency-log/merkle.ts";
import { lockKey, type Tx } from "#server/platform/db/database.ts";
import { outsideTransaction } from "#server/testing/outsideTransaction.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import { rotateKeys } from "#server/transparency-log/keys.ts";
import { readHandovers } from "#server/transparency-log/store.ts";
import {
  createTransparencyLog,
  type TransparencyLog,
} from "#server/transparency-log/transparencyLog.ts";

const verifyEd25519: VerifyEd25519 = (signature, message, key) => {
  const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(key).toString("base64url") };
  return verify(null, message, createPublicKey({ key: jwk, format: "jwk" }), signature);
};

let ctx: TestContext;
let transparencyLog: TransparencyLog;
const bytesWritten: Uint8Array[] = [];

async function append(count: number): Promise<number> {
  const leaves = Array.from({ length: count }, (_, index) => ({
    kind: "second" as const,
    bytes: utf8ToBytes(`leaf ${bytesWritten.length + index}`),
  }));
  const first = await ctx.database.db
    .transaction()
    .execute((tx: Tx) => transparencyLog.append(tx, leaves));
  bytesWritten.push(...leaves.map(({ bytes }) => bytes));
  return first;
}

/** Waits until so many connections wait for the lock of integrating, or for the checkpoints. */
async function untilWaiting(count: number): Promise<void> {
  const { schema } = ctx.database;
  for (;;) {
    const { rows } = await ctx.owner.pool.query(
      `select count(*)::int as n from pg_locks where not granted
         and (relation = $1::regclass or (classid::bigint << 32) | objid::bigint = $2)`,
      [`${schema}.log_checkpoint`, lockKey(schema, "log")],
    );
    if (rows[0].n >= count) return;
  }
}

const rootAt = (size: number) => treeRoot(bytesWritten.slice(0, size).map(leafHash));

beforeAll(async () => {
  ctx = await createTestContext();
  transparencyLog = createTransparencyLog(ctx);
});
afterAll(async () => {
  rmSync(ctx.config.dataDirectory, { recursive: true, force: true });
  await ctx.destroy();
});

describe("leaves", () => {
  test("an empty log has no checkpoint and no lag", async () => {
    expect(await transparencyLog.integrate()).toBeNull();
    expect(await transparencyLog.lagMs()).toBe(0);
  });

  test("leaves are numbered from zero without gaps, even after rollbacks", async () => {
    expect(await append(3)).toBe(0);
    await expect(
      ctx.database.db.transaction().execute(async (tx: Tx) => {
        expect(await transparencyLog.next(tx)).toBe(3);
        await transparencyLog.append(tx, [{ kind: "terms", bytes: utf8ToBytes("gone") }]);
        throw new Error("rolled back");
      }),
    ).rejects.toThrow("rolled back");
    expect(await append(2)).toBe(3);
    expect((await transparencyLog.leaves(0, 10)).map(({ bytes }) => bytes)).toEqual(bytesWritten);
  });

  test("concurrent appends do not overlap", async () => {
    const before = bytesWritten.length;
    const firsts = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        ctx.database.db.transaction().execute((tx: Tx) =>
          transparencyLog.append(tx, [
            { kind: "second", bytes: utf8ToBytes(`a${index}`) },
            { kind: "second", bytes: utf8ToBytes(`b${index}`) },
          ]),
        ),
      ),
    );
    expect(firsts.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 8 }, (_, index) => before + index * 2),
    );
    bytesWritten.push(
      ...(await transparencyLog.leaves(before, before + 16)).map(({ bytes }) => bytes),
    );
  });

  test("the lag is the age of the oldest leaf without a checkpoint in real time", async () => {
    ctx.realClock.advanceMs(4_000);
    expect(await transparencyLog.lagMs()).toBe(4_000);
    await transparencyLog.integrate();
    expect(await transparencyLog.lagMs()).toBe(0);
  });

  test.each([
    "update log_leaf set bytes = '\\x00'",
    "delete from log_leaf",
    "truncate log_leaf",
    "insert into log_leaf values (0, 2, '\\x00', 0)",
    "update log_head set next = 0",
    "update log_checkpoint set note = ''",
    "delete from log_checkpoint",
    "insert into log_checkpoint values (9999, '\\x00', '', 0, false)",
    "update log_tile set hashes = hashes",
    "delete from log_tile",
    "delete from log_key",
    "update log_key set from_size = 0",
    "alter table log_leaf disable trigger all",
    "drop table log_leaf",
  ])("the application's role cannot %s", async (statement) => {
    await expect(ctx.database.pool.query(statement)).rejects.toThrow(
      /permission denied|must be owner/,
    );
  });

  test("a checkpoint cannot shrink the log or exceed it", async () => {
    const record = (size: number) =>
      ctx.database.pool.query("select log_record_checkpoint($1, $2, '', 0)", [
        size,
        Buffer.alloc(32),
      ]);
    await expect(record(1)).rejects.toThrow("would not grow");
    await expect(record(100_000)).rejects.toThrow("do not exist");
  });
});

describe("the tree", () => {
  test.each([
    1, 200, 34, 256, 700, 1_500,
  ])("after %i more leaves the signed root covers all leaves", async (count) => {
    await append(count);
    const checkpoint = (await transparencyLog.integrate())!;
    const { origin, keys } = await transparencyLog.identity();
    const result = openCheckpoint(
      checkpoint.note,
      origin,
      [parseVkey(keys[0]!.vkey)!],
      verifyEd25519,
    );
    expect(result).toEqual({
      ok: true,
      checkpoint: { origin, size: bytesWritten.length, root: rootAt(bytesWritten.length) },
    });
  });

  test("another process continues the same tree", async () => {
    await append(300);
    const restarted = createTransparencyLog(ctx);
    expect((await restarted.integrate())!.root).toEqual(rootAt(bytesWritten.length));
    // The first process notices that its in-memory tree is behind.
    await append(1);
    expect((await transparencyLog.integrate())!.root).toEqual(rootAt(bytesWritten.length));
  });

  test("concurrent integration by two processes creates one history", async () => {
    const otherLog = createTransparencyLog(ctx);
    await append(50);
    let integrating: Promise<unknown> | null = null;
    await ctx.owner.db.transaction().execute(async (tx) => {
      // No one can commit a checkpoint before both are on their way.
      await sql`lock table log_checkpoint in exclusive mode`.execute(tx);
      integrating = outsideTransaction(() =>
        Promise.all([transparencyLog.integrate(), otherLog.integrate()]),
      );
      integrating.catch(() => {});
      await outsideTransaction(() => untilWaiting(2));
    });
    await integrating!;
    const { rows } = await ctx.owner.pool.query(
      "select size, root from log_checkpoint order by size",
    );
    expect(Number(rows.at(-1).size)).toBe(bytesWritten.length);
    for (const { size, root } of rows) expect(new Uint8Array(root)).toEqual(rootAt(Number(size)));
  });

  test("a batch that fails before its commit leaves no changes and is retried", async () => {
    await append(600);
    await ctx.owner.pool.query(
      "alter table log_tile add constraint broken check (false) not valid",
    );
    await expect(transparencyLog.integrate()).rejects.toThrow("broken");
    await ctx.owner.pool.query("alter table log_tile drop constraint broken");
    expect((await transparencyLog.integrate())!.root).toEqual(rootAt(bytesWritten.length));
  });

  test("inclusion and consistency proofs verify at many sizes", async () => {
    const total = (await transparencyLog.checkpoint())!.size;
    for (const size of [1, 2, 255, 256, 257, 511, 1_024, 2_000, total]) {
      for (const leaf of [0, Math.floor(size / 2), size - 1]) {
        const path = await transparencyLog.inclusion(leaf, size);
        const proof = { leaf: leafHash(bytesWritten[leaf]!), index: leaf, size, path };
        expect(verifyInclusion(proof, rootAt(size))).toBe(true);
      }
      const path = await transparencyLog.consistency(size, total);
      expect(
        verifyConsistency({ size, root: rootAt(size) }, { size: total, root: rootAt(total) }, path),
      ).toBe(true);
    }
  });
});

describe("keys", () => {
  const keyFile = () => join(ctx.config.dataDirectory, `log-key-${ctx.world.name}.json`);
  const createQuietLog = () => createTransparencyLog(ctx);

  test("the key file is readable by its owner only", () => {
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
  });

  test("both keys sign after a rotation, and the old one stays listed", async () => {
    const before = await transparencyLog.identity();
    await rotateKeys(ctx.config.dataDirectory, ctx.world.name);
    await append(1);
    const checkpoint = (await createQuietLog().integrate())!;
    const after = await transparencyLog.identity();
    expect(after.origin).toBe(before.origin);
    expect(after.keys.map(({ vkey }) => vkey).slice(1)).toEqual(
      before.keys.map(({ vkey }) => vkey),
    );
    for (const { vkey } of after.keys) {
      const result = openCheckpoint(
        checkpoint.note,
        after.origin,
        [parseVkey(vkey)!],
        verifyEd25519,
      );
      expect(result.ok).toBe(true);
    }
  });

  test("each key hands over to the next, also over several rotations between two starts", async () => {
    const { origin, keys } = await transparencyLog.identity();
    const trusted = keys.at(-1)!.vkey;
    for (let count = 0; count < 2; count += 1)
      await rotateKeys(ctx.config.dataDirectory, ctx.world.name);
    await append(1);
    const { note } = (await createQuietLog().integrate())!;
    const handovers = await readHandovers(ctx.database.db);
    const after = await transparencyLog.identity();
    expect(handovers).toHaveLength(after.keys.length - 1);
    const result = followHandovers(handovers, { origin, vkeys: [trusted] }, verifyEd25519);
    expect(result.ok && result.vkeys).toEqual(after.keys.map(({ vkey }) => vkey).toReversed());
    expect(openCheckpoint(note, origin, [parseVkey(trusted)!], verifyEd25519).ok).toBe(false);
  });

  test("a lost key file is reported and never replaced", async () => {
    rmSync(keyFile());
    await append(1);
    await expect(createQuietLog().integrate()).rejects.toThrow("put a copy of it back");
    await expect(createQuietLog().prepare()).rejects.toThrow("put a copy of it back");
  });
});
