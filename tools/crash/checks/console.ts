import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "#server/platform/db/database.ts";
import type { CrashReport, Expectation } from "./types.ts";

/**
 * Compares the acknowledged calls of operators with the stored calls, the audit and the
 * publications.
 */
export async function checkConsole(
  database: Database,
  expectation: Expectation,
  report: CrashReport,
): Promise<void> {
  await compareCalls(database, expectation, report);
  await compareActs(database, expectation, report);
  await compareVersions(database, expectation, report);
}

/** Hashes a key as server/operator/idempotency.ts does. */
function keyHash(userId: string, key: string): string {
  return createHash("sha256").update([userId, key].join("\0")).digest("hex");
}

/** Each acknowledged call is stored with its answer, and no call that was never acknowledged is. */
async function compareCalls(
  { db }: Database,
  { record, openKeys, ownKeys, owner }: Expectation,
  report: CrashReport,
): Promise<void> {
  const { rows } = await sql<{ key: string; answered: boolean }>`
    select encode(key_hash, 'hex') as key, answer_encrypted is not null as answered
    from operator_call`.execute(db);
  const calls = new Map(rows.map(({ key, answered }) => [key, answered]));
  const knownKeyHashes = new Set([...ownKeys].map((key) => keyHash(owner!, key)));
  for (const { kind, userId, key, act } of record) {
    if (!act) continue;
    const hash = keyHash(userId, key);
    knownKeyHashes.add(hash);
    if (calls.get(hash) !== true) report.losses.push(`${kind} ${key} was acknowledged, not kept`);
  }
  let stand = 0;
  const unanswered = new Set(
    [...openKeys]
      .filter(([, { kind }]) => kind.startsWith("console."))
      .map(([key, { userId }]) => keyHash(userId, key)),
  );
  for (const hash of calls.keys()) {
    if (unanswered.has(hash)) stand += 1;
    else if (!knownKeyHashes.has(hash))
      report.duplicates.push(`no operator had an answer to call ${hash}`);
  }
  report.indefinite.existing += stand;
  report.indefinite.absent += unanswered.size - stand;
}

/** Each acknowledged call wrote exactly one audit entry. */
async function compareActs(
  { db }: Database,
  { record, openKeys }: Expectation,
  report: CrashReport,
): Promise<void> {
  const expected = new Map<string, number>();
  for (const { act } of record) {
    if (!act) continue;
    const name = `${act.what} ${act.target ?? ""}`;
    expected.set(name, (expected.get(name) ?? 0) + 1);
  }
  const { rows } = await sql<{ name: string; times: bigint }>`
    select what || ' ' || coalesce(target, '') as name, count(*) as times from operator_audit_event
    where what not like 'operators.%' group by 1`.execute(db);
  const storedTimes = new Map(rows.map(({ name, times }) => [name, Number(times)]));
  const unanswered = [...openKeys.values()].filter(({ kind }) =>
    kind.startsWith("console."),
  ).length;
  let extra = 0;
  for (const name of new Set([...expected.keys(), ...storedTimes.keys()])) {
    const [acknowledgedCount, storedCount] = [expected.get(name) ?? 0, storedTimes.get(name) ?? 0];
    if (storedCount < acknowledgedCount)
      report.losses.push(`the audit has ${storedCount} of ${acknowledgedCount} entries ${name}`);
    extra += Math.max(0, storedCount - acknowledgedCount);
  }
  if (extra > unanswered)
    report.duplicates.push(`the audit has ${extra} entries more than were acknowledged`);
  const { rows: gaps } = await sql<{ acts: bigint; last: bigint }>`
    select count(*) as acts, coalesce(max(seq), 0) as last from operator_audit_event`.execute(db);
  if (gaps[0]!.acts !== gaps[0]!.last) report.losses.push("the audit has gaps");
}

/** Each publication has the versions that were published, in order, each once. */
async function compareVersions(
  { db }: Database,
  { expectedVersions, openKeys }: Expectation,
  report: CrashReport,
): Promise<void> {
  const { rows } = await sql<PublicationRow>`
    select p.id, p.version, p.refused is not null as refused, count(v.version) as versions,
      coalesce(max(v.version), 0) as highest
    from publication p left join publication_version v on v.publication_id = p.id
    group by p.id, p.version, p.refused`.execute(db);
  checkVersions(rows, expectedVersions, openKeys, report);
}

export interface PublicationRow {
  id: string;
  version: number;
  versions: bigint;
  highest: number;
  /** True if it was refused when its time came. */
  refused: boolean;
}

/** Each unanswered key may have published its own publication once more, and no other. */
export function checkVersions(
  rows: readonly PublicationRow[],
  expected: ReadonlyMap<string, number>,
  open: Expectation["openKeys"],
  report: Pick<CrashReport, "losses" | "duplicates" | "imbalances">,
): void {
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  const publishing = [...open.values()].filter(({ kind }) => kind === "console.publish");
  for (const [id, versions] of expected) {
    const row = rowsById.get(id);
    const storedCount = Number(row?.versions ?? 0);
    const expectedVersions = versions - (row?.refused ? 1 : 0);
    if (storedCount < expectedVersions)
      report.losses.push(`publication ${id} has ${storedCount} of ${expectedVersions} versions`);
    const unanswered = publishing.filter((key) => key.id === id).length;
    if (storedCount > Math.max(0, expectedVersions) + unanswered)
      report.duplicates.push(
        `publication ${id} has ${storedCount} versions instead of ${expectedVersions}`,
      );
    if (row && (row.version !== storedCount || row.highest !== storedCount))
      report.imbalances.push(`the versions of publication ${id} are not numbered in turn`);
  }
}

/** Publications whose time came and that are not published. */
export async function countDue({ db }: Database): Promise<number> {
  const { rows } = await sql<{ due: bigint }>`
    select count(*) as due from publication
    where publish_at_ms < extract(epoch from clock_timestamp()) * 1000`.execute(db);
  return Number(rows[0]!.due);
}
