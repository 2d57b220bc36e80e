-- The ledger: double entry, append-only, integer minor units. Specified in docs/rules/ledger.md.
--
-- Only post_journals() posts. The application's role reads the tables and calls the functions
-- granted at the end; it cannot insert, update, delete or truncate.

-- ---------------------------------------------------------------- tables

-- A user's account carries its balance and version (its number of entries); posting locks that row.
-- House accounts carry neither, so that all postings of the house run in parallel: their balance is
-- chain_head's plus the entries since. Checks needed only once are in open_account; those here are
-- evaluated with each posting.
create table account (
  id bigint generated always as identity primary key,
  owner text not null,
  attempt_id text not null,
  kind text not null,
  coin text not null,
  house boolean not null,
  -- Ties the account to its owner's wallet (ledger_owner); empty without one.
  owner_commitment text not null,
  balance bigint not null default 0 check (balance >= 0),
  version bigint not null default 0,
  unique (attempt_id, owner, kind, coin)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);

-- What ties the accounts of a person to their wallet without naming it: the hash of a secret salt
-- and the wallet's address. Known before the person's first account, which starts its chain from
-- it.
create table ledger_owner (
  owner text primary key,
  owner_commitment text not null check (owner_commitment ~ '^[0-9a-f]{64}$')
);

-- `xid` tells the chain which journals an earlier batch of the chain could not yet see.
create table journal (
  id uuid primary key,
  kind text not null check (length(kind) between 1 and 64),
  body_hash bytea not null check (length(body_hash) = 32),
  about text,
  at_ms bigint not null,
  -- Size of the newest signed tree of the log then: stated again whenever the call is repeated.
  tree_size bigint not null default 0,
  recorded_at timestamptz not null default clock_timestamp(),
  xid xid8 not null default pg_current_xact_id()
);
create index journal_xid on journal (xid);

-- `balance` and `version` of the account after this entry; null for the house. No foreign keys:
-- only post_journals writes here, and the audit compares.
create table entry (
  journal_id uuid not null,
  leg integer not null,
  account bigint not null,
  amount bigint not null check (amount <> 0),
  balance bigint check (balance >= 0),
  version bigint,
  about text,
  primary key (journal_id, leg),
  check ((balance is null) = (version is null))
);
create unique index entry_account on entry (account, version) where version is not null;

-- Identified by the journal that placed it.
create table hold (
  id uuid primary key,
  state text not null check (state in ('pending', 'posted', 'voided')),
  closed_by uuid unique,
  check ((state = 'pending') = (closed_by is null))
);

-- Exposure and self limits: one row per key, locked once per batch.
create table ledger_limit (
  key text primary key check (length(key) between 1 and 200),
  used bigint not null default 0
) with (fillfactor = 60);

-- Ids used up by a refusal. `outcome`: the ledger's own; `error` and `data`: the answer the caller
-- got.
create table used_key (
  id uuid primary key,
  body_hash bytea not null check (length(body_hash) = 32),
  outcome text,
  error text,
  data jsonb,
  recorded_at timestamptz not null default clock_timestamp()
);

-- The chain, built asynchronously behind the postings. A batch takes in all journals that
-- `snapshot` sees and the previous batch did not.
create table chain_batch (
  number bigint primary key,
  snapshot pg_snapshot not null,
  journals bigint not null,
  entries bigint not null,
  head bytea not null,
  created_at timestamptz not null default clock_timestamp()
);
create table chain_head (
  account bigint primary key,
  position bigint not null,
  -- Of the house, what all people hold together: more than one account can.
  balance numeric(38) not null,
  hash bytea not null
) with (fillfactor = 60);

create table ledger_audit (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default clock_timestamp(),
  complete boolean not null,
  entries bigint not null,
  batches bigint not null,
  took_ms integer not null,
  findings jsonb not null
);

-- ---------------------------------------------------------------- views

