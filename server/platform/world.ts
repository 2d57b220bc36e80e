import pg from "pg";
import { isSimulatorVersion } from "#core/market/simulate/model.ts";
import { simulatorVersion, venues } from "#core/market/simulate/parameters.ts";
import { isSymbol, type MarketSymbol, symbolNames, symbols } from "#core/market/symbols.ts";
import type { ListedSymbol } from "#core/transparency-log/worldLeaf.ts";
import type { ClockAnchor, RealClock } from "#server/platform/clock/clock.ts";
import { type BeaconChain, getChainName } from "#server/platform/config/beacon.ts";
import type { Config } from "#server/platform/config/config.ts";
import { quoteName } from "#server/platform/db/migrate.ts";
import { StartError } from "#server/platform/startError.ts";

export interface World {
  name: string;
  /** The PostgreSQL schema that holds the whole world. */
  schema: string;
  market: { kind: "simulated" | "replay" | "live"; speed: number };
  /** Version of the simulator that generates the market; null for the other markets. */
  simulator: number | null;
  /** The public beacon that its seeds are mixed with; null if there is none. */
  beacon: BeaconChain | null;
  /**
   * The symbols with a market here, fixed when the world was created; the registry may have grown
   * since. In the column order of `second` leaves and of everything else stored by symbol.
   */
  symbols: readonly MarketSymbol[];
  /** The same as the `world` leaf lists them. */
  listing: readonly ListedSymbol[];
  /** World time at the start of the world. */
  startMs: number;
  /** Real time of creation. */
  createdAtMs: number;
}

export interface OpenWorld {
  world: World;
  anchor: ClockAnchor;
}

/** The recording that a world's replay is pinned to. */
export interface RecordedMarket {
  /** The folder it was read from, for messages. */
  folder: string;
  /** SHA-256 over the names and contents of its files, hex. */
  hash: string;
  listing: readonly ListedSymbol[];
  firstMs: number;
  endMs: number;
}

/**
 * The 1-based index of this symbol in the world's arrays by symbol, as PostgreSQL counts; 0, which
 * indexes nothing, if it has no market there.
 */
export function getOrdinal({ symbols }: World, symbol: MarketSymbol): number {
  return symbols.indexOf(symbol) + 1;
}

/**
 * The venues of a world that list a symbol, in the world's order; empty if it has no market there.
 */
export function listVenues({ listing }: World, symbol: MarketSymbol): readonly string[] {
  return listing.find(({ name }) => name === symbol)?.venues ?? [];
}

/** The listing of a new simulated world: every symbol in the registry, at every venue. */
export const simulatedListing: readonly ListedSymbol[] = symbolNames.map((name) => ({
  name,
  scale: symbols[name].scale,
  venues,
}));

/** The schema of a world: "practice-class" lives in `world_practice_class`. */
export function schemaName(worldName: string): string {
  return `world_${worldName.replaceAll("-", "_")}`;
}

interface Row {
  name: string;
  market_kind: "simulated" | "replay" | "live";
  recording: string | null;
  speed: number;
  symbols: ListedSymbol[];
  simulator: number | null;
  beacon: BeaconChain | null;
  start_ms: string;
  clock_world_ms: string;
  clock_real_ms: string;
}

/** The venues of a live world, in the order of its `world` leaf. */
export function listLiveVenues(listing: readonly ListedSymbol[]): string[] {
  return [...new Set(listing.flatMap(({ venues: listedAt }) => listedAt))].toSorted();
}

type WorldConfig = Pick<
  Config,
  "world" | "worldSpeed" | "worldStartMs" | "market" | "liveVenues" | "beacon"
>;

/**
 * Opens the world that the configuration names, creating it on first use (as the owner role: the
 * application only reads it). Throws a StartError if a setting is present and differs from how the
 * world was created, or if this program does not know the world's symbols or simulator. `recorded`
 * is the recording behind `MARKET=replay:…`, already read and validated; `simulated` is the listing
 * for a new world without one, and `listLive` asks the venues of a new live world what they
 * list.
 */
