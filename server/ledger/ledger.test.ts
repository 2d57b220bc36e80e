import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PostOutcome } from "#core/ledger/outcomes.ts";
import { purgeQuotas } from "#server/ledger/jobs.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { quotaKey } from "#server/ledger/quotas.ts";
import {
  createBody,
  createJournal,
  move,
  type Person,
  personWith,
} from "#server/ledger/testing.ts";
import type { Journal, Ledger } from "#server/ledger/types.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
let ledger: Ledger;
let house: bigint;
beforeAll(async () => {
  ctx = await createTestContext();
  ledger = createLedger(ctx);
  house = await ledger.account("house", "contracts", "pUSDT");
});
afterAll(async () => {
  await ledger.stop();
  await ctx.destroy();
});

const post = async (journal: Journal): Promise<PostOutcome> => (await ledger.post(journal)).outcome;
const inOrder = (journals: Journal[]) =>
  ctx.database.db
    .transaction()
    .execute((tx) => ledger.postIn(tx, journals, ctx.clock.nowMs()))
    .then((results) => results.map(({ outcome }) => outcome));
const getBalance = async ({ attemptId }: Person) =>
  (await ledger.balances(attemptId)).find(({ coin }) => coin === "pUSDT")!;

describe("a journal", () => {
  test.each<[string, (p: Person) => Promise<Partial<Journal>> | Partial<Journal>, PostOutcome]>([
    [
      "a journal posts when its legs sum to zero",
      (p) => ({ legs: move(p.wallet, house, 5n) }),
      "posted",
    ],
    [
      "a journal may have many legs",
      (p) => ({ legs: [...move(p.wallet, house, 5n), ...move(p.wallet, house, 1n)] }),
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
      (p) => ({ legs: [...move(p.wallet, house, 5n), { account: house, amount: 0n }] }),
      "amount_invalid",
    ],
    [
      "a journal with an amount beyond any practice balance is refused",
      (p) => ({ legs: move(house, p.wallet, 10n ** 17n + 1n) }),
      "amount_invalid",
    ],
    [
      "a journal with an unknown account is refused",
      (p) => ({ legs: move(p.wallet, 999_999n, 5n) }),
      "account_unknown",
    ],
    [
      "a journal that takes more than is available is refused",
      (p) => ({ legs: move(p.wallet, house, 101n) }),
      "overdraft",
    ],
    [
      "a journal may take all that is available",
      (p) => ({ legs: move(p.wallet, house, 100n) }),
      "posted",
    ],
    [
      "a journal is refused whole if one of its legs cannot post",
      (p) => ({
        legs: [...move(house, p.held, 5n), ...move(p.wallet, house, 500n)],
        hold: { action: "place" },
      }),
      "overdraft",
    ],
  ])("%s", async (_title, make, outcome) => {
    const person = await personWith(ledger, 100n);
    const more = await make(person);
    expect(await post(createJournal(more.legs ?? [], more))).toBe(outcome);
    if (outcome !== "posted") {
      expect(await getBalance(person)).toMatchObject({ available: 100n, held: 0n });
    }
  });

  test("a house account may go below zero", async () => {
    const person = await personWith(ledger, 0n);
    expect(await post(createJournal(move(house, person.wallet, 10n ** 12n)))).toBe("posted");
  });

  test("a user's entry has a running balance and version, a house entry has neither", async () => {
    const person = await personWith(ledger, 100n);
    await inOrder([1n, 2n, 3n].map((amount) => createJournal(move(person.wallet, house, amount))));
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
    const person = await personWith(ledger, 100n);
    ctx.clock.advanceTo(ctx.clock.nowMs() + 5_000);
    const result = await ledger.post(createJournal(move(person.wallet, house, 1n)));
    expect(result.atMs).toBe(ctx.clock.nowMs());
  });
});

describe("a batch", () => {
  test("a batch posts in order, so a journal may spend what its predecessor brings", async () => {
    const person = await personWith(ledger, 10n);
    expect(
      await inOrder([
        createJournal(move(person.wallet, house, 11n)),
        createJournal(move(house, person.wallet, 5n)),
        createJournal(move(person.wallet, house, 12n)),
        createJournal(move(person.wallet, house, 4n)),
        createJournal(move(person.wallet, house, 3n)),
      ]),
    ).toEqual(["overdraft", "posted", "posted", "overdraft", "posted"]);
    expect((await getBalance(person)).available).toBe(0n);
  });

  test("a batch posts its valid journals and refuses others each for its own reason", async () => {
    const person = await personWith(ledger, 100n);
    const first = createJournal(move(person.wallet, house, 1n));
    expect(
      await inOrder([
        first,
        createJournal(move(person.wallet, 999_999n, 1n)),
        { ...first },
        { ...first, bodyHash: createBody("other") },
        createJournal([{ account: house, amount: 1n }]),
        createJournal(move(person.wallet, house, 2n)),
      ]),
    ).toEqual(["posted", "account_unknown", "duplicate", "body_changed", "unbalanced", "posted"]);
    expect((await getBalance(person)).available).toBe(97n);
  });

  test("an empty batch has no outcomes", async () => {
    expect(await inOrder([])).toEqual([]);
  });
});

