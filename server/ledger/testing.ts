import { randomUUID } from "node:crypto";
import type { PostOutcome } from "#core/ledger/outcomes.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import type { Journal, Ledger, Leg } from "#server/ledger/types.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

export interface TestLedger {
  ctx: TestContext;
  ledger: Ledger;
  /** The house's pUSDT account for contracts. */
  house: bigint;
  close: () => Promise<void>;
}

/** A ledger on a fresh schema. */
export async function createTestLedger(): Promise<TestLedger> {
  const ctx = await createTestContext();
  const ledger = createLedger(ctx);
  const house = await ledger.account("house", "contracts", "pUSDT");
  const close = async () => {
    await ledger.stop();
    await ctx.destroy();
  };
  return { ctx, ledger, house, close };
}

/** 32 bytes used as a body hash in tests. */
export function createBody(text: string): Uint8Array {
  return Buffer.alloc(32, text);
}

/** A journal with defaults for the rest. */
export function createJournal(legs: Leg[], overrides: Partial<Journal> = {}): Journal {
  return { id: randomUUID(), kind: "test.move", bodyHash: createBody("body"), legs, ...overrides };
}

export interface Person {
  userId: string;
  attemptId: string;
  wallet: bigint;
  held: bigint;
}

/** A new person with `amount` minor units of pUSDT in the wallet. */
export async function createPersonWith(ledger: Ledger, amount: bigint): Promise<Person> {
  const owner = { userId: randomUUID(), attemptId: randomUUID() };
  const [wallet, heldAccount, issuance] = await Promise.all([
    ledger.account(owner, "wallet", "pUSDT"),
    ledger.account(owner, "held", "pUSDT"),
    ledger.account("house", "issuance", "pUSDT"),
  ]);
  if (amount > 0n) {
    const { outcome } = await ledger.post(createJournal(createMoveLegs(issuance, wallet, amount)));
    if (outcome !== "posted") throw new Error(outcome);
  }
  return { ...owner, wallet, held: heldAccount };
}

/** Two legs that move `amount` from one account to another. */
export function createMoveLegs(from: bigint, to: bigint, amount: bigint): Leg[] {
  return [
    { account: from, amount: -amount },
    { account: to, amount },
  ];
}

/** Posts one journal and returns its outcome. */
export async function postAlone(ledger: Ledger, journal: Journal): Promise<PostOutcome> {
  return (await ledger.post(journal)).outcome;
}

/** Posts journals in one transaction, as one batch, and returns their outcomes in order. */
export async function postInOrder(
  { clock, database }: TestContext,
  ledger: Ledger,
  journals: Journal[],
): Promise<PostOutcome[]> {
  const results = await database.db
    .transaction()
    .execute((tx) => ledger.postIn(tx, journals, clock.nowMs()));
  return results.map(({ outcome }) => outcome);
}

/** A person's balance of pUSDT. */
export async function getBalance(ledger: Ledger, { attemptId }: Person) {
  return (await ledger.balances(attemptId)).find(({ coin }) => coin === "pUSDT")!;
}
