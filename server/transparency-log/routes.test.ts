import { rmSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bytesToHex, hexToBytes, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import {
  leafHash,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from "#core/transparency-log/merkle.ts";
import { decodeBundle, splitHashes } from "#core/transparency-log/tile.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { App } from "#server/platform/http/context.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import { rotateKeys } from "#server/transparency-log/keys.ts";
import { logRoutes } from "#server/transparency-log/routes.ts";
import {
  createTransparencyLog,
  type TransparencyLog,
} from "#server/transparency-log/transparencyLog.ts";

let ctx: TestContext;
let transparencyLog: TransparencyLog;
let app: App;
/** The first tile starts like a zlib stream, but must not be mistaken for one. */
const zlibLike = () => {
  for (let tries = 0; ; tries += 1) {
    const entry = utf8ToBytes(`entry 0 ${tries}`);
    const [first, second] = leafHash(entry);
    if (first === 0x78 && (0x7800 + second!) % 31 === 0) return entry;
  }
};
const entries = [
  zlibLike(),
  ...Array.from({ length: 299 }, (_, index) => utf8ToBytes(`entry ${index + 1}`)),
];
const rootAt = (size: number) => treeRoot(entries.slice(0, size).map(leafHash));
const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: "GET", url, headers: { host: "localhost", ...headers } });

beforeAll(async () => {
  ctx = await createTestContext();
  transparencyLog = createTransparencyLog(ctx);
  app = await createTestApp(ctx, (app) => logRoutes(app, ctx, transparencyLog));
});
afterAll(async () => {
  await app.close();
  rmSync(ctx.config.dataDirectory, { recursive: true, force: true });
  await ctx.destroy();
});

test("a log without a checkpoint answers 404 and server.unavailable", async () => {
  expect((await get("/log/checkpoint")).statusCode).toBe(404);
  expect((await get("/api/log/getState")).json()).toMatchObject({ error: "server.unavailable" });
});

test.each([
  "checkpoint",
  "cosigned",
  "handovers",
  "tile/0/000",
  "tile/x",
  "orders/0",
  "orders/x",
])("a page of any origin may read that /log/%s is missing", async (path) => {
  const { statusCode, headers } = await get(`/log/${path}`);
  expect(statusCode).toBe(404);
  expect(headers["access-control-allow-origin"]).toBe("*");
  expect(headers["cross-origin-resource-policy"]).toBe("cross-origin");
});

describe("a log with 300 signed leaves and one pending", () => {
  beforeAll(async () => {
    const leaves = entries.map((bytes) => ({ kind: "second" as const, bytes }));
    await ctx.database.db.transaction().execute((tx: Tx) => transparencyLog.append(tx, leaves));
    await transparencyLog.integrate();
    const moreLeaves = [{ kind: "second" as const, bytes: utf8ToBytes("not signed yet") }];
    await ctx.database.db.transaction().execute((tx: Tx) => transparencyLog.append(tx, moreLeaves));
  });

  test("the checkpoint is uncached text", async () => {
    const answer = await get("/log/checkpoint");
    expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(answer.headers["cache-control"]).toBe("no-cache");
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
    expect(answer.body.split("\n")[1]).toBe("300");
  });

  test.each([
    ["/log/tile/0/000", 256],
    ["/log/tile/0/001.p/44", 44],
    ["/log/tile/0/001.p/1", 1],
    ["/log/tile/0/000.p/200", 200],
    ["/log/tile/1/000.p/1", 1],
  ])("%s has %i hashes and is immutable", async (url, width) => {
    const answer = await get(url, { "accept-encoding": "gzip, br" });
    expect(answer.headers["content-encoding"]).toBeUndefined();
    expect(answer.headers["content-type"]).toBe("application/octet-stream");
    expect(answer.headers["cache-control"]).toContain("immutable");
    const hashes = splitHashes(new Uint8Array(answer.rawPayload));
    expect(hashes.length).toBe(width);
    const first = url.includes("/001") ? 256 : 0;
    const expected = url.includes("tile/1") ? rootAt(256) : leafHash(entries[first]!);
    expect(hashes[0]).toEqual(expected);
  });

  test.each([
    ["/log/tile/entries/000", 0, 256],
    ["/log/tile/entries/001.p/44", 256, 300],
    ["/log/tile/entries/000.p/3", 0, 3],
  ])("%s has its entries, compressed when the client accepts gzip", async (url, from, to) => {
    const plain = await get(url);
    expect(decodeBundle(new Uint8Array(plain.rawPayload))).toEqual(entries.slice(from, to));
    const packed = await get(url, { "accept-encoding": "gzip" });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(packed.rawPayload)).toEqual(plain.rawPayload);
  });

  test.each([
    "/log/tile/0/001",
    "/log/tile/0/001.p/45",
    "/log/tile/entries/001.p/45",
    "/log/tile/1/000",
    "/log/tile/2/000.p/1",
    "/log/tile/0/000.p/256",
    "/log/tile/0/0",
    "/log/tile/0/002.p/1",
    "/log/tile/x/000",
  ])("%s does not exist", async (url) => {
    expect((await get(url)).statusCode).toBe(404);
  });

  test("the state counts signed and pending leaves", async () => {
    const { data } = (await get("/api/log/getState")).json();
    expect(data).toMatchObject({
      size: 300,
      root: bytesToHex(rootAt(300)),
      pending: 1,
      bytes_per_day: null,
    });
    expect(data.keys).toHaveLength(1);
  });

  test("JSON proofs verify, and an unsigned size is refused", async () => {
    const inclusion = (await get("/api/log/getInclusion?leaf=270&size=290")).json().data;
    const path = inclusion.path.map(hexToBytes);
    const proof = { leaf: leafHash(entries[270]!), index: 270, size: 290, path };
    expect(verifyInclusion(proof, rootAt(290))).toBe(true);
    const consistency = (await get("/api/log/getConsistency?from=100&to=300")).json().data;
    const oldTree = { size: 100, root: rootAt(100) };
    const now = { size: 300, root: rootAt(300) };
    expect(verifyConsistency(oldTree, now, consistency.path.map(hexToBytes))).toBe(true);
    for (const query of [
      "getInclusion?leaf=0&size=301",
      "getInclusion?leaf=5&size=5",
      "getConsistency?from=9&to=8",
      "getConsistency?from=1&to=999",
    ]) {
      expect((await get(`/api/log/${query}`)).json()).toMatchObject({ error: "log.size_unknown" });
    }
    expect((await get("/api/log/getInclusion?leaf=-1&size=5")).statusCode).toBe(400);
  });
});

test("a handover is served once the key was exchanged", async () => {
  expect((await get("/log/handovers")).statusCode).toBe(404);
  await rotateKeys(ctx.config.dataDirectory, ctx.world.name);
  await createTransparencyLog(ctx).prepare();
  const { headers, ...response } = await get("/log/handovers");
  expect(headers["access-control-allow-origin"]).toBe("*");
  expect(headers["cache-control"]).toBe("no-cache");
  const { origin, keys } = await transparencyLog.identity();
  expect(response.json()).toHaveLength(1);
  expect(response.json()[0].split("\n").slice(0, 4)).toEqual([
    "drydock.handover/1",
    origin,
    ...keys.map(({ vkey }) => vkey).toReversed(),
  ]);
});
