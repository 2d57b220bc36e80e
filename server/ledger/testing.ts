import { randomUUID } from "node:crypto";
import type { Journal, Ledger, Leg } from "#server/ledger/types.ts";

/** 32 bytes that stand for a body hash in tests. */
export function createBody(text: string): Uint8Array {
  return Buffer.alloc(32, text);
}

/** A journal with defaults for the rest. */
export function createJournal(legs: Leg[], more: Partial<Journal> = {}): Journal {
  return { id: randomUUID(), kind: "test.move", bodyHash: createBody("body"), legs, ...more };
}

export interface Person {
  userId: string;
  attemptId: string;
  wallet: bigint;
  held: bigint;
}

/** A new person with `amount` minor units of pUSDT in the wallet. */
export async function personWith(ledger: Ledger, amount: bigint): Promise<Person> {
  const owner = { userId: randomUUID(), attemptId: randomUUID() };
  const [wallet, held, issuance] = await Promise.all([
    ledger.account(owner, "wallet", "pUSDT"),
    ledger.account(owner, "held", "pUSDT"),
    ledger.account("house", "issuance", "pUSDT"),
  ]);
  if (amount > 0n) {
    const { outcome } = await ledger.post(createJournal(move(issuance, wallet, amount)));
    if (outcome !== "posted") throw new Error(outcome);
  }
  return { ...owner, wallet, held };
}

/** Two legs that move `amount` from one account to another. */
export function move(from: bigint, to: bigint, amount: bigint): Leg[] {
  return [
    { account: from, amount: -amount },
    { account: to, amount },
  ];
}
