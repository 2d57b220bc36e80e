import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BatchFailure, classifyFailure } from "#server/ledger/audit/failures.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createJournal, createMoveLegs, createPersonWith } from "#server/ledger/testing.ts";
import type { Journal, Ledger, PostResult } from "#server/ledger/types.ts";
import { writerLimits } from "#server/ledger/writer.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { lockExclusive } from "#server/platform/db/acceptLock.ts";
import { lockKey } from "#server/platform/db/database.ts";
import { outsideTransaction } from "#server/testing/outsideTransaction.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
let ledger: Ledger;
let house: bigint;
beforeAll(async () => {
  ctx = await createTestContext();
  await ctx.owner.pool.query(`create table note (journal_id uuid primary key, word text not null)`);
  await ctx.owner.pool.query("grant select, insert on note to drydock_app");
  ledger = createLedger(ctx);
  house = await ledger.account("house", "contracts", "pUSDT");
  ledger.onPosted("test.note", async (tx, postedJournals) => {
    const ids = postedJournals.map(({ journal }) => journal.id);
    const words = postedJournals.map(({ row }) => row as string | null);
    await sql`insert into note select * from unnest(${ids}::uuid[], ${words}::text[])`.execute(tx);
  });
});
afterAll(async () => {
  await ledger.stop();
  await ctx.destroy();
});

const batches = async () =>
  Number((await ctx.database.pool.query("select count(distinct xid) as n from journal")).rows[0].n);
const words = async (ids: string[]) =>
  (
    await ctx.database.pool.query(
      "select word from note where journal_id = any($1) order by word",
      [ids],
    )
  ).rows.map(({ word }) => word);

test("concurrent postings share a commit", async () => {
  const person = await createPersonWith(ledger, 1_000n);
  const before = await batches();
  const results = await Promise.all(
    Array.from({ length: 200 }, () =>
      ledger.post(createJournal(createMoveLegs(person.wallet, house, 1n))),
    ),
  );
  expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(["posted"]));
  expect((await batches()) - before).toBeLessThanOrEqual(2);
});

test("a batch is bounded by journals and by legs", async () => {
  const person = await createPersonWith(ledger, 1_000n);
  const small = createLedger(ctx, { ...writerLimits, batchJournals: 10, batchLegs: 12 });
  const before = await batches();
  await Promise.all(
    Array.from({ length: 18 }, () =>
      small.post(createJournal(createMoveLegs(person.wallet, house, 1n))),
    ),
  );
  expect((await batches()) - before).toBe(3);
  await small.stop();
});

test("post hooks write rows for posted journals only", async () => {
  const person = await createPersonWith(ledger, 10n);
  const note = (amount: bigint) =>
    createJournal(createMoveLegs(person.wallet, house, amount), { kind: "test.note" });
  const [goodNote, poorNote, plain] = [
    note(4n),
    note(40n),
    createJournal(createMoveLegs(person.wallet, house, 1n)),
  ];
  const results = await Promise.all([
    ledger.post(goodNote, "good"),
    ledger.post(poorNote, "poor"),
    ledger.post(plain, "plain"),
  ]);
  expect(results.map(({ outcome }) => outcome)).toEqual(["posted", "overdraft", "posted"]);
  expect(await words([goodNote.id, poorNote.id, plain.id])).toEqual(["good"]);
  expect((await ledger.post(goodNote, "again")).outcome).toBe("duplicate");
  expect(await words([goodNote.id])).toEqual(["good"]);
});

test("a row that its post hook cannot write fails only its own journal", async () => {
  const person = await createPersonWith(ledger, 100n);
  const journals = Array.from({ length: 9 }, () =>
    createJournal(createMoveLegs(person.wallet, house, 1n), { kind: "test.note" }),
  );
  const results = await Promise.allSettled(
    journals.map((journal, index) => ledger.post(journal, index === 4 ? null : `row ${index}`)),
  );
  expect(
    results.map(({ status }) => status).filter((status) => status === "rejected"),
  ).toHaveLength(1);
  expect(results[4]).toMatchObject({ status: "rejected", reason: { code: "23502" } });
  expect(await words(journals.map(({ id }) => id))).toHaveLength(8);
  const [balance] = await ledger.balances(person.attemptId);
  expect(balance!.available).toBe(92n);
});

test("a posting beyond the queue's limit is refused and changes nothing", async () => {
  const person = await createPersonWith(ledger, 100n);
  const small = createLedger(ctx, { ...writerLimits, waitingMax: 5 });
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () =>
      small.post(createJournal(createMoveLegs(person.wallet, house, 1n))),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual([
    ...Array(5).fill("fulfilled"),
    ...Array(3).fill("rejected"),
  ]);
  expect(results[7]).toMatchObject({ reason: { error: "server.unavailable" } });
  expect((await small.balances(person.attemptId))[0]!.available).toBe(95n);
  await small.stop();
});

