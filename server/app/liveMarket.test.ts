import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Program, startProgram } from "#server/app/program.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { type FakeVenues, startFakeVenues } from "#server/testing/fakeVenues/fakeVenues.ts";
import {
  findDeviations,
  findLiveProcess,
  readSeconds,
} from "#server/testing/fakeVenues/liveTrial.ts";

const directory = mkdtempSync(join(tmpdir(), "drydock-live-"));
chmodSync(directory, 0o711);
const settings = (name: string, fakeVenues: string) => ({
  DRYDOCK_DATA: join(directory, name),
  PORT: "0",
  LOG_LEVEL: "silent",
  WORLD: "test-live",
  MARKET: "live",
  LIVE_FAKE_VENUES: fakeVenues,
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(50);
}

describe("a live world on fake venues", () => {
  let fakeVenues: FakeVenues;
  let program: Program;
  beforeAll(async () => {
    fakeVenues = await startFakeVenues(7);
    program = await startProgram(readConfig(settings("one", fakeVenues.url)), async () => null);
  }, 120_000);
  afterAll(async () => {
    await program?.stop();
    await fakeVenues.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  const latest = () => program.services.market.latest();
  const index = () => latest()?.index["BTC/USD"] ?? null;

  test("every symbol has an index from the venues that the world leaf lists", async () => {
    await until(() => latest() !== null && Object.values(latest()!.index).every((one) => one));
    const { world } = await readSeconds(program.services);
    expect(world).toMatchObject({
      market: { kind: "live", speed: 1 },
      simulator: null,
      venues: ["bitstamp", "coinbase", "kraken"],
    });
    // Coinbase shows the book of BTC/USD under this name too.
    expect(world.symbols.find(({ name }) => name === "BTC/USDC")?.venues).toEqual([
      "bitstamp",
      "kraken",
    ]);
  });

  test("the market recovers when every venue disconnects and its process is killed", async () => {
    for (const venue of fakeVenues.venues) fakeVenues.inject(venue, "refuse");
    await until(() => index() === null);
    const goneMs = latest()!.secondMs;
    // The clock goes on.
    await until(() => latest()!.secondMs >= goneMs + 2_000);
    for (const venue of fakeVenues.venues) fakeVenues.clear(venue, "refuse");
    process.kill(findLiveProcess()!.pid, "SIGKILL");
    await until(() => index() !== null);
  });

  test("every logged quote is the newest that its venue had sent by then", async () => {
    const restartMs = latest()!.secondMs;
    await sleep(3_000);
    const had = fakeVenues.venues.map((venue) => ({
      venue,
      fault: "refuse" as const,
      symbol: null,
      fromMs: restartMs - 60_000,
      toMs: restartMs,
    }));
    const log = await readSeconds(program.services);
    const compared = findDeviations(
      log,
      fakeVenues,
      had.map((one) => ({ ...one, fault: "disconnect" })),
      [restartMs],
    );
    expect(compared.deviations).toEqual([]);
    expect(compared.quotes).toBeGreaterThan(100);
  });

  test("leftOut lists the quotes that do not count, and since when", async () => {
    const leftOut = () => program.services.market.leftOut() ?? [];
    fakeVenues.inject("kraken", "cross", "ETH/USDT");
    await until(() => leftOut().some(({ symbol }) => symbol === "ETH/USDT"));
    const found = leftOut().find(({ symbol }) => symbol === "ETH/USDT")!;
    expect(found).toMatchObject({ venue: "kraken", fault: "crossed" });
    expect(Math.abs(found.sinceMs - Date.now())).toBeLessThan(10_000);
    fakeVenues.clear("kraken", "cross");
    await until(() => !leftOut().some(({ symbol }) => symbol === "ETH/USDT"));
  });

  test("venues receive only GET requests without credentials", () => {
    expect(fakeVenues.suspicious).toEqual([]);
  });
});

test("a new live world without a network is refused, naming the other markets", async () => {
  const away = await startFakeVenues(8);
  await away.stop();
  const config = readConfig(settings("away", away.url));
  await expect(startProgram(config, async () => null)).rejects.toThrow(
    "MARKET=live needs a network, and none of its venues (bitstamp, coinbase, kraken) answered; MARKET=simulated or MARKET=replay:<folder> needs none.",
  );
}, 120_000);
