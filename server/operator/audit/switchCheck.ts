import { sql } from "kysely";
import { decodeAudit } from "#core/transparency-log/auditLeaf.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";

/**
 * Compares the current switches, suspensions, class links with their codes, and operators with the
 * logged actions that set them. Reads all actions.
 */
export function reconcileSwitches(world: string): AuditCheck {
  return async (tx, report) => {
    await compareSwitches(tx, report, world);
    await compareClock(tx, report, world);
    await comparePeople(tx, report);
    await compareClassCodes(tx, report, world);
    await compareOperators(tx, report);
  };
}

async function compareSwitches(tx: Tx, report: ReportFinding, world: string): Promise<void> {
  const { rows } = await sql<{ contracts_on: boolean; stated: boolean }>`
    select s.contracts_on, coalesce((select what = 'class.contracts_on' from operator_audit_event
      where what in ('class.contracts_on', 'class.contracts_off')
      order by seq desc limit 1), true) as stated
    from contract_settings s`.execute(tx);
  if (rows[0]?.contracts_on !== rows[0]?.stated || rows.length === 0)
    report("operator.switch", "contracts are switched otherwise than the last act says");
  const signUp = await sql<{ state: string; bytes: Buffer | null }>`
    select s.state, l.bytes from sign_up s left join lateral (
      select l.bytes from operator_audit_event e join log_leaf l using (leaf)
      where e.what = 'class.sign_up_changed' order by seq desc limit 1) l on true`.execute(tx);
  const [row] = signUp.rows;
  const result = row?.bytes ? decodeAudit(row.bytes, worldTag(world)) : null;
  const details =
    result?.ok && result.value.record.type === "act" && result.value.record.act?.details;
  if (row?.state !== ((details || null)?.to ?? "open"))
    report("operator.switch", "sign-up is switched otherwise than the last act says");
}

/**
 * Checks that each pause of world time was announced by one action with its second, and ended by
 * one.
 */
async function compareClock(tx: Tx, report: ReportFinding, world: string): Promise<void> {
  const { rows: pauses } = await sql<{ at_ms: bigint; resumed: boolean }>`
    select at_ms, resumed_real_ms is not null as resumed from world_pause order by ordinal`.execute(
    tx,
  );
  const { rows: acts } = await sql<{ what: string; bytes: Buffer }>`
    select e.what, l.bytes from operator_audit_event e join log_leaf l using (leaf)
    where e.what in ('class.clock_paused', 'class.clock_resumed') order by e.seq`.execute(tx);
  const publishedStates = acts.map(({ what, bytes }) => {
    const result = decodeAudit(bytes, worldTag(world));
    const act = result.ok && result.value.record.type === "act" ? result.value.record.act : null;
    return `${what} ${act?.details?.at_ms}`;
  });
  const storedPauses = pauses.flatMap(({ at_ms: atMs, resumed }) => [
    `class.clock_paused ${atMs}`,
    ...(resumed ? [`class.clock_resumed ${atMs}`] : []),
  ]);
  if (publishedStates.join() !== storedPauses.join())
    report("operator.clock", "world time stood still otherwise than the acts say");
}