export async function openWorld(
  ownerUrl: string,
  config: WorldConfig,
  real: RealClock,
  schema: string = schemaName(config.world),
  recorded: RecordedMarket | null = null,
  simulated: readonly ListedSymbol[] = simulatedListing,
  listLive: (() => Promise<readonly ListedSymbol[]>) | null = null,
): Promise<OpenWorld> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: "drydock-world" });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(`set search_path to ${quoteName(schema)}`);
    const nowMs = real.nowMs();
    const startMs = config.worldStartMs ?? recorded?.firstMs ?? nowMs;
    const isNew = (await client.query("select from world")).rowCount === 0;
    const liveListing =
      isNew && config.market?.kind === "live" && listLive ? await listLive() : null;
    const market = liveListing
      ? { kind: "live", listing: liveListing, simulator: null }
      : recorded
        ? { kind: "replay", listing: recorded.listing, simulator: null }
        : { kind: "simulated", listing: simulated, simulator: simulatorVersion };
    if (isNew)
      await client.query(
        `insert into world (name, market_kind, recording, symbols, simulator, beacon, speed, start_ms, clock_world_ms, clock_real_ms)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9) on conflict do nothing`,
        [
          config.world,
          market.kind,
          recorded?.hash ?? null,
          JSON.stringify(market.listing),
          market.simulator,
          config.beacon && JSON.stringify(config.beacon),
          config.worldSpeed ?? 1,
          startMs,
          nowMs,
        ],
      );
    const { rows } = await client.query<Row>("select * from world");
    const row = rows[0]!;
    requireSameWorld(config, row);
    requireSameRecording(config.world, row, recorded);
    refuseUnknownMarket(row);
    return toOpenWorld(row, schema, recorded);
  } finally {
    await client.end();
  }
}

/**
 * The clock anchor of an existing world, for a program that does not start it. Throws a StartError
 * if it replays another recording than `recorded`.
 */
export async function readAnchor(
  client: Pick<pg.Client, "query">,
  schema: string,
  recorded: RecordedMarket | null,
): Promise<ClockAnchor> {
  const { rows } = await client.query<Row>(`select * from ${quoteName(schema)}.world`);
  const row = rows[0]!;
  requireSameRecording(row.name, row, recorded);
  return getAnchor(row, row.recording === null ? null : recorded);
}

function getAnchor(row: Row, recordedMarket: RecordedMarket | null): ClockAnchor {
  return {
    worldMs: Number(row.clock_world_ms),
    realMs: Number(row.clock_real_ms),
    speed: row.speed,
    endMs: recordedMarket?.endMs ?? null,
  };
}

function toOpenWorld(row: Row, schema: string, recorded: RecordedMarket | null): OpenWorld {
  return {
    world: {
      name: row.name,
      schema,
      market: { kind: row.market_kind, speed: row.speed },
      simulator: row.simulator,
      beacon: row.beacon,
      symbols: row.symbols.map(({ name }) => name).filter(isSymbol),
      listing: row.symbols,
      startMs: Number(row.start_ms),
      createdAtMs: Number(row.clock_real_ms),
    },
    anchor: getAnchor(row, recorded),
  };
}

function requireSameWorld(config: WorldConfig, row: Row): void {
  const refuse = (property: string, worldValue: string, setting: string) => {
    throw new StartError(
      `The world ${config.world} was made with ${property} ${worldValue}, which cannot change: unset ${setting}, or choose another WORLD.`,
    );
  };
  if (row.name !== config.world) refuse("the name", row.name, "WORLD");
  // A replayed world requires its setting; requireSameRecording reports that.
  if (config.market && config.market.kind !== row.market_kind && row.market_kind !== "replay") {
    refuse("the market", row.market_kind, "MARKET");
  }
  const storedVenues = row.market_kind === "live" ? listLiveVenues(row.symbols).join(",") : "";
  if (
    storedVenues &&
    config.liveVenues &&
    config.liveVenues.toSorted().join(",") !== storedVenues
  ) {
    refuse("the venues", storedVenues, "LIVE_VENUES");
  }
  if (config.beacon && config.beacon.hash !== row.beacon?.hash) {
    refuse("the beacon", row.beacon ? getChainName(row.beacon) : "none", "BEACON");
  }
  if (config.worldSpeed !== null && config.worldSpeed !== row.speed) {
    refuse("speed", String(row.speed), "WORLD_SPEED");
  }
  if (config.worldStartMs !== null && config.worldStartMs !== Number(row.start_ms)) {
    refuse("the start", new Date(Number(row.start_ms)).toISOString(), "WORLD_START");
  }
}

function requireSameRecording(world: string, row: Row, recorded: RecordedMarket | null): void {
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

/**
 * A world continues exactly as it was created or not at all: a missing column or different prices
 * would break its log.
 */
function refuseUnknownMarket({ name: world, symbols: listing, simulator }: Row): void {
  const refuse = (difference: string) => {
    throw new StartError(
      `The world ${world} was made with ${difference}, which this version of Drydock does not know: run the version that made it, or choose another WORLD.`,
    );
  };
  if (simulator !== null && !isSimulatorVersion(simulator)) {
    refuse(`version ${simulator} of the simulator`);
  }
  for (const { name, scale } of listing) {
    if (!isSymbol(name)) refuse(`the symbol ${name}`);
    else if (symbols[name].scale !== scale) refuse(`${scale} digits in prices of ${name}`);
  }
}