-- Journals not yet in any batch of the chain.
create view unchained_journal as
  select j.*
  from journal j,
    (select coalesce(
       (select snapshot from chain_batch order by number desc limit 1), '1:1:'::pg_snapshot)
         as seen) s
  where j.xid >= (select pg_snapshot_xmin(coalesce(
      (select snapshot from chain_batch order by number desc limit 1), '1:1:'::pg_snapshot)))
    and not pg_visible_in_snapshot(j.xid, s.seen);

create view account_balance as
  select a.id, a.owner, a.attempt_id, a.kind, a.coin, a.house,
    case when not a.house then a.balance
      else coalesce(h.balance, 0) + coalesce((
        select sum(e.amount)
        from unchained_journal j join entry e on e.journal_id = j.id
        where e.account = a.id), 0)
    end as balance
  from account a left join chain_head h on h.account = a.id;

create view trial_balance as
  select coin,
    sum(balance) filter (where not house) as users,
    sum(balance) filter (where house) as house,
    sum(balance) as total
  from account_balance group by coin;

-- ---------------------------------------------------------------- post_journals

-- sum() of bigint returns numeric; this one returns bigint and raises 22003 on overflow.
create aggregate sum_int8(bigint) (
  sfunc = int8pl, stype = bigint, combinefunc = int8pl, parallel = safe
);

-- Waits for whoever is posting under the id or refusing it, and keeps others from both until this
-- transaction ends: they meet in the primary key of `journal`. A refusal calls it before it looks
-- whether the id was used, and post_range looks only after it has written its journals, so that an
-- id is never both refused and posted.
create function reserve_id(p_id uuid) returns void language plpgsql as $$
begin
  insert into journal (id, kind, body_hash, at_ms) values (p_id, 'reserved', sha256(''), 0)
  on conflict do nothing;
  if found then delete from journal where id = p_id; end if;
end $$;

-- The outcome for an id that was posted or refused before, and the world time of its posting; nulls
-- if it was not used.
create function prior_outcome(
  p_id uuid, p_body_hash bytea, out outcome text, out first_at_ms bigint
) language plpgsql as $$
declare
  v_hash bytea;
begin
  select body_hash, at_ms into v_hash, first_at_ms from journal where id = p_id;
  if found then
    outcome := case when v_hash = p_body_hash then 'duplicate' else 'body_changed' end;
    return;
  end if;
  select u.body_hash, u.outcome into v_hash, outcome from used_key u where u.id = p_id;
  if found then
    outcome := case when v_hash <> p_body_hash then 'body_changed'
      else coalesce(outcome, 'key_refused') end;
  end if;
end $$;

-- What is wrong with journal `p_n` (1-based) on its own, against the current state; null if nothing
-- is. For the outcomes and their order see core/ledger/outcomes.ts.
create function refusal_of(
  p_n integer, p_ids uuid[], p_body_hashes bytea[],
  p_leg_journals integer[], p_leg_accounts bigint[], p_leg_amounts bigint[],
  p_limit_journals integer[], p_limit_keys text[], p_limit_deltas bigint[], p_limit_caps bigint[],
  p_hold_journals integer[], p_hold_actions text[], p_hold_ids uuid[],
  out outcome text, out limit_key text, out first_at_ms bigint
) language plpgsql as $$
declare
  v_state text; v_action text; v_of uuid; v_legs record;
