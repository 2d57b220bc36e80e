import { afterAll, beforeAll, expect, test } from "vitest";
import { type StreamMessage, streamMessage } from "#api/stream.ts";
import { createEndingSeconds } from "#server/market/ending.ts";
import { createFeed, type Feed } from "#server/market/feed.ts";
import { createMarket, type Market } from "#server/market/market.ts";
import { klineTuple, startPush } from "#server/market/push.ts";
import { createSimulatedSource } from "#server/market/simulated.ts";
import { createLocalBus } from "#server/platform/bus/bus.ts";
import { createTestContext, type TestContext, testStartMs } from "#server/testing/testContext.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";

let ctx: TestContext;
let feed: Feed;
let market: Market;
const texts: string[] = [];
const klines: { contractId: string; message: StreamMessage }[] = [];

beforeAll(async () => {
  ctx = await createTestContext({ speed: 60 });
  const transparencyLog = createTransparencyLog(ctx);
  feed = createFeed(ctx, {
    source: createSimulatedSource(ctx, transparencyLog),
    transparencyLog,
    contributions: { onSecond: [] },
  });
  await feed.prepare();
  market = await createMarket(ctx);
  startPush(ctx, {
    market,
    hub: {
      broadcast: (text) => texts.push(text),
      watched: () => ["btc-usdt"],
      toWatchers: (_topic, contractId, message) =>
        klines.push({ contractId, message: message as StreamMessage }),
    },
  });
});
afterAll(() => ctx.destroy());

test("seconds that close together are sent as one message with the last one's leaf", async () => {
  ctx.clock.advanceTo(testStartMs + 6_000);
  expect(await feed.tick()).toBe(6);
  await expect.poll(() => klines.length).toBe(1);
  expect(texts).toHaveLength(1);
  const message = streamMessage.parse(JSON.parse(texts[0]!));
  expect(message).toMatchObject({
    topic: "prices",
    second_ms: testStartMs + 6_000,
    leaf: market.latest()!.leaf,
  });
});

test("a socket that watches a contract receives its open kline", async () => {
  const { items } = await market.klines("BTC/USDT", "1m", null, 1);
  expect(klines[0]).toEqual({
    contractId: "btc-usdt",
    message: { topic: "kline", contract_id: "btc-usdt", kline: klineTuple("BTC/USDT", items[0]!) },
  });
  expect(streamMessage.safeParse(klines[0]!.message).success).toBe(true);
});

test("the end of a recording broadcasts a paused world without prices", async () => {
  const events: string[] = [];
  const ending = { ...ctx, bus: createLocalBus(() => {}) };
  const clock = { ...ctx.clock, endMs: testStartMs + 60_000 };
  const hub = {
    broadcast: (text: string) => events.push(text),
    watched: () => [],
    toWatchers: () => {},
  };
  const stop = startPush({ ...ending, clock }, { market, hub });
  const [secondMs] = createEndingSeconds(clock.endMs);
  ending.bus.publish("second.closed", { secondMs, leaf: 9, index: market.latest()!.index });
  stop();
  expect(events.map((text) => streamMessage.parse(JSON.parse(text)))).toEqual([
    { topic: "world", paused: true },
  ]);
});

test("at sixty times speed ten real seconds close six hundred world seconds", async () => {
  ctx.clock.advanceTo(testStartMs + 1_000_000);
  expect(await feed.tick()).toBe(601);
  expect(market.lagMs()).toBe(0);
});
