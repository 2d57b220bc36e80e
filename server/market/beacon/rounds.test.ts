import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  computePublishedMs,
  getRoundOfDay,
  roundDomain,
  roundMessage,
} from "#core/transparency-log/beacon.ts";
import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";
import { readLeafKind, worldTag } from "#core/transparency-log/leaf.ts";
import { decodeSeed, type SeedLeaf } from "#core/transparency-log/seedLeaf.ts";
import { createFetchRound } from "#server/market/beacon/fetchRound.ts";
import { createRounds, type Rounds } from "#server/market/beacon/rounds.ts";
import { createMarketDayCheck } from "#server/market/dayCheck.ts";
import { createFeed, type Feed } from "#server/market/feed.ts";
import { toWorldBeacon } from "#server/market/leaves.ts";
import { createSimulatedSource } from "#server/market/simulated.ts";
import { type BeaconChain, readBeacon } from "#server/platform/config/beacon.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import {
  createTransparencyLog,
  type TransparencyLog,
} from "#server/transparency-log/transparencyLog.ts";

const scheme = bls12_381.shortSignatures;
const secret = new Uint8Array(32).fill(0x31);
const midnightMs = Date.UTC(2026, 0, 6);
const startMs = midnightMs - 90_000;

/** A network with one member, which signs every round immediately. */
const chain: BeaconChain = {
  hash: "5".repeat(64),
  publicKey: bytesToHex(scheme.getPublicKey(secret).toBytes(true)),
  genesisSeconds: 1_700_000_001,
  periodSeconds: 3,
};

function getSignature(round: number, key = secret): string {
  return bytesToHex(
    scheme.Signature.toBytes(scheme.sign(scheme.hash(roundMessage(round), roundDomain), key)),
  );
}

/** A relay with drand's HTTP API; `answer` returns its response for a round. */
let relay: Server;
let relayUrl: string;
let requestedRounds: number[];
let answer: (round: number) => object | null;

