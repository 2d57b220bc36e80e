import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type AuditHead, checkAuditChain } from "#core/operator/auditChain.ts";
import { auditEventNames, toPublicEvent } from "#core/operator/auditEvents.ts";
import {
  checkAct,
  checkPublication,
  listNeededAuditLeaves,
  parseActReceipt,
  parsePublicationReceipt,
} from "#core/operator/auditReceipt.ts";
import { type CommittedEvent, computeEventCommitment } from "#core/operator/commitment.ts";
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

function getLeaves({ size, changed }: OtherLog): Map<number, Uint8Array> {
  const entries = Array.from(
    { length: size },
    (_, index) => changed[index] ?? vectors.entries[index]!,
  );
  return new Map(entries.map((hex, index) => [index, hexToBytes(hex)]));
}

const wholeLog = { size: vectors.entries.length, changed: {} };

/** The check gets only the leaves that the receipt says it needs. */
function getDifference(receipt: unknown, log: OtherLog): string | null {
  const actReceipt = parseActReceipt(receipt) ?? parsePublicationReceipt(receipt);
  const logLeaves = getLeaves(log);
  const neededLeaves = (actReceipt ? listNeededAuditLeaves(actReceipt) : []).map(
    (index) => [index, logLeaves.get(index)!] as const,
  );
  const isAuditEvent = (receipt as { format: string }).format === "drydock.receipt.act/1";
  const steps = (isAuditEvent ? checkAct : checkPublication)(receipt, world, new Map(neededLeaves));
  return steps.find(({ ok }) => !ok)?.difference ?? null;
}

test.each(vectors.receipts)("$name agrees with the log", ({ receipt }) => {
  expect(getDifference(receipt, wholeLog)).toBe(null);
});

test.each(vectors.falsified)("$name is refused: $difference", ({ receipt, log, difference }) => {
  expect(getDifference(receipt, log)).toBe(difference);
});

test.each(vectors.chains)("the chain: $name", async ({ head, log, difference }) => {
  const leaves = getLeaves(log);
  const entries = async (indexes: readonly number[]) =>
    new Map(indexes.map((index) => [index, leaves.get(index)!] as const));
  const size = log.size;
  const check = await checkAuditChain(head, worldTag(world.world), { size, entries });
  expect(check.ok ? null : check.difference).toBe(difference);
  if (check.ok) expect(check.leaves.length).toBe(head?.seq ?? 0);
});

describe("computeEventCommitment", () => {
  const act: CommittedEvent = {
    what: "people.viewed",
    operator: "operator-000000000000001",
    role: "support",
    target: null,
    touches: "person-00000000000000001",
    why: "Asked in chat 12",
    details: { parts: 2 },
  };
  const salt = new Uint8Array(32);
  const changes: Partial<CommittedEvent>[] = [
    { what: "people.found" },
    { operator: "operator-000000000000002" },
    { role: "owner" },
    { target: "x" },
    { touches: null },
    { why: null },
    { details: null },
    { details: { parts: 3 } },
  ];
  test("a commitment differs for any other audit event, salt or world", () => {
    const commitments = [
      computeEventCommitment("harbour", salt, act),
      computeEventCommitment("other", salt, act),
      computeEventCommitment("harbour", new Uint8Array(32).fill(1), act),
      ...changes.map((change) => computeEventCommitment("harbour", salt, { ...act, ...change })),
    ];
    expect(new Set(commitments).size).toBe(commitments.length);
  });
  test("a commitment requires a salt of 32 bytes", () => {
    expect(() => computeEventCommitment("harbour", new Uint8Array(31), act)).toThrow("32 bytes");
  });
});

describe("toPublicEvent", () => {
  test("an event that affects a person has no public part", () => {
    const touches = { userId: "person-00000000000000001" };
    for (const eventName of auditEventNames)
      expect(
        toPublicEvent({ what: eventName, touches, target: "t", details: { from: 1 } }, "owner"),
      ).toBe(null);
  });
  test("the public part omits targets that may be people and all details except a switch's", () => {
    const values = { target: "t", details: { from: "a", to: "b", use: "link", link: "https://x" } };
    const events = auditEventNames
      .map((eventName) => toPublicEvent({ what: eventName, ...values }, "owner"))
      .filter((event) => event !== null);
    expect(events.filter(({ what }) => what.startsWith("operators."))).toEqual([]);
    const withTarget = events.filter(({ target }) => target !== null).map(({ what }) => what);
    expect(
      withTarget.every((eventName) => /^(publishing\.|class\.announced$)/.test(eventName)),
    ).toBe(true);
    const withDetails = events.filter(({ details }) => details !== null);
    expect(withDetails.map(({ what, details }) => [what, Object.keys(details!)])).toEqual([
      ["settings.chat_link_set", ["use", "link_sha256"]],
      ["class.codes_made", ["count"]],
      ["class.clock_paused", ["at_ms"]],
      ["class.clock_resumed", ["at_ms"]],
      ["class.sign_up_changed", ["from", "to"]],
    ]);
  });
});
