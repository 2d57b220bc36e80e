import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { CannotCheckError } from "../instance.ts";
import { canonicalBytes } from "../log/canonical.ts";
import { kinds, worldTag } from "../log/leaves.ts";
import { leafHash } from "../log/merkle.ts";
import { noLeaves } from "./lastLeaves.ts";
import { describeStatus, isAlarming, statusLine } from "./page.ts";
import { createState, createSuccessorState, readState } from "./state.ts";
import {
  entries,
  instance,
  key,
  options,
  replaced,
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

describe("alarms, after which nothing is signed", () => {
  const expectAlarm = async (alarmName: string) => {
    expect(witness.state.alarm?.what).toBe(alarmName);
    expect(saved.at(-1)?.alarm?.evidence.length).toBeGreaterThan(0);
    expect(
      (await witness.addCheckpoint(await toBody(instance.shown, witness.state.cosigned.size)))
        .status,
    ).toBe(403);
  };

  test("a log that presents another history raises an alarm", async () => {
    await witness.observe();
    instance.shown = entries(9, " changed");
    await witness.observe();
    await expectAlarm("forked");
  });

  test("a submitted tree that differs from the public one raises an alarm", async () => {
    await witness.observe();
    const secret = entries(9, " for you alone");
    instance.shown = entries(9);
    expect((await witness.addCheckpoint(await toBody(secret, 0))).status).toBe(422);
    await expectAlarm("forked");
  });

  test("a public log that lags behind submissions with another tree raises an alarm", async () => {
    const forkedEntries = (count: number) => [
      ...entries(5),
      ...entries(count, " for you alone").slice(5),
    ];
    instance.shown = forkedEntries(9);
    await witness.observe();
    const submitted = await toBody(entries(12), 0);
    expect((await witness.addCheckpoint(submitted)).status).toBe(503);
    instance.shown = forkedEntries(11);
    await witness.observe();
    expect(witness.state.alarm).toBeNull();
    instance.shown = forkedEntries(14);
    await witness.observe();
    await expectAlarm("forked");
  });

  test("two signed trees of one size raise an alarm", async () => {
    await witness.addCheckpoint(await toBody(instance.shown, 0));
    instance.shown = entries(5, " changed");
    expect((await witness.addCheckpoint(await toBody(instance.shown, 5))).status).toBe(422);
    await expectAlarm("forked");
  });

  test("a log that stays shorter for over a minute raises an alarm", async () => {
    await witness.observe();
    instance.shown = entries(4);
    await witness.observe();
    instance.nowMs += 60_000;
    await witness.observe();
    expect(witness.state.alarm).toBeNull();
    instance.nowMs += 1;
    await witness.observe();
    await expectAlarm("rolled_back");
  });

  test("an entry that changed raises an alarm", async () => {
    await witness.observe();
    instance.altered = "entry 2";
    for (let round = 0; round < 20 && !witness.state.alarm; round += 1) await witness.observe();
    await expectAlarm("edited");
  });
});

describe("commitments to people's balances", () => {
  const { entries: log } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../docs/formats/vectors/journal.json"), "utf8"),
  ) as { entries: string[] };
  const committing = log.map((entry) => Buffer.from(entry, "hex"));
  const replaceInLeaf = (from: string, to: string) => {
    const text = committing[2]!.toString("latin1");
    expect(text).toContain(from);
    return Buffer.from(text.replace(from, to), "latin1");
  };
  const next = (before: string) => replaceInLeaf('"before":1', `"before":${before}`);
  let observer: Witness;
  const observeMore = async (...more: Buffer[]) => {
    instance.shown = [...instance.shown, ...more];
    await observer.observe();
    return observer.state.alarm?.what ?? null;
  };
  beforeEach(async () => {
    observer = new Witness({ ...options(), state: createState(vkey, instance.nowMs) });
    instance.shown = [];
    expect(await observeMore(...committing)).toBeNull();
    expect(observer.state.last.committed).toMatchObject({ leaf: 2, accounts: 6, batch: 2 });
  });

  test("a commitment that names its predecessor raises no alarm", async () => {
    const third = replaceInLeaf('"batch":2', '"batch":3').toString("latin1");
    expect(
      await observeMore(Buffer.from(third.replace('"before":1', '"before":2'), "latin1")),
    ).toBeNull();
    expect(observer.state.last.committed?.leaf).toBe(4);
  });

  test.each([
    ["begins anew", () => next("null")],
    ["skips one", () => replaceInLeaf('"batch":2', '"batch":3')],
    ["is of no later batch", () => next("2")],
  ])("a commitment that %s raises an alarm, and nothing is signed", async (_, leaf) => {
    expect(await observeMore(leaf())).toBe("accounts_fell");
    expect(observer.state.alarm?.evidence.length).toBeGreaterThan(0);
    expect(statusLine(observer)).toContain("leaving out accounts");
    expect((await observer.addCheckpoint(await toBody(instance.shown, 0))).status).toBe(403);
  });

  test("an unreadable commitment does not suppress an alarm", async () => {
    expect(await observeMore(next('"none"'))).toBeNull();
    expect(await observeMore(next("null"))).toBe("accounts_fell");
  });

  test("a witness whose state lacks the last leaves rereads them", async () => {
    const folder = await mkdtemp(join(tmpdir(), "drydock-witness-"));
    try {
      const path = join(folder, "witness.json");
      const { last, ...before } = observer.state;
      await writeFile(path, JSON.stringify(before));
      expect(await readState(path)).toMatchObject({ readTo: 0, last: noLeaves });
      await writeFile(path, JSON.stringify(observer.state));
      expect(await readState(path)).toEqual(observer.state);
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
    instance.shown = entries(9);
    replaced.set(path, instead);
    await expect(witness.observe()).rejects.toThrow(CannotCheckError);
    expect((await witness.addCheckpoint(await toBody(instance.shown, 0))).status).not.toBe(403);
    expect(witness.state.alarm).toBeNull();
    replaced.clear();
    await witness.observe();
    expect(witness.state.observed.size).toBe(9);
  });

  test("a tree that is unreadable for over a minute counts as withheld until it can be read", async () => {
    instance.shown = entries(9);
    replaced.set("tile/entries", null);
    await expect(witness.observe()).rejects.toThrow(CannotCheckError);
    instance.nowMs += 60_000;
    await expect(witness.observe()).rejects.toThrow(CannotCheckError);
    expect(describeStatus(witness)).toBe("grows");
    instance.nowMs += 1;
    expect(describeStatus(witness)).toBe("grows");
    await expect(witness.observe()).rejects.toThrow(CannotCheckError);
    expect(describeStatus(witness)).toBe("withheld");
    expect((await witness.addCheckpoint(await toBody(instance.shown, 0))).status).toBe(503);
    replaced.clear();
    await witness.observe();
    expect(describeStatus(witness)).toBe("grows");
    expect(witness.state.alarm).toBeNull();
  });
});

test("a submitted tree counts as withheld until it is published", async () => {
  expect((await witness.addCheckpoint(await toBody(entries(7), 0))).status).toBe(503);
  instance.nowMs += 60_001;
  expect(describeStatus(witness)).toBe("grows");
  await witness.observe();
  expect(describeStatus(witness)).toBe("withheld");
  instance.shown = entries(8);
  await witness.observe();
  expect(describeStatus(witness)).toBe("grows");
});

describe("a successor log", () => {
  const vectors = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../docs/formats/vectors/succession.json"), "utf8"),
  );
  const follow = (testCase: typeof vectors.cases) => {
    const log: Buffer[] = testCase.entries.map((entry: string) => Buffer.from(entry, "hex"));
    const root = Buffer.from(testCase.known.root, "hex").toString("base64");
    const observed = { size: testCase.known.size, root, note: "seen before" };
    const endedWitness = new Witness({
      key,
      file: async (path) => {
        if (path === "checkpoint") return Buffer.from(testCase.checkpoint);
        if (path.startsWith("tile/0/")) return Buffer.concat(log.map(leafHash));
        return Buffer.concat(
          log.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length), entry]),
        );
      },
      listedKeys: async () => [testCase.vkey],
      listedSuccessions: async () => testCase.listed,
      state: { ...createState(testCase.known.vkeys[0], instance.nowMs), observed },
      save: async (state) => void saved.push(state),
      nowMs: () => instance.nowMs,
      deadAfterMs: 300_000,
    });
    return endedWitness;
  };

  test("a succession raises its own alarm once and is followed only on request", async () => {
    const [testCase] = vectors.cases;
    const endedWitness = follow(testCase);
    await endedWitness.observe();
    await endedWitness.observe();
    expect(saved).toHaveLength(1);
    expect(endedWitness.state.alarm).toMatchObject({ what: "succeeded", successor: testCase.vkey });
    expect(describeStatus(endedWitness)).toBe("succeeded");
    expect(statusLine(endedWitness)).toContain(
      "3 signed leaves are lost, from 2026-01-05T00:00:09",
    );
    const origin = testCase.checkpoint.split("\n")[0];
    expect(createSuccessorState(endedWitness.state, "another", instance.nowMs)).toBeNull();
    expect(createSuccessorState(endedWitness.state, origin, instance.nowMs)).toEqual(
      createState(testCase.vkey, instance.nowMs),
    );
    expect(createSuccessorState(witness.state, origin, instance.nowMs)).toBeNull();
  });

  test.each<{ name: string; difference: string }>(
    vectors.falsified.filter(
      ({ difference }: { difference: string }) => difference !== "log_changed",
    ),
  )("an invalid succession is not reported: $name", async (testCase) => {
    const endedWitness = follow(testCase);
    await expect(endedWitness.observe()).rejects.toThrow(testCase.difference);
    expect(endedWitness.state.alarm).toBeNull();
    instance.nowMs += 60_001;
    await expect(endedWitness.observe()).rejects.toThrow(testCase.difference);
    expect(describeStatus(endedWitness)).toBe("withheld");
  });
});

