import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Exchange,
  type ExchangeAtVenues,
  type ExchangeQuote,
  getExchangeAtVenues,
} from "#api/exchange.ts";
import { type Program, startProgram } from "#server/app/program.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { createClient, newKey, signIn } from "#server/testing/client.ts";
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

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(50);
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
  const isLeftOut = (symbol: string, fault: string) =>
    (program.services.market.leftOut() ?? []).some(
      (status) => status.symbol === symbol && status.fault === fault,
    );

  test("every symbol has an index from the venues that the world leaf lists", async () => {
    await until(() => latest() !== null && Object.values(latest()!.index).every((item) => item));
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

  test("an exchange states its result at each venue that lists its market", async () => {
    const client = createClient({ port: Number(new URL(program.address!).port) });
    const { token } = await signIn(client);
    const request = <Data>(method: "GET" | "POST", path: string, input: object, key?: string) =>
      client.call<Data>({
        method,
        path,
        token,
        input: input as Record<string, unknown>,
        ...(key === undefined ? {} : { key }),
      });
    const params = { from: "pUSDT", to: "pBTC", amount: "500" };
    const quote = await request<ExchangeQuote>("POST", "/api/user/quoteExchange", params);
    const { journal_id: id } = await request<Exchange>(
      "POST",
      "/api/user/exchangeCoin",
      { quote_id: quote.quote_id },
      newKey(),
    );
    let comparison: ExchangeAtVenues | null = null;
    while (comparison?.state !== "ready") {
      await sleep(200);
      comparison = await request<ExchangeAtVenues>("GET", "/api/user/getExchangeAtVenues", {
        journal_id: id,
      });
      expect(comparison.state).not.toBe("none");
    }
    client.close();
    getExchangeAtVenues.answer.parse(comparison);
    const [{ venues }] = comparison.steps as [ExchangeAtVenues["steps"][number]];
    const { world, seconds } = await readSeconds(program.services);
    expect(venues.map(({ venue }) => venue)).toEqual(
      world.symbols.find(({ name }) => name === "BTC/USDT")!.venues,
    );
    const loggedSecond = seconds.get(comparison.second_ms!)!;
    const column = world.symbols.findIndex(({ name }) => name === "BTC/USDT");
    for (const { venue, received, spread, fee, delay, fee_bp: bp, levels } of venues) {
      expect(Number(bp)).toBeGreaterThan(0);
      // The book's best price is the one in the second's leaf, in every answer to the browser.
      const best = loggedSecond.quotes[world.venues.indexOf(venue)]![column]!;
      expect(levels[0]![0].replace(".", "")).toBe(String(best.ask));
      expect(Number(fee)).toBeCloseTo((Number(received) * Number(bp)) / 10_000, 6);
      // Half a tick of 500 pUSDT can be less than the last digit of a bitcoin.
      expect(Number(spread)).toBeGreaterThanOrEqual(0);
      expect(delay).not.toBeNull();
    }
  });

  test("the market recovers when every venue disconnects and its process is killed", async () => {
    for (const venue of fakeVenues.venues) fakeVenues.inject(venue, "refuse");
    await until(() => index() === null);
    const goneMs = latest()!.secondMs;
    // The clock continues.
    await until(() => latest()!.secondMs >= goneMs + 2_000);
    for (const venue of fakeVenues.venues) fakeVenues.clear(venue, "refuse");
    fakeVenues.inject("kraken", "decimals", "BNB/USDT");
    process.kill(findLiveProcess()!.pid, "SIGKILL");
    await until(() => index() !== null);
    // Only Kraken lists it: the new process received its last price.
    const bnb = () => latest()!.index["BNB/USDT"];
    await until(() => isLeftOut("BNB/USDT", "implausible"));
    expect(bnb()).toBeNull();
    fakeVenues.clear("kraken", "decimals");
    await until(() => bnb() !== null);
  });

  test("every logged quote is the newest that its venue had sent at that moment", async () => {
    const restartMs = latest()!.secondMs;
    await sleep(3_000);
    const venueCounts = fakeVenues.venues.map((venue) => ({
      venue,
      fault: "refuse" as const,
      symbol: null,
      fromMs: restartMs - 60_000,
      toMs: restartMs,
    }));
    const log = await readSeconds(program.services);
    const deviations = findDeviations(
      log,
      fakeVenues,
      venueCounts.map((item) => ({ ...item, fault: "disconnect" })),
      [restartMs],
    );
    expect(deviations.deviations).toEqual([]);
    expect(deviations.quotes).toBeGreaterThan(100);
  });

  test("leftOut lists excluded quotes and when their exclusion began", async () => {
    const leftOut = () => program.services.market.leftOut() ?? [];
    fakeVenues.inject("kraken", "cross", "ETH/USDT");
    await until(() => leftOut().some(({ symbol }) => symbol === "ETH/USDT"));
    const venueStatus = leftOut().find(({ symbol }) => symbol === "ETH/USDT")!;
    expect(venueStatus).toMatchObject({ venue: "kraken", fault: "crossed" });
    expect(Math.abs(venueStatus.sinceMs - Date.now())).toBeLessThan(10_000);
    fakeVenues.clear("kraken", "cross");
    await until(() => !leftOut().some(({ symbol }) => symbol === "ETH/USDT"));
  });

  test("venues receive only GET requests without credentials", () => {
    expect(fakeVenues.suspicious).toEqual([]);
  });
});

test("an existing live world starts offline without prices and recovers", async () => {
  const folder = mkdtempSync(join(tmpdir(), "drydock-live-again-"));
  chmodSync(folder, 0o711);
  const first = await startFakeVenues(9);
  const port = Number(new URL(first.url).port);
  const config = readConfig({ ...settings("one", first.url), DRYDOCK_DATA: folder });
  const before = await startProgram(config, async () => null);
  await until(() => before.services.market.latest()?.index["BTC/USD"] != null);
  await before.stop();
  await first.stop();
  const repeated = await startProgram(config, async () => null);
  const { market } = repeated.services;
  const startedMs = Date.now();
  await until(() => (market.latest()?.secondMs ?? 0) >= startedMs + 3_000);
  expect(Object.values(market.latest()!.index).every((item) => item === null)).toBe(true);
  const restartedVenues = await startFakeVenues(9, port);
  await until(() => market.latest()!.index["BTC/USD"] !== null);
  await repeated.stop();
  await restartedVenues.stop();
  rmSync(folder, { recursive: true, force: true });
}, 240_000);

test("creating a live world offline is refused, naming the other markets", async () => {
  const stoppedVenues = await startFakeVenues(8);
  await stoppedVenues.stop();
  const config = readConfig(settings("away", stoppedVenues.url));
  await expect(startProgram(config, async () => null)).rejects.toThrow(
    "MARKET=live needs a network, and none of its venues (bitstamp, coinbase, kraken) answered; MARKET=simulated or MARKET=replay:<folder> needs none.",
  );
}, 120_000);
