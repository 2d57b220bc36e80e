import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Config } from "#server/platform/config/config.ts";
import {
  openWorld,
  type RecordedMarket,
  readAnchor,
  simulatedListing,
} from "#server/platform/world.ts";
import { createTestDatabase, type TestDatabase } from "#server/testing/database.ts";
import { createSettableClock, testStartMs } from "#server/testing/testContext.ts";

const recordedMarket: RecordedMarket = {
  folder: "/recordings/march",
  hash: "a".repeat(64),
  listing: [{ name: "BTC/USD", scale: 2, venues: ["kraken"] }],
  firstMs: Date.UTC(2023, 2, 1),
  endMs: Date.UTC(2023, 2, 15),
};
const replay: Config["market"] = { kind: "replay", folder: recordedMarket.folder };
const simulated: Config["market"] = { kind: "simulated" };

/** Opens the world of this schema, an hour after it was created. */
function open(
  { schema }: TestDatabase,
  recording: RecordedMarket | null,
  config: Partial<Parameters<typeof openWorld>[1]> = {},
) {
  return openWorld(
    inject("postgres").ownerUrl,
    {
      world: "quake",
      worldSpeed: null,
      worldStartMs: null,
      market: null,
      liveVenues: null,
      beacon: null,
      ...config,
    },
    createSettableClock(testStartMs),
    schema,
    recording,
  );
}

describe("a world that replays a recording", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await open(database, recordedMarket, { market: replay, worldSpeed: 60 });
  });
  afterAll(() => database.destroy());

  test("the world runs from the recording's first minute to its end", async () => {
    const { world, anchor } = await open(database, recordedMarket, { market: replay });
    expect(world.market).toEqual({ kind: "replay", speed: 60 });
    expect([world.startMs, world.symbols]).toEqual([recordedMarket.firstMs, ["BTC/USD"]]);
    expect(anchor).toEqual({
      worldMs: recordedMarket.firstMs,
      realMs: testStartMs,
      speed: 60,
      endMs: recordedMarket.endMs,
    });
  });

  test("a program that does not start the world reads the same anchor", async () => {
    const { anchor } = await open(database, recordedMarket, { market: replay });
    const readAnchorOf = (recording: RecordedMarket | null) =>
      readAnchor(database.owner.pool, database.schema, recording);
    expect(await readAnchorOf(recordedMarket)).toEqual(anchor);
    await expect(readAnchorOf(null)).rejects.toThrow("set MARKET=replay:<its folder>");
  });

  test.each<[string, RecordedMarket | null, Config["market"], string]>([
    [
      "a changed file",
      { ...recordedMarket, hash: "b".repeat(64) },
      replay,
      "made with another recording: the files in /recordings/march",
    ],
    ["an unset market", null, null, "set MARKET=replay:<its folder>"],
    ["the simulated market", null, simulated, "replays a recording, which cannot change"],
  ])("a start with %s is refused", async (_, recording, market, message) => {
    await expect(open(database, recording, { market })).rejects.toThrow(message);
  });
});

describe("a simulated world made by another version", () => {
  let database: TestDatabase;
  let createdWorld: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    database = await createTestDatabase();
    createdWorld = await open(database, null);
  });
  afterAll(() => database.destroy());

  const listing = JSON.stringify(simulatedListing);
  test.each([
    ["simulator", "2", "made with version 2 of the simulator, which this version of Drydock"],
    ["symbols", listing.replace("DOGE", "NONE"), "made with the symbol NONE/USDT, which this"],
    [
      "symbols",
      listing.replace('"DOGE/USDT","scale":6', '"DOGE/USDT","scale":5'),
      "made with 5 digits in prices of DOGE/USDT, which this",
    ],
  ])("a world with another %s (%#) is refused and unchanged", async (column, value, message) => {
    const { pool } = database.owner;
    const readWorlds = async () => (await pool.query("select * from world")).rows;
    const before = await readWorlds();
    await pool.query(`update world set ${column} = $1`, [value]);
    const changedRows = await readWorlds();
    expect(changedRows).not.toEqual(before);
    await expect(open(database, null)).rejects.toThrow(message);
    expect(await readWorlds()).toEqual(changedRows);
    const { symbols, simulator } = before[0];
    await pool.query("update world set symbols = $1, simulator = $2", [
      JSON.stringify(symbols),
      simulator,
    ]);
    expect((await open(database, null)).world).toEqual(createdWorld.world);
  });
});

test("a simulated world refuses a recording and never pauses", async () => {
  const database = await createTestDatabase();
  const { world, anchor } = await open(database, null);
  expect(await readAnchor(database.owner.pool, database.schema, recordedMarket)).toEqual(anchor);
  expect([world.market.kind, world.symbols.length, anchor.endMs]).toEqual(["simulated", 11, null]);
  await expect(open(database, recordedMarket, { market: replay })).rejects.toThrow(
    "made with the market simulated, which cannot change",
  );
  await database.destroy();
});
