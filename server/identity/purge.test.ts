import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  createWriteStream,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import sharp from "sharp";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { IdentitySpecimen, Verification } from "#api/identity.ts";
import { createForm, createPicture } from "#server/identity/testing.ts";
import { createClient, newKey, signIn } from "#server/testing/client.ts";
import { createMarker, findMarkers } from "#server/testing/marker.ts";

/**
 * Checks that a purge leaves no byte of the picture or the typed text. A real server runs on a
 * separate data directory, every file of which is searched: the database and its write-ahead log,
 * stored files, keys, temporary files, and the log at its most verbose level.
 */
let directory: string;
let child: ChildProcess;
let address: string;
let token: string;

beforeAll(async () => {
  // Short, because a socket path lies below it.
  directory = mkdtempSync("/tmp/ddi-");
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
  child.stdout!.pipe(createWriteStream(join(directory, "log/out")));
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
  const signedIn = await signIn(
    createClient({ port: Number(new URL(address).port) }),
    privateKeyToAccount(generatePrivateKey()),
  );
  token = signedIn.token;
}, 120_000);
afterAll(async () => {
  if (child.exitCode === null) {
    child.kill("SIGTERM");
    await once(child, "close");
  }
  rmSync(directory, { recursive: true, force: true });
}, 60_000);

/** Searches every file of the server, after forcing PostgreSQL to flush its memory. */
async function search(markers: Record<string, string | Uint8Array>) {
  const passwords = readFileSync(join(directory, "data/postgres-passwords.json"), "utf8");
  const socket = encodeURIComponent(globSync(join(directory, "tmp/drydock-*"))[0]!);
  const client = new pg.Client({
    connectionString: `postgres://drydock_owner:${JSON.parse(passwords).owner}@${socket}/drydock`,
  });
  await client.connect();
  await client.query("checkpoint");
  await client.end();
  return findMarkers(
    ["data", "tmp", "log"].map((name) => join(directory, name)),
    markers,
  );
}

async function ask<Data>(path: string, input: object | FormData | null): Promise<Data> {
  const isForm = input instanceof FormData;
  const answer = await fetch(`${address}/api/user/${path}`, {
    method: input ? "POST" : "GET",
    headers: {
      token,
      "idempotency-key": newKey(),
      ...(input && !isForm ? { "content-type": "application/json" } : {}),
    },
    ...(input ? { body: isForm ? input : JSON.stringify(input) } : {}),
  });
  const body = (await answer.json()) as { code: number; error?: string; data: Data };
  if (body.code !== 1) throw new Error(body.error);
  return body.data;
}

test("no file holds the picture, fields or key after a purge, as the receipt states", async () => {
  const params = {
    document_type: "resident_id",
    state: "velmark",
    country: "GB",
    kind: "verified",
  };
  const specimen = await ask<IdentitySpecimen>("drawIdentity", params);
  const marker = createMarker();
  // Typed in an unusual way: comparison ignores capitals, spaces and hyphens.
  const swappedName = specimen.name
    .split("")
    .map((letter, index) => (index % 2 ? letter.toUpperCase() : letter.toLowerCase()));
  const fields = {
    ...createForm(specimen),
    name: swappedName.join("").replace(" ", "    "),
    number: `${specimen.number.slice(0, 6)}--${specimen.number.slice(6)}`,
  };
  const markedPicture = await sharp(await createPicture(specimen.qr_text))
    .withExif({ IFD0: { Copyright: marker, ImageDescription: marker } })
    .jpeg({ quality: 90 })
    .toBuffer();
  const upload = Buffer.concat([markedPicture, Buffer.from(marker)]);
  const form = new FormData();
  for (const [name, text] of Object.entries(fields)) form.set(name, text);
  form.set("image", new Blob([upload]), "me.jpg");
  const verification = await ask<Verification>("realNameVerify", form);
  const id = verification.verification_id;
  const response = await fetch(`${address}/api/user/getRealNameImage?verification_id=${id}`, {
    headers: { token },
  });
  const webp = Buffer.from(await response.arrayBuffer());
  const keyFile = globSync(join(directory, `data/keys/**/${id}`))[0]!;
  const key = readFileSync(keyFile);
  const middle = (bytes: Buffer) => bytes.subarray(bytes.length >> 1, (bytes.length >> 1) + 48);
  const markers = {
    "marker in the upload": marker,
    "the upload": middle(markedPicture),
    "the kept picture": middle(webp),
    "the name as typed": fields.name,
    "the name": specimen.name,
    "the number as typed": fields.number,
    "the number": specimen.number,
    "the contact number": specimen.contact.e164.slice(1),
    "the key": key,
  };
  // Proves that the search works: the specimen's id is in the tables, the key in its file.
  const before = await search({ ...markers, control: specimen.specimen_id });
  const foundMarkers = new Set(before.findings.map((finding) => finding.marker));
  expect(foundMarkers).toEqual(new Set(["the key", "control"]));
  for (let tries = 0; tries < 200; tries += 1) {
    const { status } = await ask<{ status: string }>("getRealNameInfo", null);
    if (status === "over") break;
    await sleep(200);
  }
  const purgedVerification = await ask<Verification>("purgeRealName", { verification_id: id });
  expect(purgedVerification).toMatchObject({
    image: null,
    shown: null,
    receipt: { image_bytes: webp.length },
  });
  const after = await search(markers);
  expect(after.findings).toEqual([]);
  expect(after.files).toBeGreaterThan(500);
  expect(existsSync(keyFile)).toBe(false);
}, 120_000);
