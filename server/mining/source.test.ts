import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SeedChain } from "#core/market/simulate/seedChain.ts";
import { createSimulatedNetwork } from "#server/mining/source.ts";
import { createSeedFile } from "#server/platform/crypto/seedFile.ts";
import {
  createTestMining,
  type TestMining,
  testDay,
  testHour,
  testNetworkSecret,
} from "#server/testing/mining.ts";
import { drawReadableText } from "#server/testing/readableText.ts";

let t: TestMining;
let path: string;
const links = new SeedChain(testNetworkSecret);

beforeAll(async () => {
  t = await createTestMining();
  await t.goTo(t.ctx.clock.nowMs() + testDay + testHour);
  path = join(t.ctx.config.dataDirectory, `mining-seed-${t.ctx.world.name}.json`);
});
afterAll(() => t.destroy());

const openAgain = () =>
  t.ctx.database.db.transaction().execute((tx) =>
    createSimulatedNetwork().open({
      tx,
      seedFile: createSeedFile(t.ctx.config, t.ctx.world.name, "mining-seed"),
      lastHourMs: t.ctx.clock.nowMs(),
      firstHourMs: t.ctx.clock.nowMs() + testHour,
    }),
  );

test("the web role's readable data contains no unrevealed seed of the network", async () => {
  const text = await drawReadableText(t.ctx);
  const contains = (bytes: Uint8Array) => text.includes(Buffer.from(bytes).toString("hex"));
  expect(contains(links.anchor)).toBe(true);
  expect(contains(links.seedOf(0))).toBe(true);
  for (const secretValue of [testNetworkSecret, links.seedOf(2), links.seedOf(3)])
    expect(contains(secretValue)).toBe(false);
});

test("the file is readable by its owner only and opens the network again", async () => {
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await openAgain();
});

test.each([
  ["is missing", null, "is missing"],
  ["is damaged", "{}", "is damaged"],
  ["belongs to another world", JSON.stringify({ secret: "00".repeat(32) }), "of another world"],
])("the network is not opened when the file %s", async (_what, text, message) => {
  const before = await readFile(path);
  await (text === null ? rm(path) : writeFile(path, text));
  await expect(openAgain()).rejects.toThrow(message);
  await writeFile(path, before, { mode: 0o600 });
});
