import type { Sabotage } from "./sabotage.ts";

const file = "server/migrations/100-ledger.sql";
const ledger = "server/ledger/ledger.test.ts";
const holds = "server/ledger/holds.test.ts";
const limits = "server/ledger/limits.test.ts";
const audit = "server/ledger/audit/audit.test.ts";

/** The SQL function that posts, holds, limits, the chain and what the role may do. */
const posting: readonly Sabotage[] = [
  {
    name: "ledger: a journal balances over all coins together, not in each",
    file,
    find: "and not exists (select from leg group by journal, coin having sum_int8(amount) <> 0)",
    replace: "and not exists (select from leg group by journal having sum_int8(amount) <> 0)",
    tests: [ledger, "server/ledger/model.test.ts"],
  },
  {
    name: "ledger: a journal may have no legs",
    file,
    find: "and count(*) filter (where place = 2) = p_hi - p_lo + 1",
    replace: "",
    tests: [ledger, "server/ledger/model.test.ts"],
  },
  {
    name: "ledger: accounts are not locked before they are read",
    file,
    find: "  perform from account where id = any(p_leg_accounts) and not house order by id for no key update;",
    replace: "",
    tests: [ledger, "server/ledger/model.test.ts"],
  },
  {
    name: "ledger: an overdraft by one minor unit has no name",
    file,
    find: "order by l.n) < 0 as below",
    replace: "order by l.n) < -1 as below",
    tests: [ledger, "server/ledger/model.test.ts"],
  },
  {
    name: "ledger: the running balance of an entry has its sign turned",
    file,
    find: "a.balance + sum_int8(l.amount) over w as balance",
    replace: "a.balance - sum_int8(l.amount) over w as balance",
    tests: [ledger],
  },
  {
    name: "ledger: another body under a posted id is a duplicate",
    file,
    find: "case when v_hash = p_body_hash then 'duplicate' else 'body_changed' end",
    replace: "'duplicate'",
    tests: [ledger],
  },
  {
    name: "ledger: an id that a refusal used up may post",
    file,
    find: "if not v.fine or exists (select from used_key where id = any(p_ids[p_lo:p_hi])) then",
    replace: "if not v.fine then",
    tests: [ledger],
  },
  {
    name: "ledger: a posting's refusal does not wait for its id",
    file,
    find: "        perform reserve_id(p_ids[v_lo]);\n",
    replace: "",
    tests: [ledger],
  },
  {
    name: "ledger: a call's refusal does not wait for its id",
    file,
    find: "  perform reserve_id(p_id);\n",
    replace: "",
    tests: [ledger],
  },
  {
    name: "ledger: an overdraft does not use up its id",
    file,
    find: "if v_refusal.outcome in ('overdraft', 'hold_unknown',",
    replace: "if v_refusal.outcome in ('hold_unknown',",
    tests: [ledger],
  },
  {
    name: "ledger: a refusal is stored under an id that posted",
    file,
    find: "  if exists (select from journal where id = p_id) then return false; end if;\n",
    replace: "",
    tests: ["server/ledger/idempotentRoute.test.ts"],
  },
  {
    name: "holds: voided money may go elsewhere than where it came from",
    file,
    find: `        select account, amount from leg where held or p_action = 'void'
        union all
        select e.account, e.amount from entry e join account a on a.id = e.account
        where e.journal_id = p_of and (a.kind = 'held' or p_action = 'void')) x`,
    replace: `        select account, amount from leg where held
        union all
        select e.account, e.amount from entry e join account a on a.id = e.account
        where e.journal_id = p_of and a.kind = 'held') x`,
    tests: [holds],
  },
  {
    name: "holds: held money moves without its hold",
    file,
    find: "when p_action is null then exists (select from leg where held)",
    replace: "when p_action is null then false",
    tests: [holds],
  },
  {
    name: "holds: a hold that is over is closed again",
    file,
    find: "t.id = h.of\n    and t.state = 'pending';",
    replace: "t.id = h.of;",
    tests: [holds],
  },
  {
    name: "limits: a ledger limit lets one more than its cap",
    file,
    find: `over (partition by d.key order by d.n) > d.cap as no_room
    from unnest(p_limit_journals, p_limit_keys, p_limit_deltas, p_limit_caps)
      with ordinality d (journal, key, delta, cap, n)
      join ledger_limit m on m.key = d.key
    where d.journal between p_lo and p_hi`,
    replace: `over (partition by d.key order by d.n) > d.cap + 1 as no_room
    from unnest(p_limit_journals, p_limit_keys, p_limit_deltas, p_limit_caps)
      with ordinality d (journal, key, delta, cap, n)
      join ledger_limit m on m.key = d.key
    where d.journal between p_lo and p_hi`,
    tests: [limits],
  },
  {
    name: "limits: limit rows are not locked before they are read",
    file,
    find: "    perform from ledger_limit where key = any(p_limit_keys) order by key for no key update;\n",
    replace: "",
    tests: [limits],
  },
  {
    name: "limits: quotas of a day that is not over are forgotten",
    file,
    find: "substring(key from '^until:([0-9]{1,6}):')::integer < p_before;",
    replace: "substring(key from '^until:([0-9]{1,6}):')::integer <= p_before;",
    tests: [limits],
  },
  {
    name: "ledger: the house's balance subtracts what is not chained yet",
    file,
    find: "else coalesce(h.balance, 0) + coalesce((",
    replace: "else coalesce(h.balance, 0) - coalesce((",
    tests: [audit],
  },
  {
    name: "chain: an entry's hash leaves out the one before it",
    file,
    find: "v_hash := sha256(v_hash || v_prefix || int8send(v_position) || v_item);",
    replace: "v_hash := sha256(p_hash || v_prefix || int8send(v_position) || v_item);",
    tests: [audit],
  },
  {
    name: "chain: a journal is chained again with the next batch",
    file,
    find: "and pg_visible_in_snapshot(xid, v_next) and not pg_visible_in_snapshot(xid, v_seen)\n",
    replace: "and pg_visible_in_snapshot(xid, v_next)\n",
    tests: [audit],
  },
  {
    name: "ledger: the application's role may change entries",
    file,
    find: "grant insert on ledger_audit to :app_role;",
    replace: "grant insert on ledger_audit to :app_role; grant update on entry to :app_role;",
    tests: ["server/ledger/grants.test.ts"],
  },
];

