import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeSleep } from "#core/transparency-log/sleepLeaf.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { createTestContracts, place, type TestContracts } from "#server/testing/contracts.ts";
import { recordPublished, recordWithdrawn } from "#server/transparency-log/auditChain.ts";
import { type ArchivedWorld, writeWorldArchive } from "#server/transparency-log/worldArchive.ts";

/** A world with an order and two texts, in a file that the command line reads. */
const folder = mkdtempSync(join(tmpdir(), "drydock-archive-"));
const file = join(folder, "world.tar");
const receiptFile = join(folder, "receipt.json");
let t: TestContracts;
let archivedWorld: ArchivedWorld;

beforeAll(async () => {
  t = await createTestContracts();
  const { ctx } = t;
  const second = () => Math.floor(ctx.clock.nowMs() / 1_000) * 1_000;
  await t.tickTo(second() + 3_400);
  const person = await t.openPerson();
  const { orderId } = await place(t, person, { direction: "up" });
  await ctx.database.db.transaction().execute(async (tx) => {
    const text = (publication: string, title: string) => ({
      ...{ publication, kind: "news", subject: null, version: 1 },
      body: { languages: { en: { title } } },
    });
    await recordPublished(tx, ctx.world.name, text("kept-publication", "Kept"), 1_000);
    await recordPublished(tx, ctx.world.name, text("withdrawn-one", "Withdrawn"), 2_000);
    await recordWithdrawn(tx, ctx.world.name, "withdrawn-one", 3_000);
  });
  await t.tickTo(second() + 75_000);
  ctx.clock.advanceTo(second() + 3_600_000);
  ctx.realClock.advanceMs(3_600_000);
  await t.transparencyLog.recordSleep();
  await t.contracts.settleDue();
  await t.tickTo(second() + 5_000);
  const receipt = await t.contracts.receipt(person.userId, orderId);
  writeFileSync(receiptFile, JSON.stringify(receipt));
  archivedWorld = await writeWorldArchive(ctx.database.db, file);
}, 60_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await t.destroy();
});

interface Outcome {
  status: number;
  out: string;
}

/** The command line, without any instance. */
function verify(...args: string[]): Promise<Outcome> {
  const main = join(import.meta.dirname, "../../verify/main.ts");
  const memory = args.includes("--memory") ? [] : ["--memory", join(folder, "no-memory.json")];
  return run(process.execPath, [main, ...args, ...memory]);
}

function run(program: string, args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(program, args, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code), out: stdout + stderr });
    });
  });
}

/** The archive with some bytes replaced. */
function writeAltered(change: (bytes: Buffer) => Buffer): string {
  const alteredFile = join(folder, "altered.tar");
  writeFileSync(alteredFile, change(readFileSync(file)));
  return alteredFile;
}

test("the verifier reads the whole log, the texts and the audit chain from the file alone", async () => {
  const verifyArguments = ["--archive", file, "--key", archivedWorld.vkey];
  const log = await verify(...verifyArguments, "--log", "--whole");
  expect(log.status, log.out).toBe(0);
  expect(log.out).toContain(`Every leaf and every tile of ${archivedWorld.size} leaves was read`);
  expect(log.out).toContain("with 1 bound orders and 1 sleeps");
  expect(log.out).toContain("1 published texts are those that the log names.");
  const audit = await verify(...verifyArguments, "--audit");
  expect(audit.status, audit.out).toBe(0);
  const text = await verify("publication:kept-publication", ...verifyArguments);
  expect(text.status, text.out).toBe(0);
  const withdrawnCheck = await verify("publication:withdrawn-one", ...verifyArguments);
  expect(withdrawnCheck.status, withdrawnCheck.out).toBe(2);
});

test("a receipt is checked against the archive", async () => {
  const { status, out: stdout } = await verify(
    receiptFile,
    "--archive",
    file,
    "--key",
    archivedWorld.vkey,
  );
  expect(status, stdout).toBe(0);
  expect(stdout).toContain("The arithmetic agrees.");
});

test("an archive signed with an unknown key is reported with status 2", async () => {
  const { status, out: stdout } = await verify("--archive", file, "--log");
  expect(status, stdout).toBe(2);
  expect(stdout).toContain(`NOT KNOWN to you: ${archivedWorld.vkey}`);
});

