-- Hosting: pools, their trades and marks, and people's orders. Specified in docs/rules/hosting.md.
--
-- The feed writes what a pool does in the transaction that closes a second. An order is inserted
-- with its fixed columns only: binding and execution are added by the two functions below, which
-- run as the owner with temporary tables last on the search path.

-- Incremented with every change to the state the engine continues from, so that a process can tell
-- whether its in-memory copy is current.
create table hosting_head (
  singleton boolean primary key default true check (singleton),
  version bigint not null default 0
);
insert into hosting_head default values;

-- Units and NAV have eight digits, money is minor units of pUSDT.
create table hosting_pool (
  id text primary key check (length(id) between 1 and 64),
  ordinal integer not null unique,
  suspended boolean not null default false,
  seed bigint not null check (seed > 0),
  house_units bigint not null check (house_units > 0),
  -- All units, the house's included, and how many attempts hold any.
  units bigint not null check (units >= house_units),
  holders bigint not null default 0 check (holders >= 0),
  -- World time of the first moment the engine saw.
  started_at_ms bigint,
  -- Index, at the first mark, of the coin that buy and hold would have bought.
  hold_start bigint check (hold_start > 0),
  -- The last mark: the value of a unit, and its price (the same, rounded up).
  nav bigint,
  entry_nav bigint,
  mark_at_ms bigint,
  mark_leaf bigint,
  -- The last minute that could not be marked for lack of an index; null once one could.
  gap_at_ms bigint
);

-- Versions of terms; the newest is current, all stay readable, none is ever changed.
create table hosting_terms (
  pool_id text not null references hosting_pool,
  version integer not null check (version > 0),
  terms_hash bytea not null unique check (octet_length(terms_hash) = 32),
  -- Canonical JSON, the bytes that were hashed.
  body text not null,
  leaf bigint not null unique,
  published_at_ms bigint not null,
  primary key (pool_id, version)
);

-- What each run continues from: the pool itself (`realistic`) and its two shadows, which hold only
-- the seed money.
create table hosting_state (
  pool_id text not null references hosting_pool,
  friction text not null check (friction in ('frictionless', 'realistic', 'harsh')),
  state text not null,
  -- Highest NAV at a mark, and the worst drawdown from one, in hundredths of a basis point.
  peak bigint not null,
  worst integer not null default 0 check (worst >= 0),
  primary key (pool_id, friction)
) with (fillfactor = 50);