describe("a log that stops because its world is paused", () => {
  const base = 1_767_571_200_000;
  const head = (kind: number) => Buffer.from([1, kind, 0x50, ...worldTag("vector")]);
  /** A `second` leaf: its number as a varint of five bytes; no orders, venues or symbols. */
  const second = (ms: number) => {
    const places = [0, 7, 14, 21, 28].map((bits) => Math.floor(ms / 1_000 / 2 ** bits) % 128);
    const number = places.map((byte, index) => (index < 4 ? byte | 0x80 : byte));
    return Buffer.concat([head(kinds.second), Buffer.from([...number, 0, 0, 0])]);
  };
  const act = (action: string, atMs: number) =>
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
        act: { what: action, role: "teacher", target: null, details: { at_ms: atMs } },
        commitment: "11".repeat(32),
      }),
    ]);
  const paused = (atMs: number) => act("class.clock_paused", atMs);
  let observer: Witness;
  const statusAfter = async (...leaves: Buffer[]) => {
    instance.shown = leaves;
    observer = new Witness({ ...options(), state: createState(vkey, instance.nowMs) });
    await observer.observe();
    instance.nowMs += 300_001;
    await observer.observe();
    return describeStatus(observer);
  };

  test("the status names the act in the log, and no alarm is raised", async () => {
    const leaves = [second(base), paused(base + 60_000), second(base + 59_000)];
    expect(await statusAfter(...leaves)).toBe("paused");
    expect(isAlarming(observer)).toBe(false);
    expect(statusLine(observer)).toContain("paused by the act in leaf 1, from 2026-01-05T00:01:00");
    expect(observer.state.last.pause).toEqual({ leaf: 1, atMs: base + 60_000 });
    instance.shown = [...leaves, act("class.clock_resumed", base + 60_000)];
    await observer.observe();
    expect(describeStatus(observer)).toBe("grows");
    instance.nowMs += 300_001;
    expect(describeStatus(observer)).toBe("dead");
    expect(isAlarming(observer)).toBe(true);
  });

  test("an announced pause does not excuse a log that stops before it", async () => {
    expect(await statusAfter(second(base), paused(base + 86_400_000))).toBe("dead");
    expect(statusLine(observer)).toMatch(/^ALARM/);
  });

  test.each([
    ["no act", () => second(base + 1_000)],
    ["another act", () => act("class.opened", base)],
    ["an act that cannot be read", () => paused(base).subarray(0, 60)],
  ])("%s does not excuse a log that stops", async (_, leaf) => {
    expect(await statusAfter(second(base), leaf())).toBe("dead");
  });
});
