import { sql } from "kysely";
import {
  type ChainEntry,
  chainGenesis,
  chainStep,
  computeAccountStart,
  type JournalPart,
  partsHash,
} from "#core/ledger/chain.ts";
import { isUuid } from "#core/ledger/uuid.ts";
import type { Coin } from "#core/money/coins.ts";
import {
  type JournalReceipt,
  journalReceiptFormat,
  type ReceiptAccount,
} from "#core/records/journalReceiptSchema.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { type CommitmentChoice, readCommitment } from "#server/liabilities/store.ts";
import { readPathAt } from "#server/liabilities/tree.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db } from "#server/platform/db/database.ts";
import type { Explainers } from "#server/records/explainers.ts";
import type { FactValue } from "#server/records/types.ts";
import type { TransparencyLog } from "#server/transparency-log/transparencyLog.ts";

interface LegRow {
  leg: number;
  account: bigint;
  amount: bigint;
  version: bigint | null;
  balance: bigint | null;
  about: string | null;
  owner: string;
  attempt_id: string;
  kind: string;
  coin: Coin;
  owner_commitment: string;
}

/**
 * The receipt of a journal that touched the person, once a `liabilities` leaf that commits to it is
 * under a signed checkpoint. Throws `records.unknown` and, until then, `records.receipt_not_ready`.
 * Format: docs/formats/journal.md. It shows the person's own postings one by one, the house's by
 * kind, and other people's summed by coin without accounts or counts: the legs must sum to zero to
 * be verifiable, yet no one else's postings are revealed.
 */
export async function buildJournalReceipt(
  { database, world }: Pick<AppContext, "database" | "world">,
  transparencyLog: TransparencyLog,
  explainers: Explainers,
  userId: string,
  journalId: string,
  choice: CommitmentChoice,
): Promise<JournalReceipt> {
  const { db } = database;
  const storedJournal = isUuid(journalId) ? await readJournal(db, userId, journalId) : null;
  if (!storedJournal) throw new ApiError("records.unknown");
  const { journal, own, house, others } = storedJournal;
  const byAccount = [...Map.groupBy(own, ({ account }) => account).values()];
  const [explanations, checkpoint, identity, ...committed] = await Promise.all([
    explainers.explain([{ journalId, kind: journal.kind }]),
    transparencyLog.checkpoint(),
    transparencyLog.identity(),
    ...byAccount.map((legs) => readCommitment(db, legs[0]!.account, legs[0]!.version!, choice)),
  ]);
  const [first] = committed;
  const key = identity.keys[0];
  if (!first || !key || committed.includes(null) || (checkpoint?.size ?? 0) <= first.run.leaf) {
    throw new ApiError("records.receipt_not_ready");
  }
  const explanation = explanations.get(journalId)?.facts ?? {};
  const isExchange = journal.kind === "exchange.execute";
  const facts = isExchange ? factsOfExchange(explanation) : {};
  const indexLeaf = isExchange ? explanation.index_leaf : null;
  const accounts = await Promise.all(
    byAccount.map((legs, index) => buildAccount(db, world.name, legs, committed[index]!)),
  );
  const subjects = [...new Set(own.map(({ about }) => about ?? journalId))];
  const orders = await explainers
    .orders({
      userId,
      journalId,
      kind: journal.kind,
      orderIds: journal.kind === "mining.refund" ? [journal.about ?? journalId] : subjects,
    })
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.error.endsWith(".receipt_not_ready"))
        throw new ApiError("records.receipt_not_ready");
      throw error;
    });
  return {
    format: journalReceiptFormat,
    practice: true,
    backing: "none",
    world: world.name,
    market: world.market,
    journal: {
      id: journalId,
      kind: journal.kind,
      at_ms: Number(journal.at_ms),
      body_hash: journal.body_hash.toString("hex"),
    },
    legs: own.map(({ leg, account, amount, version, balance }) => ({
      leg,
      account: account.toString(),
      amount: amount.toString(),
      position: Number(version),
      balance: balance!.toString(),
    })),
    house: house.map(({ kind, coin, amount }) => ({ kind, coin, amount: amount.toString() })),
    others: others.map(({ coin, amount }) => ({ coin, amount: amount.toString() })),
    facts,
    orders: orders as Record<string, unknown>[],
    accounts,
    liabilities_leaf: first.run.leaf,
    second_leaf: typeof indexLeaf === "number" ? indexLeaf : null,
    log: { origin: identity.origin, vkey: key.vkey },
  };
}