test("a stopped ledger completes queued postings and accepts no more", async () => {
  const person = await createPersonWith(ledger, 100n);
  const otherLedger = createLedger(ctx);
  const pendingPosts = Array.from({ length: 5 }, () =>
    otherLedger.post(createJournal(createMoveLegs(person.wallet, house, 1n))),
  );
  await otherLedger.stop();
  expect((await Promise.all(pendingPosts)).map(({ outcome }) => outcome)).toEqual(
    Array(5).fill("posted"),
  );
  await expect(
    otherLedger.post(createJournal(createMoveLegs(person.wallet, house, 1n))),
  ).rejects.toMatchObject({
    error: "server.unavailable",
  });
});

test.each<[string, (journal: Journal) => Promise<PostResult>]>([
  ["the group commit", (journal) => ledger.post(journal)],
  [
    "a domain's own transaction",
    (journal) =>
      ledger.transact(async (tx) => (await ledger.postIn(tx, [journal], ctx.clock.nowMs()))[0]!),
  ],
])("postings wait while a second closes and carry the later time: %s", async (_title, post) => {
  const person = await createPersonWith(ledger, 100n);
  let posting: Promise<PostResult> | null = null;
  let isDone = false;
  const laterMs = ctx.clock.nowMs() + 5_000;
  await ctx.database.db.transaction().execute(async (tx) => {
    await lockExclusive(tx, ctx.database.schema);
    posting = outsideTransaction(() =>
      post(createJournal(createMoveLegs(person.wallet, house, 1n))),
    );
    void posting.then(() => {
      isDone = true;
    });
    await untilWaiting(() => isDone);
    expect(isDone).toBe(false);
    ctx.clock.advanceTo(laterMs);
  });
  expect(await posting!).toMatchObject({ outcome: "posted", atMs: laterMs });
});

/** Waits until a connection waits for this world's accept lock, or what should wait is done. */
async function untilWaiting(isDone: () => boolean): Promise<void> {
  const key = lockKey(ctx.database.schema, "accept");
  while (!isDone()) {
    const { rows } = await ctx.owner.pool.query(
      `select count(*)::int as n from pg_locks
       where locktype = 'advisory' and not granted and (classid::bigint << 32) | objid::bigint = $1`,
      [key],
    );
    if (rows[0].n > 0) return;
  }
}

test.each<[string, unknown, BatchFailure]>([
  ["a serialization failure", { code: "40001" }, "collision"],
  ["a deadlock", { code: "40P01" }, "collision"],
  ["a broken connection", { code: "ECONNRESET" }, "lost"],
  ["a server that is stopping", { code: "57P01" }, "lost"],
  ["a connection exception", { code: "08006" }, "lost"],
  [
    "a driver's message about a lost connection",
    new Error("Connection terminated unexpectedly"),
    "lost",
  ],
  ["a full disk", { code: "53100" }, "full"],
  ["an unreadable file", { code: "58030" }, "full"],
  ["a constraint", { code: "23505" }, "final"],
  ["a programming error", new TypeError("x is not a function"), "final"],
])("%s", (_title, error, failure) => {
  expect(classifyFailure(error)).toBe(failure);
});

test("an abandoned batch is answered with a retryable error", async () => {
  const person = await createPersonWith(ledger, 100n);
  const db = new Proxy(ctx.database.db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name === "transaction") {
        return () => ({
          execute: () => Promise.reject(Object.assign(new Error("no space"), { code: "53100" })),
        });
      }
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const brokenLedger = createLedger({ ...ctx, database: { ...ctx.database, db } });
  await expect(
    brokenLedger.post(createJournal(createMoveLegs(person.wallet, house, 10n))),
  ).rejects.toMatchObject({
    error: "server.unavailable",
  });
  await brokenLedger.stop();
});

test.each([
  ["before its commit", "begin", "posted"],
  // Not "posted": the row may be an earlier attempt's, so the domain has to read it.
  ["during its commit", "commit", "duplicate"],
])("a connection lost %s is retried and posts once", async (_title, when, outcome) => {
  const person = await createPersonWith(ledger, 100n);
  const brokenLedger = createLedger({ ...ctx, database: createLosingDatabase(when) });
  const journals = Array.from({ length: 3 }, () =>
    createJournal(createMoveLegs(person.wallet, house, 10n)),
  );
  const results = await Promise.all(journals.map((journal) => brokenLedger.post(journal)));
  expect(results.map((result) => result.outcome)).toEqual([outcome, outcome, outcome]);
  expect((await ledger.balances(person.attemptId))[0]!.available).toBe(70n);
  await brokenLedger.stop();
});