describe("an id", () => {
  test("a repeated id with the same body is a duplicate at the first one's time", async () => {
    const person = await personWith(ledger, 100n);
    const journal = createJournal(move(person.wallet, house, 60n));
    const first = await ledger.post(journal);
    ctx.clock.advanceTo(ctx.clock.nowMs() + 1_000);
    const second = await ledger.post(journal);
    expect([first.outcome, second.outcome]).toEqual(["posted", "duplicate"]);
    expect(second.atMs).toBe(first.atMs);
    expect((await getBalance(person)).available).toBe(40n);
  });

  test("an id posts once across concurrent connections", async () => {
    const person = await personWith(ledger, 100n);
    const journal = createJournal(move(person.wallet, house, 10n));
    const outcomes = (
      await Promise.all(Array.from({ length: 8 }, () => inOrder([journal])))
    ).flat();
    expect(outcomes.toSorted()).toEqual([...Array<string>(7).fill("duplicate"), "posted"]);
    expect((await getBalance(person)).available).toBe(90n);
  });

  test("an id reused with another body is refused, whether first posted or refused", async () => {
    const person = await personWith(ledger, 100n);
    const posted = createJournal(move(person.wallet, house, 10n));
    const refused = createJournal(move(person.wallet, house, 1_000n));
    expect(await post(posted)).toBe("posted");
    expect(await post(refused)).toBe("overdraft");
    expect(await post({ ...posted, bodyHash: createBody("other") })).toBe("body_changed");
    expect(await post({ ...refused, bodyHash: createBody("other") })).toBe("body_changed");
    expect((await getBalance(person)).available).toBe(90n);
  });

  test.each([
    "posted",
    "refused",
  ] as const)("an id %s by an open call makes another body wait for it", async (first) => {
    const [rich, poor] = [await personWith(ledger, 100n), await personWith(ledger, 0n)];
    const good = createJournal(move(rich.wallet, house, 5n));
    const bad = { ...good, bodyHash: createBody("other"), legs: move(poor.wallet, house, 5n) };
    const [opens, waits] = first === "posted" ? [good, bad] : [bad, good];
    const [posted, closing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const open = ctx.database.db.transaction().execute(async (tx) => {
      const [result] = await ledger.postIn(tx, [opens], ctx.clock.nowMs());
      posted.resolve();
      await closing.promise;
      return result!.outcome;
    });
    await posted.promise;
    const other = inOrder([waits]);
    expect(await Promise.race([other, sleep(200, "waits")])).toBe("waits");
    closing.resolve();
    expect(await open).toBe(first === "posted" ? "posted" : "overdraft");
    expect(await other).toEqual(["body_changed"]);
    expect(await inOrder([opens])).toEqual([first === "posted" ? "duplicate" : "overdraft"]);
    expect((await getBalance(rich)).available).toBe(first === "posted" ? 95n : 100n);
  });

  test.each([
    "posted",
    "refused",
  ] as const)("an id %s by an open call makes a recorded refusal wait for it", async (first) => {
    const person = await personWith(ledger, 100n);
    const journal = createJournal(move(person.wallet, house, 5n));
    const refuse = async (tx: Tx) => {
      const { rows } = await sql<{ recorded: boolean }>`
        select record_refusal(${journal.id}, ${Buffer.from(journal.bodyHash)}, 'too_late', null)
          as recorded`.execute(tx);
      return String(rows[0]!.recorded);
    };
    const postIt = async (tx: Tx) =>
      (await ledger.postIn(tx, [journal], ctx.clock.nowMs()))[0]!.outcome;
    const [opens, waits] = first === "posted" ? [postIt, refuse] : [refuse, postIt];
    const [done, closing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const open = ctx.database.db.transaction().execute(async (tx) => {
      const outcome = await opens(tx);
      done.resolve();
      await closing.promise;
      return outcome;
    });
    await done.promise;
    const other = ctx.database.db.transaction().execute(waits);
    expect(await Promise.race([other, sleep(200, "waits")])).toBe("waits");
    closing.resolve();
    expect([await open, await other]).toEqual(
      first === "posted" ? ["posted", "false"] : ["true", "key_refused"],
    );
  });

  test("a refused posting stays refused when money arrives later", async () => {
    const person = await personWith(ledger, 100n);
    const journal = createJournal(move(person.wallet, house, 150n));
    expect(await post(journal)).toBe("overdraft");
    expect(await post(createJournal(move(house, person.wallet, 100n)))).toBe("posted");
    expect(await post(journal)).toBe("overdraft");
    expect((await getBalance(person)).available).toBe(200n);
  });
});

describe("a hold", () => {
  const place = (person: Person, amount: bigint) =>
    createJournal(move(person.wallet, person.held, amount), { hold: { action: "place" } });
  const post_ = (person: Person, of: string, amount: bigint) =>
    createJournal(move(person.held, house, amount), { hold: { action: "post", of } });
  const void_ = (person: Person, of: string, amount: bigint) =>
    createJournal(move(person.held, person.wallet, amount), { hold: { action: "void", of } });

  test("held money cannot be spent", async () => {
    const person = await personWith(ledger, 100n);
    expect(await post(place(person, 80n))).toBe("posted");
    expect(await post(createJournal(move(person.wallet, house, 30n)))).toBe("overdraft");
    expect(await post(place(person, 30n))).toBe("overdraft");
    expect(await getBalance(person)).toMatchObject({ available: 20n, held: 80n });
  });

  test("held money cannot move without its hold", async () => {
    const person = await personWith(ledger, 100n);
    await post(place(person, 80n));
    expect(await post(createJournal(move(person.held, person.wallet, 80n)))).toBe("hold_mismatch");
    expect(await post(createJournal(move(person.wallet, person.held, 5n)))).toBe("hold_mismatch");
  });

  test.each([
    ["committed twice", post_, post_],
    ["refunded twice", void_, void_],
    ["committed, then refunded", post_, void_],
    ["refunded, then committed", void_, post_],
  ])("a hold %s is refused the second time", async (_title, first, second) => {
    const person = await personWith(ledger, 100n);
    const hold = place(person, 40n);
    await post(hold);
    await post(place(person, 40n));
    expect(await post(first(person, hold.id, 40n))).toBe("posted");
    expect(await post(second(person, hold.id, 40n))).toBe("hold_not_pending");
    expect((await getBalance(person)).held).toBe(40n);
  });

  test("a hold committed several times concurrently posts once", async () => {
    const person = await personWith(ledger, 100n);
    const [a, b] = [place(person, 40n), place(person, 40n)];
    expect(await inOrder([a, post_(person, a.id, 40n), post_(person, a.id, 40n), b])).toEqual([
      "posted",
      "posted",
      "hold_not_pending",
      "posted",
    ]);
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, at) => inOrder([(at % 2 ? post_ : void_)(person, b.id, 40n)])),
    );
    expect(outcomes.flat().filter((outcome) => outcome === "posted")).toHaveLength(1);
    expect((await getBalance(person)).held).toBe(0n);
  });

  test.each<[string, bigint, (p: Person, of: string) => Journal]>([
    ["committed with less than is held", 40n, (p, of) => post_(p, of, 39n)],
    ["committed with more than is held", 40n, (p, of) => post_(p, of, 41n)],
    [
      "refunded to somebody else",
      40n,
      (p, of) => ({ ...post_(p, of, 40n), hold: { action: "void", of } }),
    ],
  ])("a hold %s is refused", async (_title, amount, make) => {
    const person = await personWith(ledger, 100n);
    const hold = place(person, amount);
    await post(hold);
    await post(place(person, 60n));
    expect(await post(make(person, hold.id))).toBe("hold_mismatch");
  });

  test("a refused hold can never be committed", async () => {
    const person = await personWith(ledger, 100n);
    const rejected = place(person, 150n);
    await post(place(person, 50n));
    expect(await post(rejected)).toBe("overdraft");
    expect(await post(post_(person, rejected.id, 150n))).toBe("hold_unknown");
    await post(createJournal(move(house, person.wallet, 1_000n)));
    expect(await post(rejected)).toBe("overdraft");
    expect(await post(post_(person, rejected.id, 50n))).toBe("hold_unknown");
  });

  test("a journal that placed no hold cannot be committed", async () => {
    const person = await personWith(ledger, 100n);
    const plain = createJournal(move(person.wallet, house, 10n));
    await post(plain);
    expect(await post(post_(person, plain.id, 10n))).toBe("hold_unknown");
    expect(
      await post(createJournal(move(person.wallet, house, 10n), { hold: { action: "place" } })),
    ).toBe("hold_mismatch");
  });
});