begin
  select u.outcome, u.first_at_ms into outcome, first_at_ms
  from prior_outcome(p_ids[p_n], p_body_hashes[p_n]) u;
  if outcome is not null then return; end if;

  select count(*) as legs, count(a.id) as known,
    bool_or(l.amount is null or l.amount = 0
      or l.amount not between -100000000000000000 and 100000000000000000) as bad_amount
  into v_legs
  from unnest(p_leg_journals, p_leg_accounts, p_leg_amounts) l (journal, account, amount)
    left join account a on a.id = l.account
  where l.journal = p_n;
  if v_legs.known < v_legs.legs then outcome := 'account_unknown'; return; end if;
  if v_legs.bad_amount then outcome := 'amount_invalid'; return; end if;
  if v_legs.legs < 2 or exists (
    select from unnest(p_leg_journals, p_leg_accounts, p_leg_amounts) l (journal, account, amount)
      join account a on a.id = l.account
    where l.journal = p_n group by a.coin having sum(l.amount) <> 0
  ) then outcome := 'unbalanced'; return; end if;

  select h.action, h.of into v_action, v_of
  from unnest(p_hold_journals, p_hold_actions, p_hold_ids) h (journal, action, of)
  where h.journal = p_n;
  if v_action in ('post', 'void') then
    select state into v_state from hold where id = v_of;
    if not found then outcome := 'hold_unknown'; return; end if;
    if v_state <> 'pending' then outcome := 'hold_not_pending'; return; end if;
  end if;
  if hold_mismatch(p_n, p_leg_journals, p_leg_accounts, p_leg_amounts, v_action, v_of) then
    outcome := 'hold_mismatch'; return;
  end if;

  if exists (
    select from (
      select not a.house
        and a.balance + sum(l.amount) over (partition by l.account order by l.n) < 0 as below
      from unnest(p_leg_journals, p_leg_accounts, p_leg_amounts)
        with ordinality l (journal, account, amount, n)
        join account a on a.id = l.account
      where l.journal = p_n) x
    where below
  ) then outcome := 'overdraft'; return; end if;

  select x.key into limit_key from (
    select d.key, d.n, d.delta > 0
      and m.used + sum(d.delta) over (partition by d.key order by d.n) > d.cap as no_room
    from unnest(p_limit_journals, p_limit_keys, p_limit_deltas, p_limit_caps)
      with ordinality d (journal, key, delta, cap, n)
      join ledger_limit m on m.key = d.key
    where d.journal = p_n) x
  where x.no_room order by x.n limit 1;
  if found then outcome := 'limit_full'; end if;
end $$;

-- Held money moves only through its hold: `place` only adds to held accounts, `post` and `void`
-- take out exactly what was placed, `void` returns it exactly where it came from, and every other
-- journal leaves held accounts alone.
create function hold_mismatch(
  p_n integer, p_leg_journals integer[], p_leg_accounts bigint[], p_leg_amounts bigint[],
  p_action text, p_of uuid
) returns boolean language sql stable as $$
  with leg as (
    select l.account, l.amount, a.kind = 'held' as held
    from unnest(p_leg_journals, p_leg_accounts, p_leg_amounts) l (journal, account, amount)
      join account a on a.id = l.account
    where l.journal = p_n
  )
  select case
    when p_action is null then exists (select from leg where held)
    when p_action = 'place' then not exists (select from leg where held)
      or exists (select from leg where held and amount < 0)
    else exists (select from leg where held and amount > 0) or exists (
      select from (
        select account, amount from leg where held or p_action = 'void'
        union all
        select e.account, e.amount from entry e join account a on a.id = e.account
        where e.journal_id = p_of and (a.kind = 'held' or p_action = 'void')) x
      group by account having sum(amount) <> 0)
  end
$$;

-- post_journals: posts a batch, journal by journal, each all or nothing.
--
--   p_at_ms            world time of the batch
--   p_ids …            one element per journal; p_body_hashes are 32 bytes; p_abouts may contain
--                      nulls
--   p_leg_…            one element per leg; p_leg_journals is the 1-based ordinal of its journal,
--                      ascending; p_leg_abouts (optional) says what a single leg is about if its
--                      journal is about many
--   p_limit_…          limit changes: journal, key, delta, cap; applied with the journal
--   p_hold_…           holds: journal, 'place' | 'post' | 'void', and for the latter two the id of
--                      the placing journal
--
-- Returns for each journal, in the given order: its outcome (core/ledger/outcomes.ts), the key of
-- a full limit, and its world time (that of the first posting for a duplicate); and for the batch,
-- the size of the log's newest signed tree, which is stored with what it posts. Arrays of
-- mismatched lengths raise 22023; no other input raises.
--
-- Lock order everywhere: limit rows by key, user accounts by id, holds by id, then journals by id.
-- The whole batch is tried at once; if something in it cannot post, it is bisected down to single
-- journals, in order.
create function post_journals(
  p_at_ms bigint,
  p_ids uuid[], p_body_hashes bytea[], p_kinds text[], p_abouts text[],
  p_leg_journals integer[], p_leg_accounts bigint[], p_leg_amounts bigint[],
  p_leg_abouts text[] default null,
  p_limit_journals integer[] default '{}', p_limit_keys text[] default '{}',
  p_limit_deltas bigint[] default '{}', p_limit_caps bigint[] default '{}',
  p_hold_journals integer[] default '{}', p_hold_actions text[] default '{}',
  p_hold_ids uuid[] default '{}',
  out outcomes text[], out limit_keys text[], out at_ms bigint[], out tree_size bigint
) language plpgsql security definer
  set search_path from current
  set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  v_count constant integer := coalesce(cardinality(p_ids), 0);
  v_los integer[] := '{1}'; v_his integer[] := array[v_count];
  v_lo integer; v_hi integer; v_refusal record; v_prior record;
