import type { JournalReceipt, ReceiptAccount } from "#core/records/journalReceiptSchema.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { encodeVkey } from "#core/transparency-log/checkpoint.ts";
import { getSumPath } from "#core/transparency-log/liabilitiesTree.ts";
import {
  type Account,
  accounts,
  committedAfter,
  computeCommitment,
  getCoin,
  getId,
  getNodesAfter,
  getStateAfter,
  getTimeAt,
  journals,
  listEntries,
  secondLeaf,
  toBody,
  world,
} from "./journalLedger.ts";
import { vectorKey, vectorOrigin } from "./log.ts";

/** Facts of an exchange, as named in docs/formats/journal.md. */
const exchangeFacts: Record<number, Record<string, string>> = {
  3: { rate: "2815158", index: "2812345" },
  7: {
    rate: "2809532",
    index: "2812345",
    rate_2: "180193",
    index_2: "180012",
  },
};

function buildAccount(account: Account, journal: number, upTo: number): ReceiptAccount {
  const all = listEntries(account, upTo);
  const first = all.findIndex(({ journalId }) => journalId === getId(journal));
  const before = getStateAfter(account, all.slice(0, first));
  const { placed, nodes } = getNodesAfter(upTo);
  const index = placed.indexOf(account);
  return {
    account: String(account.id),
    owner: account.owner,
    attempt_id: "attempt-1",
    kind: account.kind,
    coin: account.coin,
    mark: computeCommitment(account.owner),
    position_before: Number(before.position),
    balance_before: String(before.balance),
    hash_before: bytesToHex(before.hash),
    entries: all.slice(first).map((entry) => ({
      journal_id: entry.journalId,
      leg: entry.leg,
      amount: String(entry.amount),
      at_ms: Number(entry.atMs),
      body_hash: bytesToHex(entry.bodyHash),
      parts: bytesToHex(entry.parts),
      kind: entry.kind,
    })),
    place: index,
    path: getSumPath(nodes, index).map(({ hash, sums }) => ({
      hash: bytesToHex(hash),
      sums: sums.map(String),
    })),
  };
}

/** The receipt of the journal at `index` for a person. */
export function buildReceipt(index: number, owner: string): JournalReceipt {
  const { kind, legs } = journals[index]!;
  const leaf = committedAfter.findIndex((count) => count > index);
  const upTo = committedAfter[leaf]!;
  const ownAccounts = accounts.filter(
    (account) =>
      account.owner === owner && legs.some((leg) => "account" in leg && leg.account === account.id),
  );
  const ownEntries = ownAccounts.flatMap((account) =>
    listEntries(account, upTo).filter(({ journalId }) => journalId === getId(index)),
  );
  return {
    format: "drydock.receipt.journal/1",
    practice: true,
    backing: "none",
    world: world.world,
    market: world.market,
    journal: {
      id: getId(index),
      kind,
      at_ms: getTimeAt(index),
      body_hash: bytesToHex(toBody(index)),
    },
    legs: ownEntries
      .toSorted((a, b) => a.leg - b.leg)
      .map(({ account, position, leg, amount }) => {
        const ownAccount = ownAccounts.find(({ id }) => id === account)!;
        const balance = getStateAfter(
          ownAccount,
          listEntries(ownAccount, upTo).slice(0, Number(position)),
        ).balance;
        const [id, text] = [String(account), String(amount)];
        return {
          leg,
          account: id,
          amount: text,
          position: Number(position),
          balance: String(balance),
        };
      }),
    house: legs.flatMap((leg) =>
      "house" in leg ? [{ kind: leg.house, coin: leg.coin, amount: String(leg.amount) }] : [],
    ),
    others: legs.flatMap((leg) =>
      "account" in leg && !ownAccounts.some(({ id }) => id === leg.account)
        ? [{ coin: getCoin(leg.account), amount: String(leg.amount) }]
        : [],
    ),
    facts: exchangeFacts[index] ?? {},
    orders: [],
    accounts: ownAccounts.map((account) => buildAccount(account, index, upTo)),
    liabilities_leaf: leaf + 1,
    second_leaf: exchangeFacts[index] ? secondLeaf : null,
    log: { origin: vectorOrigin, vkey: encodeVkey(vectorKey) },
  };
}