describe("a limit", () => {
  const cap = 100n;
  const using = (person: Person, key: string, delta: bigint) =>
    createJournal(move(person.wallet, house, 1n), { limits: [{ key, delta, cap }] });

  test("a limit caps what is open and frees room again", async () => {
    const person = await personWith(ledger, 1_000n);
    const key = randomUUID();
    expect(
      await inOrder([
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
    const person = await personWith(ledger, 1_000n);
    const today = Math.floor(ctx.realClock.nowMs() / 86_400_000);
    const id = randomUUID();
    const keys = [
      quotaKey("test.try", id, today - 1),
      quotaKey("test.try", id, today, 60),
      quotaKey("test.try", id, today + 29),
      `test.exposure:${id}`,
    ];
    for (const key of keys) await post(using(person, key, 1n));
    await purgeQuotas(ctx);
    const { rows } = await ctx.database.pool.query(
      "select key from ledger_limit where key like '%' || $1 || '%'",
      [id],
    );
    expect(rows.map(({ key }) => String(key)).toSorted()).toEqual(keys.slice(1).toSorted());
  });

  test("a full limit is reported with its key, and the journal can be retried", async () => {
    const person = await personWith(ledger, 1_000n);
    const [roomy, tight] = [randomUUID(), randomUUID()];
    const journal = createJournal(move(person.wallet, house, 1n), {
      limits: [
        { key: roomy, delta: 1n, cap },
        { key: tight, delta: 60n, cap },
      ],
    });
    await post(using(person, tight, 50n));
    expect(await ledger.post(journal)).toMatchObject({ outcome: "limit_full", limitKey: tight });
    await post(using(person, tight, -50n));
    expect(await post(journal)).toBe("posted");
  });

  test("a limit holds under concurrent use by many people", async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => personWith(ledger, 1_000n)));
    for (let round = 0; round < 5; round += 1) {
      const key = randomUUID();
      // Creates the limit row, so that only its lock is contended.
      await post(using(people[0]!, key, 1n));
      const outcomes = await Promise.all(
        people.map((person) => inOrder([using(person, key, 30n)])),
      );
      expect(outcomes.flat().filter((outcome) => outcome === "posted")).toHaveLength(3);
    }
  });

  test("a limit row may be lowered even when it exceeds the cap", async () => {
    const person = await personWith(ledger, 1_000n);
    const key = randomUUID();
    await post(using(person, key, 100n));
    const less = createJournal(move(person.wallet, house, 1n), {
      limits: [{ key, delta: -1n, cap: 10n }],
    });
    expect(await post(less)).toBe("posted");
  });
});