begin
  if p_at_ms is null
    or cardinality(p_body_hashes) <> v_count or cardinality(p_kinds) <> v_count
    or cardinality(p_abouts) <> v_count
    or cardinality(p_leg_accounts) <> cardinality(p_leg_journals)
    or cardinality(p_leg_amounts) <> cardinality(p_leg_journals)
    or cardinality(p_leg_abouts) <> cardinality(p_leg_journals)
    or cardinality(p_limit_keys) <> cardinality(p_limit_journals)
    or cardinality(p_limit_deltas) <> cardinality(p_limit_journals)
    or cardinality(p_limit_caps) <> cardinality(p_limit_journals)
    or cardinality(p_hold_actions) <> cardinality(p_hold_journals)
    or cardinality(p_hold_ids) <> cardinality(p_hold_journals)
    or array_position(p_ids, null) is not null
    or exists (select from unnest(p_leg_journals) l where l is null or l not between 1 and v_count)
    or exists (select from unnest(p_hold_actions) h
      where h is null or h not in ('place', 'post', 'void'))
  then
    raise exception 'post_journals: the lists do not fit together' using errcode = '22023';
  end if;
  outcomes := array_fill('posted'::text, array[v_count]);
  limit_keys := array_fill(null::text, array[v_count]);
  at_ms := array_fill(p_at_ms, array[v_count]);
  tree_size := coalesce((select max(size) from log_checkpoint), 0);
  if v_count = 0 then return; end if;

  if cardinality(p_limit_keys) > 0 then
    insert into ledger_limit (key) select distinct k from unnest(p_limit_keys) k order by k
      on conflict do nothing;
    perform from ledger_limit where key = any(p_limit_keys) order by key for no key update;
  end if;
  perform from account where id = any(p_leg_accounts) and not house order by id for no key update;
  if cardinality(p_hold_ids) > 0 then
    perform from hold where id = any(p_hold_ids) order by id for no key update;
  end if;

  while cardinality(v_los) > 0 loop
    v_lo := v_los[cardinality(v_los)]; v_los := trim_array(v_los, 1);
    v_hi := v_his[cardinality(v_his)]; v_his := trim_array(v_his, 1);
    begin
      if post_range(v_lo, v_hi, p_at_ms, tree_size, p_ids, p_body_hashes, p_kinds, p_abouts,
        p_leg_journals, p_leg_accounts, p_leg_amounts, p_leg_abouts)
          or cardinality(p_hold_journals) > 0
      then
        perform apply_holds(v_lo, v_hi, p_ids, p_leg_journals, p_leg_accounts, p_leg_amounts,
          p_hold_journals, p_hold_actions, p_hold_ids);
      end if;
      if cardinality(p_limit_keys) > 0 then
        perform apply_limits(v_lo, v_hi, p_limit_journals, p_limit_keys, p_limit_deltas,
          p_limit_caps);
      end if;
    exception when sqlstate 'DD001' or unique_violation or check_violation or not_null_violation
        or numeric_value_out_of_range then
      if v_lo < v_hi then
        v_los := v_los || array[(v_lo + v_hi) / 2 + 1, v_lo];
        v_his := v_his || array[v_hi, (v_lo + v_hi) / 2];
        continue;
      end if;
      v_refusal := refusal_of(v_lo, p_ids, p_body_hashes, p_leg_journals, p_leg_accounts,
        p_leg_amounts, p_limit_journals, p_limit_keys, p_limit_deltas, p_limit_caps,
        p_hold_journals, p_hold_actions, p_hold_ids);
      if v_refusal.outcome is null then
        if sqlstate = '22003' then v_refusal.outcome := 'amount_invalid';
        else raise; end if;
      end if;
      if v_refusal.outcome in ('overdraft', 'hold_unknown', 'hold_not_pending', 'hold_mismatch')
      then
        perform reserve_id(p_ids[v_lo]);
        v_prior := prior_outcome(p_ids[v_lo], p_body_hashes[v_lo]);
        if v_prior.outcome is null then
          insert into used_key (id, body_hash, outcome)
          values (p_ids[v_lo], p_body_hashes[v_lo], v_refusal.outcome);
        else
          v_refusal.outcome := v_prior.outcome; v_refusal.first_at_ms := v_prior.first_at_ms;
        end if;
      end if;
      outcomes[v_lo] := v_refusal.outcome;
      limit_keys[v_lo] := v_refusal.limit_key;
      at_ms[v_lo] := coalesce(v_refusal.first_at_ms, p_at_ms);
    end;
  end loop;
