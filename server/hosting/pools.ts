import { sql } from "kysely";
import { frictionNames } from "#core/hosting/friction.ts";
import { computeFoundingUnits, unitNav } from "#core/hosting/pool.ts";
import { createState, encodePoolState } from "#core/hosting/state.ts";
import { checkConfig } from "#core/hosting/strategy/strategies.ts";
import { type PoolTermsBody, termsBody, termsHash } from "#core/hosting/terms.ts";
import type { PoolConfig } from "#core/hosting/types.ts";
import { listAssets } from "#core/hosting/value.ts";
import { deriveJournalId, hashBody } from "#core/ledger/ids.ts";
import { hexToBytes, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import { canonicalText } from "#core/transparency-log/canonical.ts";
import { encodeTerms } from "#core/transparency-log/termsLeaf.ts";
import type { HostingDeps, Pool, PoolPlan } from "#server/hosting/types.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import { createTtlCache } from "#server/platform/ttlCache.ts";

/** The journal kind that posts the house's seed capital. */
const seedKind = "hosting.seed";
/** Other processes may change pools too, so the cache is at most this old, in real milliseconds. */
const freshMs = 500;

/** A pool that this world cannot offer, and the symbols or venues it lacks. */
export interface NotListedError {
  plan: PoolPlan;
  missing: string[];
}

/** The pools of a world and the terms they are offered on. */
export function createPools(
  ctx: AppContext,
  { ledger, transparencyLog }: Pick<HostingDeps, "ledger" | "transparencyLog">,
) {
  const { db } = ctx.database;
  const cache = createTtlCache(() => readPools(db), {
    ttlMs: freshMs,
    clock: ctx.realClock,
    shouldCache: () => true,
  });
  let notListed: NotListedError[] = [];
  const all = () => cache.get("pools");
  return {
    all,
    /** Drops cached pools. */
    invalidate: () => cache.invalidate(),
    find: async (poolId: string, tx?: Tx) =>
      (await (tx ? readPools(tx) : all())).find(({ id }) => id === poolId) ?? null,
    /**
     * Publishes a pool: terms, the house's seed and the engine's initial states; or only new terms
     * for an existing one. Runs in the caller's transaction if one is given.
     */
    publish: async (plan: PoolPlan, tx?: Tx) => {
      const publishedPool = await publish(ctx, { ledger, transparencyLog }, plan, tx);
      cache.invalidate();
      return publishedPool;
    },
    notListed: () => notListed,
    setNotListed: (pools: NotListedError[]) => {
      notListed = pools;
    },
    /** Returns true if a pool has these terms now: publishing them would do nothing. */
    isOffered: async (plan: PoolPlan) =>
      (await all()).some((pool) => pool.id === plan.id && hasTerms(ctx, pool, plan)),
    /** A suspended pool accepts no new money; redemptions continue. */
    suspend: async (poolId: string, dbOrTx: boolean, on: Db | Tx = db) => {
      await sql`update hosting_pool set suspended = ${dbOrTx} where id = ${poolId}`.execute(on);
      cache.invalidate();
    },
    termsOf: async (hash: string) => {
      const { rows } = await sql<{ body: string; leaf: bigint }>`
        select body, leaf from hosting_terms where terms_hash = ${hexToBytes(hash)}`.execute(db);
      return rows[0] ? { body: rows[0].body, leaf: Number(rows[0].leaf) } : null;
    },
  };
}
export type Pools = ReturnType<typeof createPools>;

function hasTerms({ world }: AppContext, pool: Pool, plan: PoolPlan): boolean {
  const terms = { ...plan, world: world.name, poolId: plan.id, version: pool.version };
  return termsHash(terms) === pool.termsHash;
}

async function publish(
  ctx: AppContext,
  { ledger, transparencyLog }: Pick<HostingDeps, "ledger" | "transparencyLog">,
  plan: PoolPlan,
  outerTx?: Tx,
): Promise<boolean> {
  const { world } = ctx;
  const configError = checkConfig(plan.config);
  if (configError) throw new Error(`pool ${plan.id} cannot run: ${configError}`);
  if (plan.config.home !== "USDT") throw new Error(`pool ${plan.id} is not denominated in pUSDT`);
  const write = async (tx: Tx) => {
    const issuance = await ledger.account("house", "issuance", "pUSDT", tx);
    const house = await ledger.account("house", "hosting", "pUSDT", tx);
    // Serialises publishers: takes the world's append lock.
    await sql`select log_next()`.execute(tx);
    const before = (await readPools(tx)).find(({ id }) => id === plan.id) ?? null;
    const version = (before?.version ?? 0) + 1;
    const terms = { ...plan, world: world.name, poolId: plan.id, version };
    const body = canonicalText(termsBody(terms));
    if (before && hasTerms(ctx, before, plan)) return false;
    if (before && before.seed !== plan.seed) throw new Error("a pool's seed cannot change");
    const atMs = ctx.clock.nowMs();
    if (!before) {
      const units = computeFoundingUnits("USDT", plan.seed);
      await sql`insert into hosting_pool (id, ordinal, seed, house_units, units)
        select ${plan.id}, coalesce(max(ordinal), 0) + 1, ${plan.seed}::bigint, ${units}::bigint, ${units}::bigint
        from hosting_pool`.execute(tx);
      const text = encodePoolState(createState(plan.seed));
      for (const friction of frictionNames) {
        await sql`insert into hosting_state (pool_id, friction, state, peak)
          values (${plan.id}, ${friction}, ${text}, ${unitNav})`.execute(tx);
      }
      const [postResult] = await ledger.postIn(
        tx,
        [
          {
            id: deriveJournalId(seedKind, world.name, plan.id),
            kind: seedKind,
            bodyHash: hashBody(world.name, seedKind, { pool: plan.id, seed: `${plan.seed}` }),
            legs: [
              { account: issuance, amount: -plan.seed },
              { account: house, amount: plan.seed, about: plan.id },
            ],
            about: plan.id,
          },
        ],
        atMs,
      );
      if (postResult!.outcome !== "posted")
        throw new Error(`a pool's seed did not post: ${postResult!.outcome}`);
    }
    const bytes = encodeTerms(utf8ToBytes(body), world.name);
    const leaf = await transparencyLog.append(tx, [{ kind: "terms", bytes }]);
    await sql`insert into hosting_terms (pool_id, version, terms_hash, body, leaf, published_at_ms)
      values (${plan.id}, ${version}, ${hexToBytes(termsHash(terms))}, ${body}, ${leaf}, ${atMs})`.execute(
      tx,
    );
    await bumpVersion(tx);
    return true;
  };
  return outerTx ? write(outerTx) : ctx.database.db.transaction().execute(write);
}

/** Invalidates the state that running engines hold in memory; returns the new version. */
export async function bumpVersion(tx: Tx): Promise<bigint> {
  const { rows } = await sql<{ version: bigint }>`
    update hosting_head set version = version + 1 returning version`.execute(tx);
  return rows[0]!.version;
}

interface PoolRow {
  id: string;
  ordinal: number;
  suspended: boolean;
  seed: bigint;
  house_units: bigint;
  units: bigint;
  holders: bigint;
  started_at_ms: bigint | null;
  hold_start: bigint | null;
  nav: bigint | null;
  entry_nav: bigint | null;
  mark_at_ms: bigint | null;
  mark_leaf: bigint | null;
  gap_at_ms: bigint | null;
  terms_hash: string;
  version: number;
  body: string;
  terms_leaf: bigint;
  published_at_ms: bigint;
}

/** All pools in order, each with its latest terms. */
export async function readPools(db: Db | Tx): Promise<Pool[]> {
  const { rows } = await sql<PoolRow>`
    select distinct on (p.ordinal) p.*, encode(t.terms_hash, 'hex') as terms_hash, t.version, t.body, t.leaf as terms_leaf,
      t.published_at_ms
    from hosting_pool p join hosting_terms t on t.pool_id = p.id
    order by p.ordinal, t.version desc`.execute(db);
  return rows.map(toPool);
}

function toPool(row: PoolRow): Pool {
  // Rows are immutable, so the body has the shape we wrote.
  const body = JSON.parse(row.body) as PoolTermsBody;
  const config: PoolConfig = {
    strategy: body.strategy,
    venues: body.venues,
    symbols: body.symbols,
    home: "USDT",
  };
  const moment = (value: bigint | null) => (value === null ? null : Number(value));
  return {
    id: row.id,
    ordinal: row.ordinal,
    suspended: row.suspended,
    config,
    minimum: BigInt(body.minimum),
    maximum: BigInt(body.maximum),
    seed: row.seed,
    houseUnits: row.house_units,
    units: row.units,
    holders: Number(row.holders),
    startedAtMs: moment(row.started_at_ms),
    holdStart: row.hold_start,
    nav: row.nav,
    entryNav: row.entry_nav,
    markAtMs: moment(row.mark_at_ms),
    markLeaf: moment(row.mark_leaf),
    gapAtMs: moment(row.gap_at_ms),
    termsHash: row.terms_hash,
    version: row.version,
    termsLeaf: Number(row.terms_leaf),
    publishedAtMs: Number(row.published_at_ms),
  };
}

/** The asset of a pool's buy-and-hold benchmark: the first that is not home. */
export function getHeldAsset(config: PoolConfig) {
  return listAssets(config)[1]!;
}
