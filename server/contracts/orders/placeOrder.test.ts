import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { defaultTiers } from "#core/contracts/terms.ts";
import { dayMs } from "#core/money/time.ts";
import { lockExclusive } from "#server/platform/db/acceptLock.ts";
import {
  catchErrorName,
  createTestContracts,
  hashOrderParams,
  place,
  type TestContracts,
} from "#server/testing/contracts.ts";
import { newId, type Person } from "#server/testing/people.ts";

const pusdt = (units: number) => BigInt(units) * 1_000_000n;
let t: TestContracts;
let person: Person;
let second = 0;

beforeAll(async () => {
  t = await createTestContracts();
});
afterAll(() => t.destroy());
beforeEach(async () => {
  t.script(() => 2_312_345n);
  t.setLogLag(null);
  second += 100;
  await t.tickTo(t.at(second));
  person = await t.openPerson();
});

const unknownHash = "0".repeat(64);

describe("a refused order charges nothing", () => {
  test.each([
    ["an order on an unknown contract is refused", { contractId: "btc-eur" }, "contracts.unknown"],
    [
      "an order on outdated terms is refused",
      { termsHash: unknownHash },
      "contracts.terms_changed",
    ],
    ["an order on an unknown tier is refused", { tierSeconds: 61 }, "contracts.tier_unknown"],
    [
      "an order below the minimum stake is refused",
      { stake: "9.999999" },
      "contracts.stake_too_small",
    ],
    [
      "an order above the maximum stake is refused",
      { stake: "1000.000001" },
      "contracts.stake_too_large",
    ],
    [
      "a stake with more digits than the coin has is refused",
      { stake: "10.0000001" },
      "money.excess_digits",
    ],
    ["a stake with a sign is refused", { stake: "-10" }, "money.amount_malformed"],
    ["a stake with an exponent is refused", { stake: "1e2" }, "money.amount_malformed"],
    ["a stake out of range is refused", { stake: "9999999999999" }, "money.amount_too_large"],
  ])("%s", async (_title, change, error) => {
    expect(await catchErrorName(place(t, person, change))).toBe(error);
    expect(await t.balance(person)).toBe(pusdt(10_000));
  });

  test("an order before the terms are accepted is refused before any other check", async () => {
    t.accepted.set(person.userId, false);
    expect(await catchErrorName(place(t, person, { contractId: "btc-eur" }))).toBe(
      "terms.required",
    );
  });
  test("an order while contracts are switched off is refused", async () => {
    await t.ctx.owner.pool.query("update contract_settings set contracts_on = false");
    expect(await catchErrorName(place(t, person))).toBe("contracts.off");
    await t.ctx.owner.pool.query("update contract_settings set contracts_on = true");
    expect(await catchErrorName(place(t, person))).toBeNull();
  });
  test("an order while the symbol has no price is refused", async () => {
    t.script(() => null);
    await t.tickTo(t.at(second + 1));
    expect(await catchErrorName(place(t, person))).toBe("contracts.no_price");
  });
  test("an order on a price older than five seconds is refused", async () => {
    t.ctx.clock.advanceTo(t.at(second + 5) + 1);
    expect(await catchErrorName(place(t, person))).toBe("contracts.no_price");
  });
  test("an order while the log is more than ten seconds behind is refused", async () => {
    t.setLogLag(10_001);
    expect(await catchErrorName(place(t, person))).toBe("contracts.log_behind");
    t.setLogLag(10_000);
    expect(await catchErrorName(place(t, person))).toBeNull();
  });
  test("an order beyond the balance is refused", async () => {
    const poorPerson = await t.openPerson(100);
    expect(await catchErrorName(place(t, poorPerson))).toBe("ledger.overdraft");
    expect(await t.balance(poorPerson)).toBe(pusdt(100));
  });
  test("of two concurrent orders on one balance one is refused", async () => {
    const poorPerson = await t.openPerson(150);
    const results = await Promise.all([
      catchErrorName(place(t, poorPerson)),
      catchErrorName(place(t, poorPerson)),
    ]);
    expect(results).toEqual(expect.arrayContaining([null, "ledger.overdraft"]));
    expect(await t.balance(poorPerson)).toBe(pusdt(49));
  });
});

