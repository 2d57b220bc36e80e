import { sql } from "kysely";
import { sumFees } from "#core/mining/chain.ts";
import { bitsToDifficulty } from "#core/mining/difficulty.ts";
import { createNextReading, type Reading } from "#core/mining/readings.ts";
import { hourMs } from "#core/money/time.ts";
import { encodeNetwork, type LoggedBlock } from "#core/transparency-log/networkLeaf.ts";
import { encodePayout } from "#core/transparency-log/payoutLeaf.ts";
import type { NetworkSource, SourceReading } from "#server/mining/source.ts";
import { readLastReading, toReading } from "#server/mining/store.ts";
import type { MiningDeps, ReadingRow } from "#server/mining/types.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createSeedFile } from "#server/platform/crypto/seedFile.ts";
import { lockKey, type Tx } from "#server/platform/db/database.ts";

/** Hours written per transaction: a week, which holds the log's lock for some 20 ms. */
const hoursPerBatch = 168;

export interface Network {
  /**
   * Takes the world's first reading, at the current hour. Call it once the `world` leaf exists.
   * Idempotent.
   */
  prepare(): Promise<void>;
  /**
   * Takes every reading up to now exactly once; returns how many. Does nothing before `prepare`.
   */
  advance(): Promise<number>;
  /** The last reading; null before the first. */
  latest(tx?: Tx): Promise<ReadingRow | null>;
  readonly kind: NetworkSource["kind"];
}

interface ComputedReading {
  reading: Reading;
  sourceReading: SourceReading;
  /**
   * When the block before the listed ones was found, in seconds; at the first reading, when the
   * first listed block itself was.
   */
  beforeSeconds: number;
}

/**
 * The network's readings: one per whole hour of world time, as a `network` leaf, a `payout` leaf
 * and a row, written together.
 */
export function createNetwork(
  ctx: Pick<AppContext, "config" | "database" | "clock" | "world">,
  log: Pick<MiningDeps["transparencyLog"], "append" | "next">,
  source: NetworkSource,
): Network {
  const { db, schema } = ctx.database;
  const seedFile = createSeedFile(ctx.config, ctx.world.name, "mining-seed");
  const readOn = (mayBegin: boolean): Promise<number> =>
    db.transaction().execute(async (tx) => {
      // Serialises processes before the log's lock, so that appending a second never waits for a
      // week of simulation.
      await sql`select pg_advisory_xact_lock(${lockKey(schema, "mining.network")}::bigint)`.execute(
        tx,
      );
      const last = await readLastReading(tx);
      if (!last && !mayBegin) return 0;
      const nowHourMs = Math.floor(ctx.clock.nowMs() / hourMs) * hourMs;
      const firstMs = last ? Number(last.hour_ms) + hourMs : nowHourMs;
      const count = Math.min((nowHourMs - firstMs) / hourMs + 1, last ? hoursPerBatch : 1);
      if (count <= 0) return 0;
      const take = await source.open({
        tx,
        seedFile,
        lastHourMs: last ? Number(last.hour_ms) : null,
        firstHourMs: firstMs,
      });
      const computed: ComputedReading[] = [];
      let before = last ? toReading(last) : null;
      let blockSeconds = last ? Number(last.block_ms) / 1_000 : null;
      for (let index = 0; index < count; index += 1) {
        const atMs = firstMs + index * hourMs;
        const sourceReading = take(atMs);
        const { last: block } = sourceReading.tip;
        const figures = {
          height: block.height,
          difficulty: bitsToDifficulty(block.bits),
          feeSum: sumFees(sourceReading.tip),
        };
        before = createNextReading(before, figures, atMs);
        const beforeSeconds = blockSeconds ?? sourceReading.blocks[0]!.seconds;
        computed.push({ reading: before, sourceReading, beforeSeconds });
        blockSeconds = block.seconds;
      }
      await source.save(tx, before!.hourMs);
      await write(tx, log, { computed, kind: source.kind, world: ctx.world.name });
      return computed.length;
    });
  return {
    kind: source.kind,
    prepare: async () => {
      await readOn(true);
    },
    advance: async () => {
      let sum = 0;
      for (;;) {
        const count = await readOn(false);
        sum += count;
        if (count < hoursPerBatch) return sum;
      }
    },
    latest: (tx) => readLastReading(tx ?? db),
  };
}

async function write(
  tx: Tx,
  log: Pick<MiningDeps["transparencyLog"], "append">,
  {
    computed,
    kind,
    world,
  }: { computed: ComputedReading[]; kind: NetworkSource["kind"]; world: string },
): Promise<void> {
  const leaves = computed.flatMap(({ reading, sourceReading, beforeSeconds }) => [
    {
      kind: "network" as const,
      bytes: encodeNetwork(findLeaf(reading, sourceReading, beforeSeconds, kind), world),
    },
    {
      kind: "payout" as const,
      bytes: encodePayout(
        {
          hour: reading.hourMs / hourMs,
          cumulative: reading.cumulative,
          accrual: reading.accrual,
        },
        world,
      ),
    },
  ]);
  const first = await log.append(tx, leaves);
  const column = <T>(getValue: (reading: ComputedReading) => T) => computed.map(getValue);
  await sql`insert into mining_reading
      (hour_ms, height, block_ms, bits, difficulty, epoch_first_ms, fee_sum, cumulative, accrual, leaf)
    select * from unnest(
      ${column(({ reading }) => reading.hourMs)}::bigint[],
      ${column(({ reading }) => reading.height)}::integer[],
      ${column(({ sourceReading }) => sourceReading.tip.last.seconds * 1_000)}::bigint[],
      ${column(({ sourceReading }) => sourceReading.tip.last.bits)}::bigint[],
      ${column(({ reading }) => String(reading.difficulty))}::bigint[],
      ${column(({ sourceReading }) => sourceReading.tip.epochFirstSeconds * 1_000)}::bigint[],
      ${column(({ reading }) => String(reading.feeSum))}::bigint[],
      ${column(({ reading }) => String(reading.cumulative))}::numeric[],
      ${column(({ reading }) => String(reading.accrual))}::numeric[],
      ${computed.map((_one, index) => first + 2 * index)}::bigint[])`.execute(tx);
}

function findLeaf(
  { hourMs: atMs, feeSum }: Reading,
  sourceReading: SourceReading,
  beforeSeconds: number,
  kind: NetworkSource["kind"],
) {
  const { last, epochFirstSeconds } = sourceReading.tip;
  const blocks = sourceReading.blocks.map(
    ({ seconds, fees }, index): LoggedBlock => ({
      afterSeconds: seconds - (sourceReading.blocks[index - 1]?.seconds ?? beforeSeconds),
      fees,
    }),
  );
  return {
    source: kind,
    hour: atMs / hourMs,
    anchor: sourceReading.anchor,
    revealed: sourceReading.revealed,
    height: last.height,
    blockSeconds: last.seconds,
    bits: last.bits,
    epochFirstSeconds,
    feeSum,
    blocks,
  };
}
