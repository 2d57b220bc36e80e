import pg from "pg";
import { type MarketSymbol, symbolNames } from "#core/market/symbols.ts";
import type { ClockAnchor, RealClock } from "#server/platform/clock.ts";
import type { Config } from "#server/platform/config/config.ts";
import { quoteName } from "#server/platform/db/migrate.ts";
import { StartError } from "#server/platform/startError.ts";

export interface World {
  name: string;
  /** The PostgreSQL schema that holds all of it. */
  schema: string;
  market: { kind: "simulated" | "replay"; speed: number };
  /** What has a market here, in the order of the registry. */
  symbols: readonly MarketSymbol[];
  /** World time at its start. */
  startMs: number;
  /** Real time of its making. */
  createdAtMs: number;
}

export interface OpenWorld {
  world: World;
  anchor: ClockAnchor;
}

/** What a world that replays a recording is pinned to. */
export interface RecordedMarket {
  /** Where it was read, for sentences. */
  folder: string;
  /** SHA-256 over names and contents of its files, hex. */
  hash: string;
  symbols: readonly MarketSymbol[];
  firstMs: number;
  endMs: number;
}

/** The schema of a world: "practice-class" lives in `world_practice_class`. */
export function schemaOf(worldName: string): string {
  return `world_${worldName.replaceAll("-", "_")}`;
}

interface Row {
  name: string;
  market_kind: "simulated" | "replay";
  recording: string | null;
  speed: number;
  start_ms: string;
  clock_world_ms: string;
  clock_real_ms: string;
}

type WorldConfig = Pick<Config, "world" | "worldSpeed" | "worldStartMs" | "market">;

/**
 * The world that the configuration names, made on first use (as the owner role: the application only reads it). A
 * setting that is there and differs from how the world was made is refused with a StartError. `recorded` is what
 * `MARKET=replay:…` led to, read and found good before.
 */
export async function openWorld(
  ownerUrl: string,
  config: WorldConfig,
  real: RealClock,
  schema: string = schemaOf(config.world),
  recorded: RecordedMarket | null = null,
): Promise<OpenWorld> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: "drydock-world" });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(`set search_path to ${quoteName(schema)}`);
    const nowMs = real.nowMs();
    const startMs = config.worldStartMs ?? recorded?.firstMs ?? nowMs;
    const kind = recorded ? "replay" : "simulated";
    await client.query(
      `insert into world (name, market_kind, recording, speed, start_ms, clock_world_ms, clock_real_ms)
       values ($1, $2, $3, $4, $5, $5, $6) on conflict do nothing`,
      [config.world, kind, recorded?.hash ?? null, config.worldSpeed ?? 1, startMs, nowMs],
    );
    const { rows } = await client.query<Row>("select * from world");
    const row = rows[0]!;
    refuseOther(config, row);
    refuseOtherRecording(config.world, row, recorded);
    return opened(row, schema, recorded);
  } finally {
    await client.end();
  }
}

function opened(row: Row, schema: string, recorded: RecordedMarket | null): OpenWorld {
  return {
    world: {
      name: row.name,
      schema,
      market: { kind: row.market_kind, speed: row.speed },
      symbols: recorded?.symbols ?? symbolNames,
      startMs: Number(row.start_ms),
      createdAtMs: Number(row.clock_real_ms),
    },
    anchor: {
      worldMs: Number(row.clock_world_ms),
      realMs: Number(row.clock_real_ms),
      speed: row.speed,
      endMs: recorded?.endMs ?? null,
    },
  };
}

function refuseOther(config: WorldConfig, row: Row): void {
  const refuse = (what: string, made: string, setting: string) => {
    throw new StartError(
      `The world ${config.world} was made with ${what} ${made}, which cannot change: unset ${setting}, or choose another WORLD.`,
    );
  };
  if (row.name !== config.world) refuse("the name", row.name, "WORLD");
  // A replayed world cannot do without its setting, and says so below.
  if (config.market?.kind === "replay" && row.market_kind !== "replay") {
    refuse("the market", row.market_kind, "MARKET");
  }
  if (config.worldSpeed !== null && config.worldSpeed !== row.speed) {
    refuse("speed", String(row.speed), "WORLD_SPEED");
  }
  if (config.worldStartMs !== null && config.worldStartMs !== Number(row.start_ms)) {
    refuse("the start", new Date(Number(row.start_ms)).toISOString(), "WORLD_START");
  }
}

function refuseOtherRecording(world: string, row: Row, recorded: RecordedMarket | null): void {
  if (row.recording === null) return;
  if (!recorded) {
    throw new StartError(
      `The world ${world} replays a recording, which cannot change: set MARKET=replay:<its folder>, or choose another WORLD.`,
    );
  }
  if (row.recording !== recorded.hash) {
    throw new StartError(
      `The world ${world} was made with another recording: the files in ${recorded.folder} are not those it began with. Put them back as they were, or choose another WORLD.`,
    );
  }
}