test("any tar program reads an archive, and it contains no private key", async () => {
  const { status, out: stdout } = await run("tar", ["-tf", file]);
  expect(status, stdout).toBe(0);
  expect(stdout.split("\n").slice(0, 3)).toEqual([
    "archive.json",
    "log/checkpoint",
    `log/tile/entries/000${archivedWorld.size < 256 ? `.p/${archivedWorld.size}` : ""}`,
  ]);
  expect(readFileSync(file).includes("PRIVATE KEY")).toBe(false);
});

test("a changed hash, a changed text and a malformed file are refused", async () => {
  const bytes = readFileSync(file);
  const offsetAfter = (name: string) => bytes.indexOf(name) + 512;
  const changes: [string, string, (bytes: Buffer) => Buffer][] = [
    ["hash", "tile_differs", (archive) => flipByte(archive, offsetAfter("log/tile/0/") + 40)],
    ["text", "text_differs", (archive) => replaceText(archive, '"Kept"', '"Lept"')],
    [
      "name",
      "archive_malformed",
      (archive) => replaceText(archive, "log/checkpoint", "log/checkpoinT"),
    ],
    ["end", "archive_malformed", (archive) => archive.subarray(0, -1_024)],
    ["middle", "archive_malformed", (archive) => archive.subarray(0, 5_000)],
    [
      "twice",
      "archive_malformed",
      (archive) => Buffer.concat([archive.subarray(0, -1_024), archive]),
    ],
  ];
  for (const [title, difference, change] of changes) {
    const { status, out: stdout } = await verify(
      "--archive",
      writeAltered(change),
      "--log",
      "--whole",
    );
    expect([title, status], stdout).toEqual([title, 1]);
    expect(stdout).toContain(difference);
  }
});

function flipByte(bytes: Buffer, offset: number): Buffer {
  bytes[offset]! ^= 1;
  return bytes;
}

function replaceText(bytes: Buffer, from: string, to: string): Buffer {
  const index = bytes.indexOf(from);
  expect(index).toBeGreaterThan(0);
  bytes.write(to, index);
  return bytes;
}

test("an archive is consistent with an older or newer proven tree", async () => {
  const memory = join(folder, "memory.json");
  const { origin, vkey } = archivedWorld;
  const remember = (checkpoint: string) =>
    writeFileSync(
      memory,
      JSON.stringify({ logs: { [origin]: { vkey, checkpoint } }, instances: {} }),
    );
  const before = (await t.transparencyLog.checkpoint())!;
  remember(before.note);
  const verifyArguments = ["--log", "--memory", memory];
  await t.tickTo(t.ctx.clock.nowMs() + 10_000);
  const laterFile = join(folder, "later.tar");
  await writeWorldArchive(t.ctx.database.db, laterFile);
  const continuedOutput = await verify("--archive", laterFile, ...verifyArguments);
  expect(continuedOutput.status, continuedOutput.out).toBe(0);
  expect(continuedOutput.out).toContain(
    `continues the log that you remember (${before.size} leaves then)`,
  );
  remember((await t.transparencyLog.checkpoint())!.note);
  const content = readFileSync(memory);
  const olderOutput = await verify("--archive", file, ...verifyArguments);
  expect(olderOutput.status, olderOutput.out).toBe(0);
  expect(olderOutput.out).toContain("the archive ends before it");
  expect(readFileSync(memory)).toEqual(content);
});

test("a sleep that does not follow the last second is refused", async () => {
  const { ctx, transparencyLog } = t;
  const { name } = ctx.world;
  const wrongSleep = encodeSleep({ world: name, lastSecondMs: 1_000, wokeAtMs: 5_000 });
  await ctx.database.db
    .transaction()
    .execute((tx: Tx) => transparencyLog.append(tx, [{ kind: "sleep", bytes: wrongSleep }]));
  await transparencyLog.integrate();
  const lyingFile = join(folder, "lying.tar");
  await writeWorldArchive(ctx.database.db, lyingFile);
  const { status, out: stdout } = await verify("--archive", lyingFile, "--log", "--whole");
  expect(status, stdout).toBe(1);
  expect(stdout).toContain("sleep_differs");
});

test("an archive never overwrites a file", async () => {
  await expect(writeWorldArchive(t.ctx.database.db, file)).rejects.toThrow("EEXIST");
});
