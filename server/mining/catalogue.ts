import { sql } from "kysely";
import {
  checkOffer,
  type MachineOffer,
  type MachineTerms,
  parseMachineTerms,
  type TermsBody,
  termsBody,
  termsHash,
} from "#core/mining/terms.ts";
import { hexToBytes, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import { canonicalText } from "#core/transparency-log/canonical.ts";
import { encodeTerms } from "#core/transparency-log/termsLeaf.ts";
import { readLastReading, toReading } from "#server/mining/store.ts";
import type { MiningDeps, PublishedTerms, PublishResult } from "#server/mining/types.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** Other processes may publish too, so the cache is at most this old, in real milliseconds. */
const freshMs = 2_000;

export interface Catalogue {
  /**
   * Publishes an offer as a `terms` leaf and a row, unless its current version is the same. Refused
   * when it flatters at the current reading and BTC price, or when either is missing. Runs in the
   * caller's transaction if one is given.
   */
  publish(offer: MachineOffer, btcPrice: bigint | null, tx?: Tx): Promise<PublishResult>;
  /** All machines in order of first publication, with their current terms. */
  all(): Promise<PublishedTerms[]>;
  find(productId: string): Promise<PublishedTerms | null>;
  /** Terms by their hash, current or not. */
  termsOf(hash: string): Promise<{ body: string; leaf: number; terms: MachineTerms } | null>;
}

export function createCatalogue(
  ctx: AppContext,
  transparencyLog: MiningDeps["transparencyLog"],
): Catalogue {
  const { db } = ctx.database;
  let cachedMachines: { machines: PublishedTerms[]; atMs: number } | null = null;
  // Published terms never change.
  const byHash = new Map<string, { body: string; leaf: number; terms: MachineTerms }>();
  const readAll = async () => {
    const nowMs = ctx.realClock.nowMs();
    if (!cachedMachines || nowMs - cachedMachines.atMs > freshMs)
      cachedMachines = { machines: await readMachines(db), atMs: nowMs };
    return cachedMachines.machines;
  };
  return {
    publish: async (offer, btcPrice, tx) => {
      const write = (tx: Tx) => publish(tx, ctx, transparencyLog, offer, btcPrice);
      const result = await (tx ? write(tx) : db.transaction().execute(write));
      cachedMachines = null;
      return result;
    },
    all: readAll,
    find: async (productId) =>
      (await readAll()).find((publishedTerms) => publishedTerms.productId === productId) ?? null,
    termsOf: async (hash) => {
      const cached = byHash.get(hash);
      if (cached) return cached;
      const { rows } = await sql<{ body: string; leaf: bigint }>`
        select body, leaf from mining_terms where terms_hash = ${Buffer.from(hexToBytes(hash))}`.execute(
        db,
      );
      const row = rows[0];
      if (!row) return null;
      const terms = parseMachineTerms(JSON.parse(row.body) as TermsBody);
      const publishedTerms = { body: row.body, leaf: Number(row.leaf), terms };
      byHash.set(hash, publishedTerms);
      return publishedTerms;
    },
  };
}

async function publish(
  tx: Tx,
  ctx: AppContext,
  transparencyLog: MiningDeps["transparencyLog"],
  offer: MachineOffer,
  btcPrice: bigint | null,
): Promise<PublishResult> {
  // Serialises publishers: takes the world's append lock.
  await transparencyLog.next(tx);
  const { productId } = offer;
  const current = (await readMachines(tx, productId))[0] ?? null;
  const isUnchanged = current && canonicalText(termsBody({ ...offer, ...getVersion(current) }));
  if (current && isUnchanged === canonicalText(termsBody(current))) {
    return { ok: true, published: false, termsHash: current.termsHash };
  }
  const reading = await readLastReading(tx);
  if (!reading || btcPrice === null) return { ok: false, refusal: { error: "no_price" } };
  const refusal = checkOffer(offer, toReading(reading), btcPrice);
  if (refusal) return { ok: false, refusal };
  const version = (current?.version ?? 0) + 1;
  const terms: MachineTerms = { ...offer, world: ctx.world.name, version };
  const body = canonicalText(termsBody(terms));
  const leaf = await transparencyLog.append(tx, [
    { kind: "terms", bytes: encodeTerms(utf8ToBytes(body), terms.world) },
  ]);
  const hash = termsHash(terms);
  await sql`insert into mining_machine (product_id, ordinal)
    select ${productId}, count(*) + 1 from mining_machine on conflict do nothing`.execute(tx);
  await sql`insert into mining_terms (product_id, version, terms_hash, body, leaf, published_at_ms)
    values (${productId}, ${version}, ${Buffer.from(hexToBytes(hash))}, ${body}, ${leaf}, ${ctx.clock.nowMs()})`.execute(
    tx,
  );
  return { ok: true, published: true, termsHash: hash };
}

const getVersion = ({ world, version }: MachineTerms) => ({ world, version });

async function readMachines(db: Db | Tx, onlyId: string | null = null): Promise<PublishedTerms[]> {
  const { rows } = await sql<{
    terms_hash: string;
    body: string;
    leaf: bigint;
    published_at_ms: bigint;
  }>`select distinct on (m.ordinal) encode(t.terms_hash, 'hex') as terms_hash, t.body, t.leaf, t.published_at_ms
    from mining_machine m join mining_terms t on t.product_id = m.product_id
    where ${onlyId}::text is null or m.product_id = ${onlyId}
    order by m.ordinal, t.version desc`.execute(db);
  return rows.map((row) => ({
    ...parseMachineTerms(JSON.parse(row.body) as TermsBody),
    termsHash: row.terms_hash,
    leaf: Number(row.leaf),
    publishedAtMs: Number(row.published_at_ms),
  }));
}
