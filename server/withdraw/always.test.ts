import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSession, getNonce } from "#api/session.ts";
import { cancelWithdraw, withdraw } from "#api/withdraw.ts";
import { type Coin, coinCodes, coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { dayMs } from "#core/money/time.ts";
import { computeWithdrawFee } from "#core/withdraw/withdraw.ts";
import type { World } from "#server/app/modules.ts";
import { createAudit } from "#server/ledger/audit/audit.ts";
import { createJournal, createMoveLegs } from "#server/ledger/testing.ts";
import type { App } from "#server/platform/http/context.ts";
import { newKey } from "#server/testing/client.ts";
import { type NonceFields, signNonce } from "#server/testing/signNonce.ts";
import { createTestApp, type TestApp } from "#server/testing/testApp.ts";
import type { TestContext } from "#server/testing/testContext.ts";
import { createAddress, createTestWithdraw } from "#server/withdraw/testing.ts";

/**
 * The third promise, against the whole server: in any state of a person and the world, an available
 * balance can leave by the rule, after signing in and the PIN.
 */
let ctx: TestContext;
let world: World;
let app: App;
let close: TestApp["close"];
let people = 0;
beforeAll(async () => {
  ({ ctx, world, app, close } = await createTestApp());
});
afterAll(async () => {
  const { findings } = await createAudit(ctx).run();
  expect(findings).toEqual([]);
  await close();
});

interface Call {
  method: "GET" | "POST";
  path: string;
}

async function ask(
  call: Call,
  input: Record<string, unknown>,
  headers: Record<string, string> = {},
) {
  // At most one request per second and session, so that no rate limit applies.
  ctx.realClock.advanceMs(1_000);
  const query =
    call.method === "GET" ? `?${new URLSearchParams(input as Record<string, string>)}` : "";
  const answer = await app.inject({
    method: call.method,
    url: call.path + query,
    headers: { host: "localhost", ...headers },
    ...(call.method === "POST" ? { payload: input } : {}),
  });
  return answer.json() as { code: number; error?: string; data: Record<string, string> };
}

/** Signs in as number `n`; may be repeated at will. */
async function signIn(n: number): Promise<{ token: string; userId: string }> {
  const account = privateKeyToAccount(`0x${n.toString(16).padStart(64, "0")}`);
  const { address } = account;
  ctx.realClock.advanceMs(10_000);
  const { data } = await ask(getNonce, { address, chain_id: "1" });
  const { message, signature } = await signNonce(account, data as NonceFields);
  const answer = await ask(createSession, { address, type: "erc", message, signature });
  return { token: answer.data.token!, userId: answer.data.user_id! };
}

/** Adverse events for a person and for a world. */
const misfortunes = {
  suspended: (userId: string) =>
    run("update user_account set suspended_at_ms = 1 where user_id = $1", [userId]),
  excludedForGood: (userId: string) =>
    run(
      `insert into contract_limits (user_id, excluded_until_ms) values ($1, 9000000000000000)
       on conflict (user_id) do update set excluded_until_ms = excluded.excluded_until_ms`,
      [userId],
    ),
  contractsOff: () => run("update contract_settings set contracts_on = false", []),
  contractsOn: () => run("update contract_settings set contracts_on = true", []),
  invited: (userId: string) =>
    run("update user_account set invite_code = 'abc' where user_id = $1", [userId]),
  termsRevoked: (userId: string) =>
    run("update user_authorisation set revoked_at_ms = 1 where user_id = $1 and kind = 'terms'", [
      userId,
    ]),
  noSecondsForALongTime: async () => ctx.clock.advanceTo(ctx.clock.nowMs() + dayMs),
  wallClockAhead: async () => ctx.realClock.advanceMs(3_600_000),
  aSecondCloses: async () => {
    ctx.clock.advanceTo(ctx.clock.nowMs() + 1_000);
    await world.services.market.feed.tick();
  },
} as const;
type Misfortune = keyof typeof misfortunes;

async function run(text: string, values: unknown[]): Promise<void> {
  await ctx.owner.pool.query(text, values);
}

const minor = fc.oneof(
  fc.bigInt({ min: 1n, max: 100n }),
  fc.bigInt({ min: 1n, max: 50_000_000n }),
  fc.bigInt({ min: 1n, max: 10n ** 15n }),
);

interface Plan {
  coin: Coin;
  balance: bigint;
  /** Earlier withdrawals; the first ones are cancelled. */
  before: { part: number; cancelled: boolean }[];
  spent: number;
  misfortunes: Misfortune[];
  pin: boolean;
  /** The amount withdrawn: all of it, as `all` or by its amount, or a part. */
  how: "all" | "named" | "part";
  part: number;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  coin: fc.constantFrom(...coinCodes),
  balance: minor,
  before: fc.array(fc.record({ part: fc.integer({ min: 1, max: 99 }), cancelled: fc.boolean() }), {
    maxLength: 3,
  }),
  spent: fc.integer({ min: 0, max: 99 }),
  misfortunes: fc.array(fc.constantFrom(...(Object.keys(misfortunes) as Misfortune[])), {
    maxLength: 6,
  }),
  pin: fc.boolean(),
  how: fc.constantFrom("all", "named", "part"),
  part: fc.integer({ min: 1, max: 99 }),
});

