import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { CannotCheckError } from "../instance.ts";
import { MismatchError, sha256 } from "../log/bytes.ts";
import { canonicalBytes } from "../log/canonical.ts";
import { kinds, worldTag } from "../log/leaves.ts";
import { tilePath } from "../log/logReader.ts";
import { consistencyPath, emptyRoot, leafHash, nodeHash, rangeHash } from "../log/merkle.ts";
import { findCosignatures, parseCheckpoint, parseCosignerKey } from "../log/note.ts";
import { witnessKey } from "./key.ts";
import { noLeaves } from "./lastLeaves.ts";
import { describeStatus, isAlarming, statusLine } from "./page.ts";
import { listenOn } from "./server.ts";
import { createState, readState, succeededState, type WitnessState } from "./state.ts";
import { Witness } from "./witness.ts";

const origin = "drydock.invalid/witnessed/00000000";
function logKey() {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const bytes = Buffer.concat([
    Uint8Array.of(1),
    Buffer.from(publicKey.export({ format: "jwk" }).x as string, "base64url"),
  ]);
  const id = sha256(Buffer.from(`${origin}\n`), bytes).subarray(0, 4);
  return { privateKey, id, vkey: `${origin}+${id.toString("hex")}+${bytes.toString("base64")}` };
}
const [first, second, third] = [logKey(), logKey(), logKey()];
const { vkey } = first;
const own = generateKeyPairSync("ed25519");
const key = witnessKey("witness.example/w1", own.privateKey);

const entries = (count: number, salt = "") =>
  Array.from({ length: count }, (_, at) => Buffer.from(`entry ${at}${at < 3 ? "" : salt}`));

async function node(list: readonly Buffer[], level: number, index: number): Promise<Uint8Array> {
  if (level === 0) return leafHash(list[index] as Buffer);
  return nodeHash(
    await node(list, level - 1, 2 * index),
    await node(list, level - 1, 2 * index + 1),
  );
}
const getNodes = (list: readonly Buffer[]) => (level: number, index: number) =>
  node(list, level, index);

async function formatNote(list: readonly Buffer[]): Promise<string> {
  const root = list.length === 0 ? emptyRoot : await rangeHash(0, list.length, getNodes(list));
  const text = `${origin}\n${list.length}\n${Buffer.from(root).toString("base64")}\n`;
  return `${text}\n${signers.map((signer) => toLine(text, signer)).join("")}`;
}

function toLine(text: string, { id, privateKey }: typeof first): string {
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), privateKey)]);
  return `— ${origin} ${signature.toString("base64")}\n`;
}

function handover(from: typeof first, to: typeof first, by = [from, to]): string {
  const text = `drydock.handover/1\n${origin}\n${from.vkey}\n${to.vkey}\n`;
  return `${text}\n${by.map((signer) => toLine(text, signer)).join("")}`;
}

async function toBody(list: readonly Buffer[], oldSize: number): Promise<string> {
  const path = await consistencyPath(oldSize, list.length, getNodes(list));
  const lines = path.map((hash) => `${Buffer.from(hash).toString("base64")}\n`);
  return `old ${oldSize}\n${lines.join("")}\n${await formatNote(list)}`;
}

/** The log's public state: any width of a tile up to its size, as the checkpoint says. */
let shown: Buffer[] = [];
let altered: string | null = null;
/** Paths that are answered otherwise: null for a 404. */
let replaced = new Map<string, string | null>();
let held: (path: string) => Promise<void> = async () => {};
let signers = [first];
let nowMs = 0;
let saved: WitnessState[] = [];
let witness: Witness;

/** Answers what is shown when it is asked, once `held` lets the answer go. */
async function file(path: string): Promise<Uint8Array> {
  const bytes = await read(path);
  await held(path);
  return bytes;
}

