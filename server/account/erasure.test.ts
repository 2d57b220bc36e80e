import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  createWriteStream,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import sharp from "sharp";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeAddress } from "#core/addresses/address.ts";
import { createBarFile } from "#server/market/replay/testing.ts";
import { boundary, multipart, specimen } from "#server/recharge/testing.ts";
import { createClient, newKey, signIn, type TestSession } from "#server/testing/client.ts";
import { createMarker, findMarkers, listForms } from "#server/testing/marker.ts";

/**
 * Checks that a deletion leaves no byte of the person's input. A real server on a separate data
 * directory gets a marker in every text and picture that a person can send; after the deletion all
 * of its files are searched for each marker.
 */
let directory: string;
let child: ChildProcess;
let address: string;

/** Short, because a socket path lies below it. */
beforeAll(async () => {
  directory = mkdtempSync("/tmp/dde-");
  chmodSync(directory, 0o711);
  for (const name of ["data", "tmp", "log"]) mkdirSync(join(directory, name));
  chmodSync(join(directory, "tmp"), 0o1777);
  child = spawn(process.execPath, ["server/testing/program.ts"], {
    env: {
      PATH: process.env.PATH,
      DRYDOCK_DATA: join(directory, "data"),
      TMPDIR: join(directory, "tmp"),
      PORT: "0",
      WORLD_SPEED: "60",
      LOG_LEVEL: "debug",
    },
  });
  const outFile = createWriteStream(join(directory, "log/out"));
  child.stdout!.pipe(outFile);
  child.stderr!.pipe(createWriteStream(join(directory, "log/err")));
  let output = "";
  child.stdout!.on("data", (chunk) => {
    output += chunk;
  });
  while (!/^address \S+$/m.test(output)) {
    if (child.exitCode !== null) {
      throw new Error(`no server: ${readFileSync(join(directory, "log/err"), "utf8")}`);
    }
    await sleep(100);
  }
  address = /^address (\S+)$/m.exec(output)![1]!;
}, 120_000);
afterAll(async () => {
  if (child.exitCode === null) {
    child.kill("SIGTERM");
    await once(child, "close");
  }
  rmSync(directory, { recursive: true, force: true });
}, 60_000);

