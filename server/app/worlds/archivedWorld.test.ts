import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { App } from "#server/platform/http/context.ts";
import { createNetworkLimits } from "#server/platform/http/limits/requestLimits.ts";
import { StartError } from "#server/platform/startError.ts";
import { createTestContracts, place, type TestContracts } from "#server/testing/contracts.ts";
import { type ArchiveFile, openArchiveFile } from "#server/transparency-log/archiveFile.ts";
import { recordPublished } from "#server/transparency-log/auditChain.ts";
import { type ArchivedWorld, writeWorldArchive } from "#server/transparency-log/worldArchive.ts";
import { createArchiveApp } from "./archivedWorld.ts";

/** The archive of a world with an order and a text, open for reading. */
const folder = mkdtempSync(join(tmpdir(), "drydock-archive-"));
const file = join(folder, "world.tar");
let t: TestContracts;
let archived: ArchivedWorld;
let archive: ArchiveFile;
let app: App;

beforeAll(async () => {
  t = await createTestContracts();
  const { ctx } = t;
  const second = () => Math.floor(ctx.clock.nowMs() / 1_000) * 1_000;
  await t.tickTo(second() + 3_400);
  await place(t, await t.openPerson(), { direction: "up" });
  await ctx.database.db.transaction().execute(async (tx) => {
    const languages = { en: { title: "Tide <b>tables</b>" }, de: { title: "Gezeiten" } };
    const text = { publication: "tides", kind: "news", subject: null, version: 1 };
    await recordPublished(tx, ctx.world.name, { ...text, body: { languages } }, 1_000);
  });
  await t.tickTo(second() + 30_000);
  archived = await writeWorldArchive(ctx.database.db, file);
  archive = await openArchiveFile(file);
  const { config, realClock, logger, securityLog, messages } = ctx;
  const networkLimits = createNetworkLimits(realClock);
  const deps = { config, realClock, logger, securityLog, messages, networkLimits };
  app = await createArchiveApp(deps, archive, null);
}, 60_000);
afterAll(async () => {
  await app.close();
  await archive.close();
  rmSync(folder, { recursive: true, force: true });
  await t.destroy();
});

const call = async (method: "GET" | "POST", url: string, headers = {}) => {
  const answer = await app.inject({ method, url, headers: { host: "localhost", ...headers } });
  return { status: answer.statusCode, ...answer.json() };
};

test("an archive serves the log, configuration and texts of its world", async () => {
  const { data: state } = await call("GET", "/api/log/getState");
  expect(state).toMatchObject({ origin: archived.origin, size: archived.size, pending: 0 });
  expect(state.keys).toEqual([{ vkey: archived.vkey, from_size: null }]);
  const checkpoint = await t.transparencyLog.checkpoint();
  expect(state.checkpoint).toBe(checkpoint!.note);
  expect(Math.floor(checkpoint!.atMs / 1_000) * 1_000).toBe(state.checkpoint_at_ms);

  const { data: config } = await call("POST", "/api/index/config", { origin: "http://localhost" });
  const { rows } = await t.ctx.owner.pool.query(
    `select max(second_ms)::text as last from ${t.ctx.owner.schema}.market_second`,
  );
  expect(config.world).toMatchObject({ name: t.ctx.world.name, paused: true });
  expect(config.world.archive).toEqual({ last_second_ms: Number(rows[0].last) });
  expect(config.world.now_ms).toBe(Number(rows[0].last));
  expect(config.home.pool).toBe(null);
  expect(config.symbols.map(({ name }: { name: string }) => name)).toEqual(t.ctx.world.symbols);

  const { data: text } = await call("GET", "/api/log/getPublication?publication=tides");
  expect(text.body.languages.de.title).toBe("Gezeiten");
  expect((await call("GET", "/api/log/getPublication?publication=no")).error).toBe(
    "log.publication_unknown",
  );
});

test("an archive refuses sign-ins, money calls and the console", async () => {
  const origin = { origin: "http://localhost", "idempotency-key": crypto.randomUUID() };
  for (const [method, path] of [
    ["GET", "/api/user/nonce?address=0x1&chain_id=1"],
    ["POST", "/api/user/create"],
    ["POST", "/api/user/withdraw"],
    ["POST", "/api/contract/contractPlaceOrder"],
    ["GET", "/api/operator/getOverview"],
    ["GET", "/api/market/getVenues"],
  ] as const) {
    const { status, error } = await call(method, path, origin);
    expect([path, status, error]).toEqual(
      path.includes("getOverview")
        ? [path, 404, "request.not_found"]
        : [path, 410, "world.archived"],
    );
  }
});

test("the verifier accepts an archive served as an instance", async () => {
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  const main = join(import.meta.dirname, "../../../verify/main.ts");
  const memory = join(folder, "memory.json");
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [main, "--url", address, "--log", "--whole", "--memory", memory],
      (error, stdout, stderr) => resolve(`${error?.code ?? 0}\n${stdout}${stderr}`),
    );
  });
  expect(output).toMatch(/^0\n/);
  expect(output).toContain(`Every leaf and every tile of ${archived.size} leaves was read`);
});

test("an archive's page names the world, its end and its texts, with markup escaped", async () => {
  const getPage = (language: string) =>
    app.inject({ url: "/archive", headers: { host: "localhost", "accept-language": language } });
  const { body, headers } = await getPage("en");
  expect(body).toContain(`Archive of ${t.ctx.world.name}`);
  expect(body).toContain("5 January 2026");
  expect(body).toContain("Tide &lt;b&gt;tables&lt;/b&gt;");
  expect(body).not.toContain("<b>tables");
  expect(body).toContain(archived.vkey.replaceAll("&", "&amp;"));
  expect(headers["content-security-policy"]).toContain("default-src 'none'");
  expect((await getPage("de")).body).toContain("Gezeiten");
});

test("an unknown path is not found, and a path cannot leave the archive", async () => {
  for (const path of ["tile/9/000", "../archive.json", "%2e%2e/archive.json", "checkpoint/x"])
    expect((await call("GET", `/log/${path}`)).error).toBe("request.not_found");
});

test.each([
  ["a file that is no tar", () => Buffer.from("nothing of the kind"), "it ends too early"],
  [
    "one that is cut off",
    (all: Buffer) => all.subarray(0, all.length - 2_048),
    "cut off|too early",
  ],
  [
    "another format",
    (all: Buffer) => replaceBytes(all, "drydock.archive/1", "drydock.archive/9"),
    "archive.json",
  ],
  [
    "one without a checkpoint",
    (all: Buffer) => replaceBytes(all, "log/checkpoint", "log/chequepoin"),
    "checkpoint",
  ],
])("%s is refused with the reason", async (_, change, reason) => {
  const changedFile = join(folder, "other.tar");
  writeFileSync(changedFile, change(readFileSync(file)));
  const opening = openArchiveFile(changedFile);
  await expect(opening).rejects.toThrow(StartError);
  await expect(opening).rejects.toThrow(new RegExp(reason));
});

function replaceBytes(all: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(all);
  copy.write(to, copy.indexOf(from));
  return copy;
}