end $$;

-- Posts the legs of journals p_lo to p_hi in one statement, or raises DD001 (or a constraint
-- violation) if any of them cannot post. The caller holds the locks. Returns whether held accounts
-- are among them. The joins are hash joins: each side is a batch, read once by its keys.
create function post_range(
  p_lo integer, p_hi integer, p_at_ms bigint, p_tree_size bigint,
  p_ids uuid[], p_body_hashes bytea[], p_kinds text[], p_abouts text[],
  p_leg_journals integer[], p_leg_accounts bigint[], p_leg_amounts bigint[], p_leg_abouts text[]
) returns boolean language plpgsql set enable_nestloop = off as $$
declare
  v record;
begin
  with
  -- Each account once, however many legs it has.
  own as materialized (
    select id, coin, house, kind, balance, version from account where id = any(p_leg_accounts)
  ),
  leg as materialized (
    select l.n, l.journal, l.account, l.amount, l.about, a.coin, a.house, a.kind,
      a.balance + sum_int8(l.amount) over w as balance,
      a.version + row_number() over w as version,
      row_number() over (partition by l.journal order by l.n rows unbounded preceding) as place
    from unnest(p_leg_journals, p_leg_accounts, p_leg_amounts, p_leg_abouts)
        with ordinality l (journal, account, amount, about, n)
      join own a on a.id = l.account
    where l.journal between p_lo and p_hi
    window w as (partition by l.account order by l.n rows unbounded preceding)
  ),
  put_journal as (
    insert into journal (id, kind, body_hash, about, at_ms, tree_size)
    select j.id, j.kind, j.body_hash, j.about, p_at_ms,
      p_tree_size
    from unnest(p_ids[p_lo:p_hi], p_kinds[p_lo:p_hi], p_body_hashes[p_lo:p_hi],
      p_abouts[p_lo:p_hi]) j (id, kind, body_hash, about)
    order by j.id
  ),
  put_entry as (
    insert into entry (journal_id, leg, account, amount, balance, version, about)
    select p_ids[journal], place, account, amount,
      case when house then null else balance end, case when house then null else version end, about
    from leg
  ),
  put_account as (
    update account a set balance = a.balance + d.amount, version = a.version + d.entries
    from (select account, sum_int8(amount) as amount, count(*) as entries from leg where not house
      group by account) d
    where a.id = d.account and a.id = any(p_leg_accounts)
  )
  select
    (select count(*) from unnest(p_leg_journals) l where l between p_lo and p_hi) = count(*)
    and coalesce(min(balance) filter (where not house), 0) >= 0
    and count(*) filter (where place = 2) = p_hi - p_lo + 1
    and coalesce(max(abs(amount)), 0) <= 100000000000000000
    and not exists (select from leg group by journal, coin having sum_int8(amount) <> 0) as fine,
    count(*) filter (where kind = 'held') as held
  into v from leg;
  -- A statement of its own: it sees the refusals that the journals above had to wait for.
  if not v.fine or exists (select from used_key where id = any(p_ids[p_lo:p_hi])) then
    raise exception 'not all can post' using errcode = 'DD001';
  end if;
  return v.held > 0;
