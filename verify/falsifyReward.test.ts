import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fromHex, MismatchError } from "./log/bytes.ts";
import { checkJournalReceipt } from "./records/journal.ts";
import type { JournalReceipt } from "./records/journalSchema.ts";

/** Ways to falsify an invitation reward, each refused by name. The log is that of the vectors. */
const { entries, receipts } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../docs/formats/vectors/journal.json"), "utf8"),
) as { entries: string[]; receipts: JournalReceipt[] };
const leaf = async (index: number) => fromHex(entries[index] as string);
const ofKind = (kind: string) =>
  receipts
    .filter(({ journal }) => journal.kind === kind)
    .map((receipt) => structuredClone(receipt));

async function getDifference(receipt: JournalReceipt): Promise<string | null> {
  try {
    await checkJournalReceipt(receipt, leaf, 0);
    return null;
  } catch (error) {
    if (error instanceof MismatchError) return error.difference;
    throw error;
  }
}

test("both sides of a reward agree with the log, and neither reveals the other", async () => {
  const [first, second] = ofKind("reward.invitation") as [JournalReceipt, JournalReceipt];
  expect(first.journal.id).toBe(second.journal.id);
  const getOwner = ({ accounts }: JournalReceipt) => accounts[0]?.owner as string;
  expect(getOwner(first)).not.toBe(getOwner(second));
  for (const [journalReceipt, otherReceipt] of [
    [first, second],
    [second, first],
  ] as const) {
    expect(await getDifference(journalReceipt)).toBeNull();
    expect(JSON.stringify(journalReceipt)).not.toContain(getOwner(otherReceipt));
  }
});

test.each<[string, string, (receipt: JournalReceipt) => void]>([
  [
    "no part for the other person",
    "parts_differ",
    (journalReceipt) => {
      journalReceipt.others = [];
      journalReceipt.house = [{ kind: "issuance", coin: "pUSDT", amount: "-100000000" }];
    },
  ],
  [
    "a payment from the contracts account",
    "parts_differ",
    (journalReceipt) => {
      journalReceipt.house = [{ kind: "contracts", coin: "pUSDT", amount: "-200000000" }];
    },
  ],
  [
    "an issue in two parts",
    "reward_differs",
    (journalReceipt) => {
      journalReceipt.house = [1, 2].map(() => ({
        kind: "issuance",
        coin: "pUSDT",
        amount: "-100000000",
      }));
    },
  ],
  [
    "a part for a third person",
    "parts_differ",
    (journalReceipt) => {
      journalReceipt.others.push({ coin: "pUSDT", amount: "100000000" });
      journalReceipt.house = [{ kind: "issuance", coin: "pUSDT", amount: "-300000000" }];
    },
  ],
  [
    "a larger amount than in the chain",
    "leg_not_in_chain",
    (journalReceipt) => {
      Object.assign(journalReceipt.legs[0] as object, { amount: "200000000" });
      journalReceipt.house = [{ kind: "issuance", coin: "pUSDT", amount: "-300000000" }];
    },
  ],
  [
    "a repeated posting",
    "leg_not_in_chain",
    (journalReceipt) => {
      journalReceipt.legs.push(
        structuredClone(journalReceipt.legs[0]) as (typeof journalReceipt.legs)[number],
      );
      journalReceipt.others = [];
    },
  ],
])("a reward with %s is refused (%s)", async (_title, difference, falsify) => {
  const [receipt] = ofKind("reward.invitation") as [JournalReceipt];
  falsify(receipt);
  expect(await getDifference(receipt)).toBe(difference);
});

test("a send relabelled as a reward does not match the chain", async () => {
  const [sendReceipt] = ofKind("send.move") as [JournalReceipt];
  sendReceipt.journal.kind = "reward.invitation";
  expect(await getDifference(sendReceipt)).toBe("journal_not_in_chain");
});