describe("limits", () => {
  test("the 60 second tier accepts five orders per real day", async () => {
    const results: (string | null)[] = [];
    for (let i = 0; i < 6; i += 1) results.push(await catchErrorName(place(t, person)));
    expect(results).toEqual([null, null, null, null, null, "contracts.tier_used_up"]);
    expect(await catchErrorName(place(t, person, { tierSeconds: 300 }))).toBeNull();
    const midnightMs = (Math.floor(t.ctx.realClock.nowMs() / dayMs) + 1) * dayMs;
    t.ctx.realClock.setMs(midnightMs - 1);
    expect(await catchErrorName(place(t, person))).toBe("contracts.tier_used_up");
    t.ctx.realClock.setMs(midnightMs);
    await t.transparencyLog.integrate();
    expect(await catchErrorName(place(t, person))).toBeNull();
  });

  test("a contract's exposure is capped, beyond each person's first thousand", async () => {
    const exposure = "update ledger_limit set used = $1 where key = 'contracts.exposure:btc-usdt'";
    await place(t, await t.openPerson(), { tierSeconds: 300 });
    await t.ctx.owner.pool.query(exposure, [String(pusdt(999_900))]);
    // 900 payable net for a stake of 1 000.
    const large = { tierSeconds: 300, stake: "1000" };
    const params = { tierSeconds: 300, stake: "111.12" };
    expect(await catchErrorName(place(t, person, large))).toBeNull();
    expect(await catchErrorName(place(t, person, params))).toBe("contracts.exposure_full");
    expect(await catchErrorName(place(t, person, { ...params, stake: "111.11" }))).toBeNull();
    expect(await catchErrorName(place(t, await t.openPerson(), large))).toBeNull();
    await t.ctx.owner.pool.query(exposure, ["0"]);
  });

  test("one person's share of a contract's limit is 5 %, even with concurrent orders", async () => {
    const richPerson = await t.openPerson(1_000_000);
    const large = { tierSeconds: 300, stake: "1000" };
    // 54 of 900 are 48 600; one more makes 49 500, two more would be past 50 000.
    for (let n = 0; n < 54; n += 1) await place(t, richPerson, large);
    const results = await Promise.all(
      Array.from({ length: 6 }, () => catchErrorName(place(t, richPerson, large))),
    );
    expect(results.map(String).toSorted()).toEqual([
      ...Array(5).fill("contracts.own_exposure_full"),
      "null",
    ]);
    const rest = { tierSeconds: 300, stake: "555.55" };
    expect(await catchErrorName(place(t, richPerson, rest))).toBeNull();
    expect(await catchErrorName(place(t, richPerson, { ...rest, stake: "10" }))).toBe(
      "contracts.own_exposure_full",
    );
    expect(
      await catchErrorName(place(t, richPerson, { ...large, contractId: "eth-usdt" })),
    ).not.toBe("contracts.own_exposure_full");
    expect(await catchErrorName(place(t, person, large))).toBeNull();
  }, 30_000);

  test("a daily loss limit counts losses and money at risk", async () => {
    await place(t, person, { tierSeconds: 300 });
    await t.contracts.limits.setLossLimit(person.userId, pusdt(250));
    // 101 at risk from before the limit was set; another 101 fits, a third does not.
    expect(await catchErrorName(place(t, person, { tierSeconds: 300 }))).toBeNull();
    expect(await catchErrorName(place(t, person, { tierSeconds: 300 }))).toBe(
      "contracts.loss_limit",
    );
  });

  test("two concurrent orders cannot exceed the loss limit together", async () => {
    await t.contracts.limits.setLossLimit(person.userId, pusdt(150));
    const errors = await Promise.all([
      catchErrorName(place(t, person)),
      catchErrorName(place(t, person)),
    ]);
    expect(errors).toEqual(expect.arrayContaining(["contracts.loss_limit", null]));
  });

  /** Starts `ask` and lets it wait for the accept lock, which is held until `meanwhile` has run. */
  async function whileAcceptLockIsHeld<T>(run: () => Promise<T>[], meanwhile: () => Promise<void>) {
    const { db, schema } = t.ctx.owner;
    const promises: Promise<T>[] = [];
    await db.transaction().execute(async (tx) => {
      await lockExclusive(tx, schema);
      promises.push(...run());
      await new Promise((resolve) => setTimeout(resolve, 150));
      await meanwhile();
    });
    return Promise.all(promises);
  }

  test("an order in flight when a loss limit is set counts towards it", async () => {
    const laterErrors: Promise<string | null>[] = [];
    const [first] = await whileAcceptLockIsHeld(
      () => [catchErrorName(place(t, person))],
      async () => {
        await t.contracts.limits.setLossLimit(person.userId, pusdt(150));
        laterErrors.push(catchErrorName(place(t, person)));
        await new Promise((resolve) => setTimeout(resolve, 150));
      },
    );
    // The database decides which of the two is first.
    const errors = [first, await laterErrors[0]];
    expect(errors).toEqual(expect.arrayContaining([null, "contracts.loss_limit"]));
    expect(await t.balance(person)).toBe(pusdt(10_000 - 101));
  });

  test("an order in flight when its person excludes themselves is refused", async () => {
    const [lateError] = await whileAcceptLockIsHeld(
      () => [catchErrorName(place(t, person))],
      async () => void (await t.contracts.limits.exclude(person.userId, "day")),
    );
    expect(lateError).toBe("contracts.excluded");
    expect(await t.balance(person)).toBe(pusdt(10_000));
  });

  test("a refusal in a batch does not affect another person's order", async () => {
    const otherPerson = await t.openPerson();
    const errors = await whileAcceptLockIsHeld(
      () => [catchErrorName(place(t, person)), catchErrorName(place(t, otherPerson))],
      async () => void (await t.contracts.limits.exclude(person.userId, "day")),
    );
    expect(errors).toEqual(["contracts.excluded", null]);
  });

  test("a clock behind the last closed second accepts no orders", async () => {
    const behindMs = t.market.latest()!.secondMs - 1;
    const clock = vi.spyOn(t.ctx.clock, "nowMs").mockReturnValue(behindMs);
    expect(await catchErrorName(place(t, person))).toBe("contracts.no_price");
    clock.mockRestore();
    expect(await t.balance(person)).toBe(pusdt(10_000));
    expect(await catchErrorName(place(t, person))).toBeNull();
  });

  test.each([
    ["a won order frees its amount", 2_312_400n, null],
    ["a tie counts its fee", 2_312_345n, "contracts.loss_limit"],
    ["a lost order counts in full", 2_312_300n, "contracts.loss_limit"],
  ] as const)("%s under the loss limit", async (_title, price, again) => {
    await t.contracts.limits.setLossLimit(person.userId, pusdt(101));
    await place(t, person);
    await t.tickTo(t.at(second + 2));
    t.script(() => price);
    await t.tickTo(t.at(second + 62));
    await t.contracts.settleDue();
    second += 62;
    expect(await catchErrorName(place(t, person))).toBe(again);
  });

  test("a higher loss limit applies from the next real day", async () => {
    await t.contracts.limits.setLossLimit(person.userId, pusdt(50));
    const laterLimit = await t.contracts.limits.setLossLimit(person.userId, null);
    expect(laterLimit.loss.limit).toBe(pusdt(50));
    expect(await catchErrorName(place(t, person))).toBe("contracts.loss_limit");
    t.ctx.realClock.advanceMs(dayMs);
    await t.transparencyLog.integrate();
    expect((await t.contracts.limits.read(person.userId)).loss).toEqual({
      limit: null,
      next: null,
    });
    expect(await catchErrorName(place(t, person))).toBeNull();
  });

  test("an exclusion refuses orders until it ends and cannot be shortened", async () => {
    await t.contracts.limits.exclude(person.userId, "month");
    expect(await catchErrorName(t.contracts.limits.exclude(person.userId, "day"))).toBe(
      "contracts.exclusion_not_longer",
    );
    expect(await catchErrorName(place(t, person))).toBe("contracts.excluded");
    t.ctx.realClock.advanceMs(30 * dayMs);
    await t.transparencyLog.integrate();
    expect(await catchErrorName(place(t, person))).toBeNull();
    await t.contracts.limits.exclude(person.userId, "forever");
    expect(await catchErrorName(place(t, person))).toBe("contracts.excluded");
  });
});

