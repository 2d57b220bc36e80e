import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseVkey } from "#core/transparency-log/checkpoint.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { decodeSuccession } from "#core/transparency-log/successionLeaf.ts";
import { encodeWorld } from "#core/transparency-log/worldLeaf.ts";
import type { App } from "#server/platform/http/context.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import { logRoutes } from "#server/transparency-log/routes.ts";
import { beginSuccessor, readLoss } from "#server/transparency-log/succession.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";

let ctx: TestContext;
let folder: string;
let app: App | null = null;
beforeEach(async () => {
  ctx = await createTestContext();
  folder = mkdtempSync(join(tmpdir(), "drydock-succession-"));
});
afterEach(async () => {
  await app?.close();
  app = null;
  rmSync(folder, { recursive: true, force: true });
  await ctx.destroy();
});

const startMs = 1_767_571_200_000;
const createOwnerContext = () => ({ ...ctx, database: ctx.owner });
const createFile = (kind: string) =>
  join(ctx.config.dataDirectory, `log-${kind}-${ctx.world.name}.json`);
const readFile = (kind: string) => JSON.parse(readFileSync(createFile(kind), "utf8"));

/** A world and the seconds after it, up to `count` leaves, signed. */
async function grow(count: number): Promise<void> {
  const log = createTransparencyLog(ctx);
  const from = await log.count();
  const { name } = ctx.world;
  const leaves = Array.from({ length: count - from }, (_, index) => {
    if (from + index === 0) {
      const market = { kind: "simulated", speed: 1 } as const;
      const identity = {
        world: name,
        market,
        simulator: 1,
        seedAnchor: new Uint8Array(32).fill(5),
        beacon: null,
        recording: null,
        createdAtMs: startMs,
      };
      return {
        kind: "world" as const,
        bytes: encodeWorld({ ...identity, venues: [], symbols: [] }),
      };
    }
    const secondMs = startMs + (from + index) * 1_000;
    const second = { secondMs, quotes: [], index: [], ...bindOrders([]) };
    return { kind: "second" as const, bytes: encodeSecond(second, worldTag(name)) };
  });
  await ctx.database.db.transaction().execute((tx) => log.append(tx, leaves));
  await log.integrate();
}

/** As a database restored from an older copy: everything after the first `size` leaves is gone. */
async function cut(size: number): Promise<void> {
  const { pool } = ctx.owner;
  await pool.query("delete from log_checkpoint where size > $1", [size]);
  await pool.query("delete from log_tile where (tile + 1) * 256 ^ (level + 1) > $1", [size]);
  await pool.query("delete from log_leaf where leaf >= $1", [size]);
  await pool.query("update log_head set next = $1", [size]);
}

/** Starts a process; returns the reason for its refusal, or null. */
async function refusal(): Promise<string | null> {
  const log = createTransparencyLog(ctx);
  const [start] = await Promise.allSettled([log.prepare()]);
  return start.status === "rejected" ? String((start.reason as Error).message) : null;
}

async function serve(): Promise<string> {
  const log = createTransparencyLog(ctx);
  app = await createTestApp(ctx, (app) => {
    logRoutes(app, ctx, log);
    // The verifier requests the newest day; this log has no day leaf.
    app.get("/api/market/getSeconds", async () => ({
      code: 1,
      msg: "",
      data: { day_leaf: null },
    }));
  });
  return await app.listen({ port: 0, host: "127.0.0.1" });
}

/** The command-line verifier, which stores its state in this test's folder. */
function verify(url: string, ...more: string[]): Promise<[status: number | null, output: string]> {
  const main = join(import.meta.dirname, "../../verify/main.ts");
  const args = [main, "--log", "--url", url, "--memory", join(folder, "memory.json"), ...more];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (part: Buffer) => {
        output += part.toString();
      });
    child.on("close", (status) => resolve([status, output]));
  });
}

