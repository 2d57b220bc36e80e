import pg from "pg";
import type { ClockAnchor, RealClock } from "#server/platform/clock.ts";
import type { Config } from "#server/platform/config.ts";
import { quoteName } from "#server/platform/migrate.ts";
import { StartError } from "#server/platform/startError.ts";

export interface World {
  name: string;
  /** The PostgreSQL schema that holds all of it. */
  schema: string;
  market: { kind: "simulated" | "replay"; speed: number };
  /** World time at its start. */
  startMs: number;
  /** Real time of its making. */
  createdAtMs: number;
}

export interface OpenWorld {
  world: World;
  anchor: ClockAnchor;
}

/** The schema of a world: "practice-class" lives in `world_practice_class`. */
export function schemaOf(worldName: string): string {
  return `world_${worldName.replaceAll("-", "_")}`;
}

interface Row {
  name: string;
  market_kind: "simulated" | "replay";
  speed: number;
  start_ms: string;
  clock_world_ms: string;
  clock_real_ms: string;
}

/**
 * The world that the configuration names, made on first use (as the owner role: the application only reads it). A
 * setting that is there and differs from how the world was made is refused with a StartError.
 */
export async function openWorld(
  ownerUrl: string,
  config: Pick<Config, "world" | "worldSpeed" | "worldStartMs" | "market">,
  real: RealClock,
  schema: string = schemaOf(config.world),
): Promise<OpenWorld> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: "drydock-world" });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(`set search_path to ${quoteName(schema)}`);
    const nowMs = real.nowMs();
    const startMs = config.worldStartMs ?? nowMs;
    await client.query(
      `insert into world (name, market_kind, speed, start_ms, clock_world_ms, clock_real_ms)
       values ($1, $2, $3, $4, $4, $5) on conflict do nothing`,
      [config.world, config.market ?? "simulated", config.worldSpeed ?? 1, startMs, nowMs],
    );
    const { rows } = await client.query<Row>("select * from world");
    const row = rows[0]!;
    refuseOther(config, row);
    return {
      world: {
        name: row.name,
        schema,
        market: { kind: row.market_kind, speed: row.speed },
        startMs: Number(row.start_ms),
        createdAtMs: Number(row.clock_real_ms),
      },
      anchor: {
        worldMs: Number(row.clock_world_ms),
        realMs: Number(row.clock_real_ms),
        speed: row.speed,
      },
    };
  } finally {
    await client.end();
  }
}

function refuseOther(
  config: Pick<Config, "world" | "worldSpeed" | "worldStartMs" | "market">,
  row: Row,
): void {
  const refuse = (what: string, made: string, setting: string) => {
    throw new StartError(
      `The world ${config.world} was made with ${what} ${made}, which cannot change: unset ${setting}, or choose another WORLD.`,
    );
  };
  if (row.name !== config.world) refuse("the name", row.name, "WORLD");
  if (config.market !== null && config.market !== row.market_kind) {
    refuse("the market", row.market_kind, "MARKET");
  }
  if (config.worldSpeed !== null && config.worldSpeed !== row.speed) {
    refuse("speed", String(row.speed), "WORLD_SPEED");
  }
  if (config.worldStartMs !== null && config.worldStartMs !== Number(row.start_ms)) {
    refuse("the start", new Date(Number(row.start_ms)).toISOString(), "WORLD_START");
  }
}
