import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { daySeed } from "#core/market/simulate/daySeed.ts";
import { SeedChain } from "#core/market/simulate/seedChain.ts";
import { createFeed } from "#server/market/feed.ts";
import { createSeedChainFile } from "#server/market/seedChainFile.ts";
import { createSimulatedSource } from "#server/market/simulated.ts";
import { drawReadableText } from "#server/testing/readableText.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";

const secret = new Uint8Array(32).fill(9);
const links = new SeedChain(secret);
let ctx: TestContext;
let path: string;

beforeAll(async () => {
  ctx = await createTestContext({ startMs: Date.UTC(2026, 0, 5, 23, 59, 55) });
  const transparencyLog = createTransparencyLog(ctx);
  const source = createSimulatedSource(ctx, transparencyLog, () => secret);
  const feed = createFeed(ctx, { source, transparencyLog, contributions: { onSecond: [] } });
  await feed.prepare();
  ctx.clock.advanceTo(ctx.clock.nowMs() + 9_000);
  await feed.tick();
  path = join(ctx.config.dataDirectory, `seed-chain-${ctx.world.name}.json`);
});
afterAll(() => ctx.destroy());

test("the web role's readable data contains no unrevealed seed", async () => {
  const text = await drawReadableText(ctx);
  const contains = (bytes: Uint8Array) => text.includes(Buffer.from(bytes).toString("hex"));
  expect(contains(links.anchor)).toBe(true);
  const { rows } = await sql<{ bytes: Buffer }>`
    select bytes from log_leaf where kind = 4 order by leaf`.execute(ctx.database.db);
  // The first day is over, so its link is in a leaf of the log; the second day is running.
  expect(rows.filter(({ bytes }) => bytes.toString().includes('"reveal"'))).toHaveLength(1);
  expect(rows[1]!.bytes.toString()).toContain(Buffer.from(links.seedOf(0)).toString("hex"));
  for (const secretValue of [secret, links.seedOf(1), links.seedOf(2)]) {
    expect(contains(secretValue)).toBe(false);
    expect(contains(daySeed(secretValue, { kind: "none" }))).toBe(false);
  }
});

test("the file is readable by its owner only and yields the world's chain", async () => {
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const chain = await createSeedChainFile(ctx).open(ctx.database.db);
  expect(chain.anchor).toEqual(links.anchor);
  expect(chain.seedOf(1)).toEqual(links.seedOf(1));
});

test.each([
  ["is missing", null, "is missing"],
  ["is damaged", "{}", "is damaged"],
  ["belongs to another world", JSON.stringify({ secret: "00".repeat(32) }), "of another world"],
])("a start is refused when the file %s", async (_what, text, message) => {
  const content = await readFile(path);
  await (text === null ? rm(path) : writeFile(path, text));
  await expect(createSeedChainFile(ctx).open(ctx.database.db)).rejects.toThrow(message);
  await writeFile(path, content, { mode: 0o600 });
});
