-- Mining: the network's readings, machines and their terms, leases and their payouts. Specified in
-- docs/rules/mining.md.
--
-- A reading is taken each whole world hour, once for everybody: what 1 TH/s has earned since the
-- first. A lease's payout is a difference of two such numbers. Leases are paid by credit_mining and
-- ended early by end_mining_lease; the application changes none itself.

-- The public end of the simulated network's chain of seeds, and the UTC day (since 1970) its first
-- seed belongs to. The secret that the chain begins with is in a file of the data directory.
create table mining_seed (
  singleton boolean primary key default true check (singleton),
  anchor bytea not null check (octet_length(anchor) = 32),
  first_day integer not null
);

-- The simulated network after the last reading.
create table mining_state (
  singleton boolean primary key default true check (singleton),
  hour_ms bigint not null,
  state jsonb not null
);

create table mining_reading (
  hour_ms bigint primary key check (hour_ms % 3600000 = 0),
  height integer not null,
  block_ms bigint not null check (block_ms <= hour_ms),
  bits bigint not null,
  difficulty bigint not null check (difficulty > 0),
  epoch_first_ms bigint not null,
  -- Fees of the last 144 blocks, satoshi.
  fee_sum bigint not null check (fee_sum >= 0),
  -- 10⁻¹² satoshi per TH/s before the pool fee: up to the hour, and in the hour that begins.
  cumulative numeric(30, 0) not null,
  accrual numeric(30, 0) not null check (accrual >= 0),
  -- Index of the `network` leaf; the `payout` leaf is the next.
  leaf bigint not null unique
);

-- No hour is skipped or repeated, and earlier readings are never recomputed.
create function mining_reading_is_next() returns trigger language plpgsql
set search_path from current as $$
declare
  v_last mining_reading;
begin
  select * into v_last from mining_reading order by hour_ms desc limit 1;
  if found and (new.hour_ms <> v_last.hour_ms + 3600000
    or new.cumulative <> v_last.cumulative + v_last.accrual)
    or not found and new.cumulative <> 0
  then
    raise exception 'the reading of % does not follow the last', new.hour_ms
      using errcode = 'DD601';
  end if;
  return new;
end $$;
create trigger mining_reading_is_next before insert on mining_reading for each row
  execute function mining_reading_is_next();

create table mining_machine (
  product_id text primary key check (length(product_id) between 1 and 64),
  ordinal integer not null,
  -- Ended leases, and those of them that earned less than they cost. Updated with their last
  -- payout, in its transaction.
  ended bigint not null default 0,
  lost bigint not null default 0
);

-- Versions of terms; the newest is current, all stay readable, none is ever changed.
create table mining_terms (
  product_id text not null references mining_machine,
  version integer not null check (version > 0),
  terms_hash bytea not null unique check (octet_length(terms_hash) = 32),
  -- Canonical JSON, the bytes that were hashed.
  body text not null,
  leaf bigint not null unique,
  -- World time.
  published_at_ms bigint not null,
  primary key (product_id, version)
);

