import { randomBytes } from "node:crypto";
import type { Ledger } from "#server/ledger/types.ts";

export interface Person {
  userId: string;
  attemptId: string;
}

export function newId(): string {
  const bytes = randomBytes(16);
  bytes[6] = (bytes[6]! & 15) | 128;
  bytes[8] = (bytes[8]! & 63) | 128;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** People with practice money and nothing else: no account, no session. */
export async function createPeople(ledger: Ledger) {
  const issuance = await ledger.account("house", "issuance", "pUSDT");
  return {
    /** A new person with this many whole pUSDT. */
    openPerson: async (units = 10_000): Promise<Person> => {
      const person = {
        userId: randomBytes(12).toString("hex"),
        attemptId: randomBytes(12).toString("hex"),
      };
      const wallet = await ledger.account(person, "wallet", "pUSDT");
      const amount = BigInt(units) * 1_000_000n;
      await ledger.post({
        id: newId(),
        kind: "test.start",
        bodyHash: randomBytes(32),
        legs: [
          { account: issuance, amount: -amount },
          { account: wallet, amount },
        ],
      });
      return person;
    },
    /** Spendable pUSDT in minor units. */
    balance: async ({ attemptId }: Person) =>
      (await ledger.balances(attemptId)).find(({ coin }) => coin === "pUSDT")!.available,
  };
}