/** Only facts that a check recomputes: everything else is on the record's page. */
function factsOfExchange(facts: Readonly<Record<string, FactValue>>): JournalReceipt["facts"] {
  const names = ["rate", "index", "rate_2", "index_2"];
  return Object.fromEntries(
    names.flatMap((name) => {
      const fact = facts[name];
      return typeof fact === "string" || typeof fact === "number" ? [[name, String(fact)]] : [];
    }),
  );
}

/**
 * The journal with the person's postings; null if none of them is theirs. Other people's postings
 * are only summed.
 */
async function readJournal(db: Db, userId: string, journalId: string) {
  const [{ rows: journals }, { rows: legRows }] = await Promise.all([
    sql<{ kind: string; about: string | null; at_ms: bigint; body_hash: Buffer }>`
      select kind, about, at_ms, body_hash from journal where id = ${journalId}::uuid`.execute(db),
    sql<LegRow>`
      select e.leg, e.account, e.amount, e.version, e.balance, e.about, a.owner, a.attempt_id, a.kind, a.coin, a.owner_commitment
      from entry e join account a on a.id = e.account
      where e.journal_id = ${journalId}::uuid and a.owner = ${userId} and not a.house order by e.leg`.execute(
      db,
    ),
  ]);
  const journal = journals[0];
  if (!journal || legRows.length === 0) return null;
  const { rows } = await sql<{ house: boolean; kind: string; coin: Coin; amount: bigint }>`
    select a.house, case when a.house then a.kind else '' end as kind, a.coin, sum(e.amount)::bigint as amount
    from entry e join account a on a.id = e.account
    where e.journal_id = ${journalId}::uuid and a.owner <> ${userId}
    group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  const house = rows.filter((row) => row.house);
  return { journal, own: legRows, house, others: rows.filter((row) => !row.house) };
}

/** Amounts come as text: JSON has no 64-bit integers. */
const hashOfParts = (parts: readonly JournalPart[]) =>
  partsHash(parts.map((part) => ({ ...part, amount: BigInt(part.amount) })));

type Commitment = NonNullable<Awaited<ReturnType<typeof readCommitment>>>;

/**
 * An account's chain from before the journal's first posting on it up to the committed position.
 */
async function buildAccount(
  db: Db,
  world: string,
  legs: readonly LegRow[],
  { run, treeIndex, position, before }: Commitment,
): Promise<ReceiptAccount> {
  const {
    account,
    owner,
    attempt_id: attemptId,
    kind,
    coin,
    owner_commitment: ownerCommitment,
    version,
  } = legs[0]!;
  const from = before?.position ?? 0n;
  const { rows } = await sql<{
    journal_id: string;
    leg: number;
    amount: bigint;
    at_ms: bigint;
    body_hash: Buffer;
    kind: string;
    parts: JournalPart[];
  }>`
    select e.journal_id, e.leg, e.amount, j.at_ms, j.body_hash, j.kind, (
      select jsonb_agg(p) from (
        select case when a.house then a.kind else 'people' end as name, a.coin, sum(x.amount)::text as amount
        from entry x join account a on a.id = x.account where x.journal_id = j.id group by 1, 2) p) as parts
    from entry e join journal j on j.id = e.journal_id
    where e.account = ${account} and e.version > ${from} and e.version <= ${position} order by e.version`.execute(
    db,
  );
  let hash =
    before?.hash ??
    computeAccountStart(chainGenesis(world), {
      id: account,
      owner,
      attemptId,
      kind,
      coin,
      ownerCommitment,
    });
  let balance = before?.balance ?? 0n;
  const skipped = Number(version! - from - 1n);
  for (const [index, row] of rows.slice(0, skipped).entries()) {
    balance += row.amount;
    const entry: ChainEntry = {
      account,
      position: from + BigInt(index + 1),
      journalId: row.journal_id,
      leg: row.leg,
      amount: row.amount,
      atMs: row.at_ms,
      bodyHash: row.body_hash,
      parts: hashOfParts(row.parts),
      kind: row.kind,
    };
    hash = chainStep(hash, entry);
  }
  const path = await readPathAt(db, run.number, treeIndex, run.accounts);
  return {
    account: account.toString(),
    owner,
    attempt_id: attemptId,
    kind,
    coin,
    mark: ownerCommitment,
    position_before: Number(version! - 1n),
    balance_before: balance.toString(),
    hash_before: bytesToHex(hash),
    entries: rows.slice(skipped).map((row) => ({
      journal_id: row.journal_id,
      leg: row.leg,
      amount: row.amount.toString(),
      at_ms: Number(row.at_ms),
      body_hash: row.body_hash.toString("hex"),
      parts: bytesToHex(hashOfParts(row.parts)),
      kind: row.kind,
    })),
    place: treeIndex,
    path: path.map((node) => ({ hash: bytesToHex(node.hash), sums: node.sums.map(String) })),
  };
}
