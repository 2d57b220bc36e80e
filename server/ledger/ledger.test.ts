import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PostOutcome } from "#core/ledger/outcomes.ts";
import {
  createBody,
  createJournal,
  createMoveLegs,
  createPersonWith,
  createTestLedger,
  getBalance,
  type Person,
  postAlone,
  postInOrder,
} from "#server/ledger/testing.ts";
import type { Journal, Ledger } from "#server/ledger/types.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
let ledger: Ledger;
let house: bigint;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ ctx, ledger, house, close } = await createTestLedger());
});
afterAll(() => close());

describe("a journal", () => {
  test.each<[string, (p: Person) => Promise<Partial<Journal>> | Partial<Journal>, PostOutcome]>([
    [
      "a journal posts when its legs sum to zero",
      (p) => ({ legs: createMoveLegs(p.wallet, house, 5n) }),
      "posted",
    ],
    [
      "a journal may have many legs",
      (p) => ({
        legs: [...createMoveLegs(p.wallet, house, 5n), ...createMoveLegs(p.wallet, house, 1n)],
      }),
      "posted",
    ],
    [
      "a journal with one leg is refused",
      (p) => ({ legs: [{ account: p.wallet, amount: 5n }] }),
      "unbalanced",
    ],
    ["a journal without legs is refused", () => ({ legs: [] }), "unbalanced"],
    [
      "a journal whose legs do not sum to zero is refused",
      (p) => ({
        legs: [
          { account: p.wallet, amount: -5n },
          { account: house, amount: 4n },
        ],
      }),
      "unbalanced",
    ],
    [
      "a journal that balances only across coins is refused",
      async (p) => ({
        legs: [
          { account: p.wallet, amount: -5n },
          { account: await ledger.account("house", "contracts", "pBTC"), amount: 5n },
        ],
      }),
      "unbalanced",
    ],
    [
      "a journal with a leg of zero is refused",
      (p) => ({ legs: [...createMoveLegs(p.wallet, house, 5n), { account: house, amount: 0n }] }),
      "amount_invalid",
    ],
    [
      "a journal with an amount beyond any practice balance is refused",
      (p) => ({ legs: createMoveLegs(house, p.wallet, 10n ** 17n + 1n) }),
      "amount_invalid",
    ],
    [
      "a journal with an unknown account is refused",
      (p) => ({ legs: createMoveLegs(p.wallet, 999_999n, 5n) }),
      "account_unknown",
    ],
    [
      "a journal that takes more than is available is refused",
      (p) => ({ legs: createMoveLegs(p.wallet, house, 101n) }),
      "overdraft",
    ],
    [
      "a journal may take all that is available",
      (p) => ({ legs: createMoveLegs(p.wallet, house, 100n) }),
      "posted",
    ],
    [
      "a journal is refused whole if one of its legs cannot post",
      (p) => ({
        legs: [...createMoveLegs(house, p.held, 5n), ...createMoveLegs(p.wallet, house, 500n)],
        hold: { action: "place" },
      }),
      "overdraft",
    ],
  ])("%s", async (_title, make, outcome) => {
    const person = await createPersonWith(ledger, 100n);
    const overrides = await make(person);
    expect(await postAlone(ledger, createJournal(overrides.legs ?? [], overrides))).toBe(outcome);
    if (outcome !== "posted") {
      expect(await getBalance(ledger, person)).toMatchObject({ available: 100n, held: 0n });
    }
  });

  test("a house account may go below zero", async () => {
    const person = await createPersonWith(ledger, 0n);
    expect(
      await postAlone(ledger, createJournal(createMoveLegs(house, person.wallet, 10n ** 12n))),
    ).toBe("posted");
  });

  test("only a user's entries have a running balance and a version", async () => {
    const person = await createPersonWith(ledger, 100n);
    await postInOrder(
      ctx,
      ledger,
      [1n, 2n, 3n].map((amount) => createJournal(createMoveLegs(person.wallet, house, amount))),
    );
    const { rows } = await ctx.database.pool.query(
      "select e.version, e.balance, h.version as house_version from entry e join entry h on h.journal_id = e.journal_id and h.account <> e.account where e.account = $1 order by e.version",
      [person.wallet],
    );
    expect(rows).toEqual([
      { version: 1n, balance: 100n, house_version: null },
      { version: 2n, balance: 99n, house_version: null },
      { version: 3n, balance: 97n, house_version: null },
      { version: 4n, balance: 94n, house_version: null },
    ]);
  });

  test("a journal carries the world time of its batch", async () => {
    const person = await createPersonWith(ledger, 100n);
    ctx.clock.advanceTo(ctx.clock.nowMs() + 5_000);
    const result = await ledger.post(createJournal(createMoveLegs(person.wallet, house, 1n)));
    expect(result.atMs).toBe(ctx.clock.nowMs());
  });
});