async function prepare({ coin, balance, before, spent, misfortunes: befallen, pin }: Plan) {
  people += 1;
  const first = await signIn(people);
  const attemptId = (await world.services.session.user(first.userId)).attemptId;
  const owner = { userId: first.userId, attemptId };
  const wallet = await world.services.ledger.account(owner, "wallet", coin);
  const issuance = await world.services.ledger.account("house", "issuance", coin);
  const house = await world.services.ledger.account("house", "contracts", coin);
  await world.services.ledger.post(createJournal(createMoveLegs(issuance, wallet, balance)));
  for (const { part, cancelled } of before) {
    const amount = formatDecimal(
      ((await available(attemptId, coin)) * BigInt(part)) / 100n,
      coinScale(coin),
    );
    const params = { coin, amount, address: createAddress(coin) };
    const placement = await ask(withdraw, params, {
      token: first.token,
      "idempotency-key": newKey(),
    });
    if (placement.code === 1 && cancelled) {
      const input = { withdrawal_id: placement.data.withdrawal_id! };
      await ask(cancelWithdraw, input, { token: first.token, "idempotency-key": newKey() });
    }
  }
  const loss = ((await available(attemptId, coin)) * BigInt(spent)) / 100n;
  if (loss > 0n)
    await world.services.ledger.post(createJournal(createMoveLegs(wallet, house, loss)));
  if (pin)
    await world.services.pin.set({ userId: first.userId, sessionId: "none" }, "135790", undefined);
  for (const name of befallen) await misfortunes[name](first.userId);
  return { ...owner, n: people };
}

async function available(attemptId: string, coin: Coin): Promise<bigint> {
  return (await world.services.ledger.balances(attemptId)).find((balance) => balance.coin === coin)!
    .available;
}

test("in any state an available balance can be withdrawn after sign-in and PIN", async () => {
  let parted = 0;
  await fc.assert(
    fc.asyncProperty(plan, async (withdrawalPlan) => {
      const { coin, how, part, pin } = withdrawalPlan;
      const person = await prepare(withdrawalPlan);
      // Signing in is never refused either.
      const { token } = await signIn(person.n);
      const before = await available(person.attemptId, coin);
      const { minimum } = world.services.withdraw.minimum(coin);
      const portion = (before * BigInt(part)) / 100n;
      const amount =
        how === "part" && portion >= (minimum ?? 1n) && portion > 0n ? portion : before;
      if (amount < before) parted += 1;
      const text =
        how === "all" && amount === before ? "all" : formatDecimal(amount, coinScale(coin));
      const params = { coin, amount: text, address: createAddress(coin) };
      const headers = { token, "idempotency-key": newKey() };
      if (pin) expect((await ask(withdraw, params, headers)).error).toBe("pin.required");
      const answer = await ask(withdraw, { ...params, ...(pin ? { pin: "135790" } : {}) }, headers);
      expect([answer.error, answer.code]).toEqual([undefined, 1]);
      const fee = computeWithdrawFee(coin, amount);
      expect(answer.data).toMatchObject({
        amount: formatDecimal(amount, coinScale(coin)),
        leaves: formatDecimal(amount - fee, coinScale(coin)),
        state: "waiting",
      });
      expect(await available(person.attemptId, coin)).toBe(before - amount);
    }),
    { numRuns: Number(process.env.RUNS ?? 40) },
  );
  expect(parted).toBeGreaterThan(0);
  // And all of it is gone after the two minutes, or after a day at the latest.
  ctx.clock.advanceTo(ctx.clock.nowMs() + 120_000);
  await world.services.withdraw.leaveDue();
  const { rows } = await ctx.owner.pool.query(
    "select count(*)::int as open from withdrawal where outcome is null",
  );
  expect(rows[0].open).toBe(0);
}, 120_000);

test("after the end of a recording a withdrawal is accepted and leaves within a day", async () => {
  const t = await createTestWithdraw();
  try {
    const person = await t.person({ pUSDT: 5_000_000n });
    // World time never moves again.
    const placement = await t.place(person, {}, randomUUID());
    await t.withdraw.leaveDue();
    expect((await t.withdraw.find(person.userId, placement.withdrawal_id)).state).toBe("waiting");
    t.ctx.realClock.advanceMs(dayMs);
    expect(await t.withdraw.leaveAfterADay()).toBe(1);
    expect((await t.withdraw.find(person.userId, placement.withdrawal_id)).outcome).toBe("left");
  } finally {
    await t.destroy();
  }
});