-- A lease; its id is that of the journal that charged for it. Amounts cover all its machines.
create table mining_lease (
  seq bigint generated always as identity primary key,
  id uuid not null unique,
  user_id text not null,
  attempt_id text not null,
  -- The wallet account that payouts go to.
  account bigint not null,
  product_id text not null,
  terms_hash bytea not null,
  quantity integer not null check (quantity > 0),
  days integer not null check (days > 0),
  hashrate_ghs bigint not null check (hashrate_ghs > 0),
  pool_fee_bp integer not null check (pool_fee_bp between 0 and 10000),
  price_per_day bigint not null check (price_per_day > 0),
  power_per_day bigint not null check (power_per_day >= 0),
  accepted_at_ms bigint not null,
  salt bytea not null check (octet_length(salt) = 32),
  lease_hash bytea not null check (octet_length(lease_hash) = 32),
  bound_leaf bigint,
  start_ms bigint not null generated always as (accepted_at_ms + 3600000) stored,

  -- Fewer than `days` after an early end.
  days_to_work integer not null check (days_to_work between 0 and days),
  days_paid integer not null default 0 check (days_paid between 0 and days_to_work),
  -- Satoshi credited, and their value in pUSDT at the index of each credit.
  mined bigint not null default 0 check (mined >= 0),
  worth bigint not null default 0 check (worth >= 0),
  next_due_ms bigint generated always as (
    case when days_paid < days_to_work
      then accepted_at_ms + 3600000 + (days_paid + 1)::bigint * 86400000 end) stored,

  refund_id uuid unique,
  refund_price bigint,
  refund_power bigint,
  ended_at_ms bigint,
  end_salt bytea check (octet_length(end_salt) = 32),
  end_hash bytea check (octet_length(end_hash) = 32),
  end_bound_leaf bigint,
  check ((refund_id is null) = (days_to_work = days)),
  check ((refund_id is null) = (refund_price is null)
    and (refund_id is null) = (refund_power is null)
    and (refund_id is null) = (ended_at_ms is null)
    and (refund_id is null) = (end_salt is null) and (refund_id is null) = (end_hash is null)),
  check (end_bound_leaf is null or end_hash is not null)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
create index mining_lease_due on mining_lease (next_due_ms) where next_due_ms is not null;
create index mining_lease_by_user on mining_lease (user_id, seq);
create index mining_lease_unbound on mining_lease (seq)
  where bound_leaf is null or (end_hash is not null and end_bound_leaf is null);

-- One row per lease and day, written with the credit. `accrual`: what 1 TH/s earned that day before
-- the pool fee.
create table mining_payout (
  lease bigint not null,
  day integer not null check (day > 0),
  amount bigint not null check (amount >= 0),
  accrual numeric(30, 0) not null,
  -- BTC/USDT at the time of the credit; null without an index.
  price bigint,
  -- Null for a day that earned less than a satoshi.
  journal_id uuid,
  primary key (lease, day)
);
create index mining_payout_journal on mining_payout (journal_id, lease);

-- What 1 TH/s has earned up to a moment; null where no reading covers it. An hour's accrual grows
-- linearly, rounded down.
create function mined_per_th(p_at_ms bigint) returns numeric language sql stable as $$
  select cumulative + div(accrual * (p_at_ms - hour_ms), 3600000) from mining_reading
    where hour_ms = p_at_ms - p_at_ms % 3600000
$$;

-- The id of the journal that pays a machine's leases whose day ended in a world minute: version 8,
-- SHA-256 of its names. `p_part` is 0 except for a minute with more payouts than one journal may
-- have legs.
create function payout_journal_id(p_world text, p_product_id text, p_minute_ms bigint,
  p_part integer)
returns uuid
language sql immutable as $$
  select encode(set_byte(set_byte(b, 6, (get_byte(b, 6) & 15) | 128), 8,
    (get_byte(b, 8) & 63) | 128), 'hex')::uuid
  from (select substring(int8send(p_minute_ms) from 3) || substring(
    sha256(convert_to('drydock.mining.payout/1|' || p_world || '|' || p_product_id || '|'
      || p_minute_ms || '|' || p_part, 'UTF8')) from 1 for 10) as b) x
$$;

-- Pays every unpaid day of every lease that has ended by `p_up_to_ms` (a whole minute that readings
-- cover), each once: the lease counts its paid days in the same statement. One journal per machine
-- and minute in which days ended (split beyond 30 000), with one leg per payout and one for the
-- house. Returns the leases and their owners. Raises DD602 if a journal does not post.
create function credit_mining(p_world text, p_up_to_ms bigint, p_at_ms bigint, p_house bigint,
  p_price bigint)
returns table (id uuid, user_id text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
  v_outcomes text[]; v_users text[]; v_leases uuid[];
begin
  with
  due as materialized (
    select l.* from mining_lease l where l.next_due_ms <= p_up_to_ms
      order by l.seq for no key update
  ),
  ended as (
    select l.seq, l.mined, l.hashrate_ghs, l.pool_fee_bp, l.start_ms, d.day,
      l.start_ms + d.day * 86400000::bigint as due_ms
    from due l cross join lateral generate_series(
      l.days_paid + 1,
      least(l.days_to_work, ((p_up_to_ms - l.start_ms) / 86400000)::integer)) d (day)
  ),
  -- Each moment once, however many leases share it.
  moment as (
    select distinct start_ms as at_ms from ended
    union select due_ms from ended
    union select due_ms - 86400000 from ended
  ),
  brought as materialized (
    select m.at_ms, r.cumulative + div(r.accrual * (m.at_ms - r.hour_ms), 3600000) as cumulative
    from moment m join mining_reading r on r.hour_ms = m.at_ms - m.at_ms % 3600000
  ),
  counted as (
    select e.seq, e.mined, e.day, e.due_ms, t.cumulative - y.cumulative as accrual,
      div((t.cumulative - s.cumulative) * e.hashrate_ghs * (10000 - e.pool_fee_bp),
        10000000000000000000)::bigint as total
    from ended e
      join brought s on s.at_ms = e.start_ms
      join brought t on t.at_ms = e.due_ms
      join brought y on y.at_ms = e.due_ms - 86400000
  ),
  paid as materialized (
    select c.seq, c.day, c.due_ms, c.accrual,
      c.total - lag(c.total, 1, c.mined) over (partition by c.seq order by c.day) as amount
    from counted c
  ),
  changed as (
    update mining_lease l set days_paid = p.last, mined = l.mined + p.amount,
      worth = l.worth + coalesce(div(p.amount::numeric * p_price, 10000)::bigint, 0)
    from (select seq, max(day) as last, sum(amount)::bigint as amount from paid group by seq) p
    where l.seq = p.seq
    returning l.seq, l.id, l.user_id, l.account, l.product_id, l.quantity,
      l.days_paid = l.days_to_work as over,
      l.worth + coalesce(l.refund_price + l.refund_power, 0)
        < (l.price_per_day + l.power_per_day) * l.days as lost
  ),
  numbered as materialized (
    select p.*, c.id, c.account, c.product_id, (p.due_ms + 59999) / 60000 * 60000 as minute_ms,
      ((row_number() over (
        partition by c.product_id, (p.due_ms + 59999) / 60000 order by p.seq, p.day) - 1)
        / 30000)::integer as part
    from paid p join changed c on c.seq = p.seq
  ),
  grp as materialized (
    select product_id, minute_ms, part,
      (row_number() over (order by minute_ms, product_id, part))::integer as n,
      sum(amount)::bigint as amount, count(*) as payouts,
      payout_journal_id(p_world, product_id, minute_ms, part) as journal_id
    from numbered group by product_id, minute_ms, part
  ),
  put_payout as (
    insert into mining_payout (lease, day, amount, accrual, price, journal_id)
    select s.seq, s.day, s.amount, s.accrual, p_price, case when s.amount > 0 then g.journal_id end
    from numbered s join grp g using (product_id, minute_ms, part)
  ),
  leg as (
    select g.n, 0 as ordinal, s.seq, s.day, s.account, s.amount, s.id::text as about
    from numbered s join grp g using (product_id, minute_ms, part) where s.amount > 0
    union all select n, 1, 0, 0, p_house, -amount, null from grp where amount > 0
    -- Nothing to pay, but stock to return: a journal needs two legs.
    union all select n, v.ordinal, 0, 0, p_house, v.sign, null
      from grp, (values (1, -1), (2, 1)) v (ordinal, sign) where amount = 0
  ),
  -- A lease is over with its last day, which is in exactly one group.
  over as materialized (
    select c.*, g.n
    from changed c
      join lateral (select s.product_id, s.minute_ms, s.part from numbered s where s.seq = c.seq
        order by s.day desc limit 1) s on true
      join grp g on g.product_id = s.product_id and g.minute_ms = s.minute_ms and g.part = s.part
    where c.over
  ),
  returned as (
    select n, 'mining.stock:' || product_id as key, -sum(quantity)::bigint as delta
    from over group by n, product_id
  ),
  tallied as (
    update mining_machine m set ended = m.ended + k.ended, lost = m.lost + k.lost
    from (select product_id, count(*) as ended, count(*) filter (where lost) as lost from over
      group by product_id) k
    where m.product_id = k.product_id
  )
  select
    (select p.outcomes from post_journals(
      p_at_ms,
      (select coalesce(array_agg(journal_id order by n), '{}') from grp),
      (select coalesce(array_agg(sha256(convert_to(concat_ws('|', product_id, minute_ms, payouts,
        amount), 'UTF8')) order by n), '{}') from grp),
      (select coalesce(array_agg('mining.payout'::text order by n), '{}') from grp),
      (select coalesce(array_agg(product_id order by n), '{}') from grp),
      l.journals, l.accounts, l.amounts, l.abouts,
      r.journals, r.keys, r.deltas, array_fill(0::bigint, array[cardinality(r.keys)])) p),
    (select array_agg(c.id order by c.seq) from changed c),
    (select array_agg(c.user_id order by c.seq) from changed c)
  into v_outcomes, v_leases, v_users
  from
    (select coalesce(array_agg(n order by n, ordinal, seq, day), '{}') as journals,
      coalesce(array_agg(account order by n, ordinal, seq, day), '{}') as accounts,
      coalesce(array_agg(amount order by n, ordinal, seq, day), '{}') as amounts,
      coalesce(array_agg(about order by n, ordinal, seq, day), '{}') as abouts
    from leg) l,
    (select coalesce(array_agg(n order by n, key), '{}') as journals,
      coalesce(array_agg(key order by n, key), '{}') as keys,
      coalesce(array_agg(delta order by n, key), '{}') as deltas
    from returned) r;

  if exists (select from unnest(v_outcomes) x where x <> 'posted') then
    raise exception 'a payout journal did not post: %', v_outcomes using errcode = 'DD602';
  end if;
  return query select x.id, x.user_id from unnest(v_leases, v_users) x (id, user_id);
end $$;

-- Binds the leases accepted, and the early ends asked for, up to each of the given seconds
-- (ascending) to the first that closed at or after them. `seq` orders each kind by acceptance. The
-- accept lock is held exclusively, so none can arrive late.
create function bind_leases(p_second_ms bigint[], p_leaves bigint[])
returns table (leaf bigint, ending boolean, seq bigint, hash bytea)
language sql security definer set search_path from current as $$
  with
  second as (select * from unnest(p_second_ms, p_leaves) s (second_ms, leaf)),
  placed as (
    select l.seq, l.bound_leaf is null as begins,
      l.end_hash is not null and l.end_bound_leaf is null as ends, b.leaf, e.leaf as end_leaf
    from mining_lease l
      left join lateral (select s.leaf from second s where s.second_ms >= l.accepted_at_ms
        order by s.second_ms limit 1) b on l.bound_leaf is null
      left join lateral (select s.leaf from second s where s.second_ms >= l.ended_at_ms
        order by s.second_ms limit 1) e on l.end_hash is not null and l.end_bound_leaf is null
    where l.bound_leaf is null or (l.end_hash is not null and l.end_bound_leaf is null)
  ),
  bound as (
    update mining_lease l set bound_leaf = coalesce(l.bound_leaf, p.leaf),
      end_bound_leaf = coalesce(l.end_bound_leaf, p.end_leaf)
    from placed p where l.seq = p.seq and (p.leaf is not null or p.end_leaf is not null)
    returning l.seq, p.leaf, p.end_leaf, l.lease_hash, l.end_hash, l.ended_at_ms
  )
  select leaf, false, seq, lease_hash from bound where leaf is not null
  union all
  select end_leaf, true, row_number() over (order by ended_at_ms, seq), end_hash from bound
    where end_leaf is not null
$$;

-- Shortens a lease to the days that have begun; once. The caller holds its row lock
-- (lock_mining_lease) and posts the refund in the same transaction. `p_bound_leaf` is null unless
-- the recording has ended: a leaf of its own then binds the ending. Raises DD603 if there is
-- nothing to shorten.
create function end_mining_lease(p_id uuid, p_days_to_work integer, p_refund_id uuid,
  p_price bigint, p_power bigint, p_at_ms bigint, p_salt bytea, p_hash bytea,
  p_bound_leaf bigint)
returns void language plpgsql security definer set search_path from current as $$
begin
  update mining_lease set days_to_work = p_days_to_work, refund_id = p_refund_id,
    refund_price = p_price, refund_power = p_power, ended_at_ms = p_at_ms, end_salt = p_salt,
    end_hash = p_hash, end_bound_leaf = p_bound_leaf
  where id = p_id and refund_id is null and p_days_to_work < days and p_days_to_work >= days_paid
    and (p_days_to_work > days_paid or p_days_to_work = 0);
  if not found then
    raise exception 'lease % cannot be ended so', p_id using errcode = 'DD603';
  end if;
  -- A lease that never worked has no last payout to count it.
  if p_days_to_work = 0 then
    update mining_machine m set ended = m.ended + 1, lost = m.lost + 1
    from mining_lease l where l.id = p_id and m.product_id = l.product_id;
  end if;
end $$;

-- Locks a lease's row; paying takes the same lock before it touches accounts.
create function lock_mining_lease(p_id uuid) returns void
language sql security definer set search_path from current as $$
  select from mining_lease where id = p_id for no key update
$$;

revoke all on function mining_reading_is_next, mined_per_th, payout_journal_id, credit_mining,
  bind_leases, end_mining_lease, lock_mining_lease from public;
grant execute on function mined_per_th, credit_mining, bind_leases, end_mining_lease,
  lock_mining_lease
  to :app_role;
grant select on mining_seed, mining_state, mining_reading, mining_machine, mining_terms,
  mining_lease, mining_payout to :app_role;
grant insert on mining_seed, mining_reading, mining_terms to :app_role;
grant insert, update on mining_state to :app_role;
grant insert (product_id, ordinal) on mining_machine to :app_role;
grant insert (id, user_id, attempt_id, account, product_id, terms_hash, quantity, days,
  hashrate_ghs, pool_fee_bp, price_per_day, power_per_day, accepted_at_ms, salt, lease_hash,
  days_to_work)
  on mining_lease to :app_role;