const writer = "server/ledger/writer.ts";
const writerTest = "server/ledger/writer.test.ts";
const route = "server/ledger/idempotentRoute.ts";
const routeTest = "server/ledger/idempotentRoute.test.ts";

/** The group commit, transactions of domains, and idempotency keys. */
const callers: readonly Sabotage[] = [
  {
    name: "writer: postings are accepted while a second closes",
    file: writer,
    find: "    await lockShared(tx, database.schema);\n",
    replace: "",
    tests: [writerTest],
  },
  {
    name: "writer: world time is read before the accept lock is taken",
    file: writer,
    find: `    await lockShared(tx, database.schema);
    const results = await postJournals(
      tx,
      batch.map(({ journal }) => journal),
      clock.nowMs(),
    );`,
    replace: `    const atMs = clock.nowMs();
    await lockShared(tx, database.schema);
    const results = await postJournals(
      tx,
      batch.map(({ journal }) => journal),
      atMs,
    );`,
    tests: [writerTest],
  },
  {
    name: "writer: a row that cannot be written fails its whole batch",
    file: writer,
    find: 'if (failure === "final" && batch.length > 1) {',
    replace: 'if (failure === "final" && batch.length > 1_000_000) {',
    tests: [writerTest],
  },
  {
    name: "writer: any number of postings may wait",
    file: writer,
    find: "if (stopped || queue.length >= limits.waitingMax) {",
    replace: "if (stopped) {",
    tests: [writerTest],
  },
  {
    name: "writer: rows are written of journals that did not post",
    file: writer,
    find: 'return outcome === "posted" ? [{ journal, row, atMs }] : [];',
    replace: 'return outcome !== "duplicate" ? [{ journal, row, atMs }] : [];',
    tests: [writerTest],
  },
  {
    name: "ledger: a domain's transaction takes no accept lock",
    file: "server/ledger/transact.ts",
    find: "            await lockShared(tx, database.schema);\n",
    replace: "",
    tests: [writerTest],
  },
  {
    name: "ledger: another body under an id that a domain posted is the same request",
    file: "server/ledger/transact.ts",
    find: '  if (!equalBytes(rows[0].body_hash, bodyHash)) throw new ApiError("idempotency.body_changed");\n',
    replace: "",
    tests: ["server/withdraw/withdraw.test.ts", "server/send/send.test.ts"],
  },
  {
    name: "keys: a used key with another body gets the first answer",
    file: route,
    find: '    if (!equalBytes(keyState.bodyHash, bodyHash)) throw new ApiError("idempotency.body_changed");\n',
    replace: "",
    tests: [routeTest],
  },
  {
    name: "keys: a key in use with another body shares its answer",
    file: route,
    find: '      if (!equalBytes(inFlight.bodyHash, bodyHash)) throw new ApiError("idempotency.body_changed");\n',
    replace: "",
    tests: [routeTest],
  },
  {
    name: "keys: a final refusal is not stored",
    file: route,
    find: "    if (!(await keys.remember(id, bodyHash, error))) return findPosted();\n",
    replace: "",
    tests: [routeTest],
  },
  {
    name: "keys: a refusal that may be retried uses up its key",
    file: route,
    find: "    if (errors[error.error].retry) throw error;\n",
    replace: "",
    tests: [routeTest],
  },
  {
    name: "keys: one key is the same for two people",
    file: "core/ledger/ids.ts",
    find: "sha256(utf8ToBytes(`${userId}\\n${key}`))",
    replace: "sha256(utf8ToBytes(`\\n${key}`))",
    tests: ["core/ledger/ids.test.ts", routeTest],
  },
];

export const ledgerSabotages = [...posting, ...callers];