describe("a batch", () => {
  test("a batch posts in order, so a journal may spend what an earlier one credited", async () => {
    const person = await createPersonWith(ledger, 10n);
    expect(
      await postInOrder(ctx, ledger, [
        createJournal(createMoveLegs(person.wallet, house, 11n)),
        createJournal(createMoveLegs(house, person.wallet, 5n)),
        createJournal(createMoveLegs(person.wallet, house, 12n)),
        createJournal(createMoveLegs(person.wallet, house, 4n)),
        createJournal(createMoveLegs(person.wallet, house, 3n)),
      ]),
    ).toEqual(["overdraft", "posted", "posted", "overdraft", "posted"]);
    expect((await getBalance(ledger, person)).available).toBe(0n);
  });

  test("a batch posts its valid journals and refuses others each for its own reason", async () => {
    const person = await createPersonWith(ledger, 100n);
    const first = createJournal(createMoveLegs(person.wallet, house, 1n));
    expect(
      await postInOrder(ctx, ledger, [
        first,
        createJournal(createMoveLegs(person.wallet, 999_999n, 1n)),
        { ...first },
        { ...first, bodyHash: createBody("other") },
        createJournal([{ account: house, amount: 1n }]),
        createJournal(createMoveLegs(person.wallet, house, 2n)),
      ]),
    ).toEqual(["posted", "account_unknown", "duplicate", "body_changed", "unbalanced", "posted"]);
    expect((await getBalance(ledger, person)).available).toBe(97n);
  });

  test("an empty batch has no outcomes", async () => {
    expect(await postInOrder(ctx, ledger, [])).toEqual([]);
  });
});

