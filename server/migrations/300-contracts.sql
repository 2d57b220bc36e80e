-- Up/down contracts: terms, orders and their statistics. Specified in docs/rules/contracts.md.
--
-- The application inserts an order with its fixed columns only: binding, entry and settlement are
-- added by bind_orders, set_entry_prices and settle_contracts, which run as the owner with
-- temporary tables last on the search path.

-- The single row of the operator's switches for contracts.
create table contract_settings (
  singleton boolean primary key default true check (singleton),
  contracts_on boolean not null default true
);
insert into contract_settings default values;

create table contract (
  id text primary key check (length(id) between 1 and 64),
  symbol text not null unique,
  -- 1-based ordinal of the symbol in market_second.index.
  ordinal integer not null check (ordinal > 0),
  -- Updated by each settlement, in its transaction.
  won bigint not null default 0,
  lost bigint not null default 0,
  tied bigint not null default 0,
  voided bigint not null default 0
);

-- Versions of terms; the newest is current, all stay readable, none is ever changed.
create table contract_terms (
  contract_id text not null references contract,
  version integer not null check (version > 0),
  terms_hash bytea not null unique check (octet_length(terms_hash) = 32),
  -- Canonical JSON, the bytes that were hashed.
  body text not null,
  leaf bigint not null unique,
  -- World time.
  published_at_ms bigint not null,
  primary key (contract_id, version)
);