end $$;

create function apply_holds(
  p_lo integer, p_hi integer, p_ids uuid[],
  p_leg_journals integer[], p_leg_accounts bigint[], p_leg_amounts bigint[],
  p_hold_journals integer[], p_hold_actions text[], p_hold_ids uuid[]
) returns void language plpgsql as $$
declare
  v_closing bigint; v_closed bigint;
begin
  if exists (
    select from generate_series(p_lo, p_hi) n
      left join unnest(p_hold_journals, p_hold_actions, p_hold_ids) h (journal, action, of)
        on h.journal = n
    where hold_mismatch(n, p_leg_journals, p_leg_accounts, p_leg_amounts, h.action, h.of)
  ) then raise exception 'a hold does not fit' using errcode = 'DD001'; end if;
  insert into hold (id, state)
  select p_ids[h.journal], 'pending'
  from unnest(p_hold_journals, p_hold_actions) h (journal, action)
  where h.journal between p_lo and p_hi and h.action = 'place' order by 1;
  select count(*) into v_closing
  from unnest(p_hold_journals, p_hold_actions) h (journal, action)
  where h.journal between p_lo and p_hi and h.action <> 'place';
  update hold t set state = case h.action when 'post' then 'posted' else 'voided' end,
    closed_by = p_ids[h.journal]
  from unnest(p_hold_journals, p_hold_actions, p_hold_ids) h (journal, action, of)
  where h.journal between p_lo and p_hi and h.action <> 'place' and t.id = h.of
    and t.state = 'pending';
  get diagnostics v_closed = row_count;
  if v_closed <> v_closing then
    raise exception 'a hold is not pending' using errcode = 'DD001';
  end if;
end $$;

create function apply_limits(
  p_lo integer, p_hi integer,
  p_limit_journals integer[], p_limit_keys text[], p_limit_deltas bigint[], p_limit_caps bigint[]
) returns void language plpgsql as $$
declare
  v_full boolean;
begin
  with
  change as materialized (
    select d.key, d.delta, d.delta > 0
      and m.used + sum(d.delta) over (partition by d.key order by d.n) > d.cap as no_room
    from unnest(p_limit_journals, p_limit_keys, p_limit_deltas, p_limit_caps)
      with ordinality d (journal, key, delta, cap, n)
      join ledger_limit m on m.key = d.key
    where d.journal between p_lo and p_hi
  ),
  put_limit as (
    update ledger_limit m set used = m.used + d.delta
    from (select key, sum(delta)::bigint as delta from change group by key) d
    where m.key = d.key
  )
  select bool_or(no_room) into v_full from change;
  if v_full then raise exception 'a limit is full' using errcode = 'DD001'; end if;
end $$;

-- ---------------------------------------------------------------- accounts and keys

-- Returns the account's id, creating the account if it is missing. Invalid names raise 22023.
create function open_account(p_owner text, p_attempt_id text, p_kind text, p_coin text)
returns bigint
language plpgsql security definer set search_path from current as $$
declare
  v_id bigint;
begin
  loop
    select id into v_id from account
    where attempt_id = p_attempt_id and owner = p_owner and kind = p_kind and coin = p_coin;
    if found then return v_id; end if;
    if (length(p_owner) between 1 and 64 and length(p_attempt_id) <= 64
      and (p_owner = 'house') = (p_attempt_id = '')
      and p_kind ~ '^[a-z][a-z_.]{0,31}$' and p_coin ~ '^p[A-Z]{2,8}$') is not true
    then
      raise exception 'no account can be called %, %, %, %', p_owner, p_attempt_id, p_kind, p_coin
        using errcode = '22023';
    end if;
    insert into account (owner, attempt_id, kind, coin, house, owner_commitment)
    values (p_owner, p_attempt_id, p_kind, p_coin, p_owner = 'house',
      coalesce((select owner_commitment from ledger_owner where owner = p_owner), ''))
    on conflict do nothing returning id into v_id;
    if found then return v_id; end if;
  end loop;