create table hosting_order (
  seq bigint generated always as identity primary key,
  id uuid not null unique,
  user_id text not null,
  attempt_id text not null,
  -- The wallet account that was charged or will be paid.
  account bigint not null,
  pool_id text not null references hosting_pool,
  action text not null check (action in ('subscribe', 'redeem')),
  -- Subscription: amount charged. Redemption: units x NAV, set at its mark.
  amount bigint check (amount >= 0),
  -- Redemption: units to redeem. Subscription: units issued, set at its mark.
  units bigint check (units >= 0),
  terms_hash bytea not null,
  accepted_at_ms bigint not null,
  salt bytea not null check (octet_length(salt) = 32),
  order_hash bytea not null check (octet_length(order_hash) = 32),

  bound_leaf bigint,
  outcome text check (outcome in ('executed', 'returned')),
  nav bigint check (nav > 0),
  fee bigint check (fee >= 0),
  payout bigint check (payout >= 0),
  mark_at_ms bigint,
  mark_leaf bigint,

  check (action = 'redeem' or amount > 0),
  check (action = 'subscribe' or units > 0),
  check (outcome is null or bound_leaf is not null),
  check ((outcome is not distinct from 'executed') = (nav is not null)),
  check ((outcome is null) = (mark_at_ms is null))
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
create index hosting_order_open on hosting_order (pool_id, seq) where outcome is null;
create index hosting_order_by_user on hosting_order (user_id, seq);
create index hosting_order_mark on hosting_order (pool_id, mark_at_ms, attempt_id)
  where outcome is not null;

create function hosting_order_immutable() returns trigger language plpgsql as $$
begin
  raise exception 'order % is fixed', old.id using errcode = 'DD501';
end $$;
create trigger hosting_order_immutable before update on hosting_order for each row
  when (old.outcome is not null
    or (old.bound_leaf is not null and new.bound_leaf is distinct from old.bound_leaf))
  execute function hosting_order_immutable();

-- What an attempt holds in a pool. `bought` and the amount redeemed in its limit row only grow: the
-- difference is what is available.
create table hosting_holding (
  attempt_id text not null,
  pool_id text not null references hosting_pool,
  user_id text not null,
  bought bigint not null default 0 check (bought >= 0),
  redeemed bigint not null default 0 check (redeemed between 0 and bought),
  blocked bigint not null default 0 check (blocked between 0 and bought - redeemed),
  waiting bigint not null default 0 check (waiting >= 0),
  paid_in bigint not null default 0,
  paid_out bigint not null default 0,
  fees bigint not null default 0,
  primary key (attempt_id, pool_id)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);

-- One row per pool and minute, however many people hold units. `units` and `assets` are those NAV
-- was computed from: before the orders of this mark, which the next five columns sum up.
create table hosting_mark (
  pool_id text not null references hosting_pool,
  at_ms bigint not null,
  leaf bigint not null,
  second_leaf bigint not null,
  nav bigint not null check (nav > 0),
  units bigint not null check (units > 0),
  assets bigint not null,
  owed bigint not null check (owed >= 0),
  -- NAV of buy and hold, and of the two shadows, each starting at 1; 0 once a shadow is worthless.
  hold bigint not null,
  frictionless bigint not null,
  harsh bigint not null,
  drawdown integer not null,
  subscribed bigint not null default 0,
  given bigint not null default 0,
  redeemed bigint not null default 0,
  paid bigint not null default 0,
  kept bigint not null default 0,
  primary key (pool_id, at_ms)
);

-- One row per pool and world day: NAV of the last mark before it (1 on the first day) and of its
-- last mark.
create table hosting_day (
  pool_id text not null references hosting_pool,
  day_ms bigint not null,
  nav_open bigint not null,
  nav_close bigint not null,
  primary key (pool_id, day_ms)
) with (fillfactor = 50);

-- A decision and the result of its legs. `orders` is their JSON; the order books are in the log.
create table hosting_trade (
  pool_id text not null references hosting_pool,
  number integer not null,
  id uuid not null unique,
  purpose text not null,
  decided_at_ms bigint not null,
  decision_leaf bigint not null,
  gap integer,
  needed integer,
  legs integer not null,
  orders text not null,
  primary key (pool_id, number)
);
create table hosting_fill (
  pool_id text not null,
  number integer not null,
  leg integer not null,
  at_ms bigint not null,
  leaf bigint not null,
  quantity bigint not null check (quantity >= 0),
  quote bigint not null,
  fee bigint not null,
  gross bigint not null,
  slippage bigint not null,
  fees bigint not null,
  why text,
  -- Null if nothing was filled.
  journal_id uuid unique,
  -- On a live world: the venue's taker fee in hundredths of a basis point and what it comes to, and
  -- the two parts of the slippage, in minor units of pUSDT. Null elsewhere, and if nothing was
  -- filled or the fee was not known.
  venue_taker_fee integer check (venue_taker_fee >= 0),
  venue_fee_source text,
  venue_fees bigint,
  venue_spread bigint,
  venue_delay bigint,
  check (num_nulls(venue_taker_fee, venue_fee_source, venue_fees, venue_spread, venue_delay)
    in (0, 5)),
  primary key (pool_id, number, leg),
  foreign key (pool_id, number) references hosting_trade
);

-- What a pool's strategy would have done in the market before the world's first second: a test, of
-- which nobody had a unit. Computed once.
create table hosting_history_test (
  pool_id text primary key references hosting_pool,
  -- JSON as on the wire; null where there were too few moments.
  test text,
  -- SHA-256 of the recording it was run over; null for a simulated market.
  recording bytea check (octet_length(recording) = 32)
);

-- The id of the journal that pays a mark's redemptions. `p_part` is 0 except for a mark with more
-- orders than a journal may have legs.
create function hosting_journal_id(p_kind text, p_world text, p_pool_id text, p_leaf bigint,
  p_part integer)
returns uuid
language sql immutable as $$
  select encode(set_byte(set_byte(b, 6, (get_byte(b, 6) & 15) | 128), 8,
    (get_byte(b, 8) & 63) | 128), 'hex')::uuid
  from (select substring(int8send(p_leaf) from 3) || substring(
    sha256(convert_to('drydock.hosting.mark/1|'
      || concat_ws('|', p_kind, p_world, p_pool_id, p_leaf, p_part), 'UTF8')) from 1 for 10) as b) x
$$;

-- Binds the orders accepted up to each of the given seconds (ascending) to the first that closed at
-- or after their acceptance. The accept lock is held exclusively, so no order can arrive late.
create function bind_hosting_orders(p_second_ms bigint[], p_leaves bigint[])
returns table (leaf bigint, seq bigint, order_hash bytea, user_id text)
language sql security definer set search_path from current as $$
  with
  second as (select * from unnest(p_second_ms, p_leaves) s (second_ms, leaf)),
  placed as (
    select o.seq, b.leaf
    from hosting_order o
      cross join lateral (select s.leaf from second s where s.second_ms >= o.accepted_at_ms
        order by s.second_ms limit 1) b
    where o.outcome is null and o.bound_leaf is null
  ),
  bound as (
    update hosting_order o set bound_leaf = p.leaf from placed p where o.seq = p.seq
    returning o.bound_leaf, o.seq, o.order_hash, o.user_id
  )
  select * from bound
$$;

-- Executes at a NAV every order of a pool that was bound before `p_before_leaf`. One statement, so
-- orders, holdings, the pool's units and the payments commit together or not at all. Units at the
-- NAV rounded up and down, payouts down, the fee up. `p_leaf` determines the journals' ids. With
-- `p_ended` (no further mark will come) subscriptions are refunded instead. Raises DD502 if a
-- journal does not post.
create function execute_hosting_orders(
  p_world text, p_pool_id text, p_mark_at_ms bigint, p_mark_leaf bigint, p_before_leaf bigint,
  p_leaf bigint,
  p_nav bigint, p_entry_nav bigint, p_fee_bp integer,
  p_at_ms bigint, p_house bigint, p_ended boolean,
  out subscribed bigint, out given bigint, out redeemed bigint, out paid bigint, out kept bigint,
  out returned bigint,
  out orders uuid[], out users text[]
) language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
  v_outcomes text[]; v_holders bigint;
begin
  with
  changed as (
    update hosting_order o set
      outcome = case when p_ended and o.action = 'subscribe' then 'returned' else 'executed' end,
      mark_at_ms = p_mark_at_ms, mark_leaf = p_mark_leaf,
      nav = case when o.action = 'redeem' then p_nav when not p_ended then p_entry_nav end,
      units = case
        when o.action = 'redeem' then o.units
        when not p_ended then div(o.amount::numeric * 10000000000, p_entry_nav)::bigint end,
      amount = case when o.action = 'redeem' then div(o.units::numeric * p_nav, 10000000000)::bigint
        else o.amount end,
      fee = case when o.action = 'redeem'
        then div(div(o.units::numeric * p_nav, 10000000000) * p_fee_bp + 9999, 10000)::bigint
        else 0 end,
      payout = case
        when o.action = 'redeem' then div(o.units::numeric * p_nav, 10000000000)::bigint
          - div(div(o.units::numeric * p_nav, 10000000000) * p_fee_bp + 9999, 10000)::bigint
        when p_ended then o.amount end
    where o.pool_id = p_pool_id and o.outcome is null and o.bound_leaf < p_before_leaf
    returning o.seq, o.id, o.user_id, o.attempt_id, o.account, o.action, o.amount, o.units, o.fee,
      o.payout, o.outcome
  ),
  part as materialized (
    select c.*,
      ((row_number() over (partition by c.action order by c.seq) - 1) / 30000)::integer as nth
    from changed c
  ),
  person as materialized (
    select attempt_id, min(user_id) as user_id,
      coalesce(sum(units) filter (where action = 'subscribe'), 0)::bigint as bought,
      coalesce(sum(units) filter (where action = 'redeem'), 0)::bigint as redeemed,
      coalesce(sum(amount) filter (where action = 'subscribe'), 0)::bigint as waited,
      coalesce(sum(payout) filter (where action = 'redeem'), 0)::bigint as paid_out,
      coalesce(sum(amount) filter (where outcome = 'returned'), 0)::bigint as back,
      coalesce(sum(fee), 0)::bigint as fees
    from part group by attempt_id
  ),
  -- The previous state: a statement does not see its own changes.
  before as (
    select count(*) filter (where coalesce(h.bought - h.redeemed, 0) + p.bought - p.redeemed > 0)
      - count(*) filter (where h.bought - h.redeemed > 0) as holders
    from person p
      left join hosting_holding h on h.attempt_id = p.attempt_id and h.pool_id = p_pool_id
  ),
  held as (
    update hosting_holding h set bought = h.bought + p.bought, redeemed = h.redeemed + p.redeemed,
      blocked = h.blocked - p.redeemed, waiting = h.waiting - p.waited,
      paid_in = h.paid_in - p.back, paid_out = h.paid_out + p.paid_out, fees = h.fees + p.fees
    from person p where h.attempt_id = p.attempt_id and h.pool_id = p_pool_id
  ),
  grp as materialized (
    select action, nth, (row_number() over (order by action, nth))::integer as n,
      sum(payout)::bigint as paid, count(*) as orders
    from part where payout > 0 group by action, nth
  ),
  leg as (
    select g.n, 0 as ordinal, s.seq, s.account, s.payout as amount, s.id::text as about
    from part s join grp g using (action, nth) where s.payout > 0
    union all select n, 1, 0, p_house, -paid, p_pool_id from grp
  )
  select
    (select p.outcomes from post_journals(
      p_at_ms,
      (select coalesce(array_agg(hosting_journal_id(action, p_world, p_pool_id, p_leaf, nth)
        order by n), '{}') from grp),
      (select coalesce(array_agg(sha256(convert_to(concat_ws('|', p_pool_id, p_leaf, action, nth,
        orders, paid), 'UTF8')) order by n), '{}') from grp),
      (select coalesce(array_agg(case action when 'redeem' then 'hosting.redeem'
        else 'hosting.return' end order by n), '{}') from grp),
      (select coalesce(array_agg(p_pool_id order by n), '{}') from grp),
      l.journals, l.accounts, l.amounts, l.abouts) p),
    (select coalesce(array_agg(s.id order by s.seq), '{}') from part s),
    (select coalesce(array_agg(s.user_id order by s.seq), '{}') from part s),
    t.subscribed, t.given, t.redeemed, t.paid, t.kept, t.returned, (select holders from before)
  into v_outcomes, orders, users, subscribed, given, redeemed, paid, kept, returned, v_holders
  from
    (select coalesce(array_agg(n order by n, ordinal, seq), '{}') as journals,
      coalesce(array_agg(account order by n, ordinal, seq), '{}') as accounts,
      coalesce(array_agg(amount order by n, ordinal, seq), '{}') as amounts,
      coalesce(array_agg(about order by n, ordinal, seq), '{}') as abouts
    from leg) l,
    (select
      coalesce(sum(amount) filter (where action = 'subscribe' and outcome = 'executed'), 0)::bigint
        as subscribed,
      coalesce(sum(units) filter (where action = 'subscribe'), 0)::bigint as given,
      coalesce(sum(units) filter (where action = 'redeem'), 0)::bigint as redeemed,
      coalesce(sum(payout) filter (where action = 'redeem'), 0)::bigint as paid,
      coalesce(sum(fee), 0)::bigint as kept,
      coalesce(sum(amount) filter (where outcome = 'returned'), 0)::bigint as returned
    from part) t;

  if exists (select from unnest(v_outcomes) x where x <> 'posted') then
    raise exception 'a journal of a mark did not post: %', v_outcomes using errcode = 'DD502';
  end if;
  if cardinality(orders) > 0 then
    update hosting_pool set units = units + given - redeemed, holders = holders + v_holders
      where id = p_pool_id;
  end if;
end $$;

revoke all on function hosting_order_immutable, hosting_journal_id, bind_hosting_orders,
  execute_hosting_orders from public;
grant execute on function hosting_journal_id, bind_hosting_orders, execute_hosting_orders
  to :app_role;
grant select on hosting_head, hosting_pool, hosting_terms, hosting_state, hosting_order,
  hosting_holding, hosting_mark, hosting_day, hosting_trade, hosting_fill to :app_role;
grant update on hosting_head to :app_role;
grant insert (id, ordinal, seed, house_units, units) on hosting_pool to :app_role;
grant update (suspended, started_at_ms, hold_start, nav, entry_nav, mark_at_ms, mark_leaf,
  gap_at_ms) on hosting_pool to :app_role;
grant select, insert on hosting_history_test to :app_role;
grant insert on hosting_terms, hosting_mark, hosting_trade, hosting_fill to :app_role;
grant insert, update on hosting_state, hosting_day to :app_role;
grant insert (id, user_id, attempt_id, account, pool_id, action, amount, units, terms_hash,
  accepted_at_ms, salt, order_hash)
  on hosting_order to :app_role;
grant insert (attempt_id, pool_id, user_id, blocked, waiting, paid_in),
  update (blocked, waiting, paid_in) on hosting_holding to :app_role;