-- An order. The columns fixed at acceptance come first and never change; then those that binding,
-- entry and settlement add, each once. `profit` and `payout` are computed here so that no statement
-- can write anything else.
create table contract_order (
  seq bigint generated always as identity primary key,
  id uuid not null unique,
  user_id text not null,
  attempt_id text not null,
  -- The wallet account that was charged and is credited.
  account bigint not null,
  contract_id text not null,
  direction text not null check (direction in ('up', 'down')),
  tier_seconds integer not null,
  window_seconds integer not null,
  range_bp integer not null,
  rate_bp integer not null,
  fee_bp integer not null,
  stake bigint not null check (stake between 1 and 100000000000000),
  fee bigint not null check (fee = (stake * fee_bp + 9999) / 10000),
  profit bigint not null generated always as (stake * rate_bp / 10000) stored,
  terms_hash bytea not null,
  accepted_at_ms bigint not null,
  salt bytea not null check (octet_length(salt) = 32),
  order_hash bytea not null check (octet_length(order_hash) = 32),
  -- The real day (UTC, since 1970) whose loss limit counts this order; null if no limit was set.
  loss_day integer,

  bound_leaf bigint,
  entry_leaf bigint,
  purchase_price bigint check (purchase_price > 0),
  entry_at_ms bigint,
  delivery_at_ms bigint,
  -- The second whose closing makes the order due: delivery, or the second at which its entry came
  -- too late.
  due_at_ms bigint,

  selling_price bigint check (selling_price > 0),
  outcome text check (outcome in ('won', 'lost', 'tie', 'void')),
  void_reason text check (void_reason in ('no_entry', 'few_samples')),
  payout bigint generated always as (
    case outcome
      when 'won' then stake + stake * rate_bp / 10000
      when 'tie' then stake
      when 'void' then stake + fee
      when 'lost' then 0
    end) stored,
  settled_at_ms bigint,
  -- Real time, for the daily loss limit.
  settled_real_ms bigint,

  check ((entry_leaf is null) = (due_at_ms is null)),
  check ((purchase_price is null) = (entry_at_ms is null)
    and (purchase_price is null) = (delivery_at_ms is null)),
  check (entry_leaf > bound_leaf),
  check ((outcome is null) = (settled_at_ms is null)
    and (outcome is null) = (settled_real_ms is null)),
  check (settled_at_ms is null or due_at_ms is not null),
  check ((void_reason is null) = (outcome is distinct from 'void'))
-- Leaves room on the page for a second version of every order, so that binding it is a HOT update
-- that writes no index.
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
create index contract_order_open on contract_order (seq) where due_at_ms is null;
create index contract_order_due on contract_order (due_at_ms, contract_id)
  where settled_at_ms is null and due_at_ms is not null;
create index contract_order_by_user on contract_order (user_id, seq);
-- The void orders of a day, for its leaf.
create index contract_order_void on contract_order (due_at_ms, void_reason)
  where outcome = 'void';
-- One person's open orders, for their share of a contract's exposure.
create index contract_order_own on contract_order (user_id, contract_id)
  where settled_at_ms is null;
-- BRIN indexes, because with a btree every binding and settlement would update all indexes. The
-- last two let a day be counted without a full scan.
create index contract_order_bound on contract_order
  using brin (bound_leaf) with (pages_per_range = 16, autosummarize = on);
create index contract_order_accepted on contract_order
  using brin (accepted_at_ms) with (pages_per_range = 16, autosummarize = on);
create index contract_order_settled on contract_order
  using brin (settled_real_ms) with (pages_per_range = 16, autosummarize = on);

-- Each of the three additions to an order happens once; a settled order never changes again.
create function contract_order_immutable() returns trigger language plpgsql as $$
begin
  raise exception 'order % is fixed', old.id using errcode = 'DD301';
end $$;
create trigger contract_order_immutable before update on contract_order for each row
  when (old.settled_at_ms is not null
    or (old.bound_leaf is not null and new.bound_leaf is distinct from old.bound_leaf)
    or (old.due_at_ms is not null
      and (new.entry_leaf, new.purchase_price, new.entry_at_ms, new.delivery_at_ms, new.due_at_ms)
      is distinct from (old.entry_leaf, old.purchase_price, old.entry_at_ms, old.delivery_at_ms,
        old.due_at_ms)))
  execute function contract_order_immutable();

create table contract_follow (
  user_id text not null,
  contract_id text not null references contract,
  primary key (user_id, contract_id)
);

-- Self limits. Times are real time.
create table contract_limits (
  user_id text primary key,
  loss_limit bigint check (loss_limit >= 0),
  -- A higher limit (or none) that takes effect on its day.
  next_limit bigint check (next_limit >= 0),
  next_from_ms bigint,
  excluded_until_ms bigint,
  excluded_for_good boolean not null default false,
  check (next_limit is null or next_from_ms is not null)
);

-- The id of the journal of a contract and second: due second, version 8, SHA-256 of its names.
-- `p_part` is 0 except for a second with more orders than one journal may have legs.
create function settlement_journal_id(p_world text, p_contract_id text, p_due_at_ms bigint,
  p_part integer default 0)
returns uuid
language sql immutable as $$
  select encode(set_byte(set_byte(b, 6, (get_byte(b, 6) & 15) | 128), 8,
    (get_byte(b, 8) & 63) | 128), 'hex')::uuid
  from (select substring(int8send(p_due_at_ms) from 3) || substring(
    sha256(convert_to('drydock.contract.settle/1|' || p_world || '|' || p_contract_id || '|'
      || p_due_at_ms || '|' || p_part, 'UTF8')) from 1 for 10) as b) x
$$;

-- Binds the orders accepted up to each of the given seconds (ascending) to the first that closed at
-- or after their acceptance, in order of acceptance. The accept lock is held exclusively, so no
-- order can arrive late.
create function bind_orders(p_second_ms bigint[], p_leaves bigint[])
returns table (leaf bigint, seq bigint, order_hash bytea, id uuid, user_id text)
language sql security definer set search_path from current as $$
  with
  second as (select * from unnest(p_second_ms, p_leaves) s (second_ms, leaf)),
  placed as (
    select o.seq, b.leaf
    from contract_order o
      cross join lateral (select s.leaf from second s where s.second_ms >= o.accepted_at_ms
        order by s.second_ms limit 1) b
    where o.due_at_ms is null and o.bound_leaf is null
  ),
  bound as (
    update contract_order o set bound_leaf = p.leaf
    from placed p where o.seq = p.seq
    returning o.bound_leaf, o.seq, o.order_hash, o.id, o.user_id
  )
  select * from bound
$$;

-- Applies the closed seconds (one row per contract and second; `p_values` null in a gap) to orders
-- bound before them, by rule 2: the first value is the entry price; more than `p_latest_ms`
-- after acceptance there is none.
create function set_entry_prices(p_contract_ids text[], p_second_ms bigint[], p_leaves bigint[],
  p_values bigint[], p_latest_ms bigint)
returns table (id uuid, user_id text)
language sql security definer set search_path from current as $$
  with
  decided as (
    select distinct on (o.seq) o.seq, v.leaf, v.second_ms,
      case when v.second_ms - o.accepted_at_ms <= p_latest_ms then v.value end as price
    from contract_order o
      join unnest(p_contract_ids, p_second_ms, p_leaves, p_values)
          v (contract_id, second_ms, leaf, value)
        on v.contract_id = o.contract_id and v.leaf > o.bound_leaf
        and (v.value is not null or v.second_ms - o.accepted_at_ms > p_latest_ms)
    where o.due_at_ms is null and o.bound_leaf is not null
    order by o.seq, v.leaf
  )
  update contract_order o set
    entry_leaf = d.leaf,
    purchase_price = d.price,
    entry_at_ms = case when d.price is not null then d.second_ms end,
    delivery_at_ms = case when d.price is not null then d.second_ms + o.tier_seconds * 1000 end,
    due_at_ms = d.second_ms + case when d.price is not null then o.tier_seconds * 1000 else 0 end
  from decided d where o.seq = d.seq
  returning o.id, o.user_id
$$;

-- Settles every order due up to `p_up_to_ms` (a closed second) by rules 3 and 4, exactly as
-- core/contracts decides, and posts one journal per contract and second (split beyond 30 000
-- orders: an entry stores its leg number in 16 bits). One statement, so orders, journals, returned
-- limits and counters commit together or not at all. Returns the orders and their owners. Raises
-- DD302 if a journal does not post.
--
-- `p_house` is the house account that holds the stakes. Where nothing is paid out, the journal
-- moves the kept amount out of and back into that account, since a journal needs two legs.
create function settle_contracts(p_world text, p_up_to_ms bigint, p_at_ms bigint, p_real_ms bigint,
  p_house bigint)
returns table (id uuid, user_id text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
  v_outcomes text[]; v_users text[]; v_orders uuid[];
begin
  with
  due as materialized (
    select distinct o.contract_id, o.due_at_ms, o.window_seconds from contract_order o
    where o.settled_at_ms is null and o.due_at_ms <= p_up_to_ms
  ),
  sample as (
    select d.contract_id, d.due_at_ms, d.window_seconds, s.index[c.ordinal] as value,
      row_number() over w as nth,
      count(*) over (partition by d.contract_id, d.due_at_ms, d.window_seconds) as present
    from due d
      join contract c on c.id = d.contract_id
      join market_second s on s.second_ms > d.due_at_ms - d.window_seconds * 1000
        and s.second_ms <= d.due_at_ms
    where s.index[c.ordinal] is not null
    window w as (
      partition by d.contract_id, d.due_at_ms, d.window_seconds order by s.index[c.ordinal])
  ),
  trimmed as (
    select contract_id, due_at_ms, window_seconds, sum(value)::bigint as sum,
      present - 2 * (present / 5) as used
    from sample
    where nth > present / 5 and nth <= present - present / 5 and present * 5 >= window_seconds * 4
    group by contract_id, due_at_ms, window_seconds, present
  ),
  -- Half to even.
  price as materialized (
    select d.*, case
      when 2 * (t.sum % t.used) < t.used then t.sum / t.used
      when 2 * (t.sum % t.used) > t.used then t.sum / t.used + 1
      else t.sum / t.used + (t.sum / t.used) % 2 end as selling
    from due d left join trimmed t using (contract_id, due_at_ms, window_seconds)
  ),
  changed as (
    update contract_order o set
      selling_price = case when o.purchase_price is not null then p.selling end,
      outcome = case
        when o.purchase_price is null or p.selling is null then 'void'
        when p.selling = o.purchase_price
          or abs(p.selling - o.purchase_price) * 10000 < o.range_bp * o.purchase_price then 'tie'
        when (p.selling > o.purchase_price) = (o.direction = 'up') then 'won'
        else 'lost' end,
      void_reason = case when o.purchase_price is null then 'no_entry'
        when p.selling is null then 'few_samples' end,
      settled_at_ms = p_at_ms, settled_real_ms = p_real_ms
    from price p
    where o.settled_at_ms is null and o.due_at_ms = p.due_at_ms
      and o.contract_id = p.contract_id and o.window_seconds = p.window_seconds
    returning o.seq, o.id, o.user_id, o.account, o.contract_id, o.due_at_ms,
      o.stake + o.fee as charged, o.profit, o.payout, o.outcome, o.loss_day
  ),
  settled as materialized (
    select c.*, ((row_number() over (partition by c.contract_id, c.due_at_ms order by c.seq) - 1)
      / 30000)::integer as part
    from changed c
  ),
  grp as materialized (
    select contract_id, due_at_ms, part,
      (row_number() over (order by due_at_ms, contract_id, part))::integer as n,
      sum(payout)::bigint as paid, sum(charged)::bigint as charged, sum(profit)::bigint as profit,
      count(*) as orders
    from settled group by contract_id, due_at_ms, part
  ),
  leg as (
    select g.n, 0 as ordinal, s.seq, s.account, s.payout as amount, s.id::text as about
    from settled s join grp g using (contract_id, due_at_ms, part) where s.payout > 0
    union all select n, 1, 0, p_house, -paid, null from grp where paid > 0
    union all select n, v.ordinal, 0, p_house, v.sign * charged, null
      from grp, (values (1, -1), (2, 1)) v (ordinal, sign) where paid = 0
  ),
  returned as (
    select n, 'contracts.exposure:' || contract_id as key, -profit as delta from grp
    union all
    select g.n, 'contracts.loss:' || s.user_id || ':' || s.loss_day,
      sum(greatest(s.charged - s.payout, 0) - s.charged)::bigint
    from settled s join grp g using (contract_id, due_at_ms, part) where s.loss_day is not null
    group by g.n, s.user_id, s.loss_day
  ),
  counted as (
    update contract c set won = c.won + k.won, lost = c.lost + k.lost, tied = c.tied + k.tied,
      voided = c.voided + k.voided
    from (
      select contract_id, count(*) filter (where outcome = 'won') as won,
        count(*) filter (where outcome = 'lost') as lost,
        count(*) filter (where outcome = 'tie') as tied,
        count(*) filter (where outcome = 'void') as voided
      from settled group by contract_id) k
    where c.id = k.contract_id
  )
  select
    (select p.outcomes from post_journals(
      p_at_ms,
      (select coalesce(array_agg(settlement_journal_id(p_world, contract_id, due_at_ms, part)
        order by n), '{}') from grp),
      (select coalesce(array_agg(sha256(convert_to(concat_ws('|', contract_id, due_at_ms, orders,
        charged, paid), 'UTF8')) order by n), '{}') from grp),
      (select coalesce(array_agg('contract.settle'::text order by n), '{}') from grp),
      (select coalesce(array_agg(contract_id order by n), '{}') from grp),
      l.journals, l.accounts, l.amounts, l.abouts,
      r.journals, r.keys, r.deltas, array_fill(0::bigint, array[cardinality(r.keys)])) p),
    (select array_agg(s.id order by s.seq) from settled s),
    (select array_agg(s.user_id order by s.seq) from settled s)
  into v_outcomes, v_orders, v_users
  from
    (select coalesce(array_agg(n order by n, ordinal, seq), '{}') as journals,
      coalesce(array_agg(account order by n, ordinal, seq), '{}') as accounts,
      coalesce(array_agg(amount order by n, ordinal, seq), '{}') as amounts,
      coalesce(array_agg(about order by n, ordinal, seq), '{}') as abouts
    from leg) l,
    (select coalesce(array_agg(n order by n, key), '{}') as journals,
      coalesce(array_agg(key order by n, key), '{}') as keys,
      coalesce(array_agg(delta order by n, key), '{}') as deltas
    from returned where delta <> 0) r;

  if exists (select from unnest(v_outcomes) x where x <> 'posted') then
    raise exception 'a settlement journal did not post: %', v_outcomes using errcode = 'DD302';
  end if;
  return query select x.id, x.user_id from unnest(v_orders, v_users) x (id, user_id);
end $$;

-- Why no order can be accepted at p_at_ms: the name of the error (api/errors.ts), or null if orders
-- can be. Called under the accept lock, in a separate statement: it must see every second that
-- closed before the lock was acquired. p_end_ms: where the world's recording ends, null for never.
--
--   contracts.off              the operator has switched contracts off
--   class.paused               world time stands still
--   contracts.recording_ended  the recording has ended: no later second would bind an order
--   contracts.no_price         a second past p_at_ms has closed: the caller's clock is behind the
--                              feed's, and a later second would bind the order as if held back
create function orders_refusal(p_at_ms bigint, p_end_ms bigint) returns text
language plpgsql stable as $$
declare
  v_closed_ms bigint := (select max(second_ms) from market_second);
begin
  return case
    when not (select contracts_on from contract_settings) then 'contracts.off'
    when p_at_ms >= (select at_ms from world_pause where resumed_real_ms is null)
      then 'class.paused'
    when v_closed_ms > p_end_ms then 'contracts.recording_ended'
    when v_closed_ms > p_at_ms then 'contracts.no_price'
  end;
end $$;

-- Writes the orders of journals that posted, and returns their owners: the only insert into
-- contract_order. p_orders is a JSON array with one object per order, whose members are the columns
-- below (hashes and salt in hex); p_outcomes are the outcomes of post_journals for their journals
-- in the same order, or null if all posted.
create function insert_orders(p_orders json, p_outcomes text[]) returns text[]
language plpgsql as $$
declare
  v_users text[];
begin
  with written as (
    insert into contract_order (
      id, user_id, attempt_id, account, contract_id, direction, tier_seconds, window_seconds,
      range_bp, rate_bp, fee_bp, stake, fee, terms_hash, accepted_at_ms, salt, order_hash, loss_day)
    select
      id, user_id, attempt_id, account, contract_id, direction, tier_seconds, window_seconds,
      range_bp, rate_bp, fee_bp, stake, fee, decode(terms_hash, 'hex'), accepted_at_ms,
      decode(salt, 'hex'), decode(order_hash, 'hex'), loss_day
    from rows from (
      json_to_recordset(p_orders) as (
        id uuid, user_id text, attempt_id text, account bigint, contract_id text, direction text,
        tier_seconds integer, window_seconds integer, range_bp integer, rate_bp integer,
        fee_bp integer, stake bigint, fee bigint, terms_hash text, accepted_at_ms bigint, salt text,
        order_hash text, loss_day integer),
      unnest(p_outcomes)
    ) with ordinality
    where coalesce(unnest, 'posted') = 'posted'
    order by ordinality
    returning user_id
  )
  select array_agg(user_id) into v_users from written;
  return v_users;
end $$;

-- The array parameters of post_journals after its time, in its order.
create type journal_batch as (
  ids uuid[], body_hashes bytea[], kinds text[], abouts text[],
  leg_journals integer[], leg_accounts bigint[], leg_amounts bigint[], leg_abouts text[],
  limit_journals integer[], limit_keys text[], limit_deltas bigint[], limit_caps bigint[],
  hold_journals integer[], hold_actions text[], hold_ids uuid[]
);

-- Takes the accept lock, posts the journals of a batch of orders and writes the orders of those
-- that posted: a transaction of one statement. p_orders is as in insert_orders, one order per
-- journal. `done` is false if it did nothing because orders_refusal gave a reason, which the caller
-- cannot know in advance. Raises DD303 if any of the people has self limits; those are checked one
-- by one in the transaction that posts and calls insert_orders.
--
-- Each statement in here takes its own snapshot, so that those after the accept lock see everything
-- committed before it was acquired.
create function accept_orders(
  p_accept_lock bigint, p_at_ms bigint, p_end_ms bigint, p_journals journal_batch, p_orders json,
  out done boolean, out outcomes text[], out limit_keys text[], out at_ms bigint[],
  out tree_size bigint
) language plpgsql as $$
declare
  j alias for p_journals;
  v_users text[];
begin
  done := false;
  perform pg_advisory_xact_lock_shared(p_accept_lock);
  if orders_refusal(p_at_ms, p_end_ms) is not null then return; end if;
  select p.outcomes, p.limit_keys, p.at_ms, p.tree_size
  into outcomes, limit_keys, at_ms, tree_size
  from post_journals(
    p_at_ms, j.ids, j.body_hashes, j.kinds, j.abouts,
    j.leg_journals, j.leg_accounts, j.leg_amounts, j.leg_abouts,
    j.limit_journals, j.limit_keys, j.limit_deltas, j.limit_caps,
    j.hold_journals, j.hold_actions, j.hold_ids) p;
  v_users := insert_orders(p_orders, outcomes);
  -- Only now: concurrent orders of one person have serialised on their wallet.
  if exists (select from contract_limits where user_id = any(v_users)) then
    raise exception 'somebody has limits of their own' using errcode = 'DD303';
  end if;
  done := true;
  -- Omits the arrays in the common all-posted case.
  if 'posted' = all (outcomes) then outcomes := null; limit_keys := null; at_ms := null; end if;
end $$;

revoke all on function settlement_journal_id, bind_orders, set_entry_prices, settle_contracts,
  orders_refusal, insert_orders, accept_orders, contract_order_immutable from public;
grant execute on function settlement_journal_id, bind_orders, set_entry_prices, settle_contracts,
  orders_refusal, insert_orders, accept_orders to :app_role;
grant select on contract_settings, contract, contract_terms, contract_order, contract_follow,
  contract_limits to :app_role;
grant update (contracts_on) on contract_settings to :app_role;
grant insert (id, symbol, ordinal) on contract to :app_role;
grant insert on contract_terms to :app_role;
grant insert (id, user_id, attempt_id, account, contract_id, direction, tier_seconds,
  window_seconds, range_bp, rate_bp, fee_bp, stake, fee, terms_hash, accepted_at_ms, salt,
  order_hash, loss_day) on contract_order to :app_role;
grant insert, delete on contract_follow to :app_role;
grant insert, update, delete on contract_limits to :app_role;
