import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type AuditHead, checkAuditChain } from "#core/operator/auditChain.ts";
import {
  auditLeavesNeeded,
  checkAct,
  checkPublication,
  readActReceipt,
  readPublicationReceipt,
} from "#core/operator/auditReceipt.ts";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { decodeWorld } from "#core/transparency-log/worldLeaf.ts";

interface OtherLog {
  size: number;
  changed: Record<string, string>;
}
const file = new URL("../../docs/formats/vectors/audit.json", import.meta.url);
const vectors = JSON.parse(readFileSync(file, "utf8")) as {
  entries: string[];
  receipts: { name: string; receipt: unknown }[];
  falsified: { name: string; difference: string; receipt: unknown; log: OtherLog }[];
  chains: { name: string; difference: string | null; head: AuditHead | null; log: OtherLog }[];
};

const first = decodeWorld(hexToBytes(vectors.entries[0]!));
if (!first.ok) throw new Error("the vectors begin with no world");
const world = first.value;

function leavesOf({ size, changed }: OtherLog): Map<number, Uint8Array> {
  const entries = Array.from({ length: size }, (_, at) => changed[at] ?? vectors.entries[at]!);
  return new Map(entries.map((hex, at) => [at, hexToBytes(hex)]));
}

const whole = { size: vectors.entries.length, changed: {} };

/** With no more leaves than the receipt says it needs. */
function differenceOf(receipt: unknown, log: OtherLog): string | null {
  const read = readActReceipt(receipt) ?? readPublicationReceipt(receipt);
  const all = leavesOf(log);
  const needed = (read ? auditLeavesNeeded(read) : []).map((at) => [at, all.get(at)!] as const);
  const isAct = (receipt as { format: string }).format === "drydock.receipt.act/1";
  const steps = (isAct ? checkAct : checkPublication)(receipt, world, new Map(needed));
  return steps.find(({ ok }) => !ok)?.difference ?? null;
}

test.each(vectors.receipts)("$name agrees with the log", ({ receipt }) => {
  expect(differenceOf(receipt, whole)).toBe(null);
});

test.each(vectors.falsified)("$name is refused: $difference", ({ receipt, log, difference }) => {
  expect(differenceOf(receipt, log)).toBe(difference);
});

test.each(vectors.chains)("the chain: $name", async ({ head, log, difference }) => {
  const leaves = leavesOf(log);
  const entries = async (indexes: readonly number[]) =>
    new Map(indexes.map((at) => [at, leaves.get(at)!] as const));
  const size = log.size;
  const check = await checkAuditChain(head, worldTag(world.world), { size, entries });
  expect(check.ok ? null : check.difference).toBe(difference);
  if (check.ok) expect(check.leaves.length).toBe(head?.seq ?? 0);
});
