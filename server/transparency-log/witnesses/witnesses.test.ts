import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { utf8ToBytes } from "#core/transparency-log/bytes.ts";
import { encodeVkey, keyTypes, noteKey } from "#core/transparency-log/checkpoint.ts";
import type { App } from "#server/platform/http/context.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import { readSignedTrees } from "#server/transparency-log/noteCheck.ts";
import { logRoutes } from "#server/transparency-log/routes.ts";
import {
  createTransparencyLog,
  type TransparencyLog,
} from "#server/transparency-log/transparencyLog.ts";

/** The real witness as a separate process, on the public log of a real server. */
let ctx: TestContext;
let folder: string;
let app: App;
let url = "";
let log: TransparencyLog;
let child: ChildProcess | null = null;
let stub: Server | null = null;

beforeEach(async () => {
  ctx = await createTestContext();
  folder = mkdtempSync(join(tmpdir(), "drydock-witness-"));
  log = createTransparencyLog(ctx);
  app = await createTestApp(ctx, (app) =>
    logRoutes(app, ctx, {
      ...log,
      get witnesses() {
        return log.witnesses;
      },
    }),
  );
  url = await app.listen({ port: 0, host: "127.0.0.1" });
  await append(300);
});
afterEach(async () => {
  if (child && child.exitCode === null && child.kill("SIGKILL")) await once(child, "close");
  child = null;
  stub?.close();
  stub = null;
  await app.close();
  rmSync(folder, { recursive: true, force: true });
  await ctx.destroy();
});

async function append(count: number): Promise<void> {
  const leaves = Array.from({ length: count }, (_, index) => ({
    kind: "second" as const,
    bytes: utf8ToBytes(`leaf ${index} of ${count}`),
  }));
  await ctx.database.db.transaction().execute((tx) => log.append(tx, leaves));
  await log.integrate();
}

/** Starts the witness and gives its line for the policy. */
async function startWitness(): Promise<string> {
  const port = await freePort();
  const args = ["--url", url, "--name", "witness.example/w1", "--folder", folder, "--every", "60"];
  child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, "../../../verify/witness/main.ts"),
      ...args,
      "--listen",
      `127.0.0.1:${port}`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  for await (const line of createInterface({ input: child.stdout! })) {
    const policyLine = /^For the instance's witness policy: (.+)$/.exec(line)?.[1];
    if (policyLine) return policyLine;
  }
  throw new Error("the witness ended");
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function withPolicy(text: string): void {
  const path = join(folder, "policy");
  writeFileSync(path, text);
  log = createTransparencyLog({ ...ctx, config: { ...ctx.config, witnessPolicy: path } });
}

const cosigned = async () => (await fetch(`${url}/log/cosigned`)).text();

test("an outside witness cosigns as the log grows, and its checkpoint is served", async () => {
  expect((await fetch(`${url}/log/cosigned`)).status).toBe(404);
  const line = await startWitness();
  withPolicy(`${line}\nquorum witness.example/w1\n`);
  await log.witnesses.round();
  const [standing] = await log.witnesses.standings();
  expect(standing).toMatchObject({ name: "witness.example/w1", size: 300, error: null });
  const first = await cosigned();
  expect(first.startsWith((await log.checkpoint())!.note)).toBe(true);
  const lengths = [...first.matchAll(/\n— witness\.example\/w1 (\S+)/g)].map(
    ([, encoded]) => Buffer.from(encoded!, "base64").length - 12,
  );
  expect(lengths).toEqual([64, 2_420]);
  await append(17);
  await log.witnesses.round();
  expect((await log.witnesses.cosigned())?.size).toBe(317);
  expect((await log.witnesses.standings())[0]?.sinceMs).toBe(standing!.sinceMs);
});

test("the audit accepts both signatures of a witness and finds a changed one", async () => {
  const line = await startWitness();
  withPolicy(`${line}\nquorum witness.example/w1\n`);
  await log.witnesses.round();
  const findings = () =>
    ctx.database.db.transaction().execute(async (tx) => {
      const findings: string[] = [];
      await readSignedTrees(tx, (check) => findings.push(check));
      return findings;
    });
  expect(await findings()).toEqual([]);
  await ctx.owner.pool.query(
    "update log_cosigned_checkpoint set note = regexp_replace(note, '(w1 [^ ]{20})[^A]', '\\1A')",
  );
  expect(await findings()).toEqual(["log.cosigned"]);
});