async function read(path: string): Promise<Uint8Array> {
  const instead = [...replaced].find(([start]) => path.startsWith(start))?.[1];
  if (instead === null) throw new MismatchError("leaves", "leaf_missing", path);
  if (instead !== undefined) return Buffer.from(instead);
  if (path === "checkpoint") return Buffer.from(await formatNote(shown));
  for (let size = 1; size <= shown.length; size += 1) {
    if (tilePath("entries", 0, size)?.path === path) {
      const bundle = shown.slice(0, size).map((entry, at) => {
        const bytes = altered === `entry ${at}` ? Buffer.from("another") : entry;
        return Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 255), bytes]);
      });
      return Buffer.concat(bundle);
    }
    if (tilePath(0, 0, size)?.path === path)
      return Buffer.concat(shown.slice(0, size).map(leafHash));
  }
  throw new MismatchError("leaves", "leaf_missing", path);
}

const options = () => ({
  key,
  file,
  listedKeys: async () => signers.map(({ vkey }) => vkey),
  state: createState(vkey, nowMs),
  save: async (state: WitnessState) => void saved.push(state),
  nowMs: () => nowMs,
  deadAfterMs: 300_000,
  lookAgainMs: 0,
});

beforeEach(async () => {
  shown = entries(5);
  altered = null;
  replaced = new Map();
  held = async () => {};
  signers = [first];
  nowMs = 1_700_000_000_000;
  saved = [];
  witness = new Witness(options());
  await witness.observe();
  saved = [];
});

describe("cosigning", () => {
  test("a witness with a key of the type ML-DSA-44 signs with it too, and counts once", async () => {
    const second = generateKeyPairSync("ml-dsa-44");
    const both = witnessKey("witness.example/w1", own.privateKey, second.privateKey);
    const checkpoint = parseCheckpoint(await formatNote(shown));
    const lines = both.cosign(checkpoint, 1_700_000_000);
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
    const keys = [both.vkey, both.mlDsaVkey!].map(parseCosignerKey);
    const cosigned = parseCheckpoint(`${await formatNote(shown)}${lines}`);
    const counted = (...named: typeof keys) => findCosignatures(cosigned, named).length;
    expect([counted(...keys), counted(keys[0]!), counted(keys[1]!)]).toEqual([1, 1, 1]);
    const other = parseCheckpoint(`${await formatNote(shown.slice(0, 4))}${lines}`);
    expect(findCosignatures(other, keys)).toEqual([]);
    const altered = lines.replace(encoded, `${encoded.slice(0, -8)}AAAAAAA=`);
    const forged = parseCheckpoint(`${await formatNote(shown)}${altered}`);
    expect(findCosignatures(forged, [keys[1]!])).toEqual([]);
  });

  test("a cosignature verifies and is stored before it is returned", async () => {
    const answer = await witness.addCheckpoint(await toBody(shown, 0));
    expect(answer.status).toBe(200);
    const [, name, encoded] = /^— (\S+) (\S+)\n$/.exec(answer.body) ?? [];
    const bytes = Buffer.from(encoded as string, "base64");
    expect([name, bytes.length]).toEqual(["witness.example/w1", 4 + 8 + 64]);
    expect(key.vkey).toContain(bytes.subarray(0, 4).toString("hex"));
    const time = bytes.readBigUInt64BE(4);
    expect(time).toBe(BigInt(nowMs / 1_000));
    const text = (await formatNote(shown)).split("\n\n")[0];
    const message = Buffer.from(`cosignature/v1\ntime ${time}\n${text}\n`);
    expect(verify(null, message, createPublicKey(own.privateKey), bytes.subarray(12))).toBe(true);
    expect(saved.at(-1)?.cosigned).toMatchObject({ size: 5 });
    const hash = createHash("sha256").update(origin).digest("hex");
    expect(witness.checkpointOf(hash).body).toBe(`${await formatNote(shown)}${answer.body}`);
  });

  test("growth is cosigned by its proof alone, and so is an unchanged tree", async () => {
    await witness.addCheckpoint(await toBody(shown, 0));
    shown = entries(9);
    expect((await witness.addCheckpoint(await toBody(shown, 5))).status).toBe(200);
    expect((await witness.addCheckpoint(await toBody(shown, 9))).status).toBe(200);
    expect(witness.state.alarm).toBeNull();
  });

  test("a cosignature that could not be stored is not returned", async () => {
    const failing = new Witness({
      key,
      file,
      listedKeys: async () => [vkey],
      state: witness.state,
      save: () => Promise.reject(new Error("disk full")),
      nowMs: () => nowMs,
      deadAfterMs: 1,
    });
    await expect(failing.addCheckpoint(await toBody(shown, 0))).rejects.toThrow("disk full");
    expect(failing.state.cosigned.size).toBe(0);
  });
});

