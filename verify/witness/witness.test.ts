import { createHash, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import { emptyRoot } from "../log/merkle.ts";
import { findCosignatures, parseCheckpoint, parseCosignerKey } from "../log/note.ts";
import { witnessKey } from "./key.ts";
import { listenOn } from "./server.ts";
import {
  entries,
  formatNote,
  instance,
  key,
  origin,
  ownKeys,
  readServedFile,
  saved,
  startWitness,
  toBody,
  vkey,
} from "./testing.ts";
import { Witness } from "./witness.ts";

let witness: Witness;
beforeEach(async () => {
  witness = await startWitness();
});

describe("cosigning", () => {
  test("a witness with a witness with an ML-DSA-44 key besides signs with both and counts once", async () => {
    const second = generateKeyPairSync("ml-dsa-44");
    const bothKeys = witnessKey("witness.example/w1", ownKeys.privateKey, second.privateKey);
    const checkpoint = parseCheckpoint(await formatNote(instance.shown));
    const lines = bothKeys.cosign(checkpoint, 1_700_000_000);
    const [, encoded = ""] = /^— witness\.example\/w1 \S+\n— witness\.example\/w1 (\S+)\n$/.exec(
      lines,
    )!;
    const bytes = Buffer.from(encoded, "base64");
    expect([bytes.length, bytes.readBigUInt64BE(4)]).toEqual([4 + 8 + 2_420, 1_700_000_000n]);
    // The `cosigned_message` of the specification, written out.
    const number = (value: number) => Buffer.from(value.toString(16).padStart(16, "0"), "hex");
    const message = Buffer.concat([
      Buffer.from("subtree/v1\n\0"),
      Buffer.from("\x12witness.example/w1"),
      number(1_700_000_000),
      Buffer.from([origin.length]),
      Buffer.from(origin),
      number(0),
      number(5),
      checkpoint.root,
    ]);
    expect(verify(null, message, second.publicKey, bytes.subarray(12))).toBe(true);
    const keys = [bothKeys.vkey, bothKeys.mlDsaVkey!].map(parseCosignerKey);
    const cosigned = parseCheckpoint(`${await formatNote(instance.shown)}${lines}`);
    const countCosignatures = (...namedKeys: typeof keys) =>
      findCosignatures(cosigned, namedKeys).length;
    expect([
      countCosignatures(...keys),
      countCosignatures(keys[0]!),
      countCosignatures(keys[1]!),
    ]).toEqual([1, 1, 1]);
    const otherCheckpoint = parseCheckpoint(
      `${await formatNote(instance.shown.slice(0, 4))}${lines}`,
    );
    expect(findCosignatures(otherCheckpoint, keys)).toEqual([]);
    const alteredLines = lines.replace(encoded, `${encoded.slice(0, -8)}AAAAAAA=`);
    const forgedCheckpoint = parseCheckpoint(`${await formatNote(instance.shown)}${alteredLines}`);
    expect(findCosignatures(forgedCheckpoint, [keys[1]!])).toEqual([]);
  });

  test("a cosignature verifies and is stored before it is returned", async () => {
    const answer = await witness.addCheckpoint(await toBody(instance.shown, 0));
    expect(answer.status).toBe(200);
    const [, name, encoded] = /^— (\S+) (\S+)\n$/.exec(answer.body) ?? [];
    const bytes = Buffer.from(encoded as string, "base64");
    expect([name, bytes.length]).toEqual(["witness.example/w1", 4 + 8 + 64]);
    expect(key.vkey).toContain(bytes.subarray(0, 4).toString("hex"));
    const time = bytes.readBigUInt64BE(4);
    expect(time).toBe(BigInt(instance.nowMs / 1_000));
    const text = (await formatNote(instance.shown)).split("\n\n")[0];
    const message = Buffer.from(`cosignature/v1\ntime ${time}\n${text}\n`);
    expect(verify(null, message, createPublicKey(ownKeys.privateKey), bytes.subarray(12))).toBe(
      true,
    );
    expect(saved.at(-1)?.cosigned).toMatchObject({ size: 5 });
    const hash = createHash("sha256").update(origin).digest("hex");
    expect(witness.checkpointOf(hash).body).toBe(
      `${await formatNote(instance.shown)}${answer.body}`,
    );
  });

  test("a larger tree is cosigned with a valid proof, and an unchanged one again", async () => {
    await witness.addCheckpoint(await toBody(instance.shown, 0));
    instance.shown = entries(9);
    expect((await witness.addCheckpoint(await toBody(instance.shown, 5))).status).toBe(200);
    expect((await witness.addCheckpoint(await toBody(instance.shown, 9))).status).toBe(200);
    expect(witness.state.alarm).toBeNull();
  });

  test("a cosignature that could not be stored is not returned", async () => {
    const failing = new Witness({
      key,
      file: readServedFile,
      listedKeys: async () => [vkey],
      state: witness.state,
      save: () => Promise.reject(new Error("disk full")),
      nowMs: () => instance.nowMs,
      deadAfterMs: 1,
    });
    await expect(failing.addCheckpoint(await toBody(instance.shown, 0))).rejects.toThrow(
      "disk full",
    );
    expect(failing.state.cosigned.size).toBe(0);
  });
});

describe("requests to add a checkpoint", () => {
  test.each([
    ["no empty line", async () => "old 0\n", 400],
    ["no old size", async () => `old x\n\n${await formatNote(instance.shown)}`, 400],
    ["a leading zero", async () => `old 00\n\n${await formatNote(instance.shown)}`, 400],
    ["an old size above the new", async () => `old 6\n\n${await formatNote(instance.shown)}`, 400],
    ["no note", async () => "old 0\n\nhello\n", 400],
    [
      "another log",
      async () => (await toBody(instance.shown, 0)).replaceAll("witnessed", "other"),
      404,
    ],
    [
      "a wrong signature",
      async () => (await toBody(instance.shown, 0)).replace("\n5\n", "\n4\n"),
      403,
    ],
    ["an unknown old size", () => toBody(instance.shown, 3), 409],
    [
      "a proof from an empty tree",
      async () =>
        (await toBody(instance.shown, 0)).replace("old 0\n", `old 0\n${"A".repeat(43)}=\n`),
      422,
    ],
    [
      "a line that is not a hash",
      async () => (await toBody(instance.shown, 0)).replace("old 0\n", "old 0\nAAAA\n"),
      400,
    ],
  ])("a request with %s is refused", async (_, body, status) => {
    expect((await witness.addCheckpoint(await body())).status).toBe(status);
    expect(saved).toEqual([]);
  });

  test("a request with an outdated size is answered with the current one", async () => {
    await witness.addCheckpoint(await toBody(instance.shown, 0));
    expect(await witness.addCheckpoint(await toBody(instance.shown, 0))).toEqual({
      status: 409,
      type: "text/x.tlog.size",
      body: "5\n",
    });
  });

  test("a request with an invalid proof is refused", async () => {
    await witness.addCheckpoint(await toBody(instance.shown, 0));
    const body = await toBody(entries(9, " changed"), 5);
    expect((await witness.addCheckpoint(body)).status).toBe(422);
    expect(witness.state.cosigned.size).toBe(5);
  });

  test("the log's own checkpoint with an invalid proof is refused without an alarm", async () => {
    await witness.addCheckpoint(await toBody(instance.shown, 0));
    const line = `${Buffer.alloc(32).toString("base64")}\n`;
    const body = (await toBody(instance.shown, 5)).replace("old 5\n", `old 5\n${line}`);
    expect((await witness.addCheckpoint(body)).status).toBe(422);
    expect(witness.state.alarm).toBeNull();
    expect((await witness.addCheckpoint(await toBody(instance.shown, 5))).status).toBe(200);
  });

  test("a request before the first look at the log is answered with 503", async () => {
    const observed = { size: 0, root: emptyRoot.toString("base64"), note: "" };
    const unread = new Witness({
      key,
      file: readServedFile,
      listedKeys: async () => [vkey],
      state: { ...witness.state, observed },
      save: async () => {},
      nowMs: () => instance.nowMs,
      deadAfterMs: 1,
    });
    expect((await unread.addCheckpoint(await toBody(instance.shown, 0))).status).toBe(503);
  });

  test("one of two concurrent requests is cosigned, and the other gets the new size", async () => {
    await witness.addCheckpoint(await toBody(instance.shown, 0));
    const small = await toBody(entries(7), 5);
    instance.shown = entries(9);
    const answers = await Promise.all([
      witness.addCheckpoint(await toBody(instance.shown, 5)),
      witness.addCheckpoint(small),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect(witness.state.cosigned.size).toBe(9);
  });
});

test("new leaves beyond one look's limit are read by the next looks", async () => {
  const state = { ...witness.state, readTo: 0 };
  const long = new Witness({
    key,
    file: readServedFile,
    listedKeys: async () => [vkey],
    state,
    save: async () => {},
    nowMs: () => instance.nowMs,
    deadAfterMs: 1,
    newLeavesMax: 2,
  });
  for (const readTo of [2, 4, 5]) {
    await long.observe();
    expect(long.state.readTo).toBe(readTo);
  }
});

test("a body above the limit is refused with 413 and the connection closed", async () => {
  const server = await listenOn("127.0.0.1:0", witness, { url: "http://log.invalid", vkey });
  try {
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/add-checkpoint`;
    const answer = await fetch(url, { method: "POST", body: "x".repeat(4_000_000) });
    expect(answer.status).toBe(413);
    await expect(
      listenOn(`127.0.0.1:${port}`, witness, { url: "http://log.invalid", vkey }),
    ).rejects.toThrow("EADDRINUSE");
  } finally {
    server.close();
  }
});

test("a log that stops growing is dead until it grows again", async () => {
  await witness.observe();
  instance.nowMs += 300_001;
  await witness.observe();
  expect(witness.isDead).toBe(true);
  instance.shown = entries(6);
  await witness.observe();
  expect(witness.isDead).toBe(false);
});