const owner = async <Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const { owner: password } = JSON.parse(
    readFileSync(join(directory, "data/postgres-passwords.json"), "utf8"),
  );
  const socket = globSync(join(directory, "tmp/drydock-*"))[0]!;
  const client = new pg.Client({
    connectionString: `postgres://drydock_owner:${password}@${encodeURIComponent(socket)}/drydock`,
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/**
 * Searches everything below the data directory, including temporary files and logs, after forcing
 * PostgreSQL to flush its memory.
 */
async function search(markers: Record<string, string | Uint8Array>) {
  await owner((client) => client.query("checkpoint"));
  return findMarkers(
    ["data", "tmp", "log"].map((name) => join(directory, name)),
    markers,
  );
}

let person: TestSession;
async function ask(
  method: "GET" | "POST",
  path: string,
  input: Record<string, unknown> = {},
  headers: Record<string, string> = {},
  // biome-ignore lint/suspicious/noExplicitAny: the raw answer of a call
): Promise<any> {
  const query = method === "GET" ? `?${new URLSearchParams(input as never)}` : "";
  const answer = await fetch(`${address}${path}${query}`, {
    method,
    headers: {
      token: person.token,
      "idempotency-key": newKey(),
      ...(method === "POST" ? { "content-type": "application/json" } : {}),
      ...headers,
    },
    ...(method === "POST" ? { body: JSON.stringify(input) } : {}),
  });
  return answer.json();
}

/** A picture with a marker in its metadata and after its end. */
async function markedPicture(marker: string, picture: Promise<Buffer> = blank()): Promise<Buffer> {
  const markedPicture = await sharp(await picture)
    .withExif({ IFD0: { Copyright: marker, ImageDescription: marker } })
    .jpeg({ quality: 90 })
    .toBuffer();
  return Buffer.concat([markedPicture, Buffer.from(marker)]);
}

const blank = () =>
  sharp({ create: { width: 600, height: 400, channels: 3, background: "#eee" } })
    .png()
    .toBuffer();

/** A picture of a voucher with a marker in its metadata and after its end. */
async function markedVoucher(marker: string): Promise<Buffer> {
  const voucher = await ask("POST", "/api/user/drawVoucher", {
    coin: "pUSDT",
    network: "peth",
    amount: "100",
    kind: "good",
  });
  return await markedPicture(marker, specimen(voucher.data.qr_text));
}

async function upload(path: string, parts: Parameters<typeof multipart>[0]) {
  const answer = await fetch(`${address}${path}`, {
    method: "POST",
    headers: {
      token: person.token,
      "idempotency-key": newKey(),
      "content-type": `multipart/form-data; boundary=${boundary}`,
    },
    body: new Uint8Array(multipart(parts)),
  });
  return answer.json();
}

/** Uploads prices of a venue that the person names, and runs a backtest on them. */
async function bringPrices(venue: string) {
  const setId = randomBytes(16).toString("hex");
  const uploaded = await upload("/api/history/uploadHistoryFile", [
    { name: "set_id", value: setId },
    { name: "name", value: `${venue}.BTC-USDT.1m.csv` },
    {
      name: "file",
      value: createBarFile(60, (minute) => `${20_000 + (minute % 30)}.00`),
      filename: "x",
      type: "text/csv",
    },
  ]);
  expect(uploaded).toMatchObject({ code: 1 });
  const { data } = await ask("POST", "/api/history/keepHistoryFiles", { set_id: setId, files: 1 });
  const { pool, from_ms, to_ms } = data.pools[0];
  const params = { source: "files", pool, from_ms, to_ms, margin_bp: 10 };
  const startedRun = await ask("POST", "/api/history/runHistoryTest", params);
  for (;;) {
    const { test: run } = (await ask("GET", "/api/history/findHistoryTest")).data;
    if (run.status !== "waiting" && run.status !== "running") {
      expect(run.status).toBe("over");
      return startedRun;
    }
    await sleep(100);
  }
}

test("the search finds a marker in every form in which it may be stored", () => {
  const marker = createMarker();
  const formsFolder = join(directory, "log/forms");
  mkdirSync(formsFolder);
  for (const [form, bytes] of listForms(marker)) {
    writeFileSync(
      join(formsFolder, form.replaceAll(/\W/g, "-")),
      Buffer.concat([randomBytes(9), bytes]),
    );
  }
  for (const shift of [0, 1, 2, 3, 4]) {
    const text = Buffer.concat([randomBytes(shift), Buffer.from(marker), randomBytes(5)]);
    writeFileSync(join(formsFolder, `text-${shift}`), text.toString("base64"));
  }
  const { findings, files } = findMarkers([formsFolder], { marker });
  expect(new Set(findings.map(({ file }) => file)).size).toBe(files);
  rmSync(formsFolder, { recursive: true });
});

test("no file holds a byte of the person's data after a deletion", async () => {
  const { port } = new URL(address);
  const client = createClient({ port: Number(port) });
  const key = privateKeyToAccount(generatePrivateKey());
  person = await signIn(client);
  const { code } = (await ask("GET", "/api/user/getInviteInfo")).data;
  person = await signIn(client, key, code);
  client.close();
  const payloads = [randomBytes(20), randomBytes(20)];
  const [bookAddress, leaveAddress] = payloads.map((bytes) => encodeAddress("peth", bytes));
  const texts = Object.fromEntries(
    [
      "book name",
      "new book name",
      "removed name",
      "user agent",
      "language",
      "search",
      "amount",
      "address",
      "idempotency key",
      "pin",
      "word",
      "picture",
      "refused picture",
      "path",
      "venue",
      "name as joined",
      "identity name",
      "identity number",
      "identity picture",
    ].map((name) => [name, createMarker()]),
  ) as Record<string, string>;
  const markers: Record<string, string | Uint8Array> = {
    ...texts,
    "wallet address": key.address.slice(2).toLowerCase(),
    "wallet address as signed": key.address.slice(2),
    "wallet address in bytes": Buffer.from(key.address.slice(2), "hex"),
    "book address": bookAddress!.slice(5),
    "withdrawal address": leaveAddress!.slice(5),
  };

  const addAnswer = await ask("POST", "/api/user/addAddress", {
    name: texts["book name"],
    address: bookAddress,
  });
  expect(addAnswer.code).toBe(1);
  const renamed = { entry_id: addAnswer.data.entry_id, name: texts["new book name"] };
  expect((await ask("POST", "/api/user/renameAddress", renamed)).code).toBe(1);
  const answerAfterErasure = await ask("POST", "/api/user/addAddress", {
    name: texts["removed name"],
    address: encodeAddress("peth", randomBytes(20)),
  });
  await ask("POST", "/api/user/removeAddress", { entry_id: answerAfterErasure.data.entry_id });
  const leave = { coin: "pUSDT", amount: "100", address: leaveAddress };
  expect((await ask("POST", "/api/user/withdraw", leave)).code).toBe(1);
  const picture = await upload("/api/user/recharge", [
    { name: "coin", value: "pUSDT" },
    { name: "network", value: "peth" },
    { name: "amount", value: "100" },
    {
      name: "image",
      value: await markedVoucher(texts.picture!),
      filename: `${texts.picture}.jpg`,
      type: "image/jpeg",
    },
  ]);
  expect(picture).toMatchObject({ code: 1 });
  expect(await bringPrices(texts.venue!)).toMatchObject({ code: 1 });
  const answer = await ask("POST", "/api/user/setInviteName", { name: texts["name as joined"] });
  expect(answer.code).toBe(1);
  // Rejected input is not stored either.
  await upload("/api/user/realNameVerify", [
    { name: "name", value: texts["identity name"]! },
    { name: "number", value: texts["identity number"]! },
    { name: "document_type", value: "passport" },
    {
      name: "image",
      value: await markedPicture(texts["identity picture"]!),
      filename: `${texts["identity picture"]}.jpg`,
      type: "image/jpeg",
    },
  ]);
  await upload("/api/user/recharge", [
    {
      name: "image",
      value: Buffer.from(texts["refused picture"]!.repeat(1000)),
      filename: `${texts["refused picture"]}.png`,
      type: "image/png",
    },
  ]);
  await ask("POST", "/api/user/withdraw", { ...leave, amount: texts.amount });
  await ask("POST", "/api/user/withdraw", { ...leave, address: texts.address });
  await ask("POST", "/api/user/send", { coin: "pUSDT", amount: "1", address: texts.address });
  await ask("POST", "/api/user/withdraw", leave, { "idempotency-key": texts["idempotency key"]! });
  await ask("POST", "/api/user/setPin", { pin: texts.pin });
  await ask("GET", "/api/user/getTransferRecord", { search: texts.search });
  await ask("GET", "/api/user/getWithdrawList", { before: texts.search, coin: texts.amount });
  await ask("POST", "/api/user/removeAddress", { entry_id: texts.search });
  await ask("GET", "/api/user/userinfo", {}, { "user-agent": texts["user agent"]! });
  await ask("GET", "/api/user/getSessions", {}, { language: texts.language! });
  await ask("GET", `/api/${texts.path}/${texts.path}`);
  await ask("POST", "/api/user/deleteAccount", { word: texts.word, receipt_id: randomUUID() });

  // Even while the account exists, nothing of it is stored in the clear: PostgreSQL's files hold
  // ciphertext.
  const during = await search(markers);
  expect(during.findings).toEqual([]);

  const deleted = await ask("POST", "/api/user/deleteAccount", {
    word: "delete",
    receipt_id: randomUUID(),
  });
  expect(deleted).toMatchObject({ code: 1, data: { finished_at_ms: expect.any(Number) } });
  const after = await search(markers);
  expect(after.findings).toEqual([]);
  expect(after.bytes).toBeGreaterThan(30_000_000);
  expect(keptFiles()).toEqual([]);
}, 120_000);

/** Files that people uploaded; empty once the only person is gone. */
function keptFiles(): string[] {
  return globSync(join(directory, "data/blobs/**/*")).filter((file) => /-[0-9a-f]{32}$/.test(file));
}

test("the search finds a marker in clear text", async () => {
  const marker = createMarker();
  await owner((client) => client.query("create schema marker"));
  await owner((client) => client.query("create table marker.unsealed (name text)"));
  await owner((client) => client.query("insert into marker.unsealed values ($1)", [marker]));
  const { findings } = await search({ marker });
  expect(findings.map(({ form }) => form)).toContain("bytes");
});
