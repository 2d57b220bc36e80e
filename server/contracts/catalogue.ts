import { sql } from "kysely";
import {
  checkTerms,
  parseTerms,
  type Terms,
  type Tier,
  termsBody,
  termsHash,
  toContractId,
} from "#core/contracts/terms.ts";
import { isSymbol } from "#core/market/symbols.ts";
import { hexToBytes, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import { canonicalText } from "#core/transparency-log/canonical.ts";
import { encodeTerms } from "#core/transparency-log/termsLeaf.ts";
import type { Contract, ContractsDeps, Publish, PublishedTerms } from "#server/contracts/types.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import { getOrdinal } from "#server/platform/world.ts";

/** Other processes may publish too, so the cache is at most this old, in real milliseconds. */
const freshMs = 2_000;

export interface Catalogue {
  publish: Publish;
  /** Returns true if a symbol's contract has these tiers now: publishing them would do nothing. */
  isOffered(symbol: Contract["symbol"], tiers: readonly Tier[]): Promise<boolean>;
  /** All contracts in the world's symbol order, with their current terms. */
  all(): Promise<Contract[]>;
  find(contractId: string): Promise<Contract | null>;
  /** Terms by their hash, current or not. */
  termsOf(hash: string): Promise<{ body: string; leaf: number } | null>;
}

/** The contracts and the terms they are offered on. */
export function createCatalogue(
  ctx: AppContext,
  transparencyLog: ContractsDeps["transparencyLog"],
): Catalogue {
  const { db } = ctx.database;
  let cached: { contracts: Contract[]; atMs: number } | null = null;
  const readAll = async () => {
    const nowMs = ctx.realClock.nowMs();
    if (!cached || nowMs - cached.atMs > freshMs)
      cached = { contracts: await readContracts(db), atMs: nowMs };
    return cached.contracts;
  };
  return {
    publish: async (symbol, tiers, tx) => {
      const write = (tx: Tx) => publish(tx, ctx, transparencyLog, symbol, tiers);
      const result = await (tx ? write(tx) : db.transaction().execute(write));
      cached = null;
      return result;
    },
    isOffered: async (symbol, tiers) => {
      const current = (await readAll()).find((contract) => contract.symbol === symbol)?.terms;
      return current !== undefined && hasSameTerms(newTerms(ctx, symbol, tiers, current), current);
    },
    all: readAll,
    find: async (contractId) => (await readAll()).find(({ id }) => id === contractId) ?? null,
    termsOf: async (hash) => {
      const { rows } = await sql<{ body: string; leaf: bigint }>`
        select body, leaf from contract_terms where terms_hash = ${hexToBytes(hash)}`.execute(db);
      return rows[0] ? { body: rows[0].body, leaf: Number(rows[0].leaf) } : null;
    },
  };
}

function newTerms(
  { world }: Pick<AppContext, "world">,
  symbol: Contract["symbol"],
  tiers: readonly Tier[],
  current: Terms | null,
): Terms {
  const contractId = toContractId(symbol);
  return { world: world.name, contractId, symbol, version: (current?.version ?? 0) + 1, tiers };
}

/** Returns true if the terms are equal apart from their version. */
function hasSameTerms(terms: Terms, current: Terms): boolean {
  const text = canonicalText(termsBody({ ...terms, version: current.version }));
  return text === canonicalText(termsBody(current));
}

async function publish(
  tx: Tx,
  ctx: AppContext,
  transparencyLog: ContractsDeps["transparencyLog"],
  symbol: Contract["symbol"],
  tiers: readonly Tier[],
): ReturnType<Publish> {
  const contractId = toContractId(symbol);
  await sql`insert into contract (id, symbol, ordinal)
    values (${contractId}, ${symbol}, ${getOrdinal(ctx.world, symbol)}) on conflict do nothing`.execute(
    tx,
  );
  // Serialises publishers: takes the world's append lock.
  await sql`select log_next()`.execute(tx);
  const current = (await readContracts(tx, contractId))[0]?.terms ?? null;
  const terms = newTerms(ctx, symbol, tiers, current);
  const refusal = checkTerms(terms);
  if (refusal) return { ok: false, refusal };
  const body = canonicalText(termsBody(terms));
  if (current && hasSameTerms(terms, current)) {
    return { ok: true, published: false, termsHash: current.termsHash };
  }
  const bytes = encodeTerms(utf8ToBytes(body), terms.world);
  const leaf = await transparencyLog.append(tx, [{ kind: "terms", bytes }]);
  const hash = termsHash(terms);
  await sql`insert into contract_terms (contract_id, version, terms_hash, body, leaf, published_at_ms)
    values (${contractId}, ${terms.version}, ${hexToBytes(hash)}, ${body}, ${leaf}, ${ctx.clock.nowMs()})`.execute(
    tx,
  );
  return { ok: true, published: true, termsHash: hash };
}

async function readContracts(db: Db | Tx, onlyId: string | null = null): Promise<Contract[]> {
  const { rows } = await sql<{
    id: string;
    symbol: string;
    terms_hash: string;
    body: string;
    leaf: bigint;
    published_at_ms: bigint;
  }>`select distinct on (c.ordinal) c.id, c.symbol, encode(t.terms_hash, 'hex') as terms_hash, t.body, t.leaf, t.published_at_ms
    from contract c join contract_terms t on t.contract_id = c.id
    where ${onlyId}::text is null or c.id = ${onlyId}
    order by c.ordinal, t.version desc`.execute(db);
  return rows.flatMap((row) => {
    if (!isSymbol(row.symbol)) return [];
    const publishedFields = {
      termsHash: row.terms_hash,
      leaf: Number(row.leaf),
      publishedAtMs: Number(row.published_at_ms),
    };
    const terms: PublishedTerms = { ...parseTerms(row.body, row.symbol), ...publishedFields };
    return [{ id: row.id, symbol: row.symbol, terms }];
  });
}