async function comparePeople(tx: Tx, report: ReportFinding): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select u.user_id as id from user_account u left join lateral (
      select what, at_ms from operator_audit_event e
      where e.touches = u.user_id and what in ('people.suspended', 'people.resumed')
      order by seq desc limit 1) e on true
    where (u.suspended_at_ms is not null) <> coalesce(e.what = 'people.suspended', false)
    union all
    select u.user_id from user_account u
    where (u.erased_at_ms is not null)
      <> exists (select from account_deletion d where d.user_id = u.user_id)
    union all
    select d.user_id from account_deletion d
    where not exists (select from user_account u where u.user_id = d.user_id)`.execute(tx);
  for (const { id } of rows)
    report("operator.person", `${id} is suspended or deleted otherwise than was done`);
  const notices = await sql<{ leaf: bigint }>`
    select coalesce(p.leaf, e.leaf) as leaf from person_audit_event p
      full join (select * from operator_audit_event where touches is not null) e
        on e.leaf = p.leaf
    where p.user_id is distinct from e.touches
      or not exists (select from user_attempt t
        where (t.user_id, t.attempt_id) = (p.user_id, p.attempt_id))`.execute(tx);
  for (const { leaf } of notices.rows)
    report("operator.notice", `the act of leaf ${leaf} is not what its person is told`);
  const links = await sql<{ id: string | null }>`
    select c.class_id as id from class_link c
    where not exists (select from operator_audit_event e
        where e.what = 'class.link_made' and e.target = c.class_id::text)
      or (c.closed_at_ms is not null) <> exists (select from operator_audit_event e
        where e.what = 'class.link_closed' and e.target = c.class_id::text)
    union all
    -- Links are deleted with the account of their creator.
    select null from operator_audit_event e join operator o using (operator_id)
    where e.what = 'class.link_made' and o.user_id is not null
      and not exists (select from class_link c where c.class_id::text = e.target)`.execute(tx);
  for (const { id } of links.rows)
    report("operator.class", `class link ${id ?? ""} is not what was made`);
}

/**
 * Checks that a class has the codes that logged actions created, numbered from 1, and none once its
 * link is closed. No codes are also valid for an open link: a job deletes them after it expires,
 * and this check has no clock.
 */
async function compareClassCodes(tx: Tx, report: ReportFinding, world: string): Promise<void> {
  const { rows: acts } = await sql<{ class_id: string | null; bytes: Buffer }>`
    select e.target as class_id, l.bytes from operator_audit_event e join log_leaf l using (leaf)
    where e.what = 'class.codes_made'`.execute(tx);
  const codeCounts = new Map<string, number>();
  for (const { class_id, bytes } of acts) {
    const classId = class_id ?? "";
    const result = decodeAudit(bytes, worldTag(world));
    const act = result.ok && result.value.record.type === "act" ? result.value.record.act : null;
    codeCounts.set(classId, (codeCounts.get(classId) ?? 0) + Number(act?.details?.count));
  }
  const { rows } = await sql<{ id: string; closed: boolean; codes: number; last: number }>`
    select l.class_id as id, l.closed_at_ms is not null as closed,
      count(c.number)::integer as codes, coalesce(max(c.number), 0)::integer as last
    from class_link l left join class_code c using (class_id) group by l.class_id`.execute(tx);
  for (const { id, closed, codes, last } of rows) {
    const publishedCount = closed ? 0 : (codeCounts.get(id) ?? 0);
    if (codes !== 0 && (codes !== publishedCount || last !== publishedCount))
      report("operator.class_codes", `class ${id} has other codes than the acts made`);
  }
}

/** Compares the operators, their roles and their accounts. */
async function compareOperators(tx: Tx, report: ReportFinding): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(o.operator_id, j.operator_id) as id
    from operator o
      full join (select distinct operator_id from operator_audit_event
        where what in ('operators.claimed', 'operators.joined')) j
        on j.operator_id = o.operator_id
      left join lateral (select seq, role from operator_audit_event e
        where e.operator_id = o.operator_id order by seq desc limit 1) own on true
    where o.operator_id is null or j.operator_id is null
      or o.ended_at_ms is null and o.user_id is null
      or (o.ended_at_ms is not null and o.user_id is not null) <> exists (
        select from operator_audit_event e where e.target = o.operator_id
          and e.what in ('operators.removed', 'operators.left'))
        and o.user_id is not null
      or o.role <> own.role and not exists (
        select from operator_audit_event e where e.target = o.operator_id
          and e.what = 'operators.role_changed' and e.seq > own.seq)
      or o.user_id is not null and exists (
        select from operator_audit_event e join operator_audit_event_text t using (seq)
        where e.operator_id = o.operator_id and e.touches is null
          and t.key_owner <> o.user_id)`.execute(tx);
  const texts = await sql<{ seq: bigint }>`
    select e.seq from operator_audit_event e join operator_audit_event_text t using (seq)
    where e.touches is not null and t.key_owner <> e.touches`.execute(tx);
  for (const { seq } of texts.rows)
    report("operator.text", `the text of act ${seq} is kept with another person's key`);
  for (const { id } of rows)
    report("operator.operator", `operator ${id} is not what the acts give`);
}