describe("requests to add a checkpoint", () => {
  test.each([
    ["no empty line", async () => "old 0\n", 400],
    ["no old size", async () => `old x\n\n${await formatNote(shown)}`, 400],
    ["a leading zero", async () => `old 00\n\n${await formatNote(shown)}`, 400],
    ["an old size above the new", async () => `old 6\n\n${await formatNote(shown)}`, 400],
    ["no note", async () => "old 0\n\nhello\n", 400],
    ["another log", async () => (await toBody(shown, 0)).replaceAll("witnessed", "other"), 404],
    ["a wrong signature", async () => (await toBody(shown, 0)).replace("\n5\n", "\n4\n"), 403],
    ["an unknown old size", () => toBody(shown, 3), 409],
    [
      "a proof from an empty tree",
      async () => (await toBody(shown, 0)).replace("old 0\n", `old 0\n${"A".repeat(43)}=\n`),
      422,
    ],
    [
      "a line that is not a hash",
      async () => (await toBody(shown, 0)).replace("old 0\n", "old 0\nAAAA\n"),
      400,
    ],
  ])("a request with %s is refused", async (_, body, status) => {
    expect((await witness.addCheckpoint(await body())).status).toBe(status);
    expect(saved).toEqual([]);
  });

  test("a request with an outdated size is answered with the current one", async () => {
    await witness.addCheckpoint(await toBody(shown, 0));
    expect(await witness.addCheckpoint(await toBody(shown, 0))).toEqual({
      status: 409,
      type: "text/x.tlog.size",
      body: "5\n",
    });
  });

  test("a request with an invalid proof is refused", async () => {
    await witness.addCheckpoint(await toBody(shown, 0));
    const body = await toBody(entries(9, " changed"), 5);
    expect((await witness.addCheckpoint(body)).status).toBe(422);
    expect(witness.state.cosigned.size).toBe(5);
  });

  test("the log's own checkpoint with an invalid proof is refused without an alarm", async () => {
    await witness.addCheckpoint(await toBody(shown, 0));
    const line = `${Buffer.alloc(32).toString("base64")}\n`;
    const body = (await toBody(shown, 5)).replace("old 5\n", `old 5\n${line}`);
    expect((await witness.addCheckpoint(body)).status).toBe(422);
    expect(witness.state.alarm).toBeNull();
    expect((await witness.addCheckpoint(await toBody(shown, 5))).status).toBe(200);
  });

  test("a request before the first look at the log is answered with 503", async () => {
    const observed = { size: 0, root: emptyRoot.toString("base64"), note: "" };
    const unread = new Witness({
      key,
      file,
      listedKeys: async () => [vkey],
      state: { ...witness.state, observed },
      save: async () => {},
      nowMs: () => nowMs,
      deadAfterMs: 1,
    });
    expect((await unread.addCheckpoint(await toBody(shown, 0))).status).toBe(503);
  });

  test("one of two concurrent requests is cosigned, and the other gets the new size", async () => {
    await witness.addCheckpoint(await toBody(shown, 0));
    const small = await toBody(entries(7), 5);
    shown = entries(9);
    const answers = await Promise.all([
      witness.addCheckpoint(await toBody(shown, 5)),
      witness.addCheckpoint(small),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect(witness.state.cosigned.size).toBe(9);
  });
});

describe("alarms, after which nothing is signed", () => {
  const expectAlarm = async (what: string) => {
    expect(witness.state.alarm?.what).toBe(what);
    expect(saved.at(-1)?.alarm?.evidence.length).toBeGreaterThan(0);
    expect(
      (await witness.addCheckpoint(await toBody(shown, witness.state.cosigned.size))).status,
    ).toBe(403);
  };

  test("a log that presents another history raises an alarm", async () => {
    await witness.observe();
    shown = entries(9, " changed");
    await witness.observe();
    await expectAlarm("forked");
  });

  test("a submitted tree that differs from the public one raises an alarm", async () => {
    await witness.observe();
    const secret = entries(9, " for you alone");
    shown = entries(9);
    expect((await witness.addCheckpoint(await toBody(secret, 0))).status).toBe(422);
    await expectAlarm("forked");
  });

  test("a public log that lags behind submissions with another tree raises an alarm", async () => {
    const alone = (count: number) => [...entries(5), ...entries(count, " for you alone").slice(5)];
    shown = alone(9);
    await witness.observe();
    const submitted = await toBody(entries(12), 0);
    expect((await witness.addCheckpoint(submitted)).status).toBe(503);
    shown = alone(11);
    await witness.observe();
    expect(witness.state.alarm).toBeNull();
    shown = alone(14);
    await witness.observe();
    await expectAlarm("forked");
  });

  test("two signed trees of one size raise an alarm", async () => {
    await witness.addCheckpoint(await toBody(shown, 0));
    shown = entries(5, " changed");
    expect((await witness.addCheckpoint(await toBody(shown, 5))).status).toBe(422);
    await expectAlarm("forked");
  });

  test("a log that stays shorter for over a minute raises an alarm", async () => {
    await witness.observe();
    shown = entries(4);
    await witness.observe();
    nowMs += 60_000;
    await witness.observe();
    expect(witness.state.alarm).toBeNull();
    nowMs += 1;
    await witness.observe();
    await expectAlarm("rolled_back");
  });

  test("an entry that changed raises an alarm", async () => {
    await witness.observe();
    altered = "entry 2";
    for (let round = 0; round < 20 && !witness.state.alarm; round += 1) await witness.observe();
    await expectAlarm("edited");
  });
});

describe("commitments to what people hold", () => {
  const { entries: log } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../docs/formats/vectors/journal.json"), "utf8"),
  ) as { entries: string[] };
  const committing = log.map((entry) => Buffer.from(entry, "hex"));
  const again = (from: string, to: string) => {
    const text = committing[2]!.toString("latin1");
    expect(text).toContain(from);
    return Buffer.from(text.replace(from, to), "latin1");
  };
  const next = (before: string) => again('"before":1', `"before":${before}`);
  let followed: Witness;
  const look = async (...more: Buffer[]) => {
    shown = [...shown, ...more];
    await followed.observe();
    return followed.state.alarm?.what ?? null;
  };
  beforeEach(async () => {
    followed = new Witness({ ...options(), state: createState(vkey, nowMs) });
    shown = [];
    expect(await look(...committing)).toBeNull();
    expect(followed.state.last.committed).toMatchObject({ leaf: 2, accounts: 6, batch: 2 });
  });

  test("one that names the last one before it raises no alarm", async () => {
    const third = again('"batch":2', '"batch":3').toString("latin1");
    expect(await look(Buffer.from(third.replace('"before":1', '"before":2'), "latin1"))).toBeNull();
    expect(followed.state.last.committed?.leaf).toBe(4);
  });

  test.each([
    ["begins anew", () => next("null")],
    ["skips one", () => again('"batch":2', '"batch":3')],
    ["is of no later batch", () => next("2")],
  ])("one that %s raises an alarm, and nothing is signed", async (_, leaf) => {
    expect(await look(leaf())).toBe("accounts_fell");
    expect(followed.state.alarm?.evidence.length).toBeGreaterThan(0);
    expect(statusLine(followed)).toContain("leaving out accounts");
    expect((await followed.addCheckpoint(await toBody(shown, 0))).status).toBe(403);
  });

  test("one that cannot be read hides nothing", async () => {
    expect(await look(next('"none"'))).toBeNull();
    expect(await look(next("null"))).toBe("accounts_fell");
  });

  test("a witness that kept nothing of the leaves reads the leaves once more", async () => {
    const folder = await mkdtemp(join(tmpdir(), "drydock-witness-"));
    try {
      const path = join(folder, "witness.json");
      const { last, ...before } = followed.state;
      await writeFile(path, JSON.stringify(before));
      expect(await readState(path)).toMatchObject({ readTo: 0, last: noLeaves });
      await writeFile(path, JSON.stringify(followed.state));
      expect(await readState(path)).toEqual(followed.state);
      expect(last.committed?.leaf).toBe(2);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("an unreadable answer raises no alarm", () => {
  const page = "<html>Bad gateway</html>";
  test.each<[string, string, string | null]>([
    ["a proxy's page instead of the checkpoint", "checkpoint", page],
    ["a missing checkpoint", "checkpoint", null],
    ["a proxy's page instead of the hashes", "tile/0", page],
    ["missing hashes", "tile/0", null],
    ["a proxy's page instead of the entries", "tile/entries", page],
    ["missing entries", "tile/entries", null],
  ])("%s", async (_, path, instead) => {
    shown = entries(9);
    replaced.set(path, instead);
    await expect(witness.observe()).rejects.toThrow(CannotCheckError);
    expect((await witness.addCheckpoint(await toBody(shown, 0))).status).not.toBe(403);
    expect(witness.state.alarm).toBeNull();
    replaced.clear();
    await witness.observe();
    expect(witness.state.observed.size).toBe(9);
  });

  test("a tree that is unreadable for over a minute is withheld until it is not", async () => {
    shown = entries(9);
    replaced.set("tile/entries", null);
    await expect(witness.observe()).rejects.toThrow(CannotCheckError);
    nowMs += 60_000;
    await expect(witness.observe()).rejects.toThrow(CannotCheckError);
    expect(describeStatus(witness)).toBe("grows");
    nowMs += 1;
    expect(describeStatus(witness)).toBe("grows");
    await expect(witness.observe()).rejects.toThrow(CannotCheckError);
    expect(describeStatus(witness)).toBe("withheld");
    expect((await witness.addCheckpoint(await toBody(shown, 0))).status).toBe(503);
    replaced.clear();
    await witness.observe();
    expect(describeStatus(witness)).toBe("grows");
    expect(witness.state.alarm).toBeNull();
  });
});

test("a submitted tree that is not published is withheld until it is", async () => {
  expect((await witness.addCheckpoint(await toBody(entries(7), 0))).status).toBe(503);
  nowMs += 60_001;
  expect(describeStatus(witness)).toBe("grows");
  await witness.observe();
  expect(describeStatus(witness)).toBe("withheld");
  shown = entries(8);
  await witness.observe();
  expect(describeStatus(witness)).toBe("grows");
});

describe("a new log key", () => {
  test("a new key is trusted once it signs together with the trusted one", async () => {
    for (const [newer, older] of [
      [second, first],
      [third, second],
    ] as const) {
      signers = [newer, older];
      shown = entries(shown.length + 1);
      await witness.observe();
      expect(witness.state.vkey).toBe(newer.vkey);
    }
    expect(witness.state.formerKeys).toEqual([second.vkey, first.vkey]);
    signers = [third];
    expect((await witness.addCheckpoint(await toBody(shown, 0))).status).toBe(200);
  });

  test("keys that changed since the last look are followed by their handovers", async () => {
    signers = [third];
    shown = entries(6);
    const chain = [handover(first, second), handover(second, third)];
    for (const wrong of [chain.slice(1), [handover(first, second, [second])]]) {
      replaced.set("handovers", JSON.stringify(wrong));
      await expect(witness.observe()).rejects.toThrow(/signature_wrong|handover_unsigned/);
      expect([witness.state.vkey, witness.state.alarm]).toEqual([first.vkey, null]);
    }
    replaced.set("handovers", JSON.stringify(chain));
    await witness.observe();
    expect(witness.state.vkey).toBe(third.vkey);
    expect(witness.state.formerKeys).toEqual([second.vkey, first.vkey]);
    expect((await witness.addCheckpoint(await toBody(shown, 0))).status).toBe(200);
  });

  test("a new key that signs alone is not trusted", async () => {
    signers = [second];
    shown = entries(6);
    await expect(witness.observe()).rejects.toThrow("signature_wrong");
    expect((await witness.addCheckpoint(await toBody(shown, 0))).status).toBe(403);
    expect(witness.state.vkey).toBe(first.vkey);
    nowMs += 60_001;
    await expect(witness.observe()).rejects.toThrow("signature_wrong");
    expect(describeStatus(witness)).toBe("withheld");
  });
});

describe("a successor log", () => {
  const vectors = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../docs/formats/vectors/succession.json"), "utf8"),
  );
  const follow = (one: typeof vectors.cases) => {
    const log: Buffer[] = one.entries.map((entry: string) => Buffer.from(entry, "hex"));
    const root = Buffer.from(one.known.root, "hex").toString("base64");
    const observed = { size: one.known.size, root, note: "seen before" };
    const ended = new Witness({
      key,
      file: async (path) => {
        if (path === "checkpoint") return Buffer.from(one.checkpoint);
        if (path.startsWith("tile/0/")) return Buffer.concat(log.map(leafHash));
        return Buffer.concat(
          log.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length), entry]),
        );
      },
      listedKeys: async () => [one.vkey],
      listedSuccessions: async () => one.listed,
      state: { ...createState(one.known.vkeys[0], nowMs), observed },
      save: async (state) => void saved.push(state),
      nowMs: () => nowMs,
      deadAfterMs: 300_000,
    });
    return ended;
  };

  test("a succession raises its own alarm once and is followed only on request", async () => {
    const [one] = vectors.cases;
    const ended = follow(one);
    await ended.observe();
    await ended.observe();
    expect(saved).toHaveLength(1);
    expect(ended.state.alarm).toMatchObject({ what: "succeeded", successor: one.vkey });
    expect(describeStatus(ended)).toBe("succeeded");
    expect(statusLine(ended)).toContain("3 signed leaves are lost, from 2026-01-05T00:00:09");
    const origin = one.checkpoint.split("\n")[0];
    expect(succeededState(ended.state, "another", nowMs)).toBeNull();
    expect(succeededState(ended.state, origin, nowMs)).toEqual(createState(one.vkey, nowMs));
    expect(succeededState(witness.state, origin, nowMs)).toBeNull();
  });

  test.each<{ name: string; difference: string }>(
    vectors.falsified.filter(
      ({ difference }: { difference: string }) => difference !== "log_changed",
    ),
  )("an invalid succession is not reported: $name", async (one) => {
    const ended = follow(one);
    await expect(ended.observe()).rejects.toThrow(one.difference);
    expect(ended.state.alarm).toBeNull();
    nowMs += 60_001;
    await expect(ended.observe()).rejects.toThrow(one.difference);
    expect(describeStatus(ended)).toBe("withheld");
  });
});

test("new leaves beyond one look's limit are read by the next looks", async () => {
  const state = { ...witness.state, readTo: 0 };
  const long = new Witness({
    key,
    file,
    listedKeys: async () => [vkey],
    state,
    save: async () => {},
    nowMs: () => nowMs,
    deadAfterMs: 1,
    newLeavesMax: 2,
  });
  for (const readTo of [2, 4, 5]) {
    await long.observe();
    expect(long.state.readTo).toBe(readTo);
  }
});

describe("requests beside looks", () => {
  /** Holds the answer to the next read of a path. */
  const hold = (path: string) => {
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    held = async (asked) => {
      if (!asked.startsWith(path)) return;
      held = async () => {};
      begun.resolve();
      await released.promise;
    };
    return { begun: begun.promise, letGo: released.resolve };
  };

  test("a checkpoint is cosigned while a look reads the leaves", async () => {
    shown = entries(9);
    const { begun, letGo } = hold("tile/entries");
    const look = witness.observe();
    await begun;
    expect((await witness.addCheckpoint(await toBody(shown, 0))).status).toBe(200);
    expect(witness.state).toMatchObject({ readTo: 5, observed: { size: 9 } });
    letGo();
    await look;
    expect(witness.state).toMatchObject({ readTo: 9, cosigned: { size: 9 } });
  });

  test("what was cosigned while a look read another tree raises an alarm", async () => {
    const other = entries(9, " changed");
    shown = [...entries(5), ...other.slice(5)];
    const { begun, letGo } = hold("checkpoint");
    const look = witness.observe();
    await begun;
    shown = entries(9);
    expect((await witness.addCheckpoint(await toBody(shown, 0))).status).toBe(200);
    shown = [...entries(5), ...other.slice(5)];
    letGo();
    await look;
    expect(witness.state.alarm?.what).toBe("forked");
  });

  /** A request for a tree of 7, beside whose comparison a look sees another tree of 9. */
  const overtaken = async () => {
    shown = entries(7);
    const { begun, letGo } = hold("tile/0");
    const answer = witness.addCheckpoint(await toBody(shown, 0));
    await begun;
    shown = [...entries(5), ...entries(9, " changed").slice(5)];
    await witness.observe();
    expect(witness.state).toMatchObject({ alarm: null, observed: { size: 9 } });
    return { answer, letGo };
  };

  test("a tree is compared again with the one that a look saw meanwhile", async () => {
    const { answer, letGo } = await overtaken();
    letGo();
    expect((await answer).status).toBe(422);
    expect(witness.state).toMatchObject({ alarm: { what: "forked" }, cosigned: { size: 0 } });
  });

  test("a tree is not cosigned once the log hides the one that a look saw meanwhile", async () => {
    const { answer, letGo } = await overtaken();
    replaced.set("", null);
    letGo();
    expect((await answer).status).toBe(503);
    expect(witness.state).toMatchObject({ alarm: null, cosigned: { size: 0 } });
    nowMs += 60_001;
    replaced.clear();
    await witness.observe();
    expect(witness.state.alarm?.what).toBe("forked");
  });

  test("a tree is not cosigned beside another that is being stored", async () => {
    const [storing, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = new Witness({
      ...options(),
      state: witness.state,
      save: async (state) => {
        if (state.observed.size < 9) return;
        storing.resolve();
        await stored.promise;
      },
    });
    const submitted = await toBody(entries(7), 0);
    shown = [...entries(5), ...entries(9, " changed").slice(5)];
    const look = slow.observe();
    await storing.promise;
    shown = entries(7);
    const { begun, letGo } = hold("tile/0");
    const answer = slow.addCheckpoint(submitted);
    await begun;
    letGo();
    // The comparison is over and waits for its turn to store.
    await new Promise(setImmediate);
    shown = [...entries(5), ...entries(9, " changed").slice(5)];
    stored.resolve();
    await look;
    expect((await answer).status).toBe(422);
    expect(slow.state).toMatchObject({ alarm: { what: "forked" }, cosigned: { size: 0 } });
  });

  test("a tree is cosigned beside a look that saw it grow", async () => {
    shown = entries(7);
    const { begun, letGo } = hold("tile/0");
    const answer = witness.addCheckpoint(await toBody(shown, 0));
    await begun;
    shown = entries(9);
    await witness.observe();
    letGo();
    expect((await answer).status).toBe(200);
    expect(witness.state).toMatchObject({ alarm: null, cosigned: { size: 7 } });
  });

  test("nothing is signed after an alarm that a look raised meanwhile", async () => {
    shown = entries(7);
    const { begun, letGo } = hold("tile/0");
    const answer = witness.addCheckpoint(await toBody(shown, 0));
    await begun;
    shown = entries(9, " changed");
    await witness.observe();
    expect(witness.state.alarm?.what).toBe("forked");
    letGo();
    expect((await answer).status).toBe(403);
    expect(witness.state.cosigned.size).toBe(0);
  });

  test("a tree that is shown a moment after it was submitted is cosigned", async () => {
    const body = await toBody(entries(7), 0);
    let asked = 0;
    held = async (path) => {
      if (path !== "checkpoint") return;
      asked += 1;
      shown = entries(7);
    };
    expect((await witness.addCheckpoint(body)).status).toBe(200);
    expect(asked).toBe(2);
    expect(describeStatus(witness)).toBe("grows");
  });

  test("the checkpoint alone is enough to begin with", async () => {
    const begun = new Witness({ ...options(), state: createState(vkey, nowMs) });
    replaced.set("tile/entries", null);
    await begun.observeCheckpoint();
    expect((await begun.addCheckpoint(await toBody(shown, 0))).status).toBe(200);
    expect(begun.state.readTo).toBe(0);
  });
});

test("a body above the limit is answered and the connection closed", async () => {
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

describe("a log that stands still because its world is paused", () => {
  const base = 1_767_571_200_000;
  const head = (kind: number) => Buffer.from([1, kind, 0x50, ...worldTag("vector")]);
  /** Its number as a varint of five bytes; no orders, venues or symbols. */
  const second = (ms: number) => {
    const places = [0, 7, 14, 21, 28].map((bits) => Math.floor(ms / 1_000 / 2 ** bits) % 128);
    const number = places.map((place, at) => (at < 4 ? place | 0x80 : place));
    return Buffer.concat([head(kinds.second), Buffer.from([...number, 0, 0, 0])]);
  };
  const act = (what: string, atMs: number) =>
    Buffer.concat([
      head(kinds.audit),
      canonicalBytes({
        practice: true,
        backing: "none",
        world: "vector",
        type: "act",
        seq: 1,
        before: null,
        previous: "0".repeat(64),
        at_ms: base,
        act: { what, role: "teacher", target: null, details: { at_ms: atMs } },
        commitment: "11".repeat(32),
      }),
    ]);
  const paused = (atMs: number) => act("class.clock_paused", atMs);
  let followed: Witness;
  const stands = async (...leaves: Buffer[]) => {
    shown = leaves;
    followed = new Witness({ ...options(), state: createState(vkey, nowMs) });
    await followed.observe();
    nowMs += 300_001;
    await followed.observe();
    return describeStatus(followed);
  };

  test("the act in the log is named, and no alarm is raised", async () => {
    const leaves = [second(base), paused(base + 60_000), second(base + 59_000)];
    expect(await stands(...leaves)).toBe("paused");
    expect(isAlarming(followed)).toBe(false);
    expect(statusLine(followed)).toContain("paused by the act in leaf 1, from 2026-01-05T00:01:00");
    expect(followed.state.last.pause).toEqual({ leaf: 1, atMs: base + 60_000 });
    shown = [...leaves, act("class.clock_resumed", base + 60_000)];
    await followed.observe();
    expect(describeStatus(followed)).toBe("grows");
    nowMs += 300_001;
    expect(describeStatus(followed)).toBe("dead");
    expect(isAlarming(followed)).toBe(true);
  });

  test("a pause that is only announced excuses no log that stops before it", async () => {
    expect(await stands(second(base), paused(base + 86_400_000))).toBe("dead");
    expect(statusLine(followed)).toMatch(/^ALARM/);
  });

  test.each([
    ["no act", () => second(base + 1_000)],
    ["another act", () => act("class.opened", base)],
    ["an act that cannot be read", () => paused(base).subarray(0, 60)],
  ])("%s excuses no log that stops", async (_, leaf) => {
    expect(await stands(second(base), leaf())).toBe("dead");
  });
});

test("a log that stops growing is dead until it grows again", async () => {
  await witness.observe();
  nowMs += 300_001;
  await witness.observe();
  expect(witness.isDead).toBe(true);
  shown = entries(6);
  await witness.observe();
  expect(witness.isDead).toBe(false);
});
