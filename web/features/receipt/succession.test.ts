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

async function find(one: Case) {
  const { origin, vkeys } = servedBy(one);
  const opened = openView(getReader(one), one.checkpoint, origin, vkeys, verify);
  if (!opened.ok) return opened.error;
  const known = { ...one.known, root: hexToBytes(one.known.root) };
  return await findSuccession(opened.view, known, one.listed, verify);
}

test.each(vectors.cases)("$name", async (one) => {
  const { lost, survived, lost_from_ms: lostFromMs } = one.found;
  expect(await find(one)).toEqual({ lost, survived, lostFromMs });
});

test.each(vectors.falsified)("$name: $difference", async (one) => {
  expect(await find(one)).toBe(one.difference);
});

test("a succession is recognised from the stored checkpoint, which is kept", async () => {
  const getFinding = async (one: Case) => {
    const stored: StoredCheckpoint = { ...one.known, firstSeenMs: 1, seenMs: 2 };
    const written: unknown[] = [];
    const store = { read: () => stored, write: (log: unknown) => void written.push(log) };
    const served = { ...servedBy(one), successions: one.listed };
    const followed = await followLog(getReader(one), served, store, verify, 3);
    expect(written).toEqual([]);
    return followed.ok ? [followed.finding, followed.succeeded?.lost ?? null] : followed.error;
  };
  expect(await getFinding(vectors.cases[0]!)).toEqual(["succeeded", 3]);
  const lie = (name: string) => vectors.falsified.find(({ difference }) => difference === name)!;
  expect(await getFinding(lie("succession_unsigned"))).toEqual(["replaced", null]);
  expect(await getFinding(lie("succession_understates"))).toEqual(["replaced", null]);
  expect(await getFinding(lie("log_changed"))).toEqual(["changed", null]);
});