test("a posted journal stays a duplicate when its retry loses the connection", async () => {
  const person = await createPersonWith(ledger, 100n);
  const journal = createJournal(createMoveLegs(person.wallet, house, 10n));
  await ledger.post(journal);
  const brokenLedger = createLedger({ ...ctx, database: createLosingDatabase("begin") });
  expect((await brokenLedger.post(journal)).outcome).toBe("duplicate");
  expect((await ledger.balances(person.attemptId))[0]!.available).toBe(90n);
  await brokenLedger.stop();
});

/**
 * The test's database, whose first transaction loses its connection either before doing anything or
 * after committing.
 */
function createLosingDatabase(when: string): TestContext["database"] {
  let lost = false;
  const lose = () => {
    lost = true;
    return Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" });
  };
  const db = new Proxy(ctx.database.db, {
    get: (target, name) => {
      if (name !== "transaction" || lost) {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      }
      return () => ({
        execute: async (run: never) => {
          if (when === "begin") throw lose();
          await target.transaction().execute(run);
          throw lose();
        },
      });
    },
  });
  return { ...ctx.database, db };
}

test("only users whose balances changed are notified, after the commit", async () => {
  const [first, second, third] = await Promise.all(
    [0, 0, 0].map(() => createPersonWith(ledger, 10n)),
  );
  const notified: string[] = [];
  const notification = Promise.withResolvers<void>();
  const end = ctx.bus.subscribe("balance.changed", ({ userIds }) => {
    notified.push(...userIds);
    if (notified.length >= 2) notification.resolve();
  });
  await Promise.all([
    ledger.post(createJournal(createMoveLegs(first!.wallet, second!.wallet, 1n))),
    ledger.post(createJournal(createMoveLegs(third!.wallet, house, 1_000n))),
  ]);
  await notification.promise;
  end();
  expect(notified.toSorted()).toEqual([first!.userId, second!.userId].toSorted());
});

test("users whose balances a domain changed are notified once, in one event", () => {
  const notified: string[][] = [];
  const end = ctx.bus.subscribe("balance.changed", ({ userIds }) => notified.push(userIds));
  ledger.notifyPosted(["one", "two", "one"]);
  ledger.notifyPosted(new Set<string>());
  end();
  expect(notified).toEqual([["one", "two"]]);
});

describe("notifications of a domain's own transaction", () => {
  const notifiedBy = async (run: (notified: string[]) => Promise<void>) => {
    const notified: string[] = [];
    const end = ctx.bus.subscribe("balance.changed", ({ userIds }) => notified.push(...userIds));
    await run(notified);
    end();
    return notified.toSorted();
  };

  test("users whose balances changed are notified after the commit", async () => {
    const [first, second, poorPerson] = await Promise.all(
      [0, 0, 0].map(() => createPersonWith(ledger, 10n)),
    );
    const notified = await notifiedBy(async (soFar) => {
      await ledger.transact(async (tx) => {
        const journals = [
          createJournal(createMoveLegs(first!.wallet, second!.wallet, 1n)),
          createJournal(createMoveLegs(poorPerson!.wallet, house, 1_000n)),
        ];
        const results = await ledger.postIn(tx, journals, ctx.clock.nowMs());
        expect(results.map(({ outcome }) => outcome)).toEqual(["posted", "overdraft"]);
        expect(soFar).toEqual([]);
      });
    });
    expect(notified).toEqual([first!.userId, second!.userId].toSorted());
  });

  test("a rollback sends no notifications", async () => {
    const person = await createPersonWith(ledger, 10n);
    const notified = await notifiedBy(async () => {
      const failing = ledger.transact(async (tx) => {
        await ledger.postIn(
          tx,
          [createJournal(createMoveLegs(person.wallet, house, 1n))],
          ctx.clock.nowMs(),
        );
        throw new ApiError("request.malformed");
      });
      await expect(failing).rejects.toMatchObject({ error: "request.malformed" });
    });
    expect(notified).toEqual([]);
  });

  test("a commit whose connection was lost notifies once a retry finds it", async () => {
    const person = await createPersonWith(ledger, 10n);
    const journal = createJournal(createMoveLegs(person.wallet, house, 1n));
    const brokenLedger = createLedger({ ...ctx, database: createLosingDatabase("commit") });
    const notified = await notifiedBy(async () => {
      const outcome = await brokenLedger.transact(
        async (tx) => (await brokenLedger.postIn(tx, [journal], ctx.clock.nowMs()))[0]!.outcome,
      );
      expect(outcome).toBe("duplicate");
    });
    expect(notified).toEqual([person.userId]);
    expect((await ledger.balances(person.attemptId))[0]!.available).toBe(9n);
    await brokenLedger.stop();
  });
});
