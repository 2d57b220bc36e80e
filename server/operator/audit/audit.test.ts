import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditStart } from "#core/transparency-log/auditLeaf.ts";
import { createOperatorWorld, type OperatorWorld, type Person } from "#server/operator/testing.ts";

let world: OperatorWorld;
let owner: Person;
let auditor: Person;
beforeEach(async () => {
  world = await createOperatorWorld({ hasSchedules: false });
  owner = await world.operator("owner");
  auditor = await world.operator("auditor", owner);
  const ids = await world.ids();
  const change = {
    operator_id: ids.get(auditor.userId),
    role: "support",
    why: "Helps at the desk",
  };
  await world.post(owner, "setRole", change);
  await world.post(owner, "setRole", { ...change, role: "auditor", why: "=Back again, as before" });
});
afterEach(() => world.close());

const names = [
  "operators.claimed",
  "operators.raised",
  "operators.invited",
  "operators.joined",
  "operators.role_changed",
  "operators.role_changed",
];

test("the audit lists every action in order, and its chain verifies", async () => {
  const { data } = await world.get(auditor, "getAudit", { page_size: "50" });
  expect(data.items.map(({ what }: { what: string }) => what)).toEqual(names.toReversed());
  expect(data.items[0]).toMatchObject({
    seq: 6,
    role: "owner",
    touches: auditor.userId,
    why: "=Back again, as before",
    details: { from: "support", to: "auditor" },
    erased: false,
  });
  const check = (await world.get(auditor, "checkAudit")).data;
  expect(check).toEqual({ acts: 6, head: data.items[0].hash, broken_at: null, erased: 0 });
  const powers = (await world.get({ ...owner, token: "" }, "getPowers")).data;
  const { leaf, hash } = data.items[0];
  expect(powers.audit).toEqual({ acts: 6, leaf, head: hash });
  expect(powers.operators).toContainEqual({ role: "auditor", count: 1 });
});

test("an empty chain starts at zeros", async () => {
  const freshWorld = await createOperatorWorld();
  expect(await freshWorld.service.audit.check()).toEqual({
    events: 0,
    head: auditStart,
    brokenAt: null,
    erased: 0,
  });
  await freshWorld.close();
});

describe("a change of the table outside the console is detected", () => {
  test.each<[string, string, number | null]>([
    ["another role", "update operator_audit_event set role = 'support' where seq = 3", 3],
    ["another time", "update operator_audit_event set at_ms = at_ms + 1 where seq = 1", 1],
    [
      "another person",
      `update operator_audit_event set touches = '${"x".repeat(20)}' where seq = 5`,
      5,
    ],
    [
      "a removed entry",
      "delete from operator_audit_event_text where seq = 2; delete from operator_audit_event where seq = 2",
      2,
    ],
    ["texts swapped between entries", swap(), 5],
    [
      "a text kept with another operator's key",
      `update operator_audit_event_text set key_owner = (select min(o.user_id) from operator o
         where o.user_id <> key_owner) where seq = 5`,
      5,
    ],
    [
      "a text kept with nobody's key",
      "update operator_audit_event_text set key_owner = repeat('x', 20) where seq = 4",
      4,
    ],
    [
      "a text kept with the key of what is no person",
      "update operator_audit_event_text set key_owner = 'x' where seq = 2",
      2,
    ],
    [
      "a text of other bytes",
      "update operator_audit_event_text set text_encrypted = '\\x00' where seq = 6",
      6,
    ],
    [
      "an entry with another hash",
      `update operator_audit_event set hash = '\\x${"00".repeat(32)}' where seq = 4`,
      4,
    ],
  ])("%s", async (_title, change, brokenAt) => {
    await world.ctx.owner.db.transaction().execute(async (tx) => {
      for (const statement of change.split(";")) await sql.raw(statement).execute(tx);
    });
    expect((await world.get(auditor, "checkAudit")).data.broken_at).toBe(brokenAt);
    expect((await world.get(auditor, "getAudit")).data.items).toBeInstanceOf(Array);
  });

  test.each([
    "delete from operator_audit_event",
    "update operator_audit_event set role = 'owner'",
    "update operator_audit_event_text set key_owner = 'x'",
    "truncate operator_audit_event",
  ])("the application's role cannot %s", async (statement) => {
    await expect(sql.raw(statement).execute(world.ctx.database.db)).rejects.toThrow(/denied/);
  });
});