end $$;

-- Records the answer of a final refusal under its key. The first one wins. Returns false if the id
-- was posted instead.
create function record_refusal(p_id uuid, p_body_hash bytea, p_error text, p_data jsonb)
returns boolean
language plpgsql security definer set search_path from current as $$
begin
  perform reserve_id(p_id);
  if exists (select from journal where id = p_id) then return false; end if;
  insert into used_key as u (id, body_hash, error, data) values (p_id, p_body_hash, p_error, p_data)
  on conflict (id) do update set error = excluded.error, data = excluded.data
  where u.error is null and u.body_hash = excluded.body_hash;
  return true;
end $$;

-- Removes the counters of days that are over. Their keys begin with `until:<day>:`, the number of
-- their last real day; those of other keys stay. Gives how many there were.
create function purge_limits(p_before integer) returns bigint
language plpgsql security definer set search_path from current as $$
declare
  v_count bigint;
begin
  delete from ledger_limit
  where key like 'until:%' and substring(key from '^until:([0-9]{1,6}):')::integer < p_before;
  get diagnostics v_count = row_count;
  return v_count;
end $$;

-- ---------------------------------------------------------------- the chain

-- The account's hash after more entries: hash = SHA-256(hash || entry) for each, where p_items are
-- the bytes of an entry from its journal onwards (format 2, docs/rules/ledger.md) and p_position is
-- the position before the first.
create function chain_fold(p_hash bytea, p_account bigint, p_position bigint, p_items bytea[])
returns bytea
language plpgsql immutable parallel safe as $$
declare
  v_hash bytea := p_hash; v_position bigint := p_position; v_item bytea;
  v_prefix constant bytea := '\x0201'::bytea || int8send(p_account);
begin
  foreach v_item in array p_items loop
    v_position := v_position + 1;
    v_hash := sha256(v_hash || v_prefix || int8send(v_position) || v_item);
  end loop;
  return v_hash;
end $$;

create function chain_genesis() returns bytea language sql stable as $$
  select sha256(convert_to(
    '{"format":"drydock-ledger-chain-2","practice":true,"backing":"none","world":'
      || to_json(name)::text || '}', 'UTF8'))
  from world
$$;

create function account_start(p_genesis bytea, p_id bigint, p_owner text, p_attempt_id text,
  p_kind text, p_coin text, p_owner_commitment text)
returns bytea language sql immutable parallel safe as $$
  select sha256(p_genesis || convert_to(
    '[' || p_id || ',' || to_json(p_owner) || ',' || to_json(p_attempt_id) || ','
      || to_json(p_kind) || ',' || to_json(p_coin) || ',' || to_json(p_owner_commitment) || ']',
    'UTF8'))
$$;

-- Takes up to about p_max unchained journals into a new batch of the chain and rolls the house
-- accounts up. Late committers are not missed: a journal belongs to the first batch whose snapshot
-- sees its transaction. Returns the number of entries chained; 0 if there was nothing to do.
create function chain_entries(p_max integer default 20000) returns bigint
language plpgsql security definer set search_path from current
  set enable_mergejoin = off set plan_cache_mode = force_custom_plan
  set work_mem = '64MB'
as $$
declare
  v_last chain_batch; v_seen pg_snapshot; v_next pg_snapshot; v_nth xid8;
  v_genesis bytea := chain_genesis();
  v record;
