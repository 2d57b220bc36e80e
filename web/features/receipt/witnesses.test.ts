import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openNote, parseCheckpoint, parseVkey } from "#core/transparency-log/checkpoint.ts";
import { verifyEd25519 } from "#web/features/receipt/ed25519.ts";
import type { LogView } from "#web/features/receipt/logView.ts";
import { countCosigned } from "#web/features/receipt/witnesses.ts";

const file = new URL("../../../docs/formats/vectors/checkpoint.json", import.meta.url);
const { cosigned, vkey } = JSON.parse(readFileSync(file, "utf8")) as {
  vkey: string;
  cosigned: { note: string; cases: { name: string; witnesses: string[]; count: number }[] };
};
const key = parseVkey(vkey)!;
const opened = openNote(cosigned.note, [key], verifyEd25519);
const checkpoint = parseCheckpoint(opened.ok ? opened.text : "")!;
const view: LogView = {
  checkpoint,
  note: cosigned.note,
  key,
  entries: () => Promise.reject(new Error("not read")),
  hashes: async () => [],
  continues: async () => true,
};
const count = (witnesses: string[], note: string | null, seen = view) =>
  countCosigned({ cosigned: async () => note }, seen, witnesses, verifyEd25519);
const most = cosigned.cases.toSorted((a, b) => b.count - a.count)[0]!;

test.each(cosigned.cases)("$name: $count", async ({ witnesses, count: expected }) => {
  expect(await count(witnesses, cosigned.note)).toEqual({
    configured: witnesses.length,
    count: expected,
  });
});

test("no cosigned checkpoint, one of another log or of another history counts for nothing", async () => {
  expect(most.count).toBeGreaterThan(0);
  const nothing = { configured: most.witnesses.length, count: 0 };
  expect(await count(most.witnesses, null)).toEqual(nothing);
  const other = { ...view, checkpoint: { ...checkpoint, origin: "another.example/log" } };
  expect(await count(most.witnesses, cosigned.note, other)).toEqual(nothing);
  const forked = { ...view, continues: async () => false };
  expect(await count(most.witnesses, cosigned.note, forked)).toEqual(nothing);
});
