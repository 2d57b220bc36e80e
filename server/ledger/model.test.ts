import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PostOutcome } from "#core/ledger/outcomes.ts";
import { createAudit } from "#server/ledger/audit/audit.ts";
import { chainPosted } from "#server/ledger/jobs.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { Model } from "#server/ledger/model.ts";
import { createBody } from "#server/ledger/testing.ts";
import type { Journal, Ledger } from "#server/ledger/types.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
let ledger: Ledger;
beforeAll(async () => {
  ctx = await createTestContext();
  ledger = createLedger(ctx);
});
afterAll(async () => {
  await ledger.stop();
  await ctx.destroy();
});

/** A random journal before it is bound to the accounts of a run. */
interface Step {
  /** Index into the run's ids; a few are shared, so that keys are reused. */
  id: number;
  body: number;
  person: number;
  other: number;
  amount: number;
  shape: "pay" | "earn" | "swap" | "place" | "post" | "void" | "uneven" | "zero" | "unknown";
  of: number;
  limit: number | null;
}

const step: fc.Arbitrary<Step> = fc.record({
  id: fc.integer({ min: 0, max: 40 }),
  body: fc.integer({ min: 0, max: 5 }).map((n) => (n === 0 ? 1 : 0)),
  person: fc.integer({ min: 0, max: 2 }),
  other: fc.integer({ min: 0, max: 2 }),
  amount: fc.integer({ min: 1, max: 60 }),
  shape: fc.constantFrom(
    ...([
      "pay",
      "earn",
      "swap",
      "place",
      "place",
      "post",
      "void",
      "uneven",
      "zero",
      "unknown",
    ] as const),
  ),
  of: fc.integer({ min: 0, max: 40 }),
  limit: fc.option(fc.integer({ min: -30, max: 50 }), { freq: 3 }),
});

interface Run {
  ids: string[];
  wallets: bigint[];
  helds: bigint[];
  house: bigint;
  limitKey: string;
  attempts: string[];
}

async function newRun(): Promise<Run> {
  const people = await Promise.all(
    [0, 1, 2].map(async () => {
      const owner = { userId: randomUUID(), attemptId: randomUUID() };
      const [wallet, heldAccount] = await Promise.all([
        ledger.account(owner, "wallet", "pUSDT"),
        ledger.account(owner, "held", "pUSDT"),
      ]);
      return { wallet, held: heldAccount, attemptId: owner.attemptId };
    }),
  );
  return {
    ids: Array.from({ length: 41 }, () => randomUUID()),
    wallets: people.map(({ wallet }) => wallet),
    helds: people.map(({ held }) => held),
    house: await ledger.account("house", "contracts", "pUSDT"),
    limitKey: randomUUID(),
    attempts: people.map(({ attemptId }) => attemptId),
  };
}

function journalOfStep(run: Run, step: Step): Journal {
  const amount = BigInt(step.amount);
  const wallet = run.wallets[step.person]!;
  const heldAccount = run.helds[step.person]!;
  const legs = (from: bigint, to: bigint, out = amount, into = amount) => [
    { account: from, amount: -out },
    { account: to, amount: into },
  ];
  const base = {
    id: run.ids[step.id]!,
    kind: `test.${step.shape}`,
    bodyHash: createBody(`${JSON.stringify({ ...step, id: 0, body: step.body })}`.slice(-30)),
    ...(step.limit === null
      ? {}
      : { limits: [{ key: run.limitKey, delta: BigInt(step.limit), cap: 100n }] }),
  };
  switch (step.shape) {
    case "pay":
      return { ...base, legs: legs(wallet, run.house) };
    case "earn":
      return { ...base, legs: legs(run.house, wallet) };
    case "swap":
      return { ...base, legs: legs(wallet, run.wallets[step.other]!) };
    case "place":
      return { ...base, legs: legs(wallet, heldAccount), hold: { action: "place" } };
    case "post":
      return {
        ...base,
        legs: legs(heldAccount, run.house),
        hold: { action: "post", of: run.ids[step.of]! },
      };
    case "void":
      return {
        ...base,
        legs: legs(heldAccount, wallet),
        hold: { action: "void", of: run.ids[step.of]! },
      };
    case "uneven":
      return { ...base, legs: legs(wallet, run.house, amount, amount + 1n) };
    case "zero":
      return { ...base, legs: [...legs(wallet, run.house), { account: run.house, amount: 0n }] };
    case "unknown":
      return { ...base, legs: legs(wallet, 10n ** 15n) };
  }
}

const walletAndHeld = async (run: Run) =>
  Promise.all(
    run.attempts.map(async (attemptId) => {
      const { available, held } = (await ledger.balances(attemptId)).find(
        ({ coin }) => coin === "pUSDT",
      )!;
      return [available, held];
    }),
  );
const modelWalletAndHeld = (run: Run, model: Model) =>
  run.wallets.map((wallet, index) => [model.balance(wallet), model.balance(run.helds[index]!)]);
const postIn = (journals: Journal[]) =>
  ledger.transact((tx) => ledger.postIn(tx, journals, ctx.clock.nowMs()));

function getModel(run: Run): Model {
  return new Model({ users: run.wallets, held: run.helds, house: [run.house] });
}

test("batches of random journals match the model journal by journal", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 25 }), { maxLength: 6 }),
      async (batches) => {
        const run = await newRun();
        const model = getModel(run);
        for (const steps of batches) {
          const journals = steps.map((step) => journalOfStep(run, step));
          const expected = journals.map((journal) => model.post(journal));
          expect((await postIn(journals)).map(({ outcome }) => outcome)).toEqual(expected);
        }
        expect(await walletAndHeld(run)).toEqual(modelWalletAndHeld(run, model));
      },
    ),
    { numRuns: 60 },
  );
});

/**
 * The order in which the ledger accepted journals follows from its versions; the model must allow
 * any such order.
 */
test("concurrent random journals leave no negative balance and lose no money", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 2, maxLength: 8 }),
      async (lanes) => {
        const run = await newRun();
        const outcomes = new Map<string, PostOutcome[]>();
        const note = (id: string, outcome: PostOutcome) =>
          outcomes.set(id, [...(outcomes.get(id) ?? []), outcome]);
        await Promise.all(
          lanes.map(async (steps, lane) => {
            const journals = steps.map((step) => journalOfStep(run, step));
            if (lane % 2 === 0)
              for (const { id, outcome } of await postIn(journals)) note(id, outcome);
            else
              await Promise.all(
                journals.map(async (journal) =>
                  note(journal.id, (await ledger.post(journal)).outcome),
                ),
              );
          }),
        );
        for (const outcomesOfId of outcomes.values()) {
          expect(outcomesOfId.filter((outcome) => outcome === "posted").length).toBeLessThanOrEqual(
            1,
          );
        }
        for (const [available, heldAmount] of await walletAndHeld(run)) {
          expect(available! >= 0n && heldAmount! >= 0n).toBe(true);
        }
      },
    ),
    { numRuns: 40 },
  );
  await chainPosted(ctx);
  const { findings } = await createAudit(ctx).run();
  expect(findings).toEqual([]);
});