begin
  if v_genesis is null then raise exception 'the world has no name yet'; end if;
  lock table chain_batch in share row exclusive mode;
  select * into v_last from chain_batch order by number desc limit 1;
  v_seen := coalesce(v_last.snapshot, '1:1:');
  v_next := pg_current_snapshot();
  -- Chained journals are left out: a transaction that was long open in the last snapshot leaves any
  -- number of them above its xmin, and a batch that ended among them would never end.
  select xid into v_nth from journal
    where xid >= pg_snapshot_xmin(v_seen) and not pg_visible_in_snapshot(xid, v_seen)
    order by xid offset p_max limit 1;
  if found then
    v_nth := greatest(v_nth, (pg_snapshot_xmax(v_seen)::text::numeric - 1)::text::xid8);
    if v_nth < pg_snapshot_xmin(v_next) then
      v_next := format('%1$s:%1$s:', v_nth::text::numeric + 1)::pg_snapshot;
    end if;
  end if;

  with
  fresh as materialized (
    select id, kind, int8send(at_ms) || body_hash as tail from journal
    where xid >= pg_snapshot_xmin(v_seen) and xid < pg_snapshot_xmax(v_next)
      and pg_visible_in_snapshot(xid, v_next) and not pg_visible_in_snapshot(xid, v_seen)
  ),
  -- Who the other side of each journal is: house accounts by kind, people all together.
  parts as materialized (
    select s.id, sha256(convert_to(string_agg(s.name || ' ' || s.coin || ' ' || s.amount || chr(10),
      '' order by (s.name || ' ' || s.coin) collate "C"), 'UTF8')) as hash
    from (
      select j.id, case when a.house then a.kind else 'people' end as name, a.coin,
        sum(e.amount) as amount
      from fresh j join entry e on e.journal_id = j.id join account a on a.id = e.account
      group by 1, 2, 3) s
    group by s.id
  ),
  moved as materialized (
    select e.account, count(*) as entries, sum(e.amount) as amount,
      array_agg(uuid_send(e.journal_id) || int4send(e.leg) || int8send(e.amount) || j.tail
        || p.hash || convert_to(j.kind, 'UTF8') order by e.version, e.journal_id, e.leg) as items
    from fresh j join parts p on p.id = j.id join entry e on e.journal_id = j.id
    group by e.account
  ),
  folded as materialized (
    select m.account, m.entries, coalesce(h.position, 0) + m.entries as position,
      coalesce(h.balance, 0) + m.amount as balance,
      chain_fold(
        coalesce(h.hash, account_start(v_genesis, a.id, a.owner, a.attempt_id, a.kind, a.coin,
          a.owner_commitment)),
        m.account, coalesce(h.position, 0), m.items) as hash
    from moved m join account a on a.id = m.account left join chain_head h on h.account = m.account
  ),
  put_head as (
    insert into chain_head as c (account, position, balance, hash)
    select account, position, balance, hash from folded
    on conflict (account) do update set position = excluded.position, balance = excluded.balance,
      hash = excluded.hash
  )
  select (select count(*) from fresh) as journals, coalesce(sum(entries), 0)::bigint as entries,
    string_agg(int8send(account) || int8send(position) || hash, ''::bytea order by account) as heads
  into v from folded;

  if v.journals = 0 then return 0; end if;
  insert into chain_batch (number, snapshot, journals, entries, head)
  values (coalesce(v_last.number, 0) + 1, v_next, v.journals, v.entries,
    sha256(coalesce(v_last.head, v_genesis) || int8send(coalesce(v_last.number, 0) + 1)
      || v.heads));
  return v.entries;
end $$;

-- ---------------------------------------------------------------- grants

revoke all on function
  reserve_id, prior_outcome, refusal_of, hold_mismatch, post_journals, post_range, apply_holds,
  apply_limits, open_account, record_refusal, purge_limits, chain_fold, chain_genesis,
  account_start, chain_entries
from public;
grant execute on function post_journals, open_account, record_refusal, purge_limits,
  chain_entries to :app_role;
grant select on account, journal, entry, hold, ledger_limit, used_key, chain_batch, chain_head,
  ledger_audit, unchained_journal, account_balance, trial_balance to :app_role;
grant insert on ledger_audit to :app_role;
grant select, insert on ledger_owner to :app_role;