test("erasing a person removes the texts about them, and the chain still verifies", async () => {
  await world.service.erase(auditor.userId);
  await world.ctx.fieldEncryption.destroyKey(auditor.userId);
  const check = (await world.get(owner, "checkAudit")).data;
  expect(check).toMatchObject({ acts: 6, broken_at: null, erased: 3 });
  const { data } = await world.get(owner, "getAudit");
  expect(data.items[0]).toMatchObject({ why: null, details: null, erased: true });
  expect((await world.get(auditor, "getAudit")).error).toBe("operator.required");
  expect((await world.service.list()).map(({ role }) => role)).toEqual(["owner"]);
  await world.service.erase(auditor.userId);
});

test("a text whose key was destroyed counts as erased", async () => {
  await world.ctx.fieldEncryption.destroyKey(auditor.userId);
  expect((await world.get(owner, "checkAudit")).data).toMatchObject({ broken_at: null, erased: 3 });
});

describe("searching", () => {
  test.each<[string, () => Record<string, string>, number]>([
    ["a group of events", () => ({ what: "operators" }), 6],
    ["a single event", () => ({ what: "operators.role_changed" }), 2],
    ["a partial word", () => ({ what: "oper" }), 0],
    ["the affected person", () => ({ touches: auditor.userId }), 2],
    ["nobody", () => ({ touches: "nobody-at-all-0000" }), 0],
    ["a future start", () => ({ from_ms: String(world.ctx.realClock.nowMs() + 1) }), 0],
    ["an end in the present", () => ({ to_ms: String(world.ctx.realClock.nowMs() + 1) }), 6],
  ])("%s", async (_title, filters, count) => {
    const { data } = await world.get(auditor, "getAudit", { ...filters(), page_size: "50" });
    expect(data.items).toHaveLength(count);
  });

  test("pages stay stable while new audit events arrive", async () => {
    const first = (await world.get(auditor, "getAudit", { page_size: "2" })).data;
    await world.raise(owner);
    const rest = { page_size: "2", page: "2", before: first.before };
    const second = (await world.get(auditor, "getAudit", rest)).data;
    const seqs = [...first.items, ...second.items].map(({ seq }) => seq);
    expect(seqs).toEqual([6, 5, 4, 3]);
    expect(second.has_more).toBe(true);
  });
});

describe("an audit export", () => {
  test("the CSV has every entry, is labelled as practice and is itself audited", async () => {
    const { data } = await world.get(auditor, "exportAudit", { format: "csv" });
    const lines = String(data).trimEnd().split("\r\n");
    expect(lines[0]).toContain("practice_only_no_value,world,seq");
    expect(lines.slice(1).every((line) => line.startsWith('"practice, backed'))).toBe(true);
    // A spreadsheet must not evaluate it.
    expect(String(data)).toContain(`"'=Back again, as before"`);
    const newest = (await world.get(auditor, "getAudit")).data.items[0];
    expect(newest).toMatchObject({ what: "audit.exported", details: { format: "csv" } });
  });

  test("the JSON has the filtered entries and the practice labels", async () => {
    const file = await world.get(auditor, "exportAudit", { format: "json", what: "operators" });
    expect(file).toMatchObject({ practice: true, backing: "none" });
    const { acts } = file as unknown as { acts: { what: string }[] };
    expect(acts.map(({ what }) => what)).toEqual(names);
  });
});

/** Swaps the encrypted texts of two entries. */
function swap(): string {
  return [
    "create temporary table kept as select * from operator_audit_event_text where seq in (5, 6)",
    "delete from operator_audit_event_text where seq in (5, 6)",
    "insert into operator_audit_event_text select 11 - seq, key_owner, text_encrypted from kept",
    "drop table kept",
  ].join(";");
}