describe("an id", () => {
  test("a repeated id with the same body is a duplicate at the first one's time", async () => {
    const person = await createPersonWith(ledger, 100n);
    const journal = createJournal(createMoveLegs(person.wallet, house, 60n));
    const first = await ledger.post(journal);
    ctx.clock.advanceTo(ctx.clock.nowMs() + 1_000);
    const second = await ledger.post(journal);
    expect([first.outcome, second.outcome]).toEqual(["posted", "duplicate"]);
    expect(second.atMs).toBe(first.atMs);
    expect((await getBalance(ledger, person)).available).toBe(40n);
  });

  test("an id posts once across concurrent connections", async () => {
    const person = await createPersonWith(ledger, 100n);
    const journal = createJournal(createMoveLegs(person.wallet, house, 10n));
    const outcomes = (
      await Promise.all(Array.from({ length: 8 }, () => postInOrder(ctx, ledger, [journal])))
    ).flat();
    expect(outcomes.toSorted()).toEqual([...Array<string>(7).fill("duplicate"), "posted"]);
    expect((await getBalance(ledger, person)).available).toBe(90n);
  });

  test("an id reused with another body is refused, whether first posted or refused", async () => {
    const person = await createPersonWith(ledger, 100n);
    const postedJournal = createJournal(createMoveLegs(person.wallet, house, 10n));
    const refusedJournal = createJournal(createMoveLegs(person.wallet, house, 1_000n));
    expect(await postAlone(ledger, postedJournal)).toBe("posted");
    expect(await postAlone(ledger, refusedJournal)).toBe("overdraft");
    expect(await postAlone(ledger, { ...postedJournal, bodyHash: createBody("other") })).toBe(
      "body_changed",
    );
    expect(await postAlone(ledger, { ...refusedJournal, bodyHash: createBody("other") })).toBe(
      "body_changed",
    );
    expect((await getBalance(ledger, person)).available).toBe(90n);
  });

  test.each([
    "posted",
    "refused",
  ] as const)("an id %s by an open call makes another body wait for it", async (first) => {
    const [richPerson, poorPerson] = [
      await createPersonWith(ledger, 100n),
      await createPersonWith(ledger, 0n),
    ];
    const goodJournal = createJournal(createMoveLegs(richPerson.wallet, house, 5n));
    const badJournal = {
      ...goodJournal,
      bodyHash: createBody("other"),
      legs: createMoveLegs(poorPerson.wallet, house, 5n),
    };
    const [opens, waits] =
      first === "posted" ? [goodJournal, badJournal] : [badJournal, goodJournal];
    const [posted, closing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const open = ctx.database.db.transaction().execute(async (tx) => {
      const [result] = await ledger.postIn(tx, [opens], ctx.clock.nowMs());
      posted.resolve();
      await closing.promise;
      return result!.outcome;
    });
    await posted.promise;
    const blockedPost = postInOrder(ctx, ledger, [waits]);
    expect(await Promise.race([blockedPost, sleep(200, "waits")])).toBe("waits");
    closing.resolve();
    expect(await open).toBe(first === "posted" ? "posted" : "overdraft");
    expect(await blockedPost).toEqual(["body_changed"]);
    expect(await postInOrder(ctx, ledger, [opens])).toEqual([
      first === "posted" ? "duplicate" : "overdraft",
    ]);
    expect((await getBalance(ledger, richPerson)).available).toBe(first === "posted" ? 95n : 100n);
  });

  test.each([
    "posted",
    "refused",
  ] as const)("an id %s by an open call makes a recorded refusal wait for it", async (first) => {
    const person = await createPersonWith(ledger, 100n);
    const journal = createJournal(createMoveLegs(person.wallet, house, 5n));
    const refuse = async (tx: Tx) => {
      const { rows } = await sql<{ recorded: boolean }>`
        select record_refusal(${journal.id}, ${Buffer.from(journal.bodyHash)}, 'too_late', null)
          as recorded`.execute(tx);
      return String(rows[0]!.recorded);
    };
    const postIt = async (tx: Tx) =>
      (await ledger.postIn(tx, [journal], ctx.clock.nowMs()))[0]!.outcome;
    const [opens, waits] = first === "posted" ? [postIt, refuse] : [refuse, postIt];
    const [finished, closing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const open = ctx.database.db.transaction().execute(async (tx) => {
      const outcome = await opens(tx);
      finished.resolve();
      await closing.promise;
      return outcome;
    });
    await finished.promise;
    const blockedTransaction = ctx.database.db.transaction().execute(waits);
    expect(await Promise.race([blockedTransaction, sleep(200, "waits")])).toBe("waits");
    closing.resolve();
    expect([await open, await blockedTransaction]).toEqual(
      first === "posted" ? ["posted", "false"] : ["true", "key_refused"],
    );
  });

  test("a refused posting stays refused when money arrives later", async () => {
    const person = await createPersonWith(ledger, 100n);
    const journal = createJournal(createMoveLegs(person.wallet, house, 150n));
    expect(await postAlone(ledger, journal)).toBe("overdraft");
    expect(await postAlone(ledger, createJournal(createMoveLegs(house, person.wallet, 100n)))).toBe(
      "posted",
    );
    expect(await postAlone(ledger, journal)).toBe("overdraft");
    expect((await getBalance(ledger, person)).available).toBe(200n);
  });
});

describe("concurrency", () => {
  test("the same money is spent once across many connections", async () => {
    const person = await createPersonWith(ledger, 100n);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () =>
        postInOrder(ctx, ledger, [createJournal(createMoveLegs(person.wallet, house, 30n))]),
      ),
    );
    expect(outcomes.flat().filter((outcome) => outcome === "posted")).toHaveLength(3);
    expect((await getBalance(ledger, person)).available).toBe(10n);
  });

  test("an account without entries is locked like any other", async () => {
    const person = await createPersonWith(ledger, 0n);
    const first = Array.from({ length: 12 }, () =>
      postInOrder(ctx, ledger, [createJournal(createMoveLegs(house, person.wallet, 1n))]),
    );
    await Promise.all(first);
    const { rows } = await ctx.database.pool.query(
      "select version, balance from entry where account = $1 order by version",
      [person.wallet],
    );
    expect(rows).toEqual(
      Array.from({ length: 12 }, (_, index) => ({
        version: BigInt(index + 1),
        balance: BigInt(index + 1),
      })),
    );
  });

  test("batches over the same accounts in different orders do not deadlock", async () => {
    const people = await Promise.all(
      Array.from({ length: 6 }, () => createPersonWith(ledger, 1_000n)),
    );
    const some = (seed: number) =>
      people
        .map((_, index) =>
          createJournal(
            createMoveLegs(
              people[(index * 5 + seed) % 6]!.wallet,
              people[(index + seed * 2) % 6]!.wallet,
              1n,
            ),
          ),
        )
        .filter(({ legs }) => legs[0]!.account !== legs[1]!.account);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, seed) => postInOrder(ctx, ledger, some(seed))),
    );
    expect(new Set(outcomes.flat())).toEqual(new Set(["posted"]));
    const sum = (await Promise.all(people.map((person) => getBalance(ledger, person)))).reduce(
      (total, { available }) => total + available,
      0n,
    );
    expect(sum).toBe(6_000n);
  });

  test("batches with the same ids in different orders do not deadlock", async () => {
    const person = await createPersonWith(ledger, 1_000n);
    const [a, b] = [
      createJournal(createMoveLegs(person.wallet, house, 1n)),
      createJournal(createMoveLegs(person.wallet, house, 1n)),
    ];
    const outcomes = await Promise.all([
      postInOrder(ctx, ledger, [a, b]),
      postInOrder(ctx, ledger, [b, a]),
      postInOrder(ctx, ledger, [a, b]),
      postInOrder(ctx, ledger, [b, a]),
    ]);
    expect(outcomes.flat().filter((outcome) => outcome === "posted")).toHaveLength(2);
  });
});