describe("a repeated order id", () => {
  test("a repeated id with the same body returns the same order, charged once", async () => {
    const id = newId();
    await place(t, person, {}, id);
    const params = await t.params();
    expect(await t.contracts.place(person, params, id, hashOrderParams(params))).toBe("duplicate");
    expect(await t.balance(person)).toBe(pusdt(10_000 - 101));
  });
  test("a repeated id with another body is refused", async () => {
    const id = newId();
    await place(t, person, {}, id);
    expect(await catchErrorName(place(t, person, { stake: "200" }, id))).toBe(
      "idempotency.body_changed",
    );
    expect(await t.balance(person)).toBe(pusdt(10_000 - 101));
  });
});

describe("publishing terms", () => {
  test("republishing is a no-op, and changed tiers apply to new orders only", async () => {
    const before = await t.params({ contractId: "sol-usdt" });
    expect(await t.contracts.publish("SOL/USDT", defaultTiers)).toMatchObject({ published: false });
    const { orderId } = await place(t, person, before);
    const tiers = defaultTiers.map((tier) => ({ ...tier, feeBp: 50 }));
    expect(await t.contracts.publish("SOL/USDT", tiers)).toMatchObject({
      ok: true,
      published: true,
    });
    expect(await catchErrorName(place(t, person, before))).toBe("contracts.terms_changed");
    expect((await t.contracts.order(person.userId, orderId)).terms_hash).toBe(before.termsHash);
    expect((await t.contracts.catalogue.find("sol-usdt"))?.terms.version).toBe(2);
  });
  test("terms that favour the buyer are refused and store nothing", async () => {
    const next = await t.transparencyLog.count();
    const tiers = defaultTiers.map((tier) => ({ ...tier, rateBp: 9_900 }));
    expect(await t.contracts.publish("ETH/USDT", tiers)).toMatchObject({
      refusal: { error: "flatters" },
    });
    expect(await t.transparencyLog.count()).toBe(next);
  });
});