beforeEach(async () => {
  requestedRounds = [];
  answer = (round) => ({ round, signature: getSignature(round), randomness: "" });
  relay = createServer((request, response) => {
    const [, hash, round] = /^\/([0-9a-f]{64})\/public\/(\d+)$/.exec(request.url ?? "") ?? [];
    requestedRounds.push(Number(round));
    const roundAnswer = hash === undefined ? null : answer(Number(round));
    response.writeHead(roundAnswer ? 200 : 404).end(JSON.stringify(roundAnswer));
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  relayUrl = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
});
afterEach(() => relay.close());

describe("a relay", () => {
  const vectors = JSON.parse(
    readFileSync(`${import.meta.dirname}/../../../docs/formats/vectors/beacon.json`, "utf8"),
  ).quicknet as { rounds: { round: number; signature: string; randomness: string }[] };
  const quicknet = readBeacon("quicknet")!;

  test("a relay returns published rounds of drand quicknet", async () => {
    answer = (number) => vectors.rounds.find(({ round }) => round === number) ?? null;
    const fetchRound = createFetchRound(quicknet, [relayUrl]);
    for (const { round, signature, randomness } of vectors.rounds) {
      expect(await fetchRound(round)).toEqual({ round, signature: hexToBytes(signature) });
      const value = createHash("sha256").update(Buffer.from(signature, "hex")).digest("hex");
      expect(value).toBe(randomness);
    }
    expect(await fetchRound(124)).toBeNull();
  });

  test.each<[string, (round: number) => object | null]>([
    ["another round", (round) => ({ round: round + 1, signature: getSignature(round + 1) })],
    ["another round's signature", (round) => ({ round, signature: getSignature(round + 1) })],
    [
      "a signature of another network",
      (round) => ({ round, signature: getSignature(round, new Uint8Array(32).fill(5)) }),
    ],
    ["no signature", (round) => ({ round })],
    ["an endless answer", (round) => ({ round, signature: "0".repeat(10_000) })],
    ["nothing", () => null],
  ])("a relay that returns %s is rejected, and another one is asked", async (_, wrong) => {
    answer = wrong;
    expect(await createFetchRound(chain, [relayUrl])(7)).toBeNull();
    const validRound = { round: 7, signature: hexToBytes(getSignature(7)) };
    let tries = 0;
    answer = (round) => {
      tries += 1;
      return tries === 1 ? wrong(round) : { round, signature: getSignature(round) };
    };
    expect(await createFetchRound(chain, [relayUrl, relayUrl])(7)).toEqual(validRound);
  });
});

describe("a world with a beacon", () => {
  let ctx: TestContext;
  let log: TransparencyLog;
  let rounds: Rounds;
  let feed: Feed;
  let dueMs: number;
  beforeEach(async () => {
    ctx = await createTestContext({ startMs, config: { beacon: chain, beaconRelays: [relayUrl] } });
    log = createTransparencyLog(ctx);
    rounds = createRounds(ctx, log);
    const source = createSimulatedSource(
      ctx,
      log,
      undefined,
      async (tx, atMs) => (await rounds.of(tx, atMs)) ?? { kind: "none" },
    );
    feed = createFeed(ctx, { source, transparencyLog: log, contributions: { onSecond: [] } });
    await feed.prepare();
    const context = {
      beacon: toWorldBeacon(ctx.world),
      createdAtMs: startMs,
      market: ctx.world.market,
    };
    dueMs = getRoundOfDay(context, midnightMs)!;
  });
  afterEach(() => ctx.destroy());

  async function moveTo(atMs: number) {
    while (ctx.clock.nowMs() < atMs) {
      const toMs = Math.min(atMs, ctx.clock.nowMs() + 8_000);
      ctx.realClock.setMs(toMs);
      ctx.clock.advanceTo(toMs);
      await feed.tick();
    }
  }

  async function seeds(): Promise<SeedLeaf[]> {
    const leaves = await log.leaves(0, await log.count());
    return leaves.flatMap(({ bytes }) => {
      const result =
        readLeafKind(bytes) === "seed" ? decodeSeed(bytes, worldTag(ctx.world.name)) : null;
      return result?.ok ? [result.value] : [];
    });
  }

  const audited = async () => {
    const sources: string[] = [];
    await ctx.owner.db
      .transaction()
      .execute((tx) => createMarketDayCheck(ctx.world.name)(tx, (source) => sources.push(source)));
    return sources;
  };

  test("the day's round is requested once published, logged, and mixed into the day's seed", async () => {
    await moveTo(computePublishedMs(toWorldBeacon(ctx.world)!, dueMs) - 1);
    await rounds.collect();
    expect(requestedRounds).toEqual([]);
    await moveTo(computePublishedMs(toWorldBeacon(ctx.world)!, dueMs));
    await rounds.collect();
    await rounds.collect();
    expect(requestedRounds).toEqual([dueMs]);
    await moveTo(midnightMs + 2_000);
    const signature = hexToBytes(getSignature(dueMs));
    expect(await seeds()).toMatchObject([
      { action: "begin", source: { kind: "none" } },
      { action: "round", dayMs: midnightMs, round: dueMs, signature },
      { action: "reveal" },
      { action: "begin", dayMs: midnightMs, source: { kind: "beacon", round: dueMs, signature } },
    ]);
    expect(await audited()).toEqual([]);
    await ctx.owner.pool.query("update market_round set round = round + 1");
    expect(await audited()).toEqual(["market.round"]);
  });

  test("a day whose round is late begins without it and never gets one", async () => {
    answer = () => null;
    await moveTo(midnightMs - 5_000);
    await rounds.collect();
    await moveTo(midnightMs + 2_000);
    answer = (round) => ({ round, signature: getSignature(round) });
    await rounds.collect();
    await rounds.collectLate();
    expect((await seeds()).map((seed) => seed.action)).toEqual(["begin", "reveal", "begin"]);
    expect((await seeds()).at(-1)).toMatchObject({ source: { kind: "none" } });
    expect(rounds.isDue(midnightMs)).toBe(true);
  });

  test("a day whose start falls into downtime begins with the same round", async () => {
    await moveTo(midnightMs - 60_000);
    const lateMs = midnightMs + 3_600_000;
    ctx.realClock.setMs(lateMs);
    ctx.clock.advanceTo(lateMs);
    await rounds.collectLate();
    await feed.tick();
    expect((await seeds()).at(-1)).toMatchObject({ source: { kind: "beacon", round: dueMs } });
  });

  test("stopping the feed does not wait for a late round", async () => {
    await moveTo(midnightMs - 60_000);
    answer = () => null;
    const lateMs = midnightMs + 3_600_000;
    ctx.realClock.setMs(lateMs);
    ctx.clock.advanceTo(lateMs);
    const stopping = new AbortController();
    const collection = rounds.collectLate(stopping.signal).then(() => "ended");
    await expect(Promise.race([collection, sleep(300, "waits")])).resolves.toBe("waits");
    stopping.abort();
    await expect(Promise.race([collection, sleep(3_000, "waits")])).resolves.toBe("ended");
  });
});