test("a log that lost leaves is refused until a successor starts", async () => {
  await grow(290);
  await grow(400);
  const url = await serve();
  expect(await verify(url)).toEqual([0, expect.stringContaining("not seen before")]);
  const before = readFile("key");
  await cut(300);
  expect(await refusal()).toContain("signed with 400 leaves and this database has 300");
  expect(await refusal()).toContain("npm run succession");

  expect(await readLoss(createOwnerContext())).toMatchObject({
    ended: { origin: before.origin, size: 400 },
    survived: 300,
    lastSecondMs: startMs + 299_000,
  });
  const succession = (await beginSuccessor(createOwnerContext()))!;
  expect(succession).toMatchObject({ survived: 300, ended: { size: 400 } });
  expect(await refusal()).toBeNull();
  const checkpoint = (await createTransparencyLog(ctx).integrate())!;
  expect(checkpoint.size).toBe(301);
  const { origin, keys } = await createTransparencyLog(ctx).identity();
  expect(origin).not.toBe(before.origin);
  expect(checkpoint.note.startsWith(`${origin}\n`)).toBe(true);
  expect(checkpoint.note).not.toContain(before.origin);
  expect(keys).toEqual([{ vkey: succession.successor.vkey, fromSize: 300 }]);
  expect(parseVkey(keys[0]!.vkey)?.name).toBe(origin);
  const [leaf] = await createTransparencyLog(ctx).leaves(300, 301);
  const decodedLeaf = decodeSuccession(leaf!.bytes, worldTag(ctx.world.name));
  expect(decodedLeaf.ok && decodedLeaf.value.ended).toMatchObject({
    origin: before.origin,
    size: 400,
  });

  await app!.close();
  const repeated = await serve();
  // At the address where the verifier knew the older log.
  const memory = readFileSync(join(folder, "memory.json"), "utf8").replaceAll(url, repeated);
  writeFileSync(join(folder, "memory.json"), memory);
  const [status, output] = await verify(repeated);
  expect(status).toBe(1);
  expect(output).toContain("log_succeeded");
  expect(output).toContain("100 signed leaves are lost, from 2026-01-05T00:05:00.000Z on");
  expect((await verify(repeated, "--accept-successor", "another"))[0]).toBe(1);
  const acceptance = await verify(repeated, "--accept-successor", origin);
  expect(acceptance).toEqual([0, expect.stringContaining("Accepted")]);
  await grow(310);
  expect(await verify(repeated)).toEqual([0, expect.stringContaining("continues")]);
});

test("the ended key is archived and signs nothing, and repeating is a no-op", async () => {
  await grow(20);
  const endedKey = readFile("key");
  await cut(12);
  const succession = (await beginSuccessor(createOwnerContext()))!;
  const endedFiles = readdirSync(ctx.config.dataDirectory).filter((name) =>
    name.startsWith("ended-"),
  );
  expect(endedFiles).toHaveLength(1);
  expect(JSON.parse(readFileSync(join(ctx.config.dataDirectory, endedFiles[0]!), "utf8"))).toEqual(
    endedKey,
  );
  expect(readFile("key").origin).toBe(succession.successor.origin);
  expect(readFile("head")).toMatchObject({ origin: succession.successor.origin, size: 13 });
  expect(await beginSuccessor(createOwnerContext())).toBeNull();
  expect(await createTransparencyLog(ctx).count()).toBe(13);
  expect(await createTransparencyLog(ctx).successions()).toEqual([12]);
});

test("the next attempt completes a succession that crashed between the leaf and the files", async () => {
  await grow(20);
  const [key, head] = [readFile("key"), readFile("head")];
  await cut(12);
  const succession = (await beginSuccessor(createOwnerContext()))!;
  const nextPath = createFile("key").replace(".json", ".next.json");
  writeFileSync(nextPath, JSON.stringify(readFile("key")));
  writeFileSync(createFile("key"), JSON.stringify(key));
  writeFileSync(createFile("head"), JSON.stringify(head));
  expect(await refusal()).toContain("npm run succession");
  expect(await beginSuccessor(createOwnerContext())).toBeNull();
  expect(existsSync(nextPath)).toBe(false);
  expect(readFile("key").origin).toBe(succession.successor.origin);
  expect(await refusal()).toBeNull();
});

test("a successor is refused if nothing was lost or if leaves were changed", async () => {
  await grow(15);
  await grow(20);
  expect(await beginSuccessor(createOwnerContext())).toBeNull();
  writeFileSync(createFile("head"), JSON.stringify({ ...readFile("head"), root: "ab".repeat(32) }));
  await expect(beginSuccessor(createOwnerContext())).rejects.toThrow(
    "no successor can begin over them",
  );
  await ctx.owner.pool.query("update log_leaf set bytes = '\\x00' where leaf = 3");
  await cut(18);
  await expect(beginSuccessor(createOwnerContext())).rejects.toThrow("changed, not cut short");
  expect(await createTransparencyLog(ctx).successions()).toEqual([]);
});