test("an unchanged tree is served with the newest cosignatures", async () => {
  const line = await startWitness();
  withPolicy(`${line}\nquorum witness.example/w1\n`);
  await log.witnesses.round();
  const first = (await log.witnesses.cosigned())!;
  ctx.realClock.setMs(ctx.realClock.nowMs() + 1_000);
  await log.witnesses.round();
  const second = (await log.witnesses.cosigned())!;
  expect(second.size).toBe(first.size);
  expect(second.atMs).toBeGreaterThan(first.atMs);
});

test("a witness of another log key or on a port in use exits with the reason", async () => {
  const line = await startWitness();
  const run = (...more: string[]) =>
    new Promise<[number | null, string]>((resolve) => {
      const main = join(import.meta.dirname, "../../../verify/witness/main.ts");
      const args = ["--url", url, "--name", "witness.example/w1", "--folder", folder, ...more];
      const endedProcess = spawn(process.execPath, [main, ...args], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      let output = "";
      endedProcess.stderr.on("data", (part) => (output += part));
      endedProcess.on("close", (status) => resolve([status, output]));
    });
  const otherKey = "drydock.invalid/other/00000000+00000000+AAAA";
  expect(await run("--once", "--log-key", otherKey)).toEqual([
    2,
    expect.stringContaining(otherKey),
  ]);
  const address = /http:\/\/(\S+)$/.exec(line)![1]!;
  expect(await run("--listen", address)).toEqual([2, expect.stringContaining("EADDRINUSE")]);
});

test("an instance that lost a witness's position asks the witness", async () => {
  const line = await startWitness();
  withPolicy(`${line}\nquorum witness.example/w1\n`);
  await log.witnesses.round();
  await ctx.owner.pool.query("delete from log_witness");
  await append(5);
  await log.witnesses.round();
  expect((await log.witnesses.cosigned())?.size).toBe(305);
});

test("no checkpoint is served without a quorum, and the log continues", async () => {
  const line = await startWitness();
  const otherPem = readFileSync(join(folder, "witness-key.pem"), "utf8");
  expect(otherPem).toContain("PRIVATE KEY");
  const [, name, vkey] = line.split(" ") as [string, string, string];
  const absent = "absent.example+00000000+BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  expect(() => withPolicy(`witness X ${absent}\nquorum X\n`)).toThrow(/line 1/);
  withPolicy(`witness ${name} ${vkey}\nquorum ${name}\n`);
  await log.witnesses.round();
  expect(await log.witnesses.cosigned()).toBeNull();
  await append(1);
  expect((await log.checkpoint())!.size).toBe(301);
});

test("part of a quorum does not suffice", async () => {
  const line = await startWitness();
  const absent = encodeVkey(
    noteKey("absent.example/w2", Buffer.alloc(32, 7), keyTypes.witness),
    keyTypes.witness,
  );
  const [, name] = line.split(" ") as [string, string];
  withPolicy(`${line}\nwitness w2 ${absent}\ngroup both all ${name} w2\nquorum both\n`);
  await log.witnesses.round();
  expect(await log.witnesses.standings()).toMatchObject([{ size: 300, error: null }]);
  expect(await log.witnesses.cosigned()).toBeNull();
});

/** A line with the key's name and id, and a signature that it did not make. */
function forgedLine(vkey: string): string {
  const [name, id] = vkey.split("+") as [string, string];
  const bytes = Buffer.concat([Buffer.from(id, "hex"), Buffer.alloc(72, 1)]);
  return `— ${name} ${bytes.toString("base64")}\n`;
}

test.each<[string, string, number, (vkey: string) => string]>([
  ["fails", "answers 500", 500, () => "no"],
  ["sends no signature", "gives no valid cosignature", 200, () => "— witness.example/w1 AAAA\n"],
  ["sends another witness's signature", "gives no valid cosignature", 200, forgedLine],
  ["sends too much", "answers too much", 200, () => "x".repeat(20_000)],
])("a witness that %s is not counted: %s", async (_title, error, status, bodyOf) => {
  const line = await startWitness();
  const [, name, vkey] = line.split(" ") as [string, string, string];
  stub = createServer((_request, response) => response.writeHead(status).end(bodyOf(vkey))).listen(
    0,
    "127.0.0.1",
  );
  await once(stub, "listening");
  const { port } = stub.address() as AddressInfo;
  withPolicy(`witness ${name} ${vkey} http://127.0.0.1:${port}\nquorum ${name}\n`);
  await log.witnesses.round();
  expect(await log.witnesses.standings()).toMatchObject([{ error, size: 0, sinceMs: null }]);
  expect(await log.witnesses.cosigned()).toBeNull();
});
