import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { purgeQuotas } from "#server/ledger/jobs.ts";
import { quotaKey } from "#server/ledger/quotas.ts";
import {
  createJournal,
  createMoveLegs,
  createPersonWith,
  createTestLedger,
  type Person,
  postAlone,
  postInOrder,
} from "#server/ledger/testing.ts";
import type { Ledger } from "#server/ledger/types.ts";
import type { TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
let ledger: Ledger;
let house: bigint;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ ctx, ledger, house, close } = await createTestLedger());
});
afterAll(() => close());

describe("a limit", () => {
  const cap = 100n;
  const using = (person: Person, key: string, delta: bigint) =>
    createJournal(createMoveLegs(person.wallet, house, 1n), { limits: [{ key, delta, cap }] });

  test("a limit caps what is open and frees room again", async () => {
    const person = await createPersonWith(ledger, 1_000n);
    const key = randomUUID();
    expect(
      await postInOrder(ctx, ledger, [
        using(person, key, 60n),
        using(person, key, 41n),
        using(person, key, 40n),
        using(person, key, 1n),
        using(person, key, -60n),
        using(person, key, 60n),
      ]),
    ).toEqual(["posted", "limit_full", "posted", "limit_full", "posted", "posted"]);
    const { rows } = await ctx.database.pool.query("select used from ledger_limit where key = $1", [
      key,
    ]);
    expect(rows).toEqual([{ used: 100n }]);
  });

  test("a quota limit is purged when its days are over, and no other limit is", async () => {
    const person = await createPersonWith(ledger, 1_000n);
    const today = Math.floor(ctx.realClock.nowMs() / 86_400_000);
    const id = randomUUID();
    const keys = [
      quotaKey("test.try", id, today - 1),
      quotaKey("test.try", id, today, 60),
      quotaKey("test.try", id, today + 29),
      `test.exposure:${id}`,
    ];
    for (const key of keys) await postAlone(ledger, using(person, key, 1n));
    await purgeQuotas(ctx);
    const { rows } = await ctx.database.pool.query(
      "select key from ledger_limit where key like '%' || $1 || '%'",
      [id],
    );
    expect(rows.map(({ key }) => String(key)).toSorted()).toEqual(keys.slice(1).toSorted());
  });

  test("a full limit is reported with its key, and the journal can be retried", async () => {
    const person = await createPersonWith(ledger, 1_000n);
    const [roomy, tight] = [randomUUID(), randomUUID()];
    const journal = createJournal(createMoveLegs(person.wallet, house, 1n), {
      limits: [
        { key: roomy, delta: 1n, cap },
        { key: tight, delta: 60n, cap },
      ],
    });
    await postAlone(ledger, using(person, tight, 50n));
    expect(await ledger.post(journal)).toMatchObject({ outcome: "limit_full", limitKey: tight });
    await postAlone(ledger, using(person, tight, -50n));
    expect(await postAlone(ledger, journal)).toBe("posted");
  });

  test("a limit holds under concurrent use by many people", async () => {
    const people = await Promise.all(
      Array.from({ length: 20 }, () => createPersonWith(ledger, 1_000n)),
    );
    for (let round = 0; round < 5; round += 1) {
      const key = randomUUID();
      // Creates the limit row, so that only its lock is contended.
      await postAlone(ledger, using(people[0]!, key, 1n));
      const outcomes = await Promise.all(
        people.map((person) => postInOrder(ctx, ledger, [using(person, key, 30n)])),
      );
      expect(outcomes.flat().filter((outcome) => outcome === "posted")).toHaveLength(3);
    }
  });

  test("a limit row may be lowered even when it exceeds the cap", async () => {
    const person = await createPersonWith(ledger, 1_000n);
    const key = randomUUID();
    await postAlone(ledger, using(person, key, 100n));
    const lowerLimit = createJournal(createMoveLegs(person.wallet, house, 1n), {
      limits: [{ key, delta: -1n, cap: 10n }],
    });
    expect(await postAlone(ledger, lowerLimit)).toBe("posted");
  });
});
