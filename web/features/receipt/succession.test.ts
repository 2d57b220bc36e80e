import { readFileSync } from "node:fs";
import { ed25519 } from "@noble/curves/ed25519.js";
import { expect, test } from "vitest";
import { concatBytes, hexToBytes } from "#core/transparency-log/bytes.ts";
import type { VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";
import { leafHash } from "#core/transparency-log/merkle.ts";
import { followLog, type StoredCheckpoint } from "./checkpointStore.ts";
import type { LogReader } from "./logReader.ts";
import { openView } from "./logView.ts";
import { findSuccession } from "./succession.ts";

interface Case {
  name: string;
  known: { origin: string; vkeys: string[]; size: number; root: string };
  listed: number[];
  entries: string[];
  vkey: string;
  checkpoint: string;
  found: { lost: number; survived: number; lost_from_ms: number };
  difference: string;
}
const vectors = JSON.parse(
  readFileSync(new URL("../../../docs/formats/vectors/succession.json", import.meta.url), "utf8"),
) as { cases: Case[]; falsified: Case[] };
const verify: VerifyEd25519 = (signature, message, key) => ed25519.verify(signature, message, key);

const servedBy = ({ checkpoint, vkey }: Case) => ({
  origin: checkpoint.split("\n")[0]!,
  vkeys: [vkey],
});

function getReader({ entries, checkpoint }: Case): LogReader {
  const log = entries.map((entry) => hexToBytes(entry));
  return {
    checkpoint: async () => checkpoint,
    cosigned: async () => null,
    handovers: async () => [],
    tile: async () => concatBytes(...log.map(leafHash)),
    entries: async () => log,
  };
}

async function find(item: Case) {
  const { origin, vkeys } = servedBy(item);
  const result = openView(getReader(item), item.checkpoint, origin, vkeys, verify);
  if (!result.ok) return result.error;
  const knownLog = { ...item.known, root: hexToBytes(item.known.root) };
  return await findSuccession(result.view, knownLog, item.listed, verify);
}

test.each(vectors.cases)("$name", async (item) => {
  const { lost, survived, lost_from_ms: lostFromMs } = item.found;
  expect(await find(item)).toEqual({ lost, survived, lostFromMs });
});

test.each(vectors.falsified)("$name: $difference", async (item) => {
  expect(await find(item)).toBe(item.difference);
});

test("a succession is recognised from the stored checkpoint, which stays unchanged", async () => {
  const getFinding = async (item: Case) => {
    const storedCheckpoint: StoredCheckpoint = { ...item.known, firstSeenMs: 1, seenMs: 2 };
    const writes: unknown[] = [];
    const store = { read: () => storedCheckpoint, write: (log: unknown) => void writes.push(log) };
    const servedLog = { ...servedBy(item), successions: item.listed };
    const result = await followLog(getReader(item), servedLog, store, verify, 3);
    expect(writes).toEqual([]);
    return result.ok ? [result.finding, result.succeeded?.lost ?? null] : result.error;
  };
  expect(await getFinding(vectors.cases[0]!)).toEqual(["succeeded", 3]);
  const lie = (name: string) => vectors.falsified.find(({ difference }) => difference === name)!;
  expect(await getFinding(lie("succession_unsigned"))).toEqual(["replaced", null]);
  expect(await getFinding(lie("succession_understates"))).toEqual(["replaced", null]);
  expect(await getFinding(lie("log_changed"))).toEqual(["changed", null]);
});