describe("concurrency", () => {
  test("the same money is spent once across many connections", async () => {
    const person = await personWith(ledger, 100n);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => inOrder([createJournal(move(person.wallet, house, 30n))])),
    );
    expect(outcomes.flat().filter((outcome) => outcome === "posted")).toHaveLength(3);
    expect((await getBalance(person)).available).toBe(10n);
  });

  test("an account without entries is locked like any other", async () => {
    const person = await personWith(ledger, 0n);
    const first = Array.from({ length: 12 }, () =>
      inOrder([createJournal(move(house, person.wallet, 1n))]),
    );
    await Promise.all(first);
    const { rows } = await ctx.database.pool.query(
      "select version, balance from entry where account = $1 order by version",
      [person.wallet],
    );
    expect(rows).toEqual(
      Array.from({ length: 12 }, (_, at) => ({ version: BigInt(at + 1), balance: BigInt(at + 1) })),
    );
  });

  test("batches over the same accounts in different orders do not deadlock", async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => personWith(ledger, 1_000n)));
    const some = (seed: number) =>
      people
        .map((_, at) =>
          createJournal(
            move(people[(at * 5 + seed) % 6]!.wallet, people[(at + seed * 2) % 6]!.wallet, 1n),
          ),
        )
        .filter(({ legs }) => legs[0]!.account !== legs[1]!.account);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, seed) => inOrder(some(seed))),
    );
    expect(new Set(outcomes.flat())).toEqual(new Set(["posted"]));
    const sum = (await Promise.all(people.map(getBalance))).reduce(
      (total, { available }) => total + available,
      0n,
    );
    expect(sum).toBe(6_000n);
  });

  test("batches with the same ids in different orders do not deadlock", async () => {
    const person = await personWith(ledger, 1_000n);
    const [a, b] = [
      createJournal(move(person.wallet, house, 1n)),
      createJournal(move(person.wallet, house, 1n)),
    ];
    const outcomes = await Promise.all([
      inOrder([a, b]),
      inOrder([b, a]),
      inOrder([a, b]),
      inOrder([b, a]),
    ]);
    expect(outcomes.flat().filter((outcome) => outcome === "posted")).toHaveLength(2);
  });
});
