-- The market of this world: each second's index, the klines built from it, and the days of a
-- simulated path.

-- Progress of the feed. `first_second_ms` never changes: klines that open before it were
-- backfilled, not observed.
create table market_state (
  singleton boolean primary key default true check (singleton),
  first_second_ms bigint not null check (first_second_ms % 1000 = 0),
  -- Seconds before this are folded into `kline`; later ones are folded on read.
  klines_until_ms bigint not null check (klines_until_ms % 60000 = 0)
);

-- One row per closed second; a missing second is a gap and is never filled in. Arrays are in the
-- order of the world's symbols; an index is null where the rule yields none. `leaf` is the second's
-- index in the public log.
create table market_second (
  second_ms bigint primary key check (second_ms % 1000 = 0),
  leaf bigint not null unique,
  index bigint[] not null,
  volume bigint[] not null
);

-- The seconds in `[from_ms, to_ms)` that were not closed, and why: the feed was running and late
-- (overload), or none was running (downtime). Written with the next second that is closed.
create table market_gap (
  from_ms bigint primary key check (from_ms % 1000 = 0),
  to_ms bigint not null unique check (to_ms % 1000 = 0 and to_ms > from_ms),
  cause text not null check (cause in ('overload', 'downtime'))
);

-- The leaf that says of a UTC day of world time (since 1970) which of its seconds are missing.
create table day_leaf (
  day integer primary key check (day >= 0),
  leaf bigint not null unique
);

-- Klines of every interval, all materialised: a page is one key range, whatever the interval.
create table kline (
  symbol text not null,
  interval text not null,
  open_ms bigint not null,
  open bigint not null check (open > 0),
  high bigint not null,
  low bigint not null check (low > 0),
  close bigint not null check (close > 0),
  volume bigint not null check (volume >= 0),
  primary key (symbol, interval, open_ms),
  check (low <= open and low <= close and high >= open and high >= close)
);

-- The end of the chain that the days' links come from, as the `world` leaf names it. The secret it
-- was made from is in a file of the data directory, so no role that reads this database can tell a
-- day in advance.
create table market_seed_chain (
  singleton boolean primary key default true check (singleton),
  anchor bytea not null check (length(anchor) = 32)
);

-- Days of a simulated market that have begun.
create table market_day (
  start_ms bigint primary key check (start_ms % 1000 = 0),
  end_ms bigint not null unique check (end_ms % 86400000 = 0 and end_ms > start_ms),
  -- What is mixed into the day's seed, as its `seed` leaf says it.
  seed_source text not null,
  start_state bytea not null,
  -- The state just before `state_ms`, saved periodically so that a restart need not simulate the
  -- day from its start.
  state bytea,
  state_ms bigint check (state_ms between start_ms and end_ms),
  -- Indices of the leaves that began the day and revealed its link.
  begin_leaf bigint not null,
  reveal_leaf bigint,
  check ((state is null) = (state_ms is null))
);

-- Rounds of the world's beacon, each in the log before its day begins.
create table market_round (
  day_ms bigint primary key check (day_ms % 86400000 = 0),
  round bigint not null check (round > 0),
  signature bytea not null check (length(signature) = 48),
  leaf bigint not null
);

grant select, insert, update on market_state, kline to :app_role;
grant select, insert on market_second, market_gap, day_leaf to :app_role;
grant select, insert on market_seed_chain, market_round to :app_role;
-- What a day began with is never changed.
grant select, insert, update (state, state_ms, reveal_leaf) on market_day to :app_role;

-- Market data that is not kept forever, and how long it is kept (docs/operating.md). The log keeps
-- every second for good; these rows are what settlement and charts read, and can be rebuilt from
-- it. The application's role may not delete rows: it calls this function, which decides how much
-- must stay.

-- Deletes at most `p_max_rows` rows of each kind: seconds older than two days and 1m klines that
-- opened more than 400 days ago, in world time. Never deletes a second from `p_needed_from_ms` on
-- (null: none is needed) or one not yet folded into klines, and never counts age from a clock that
-- ran on while no second was closed. `p_symbols`: whose klines. Returns how many rows were deleted.
create function purge_market(p_now_ms bigint, p_needed_from_ms bigint, p_symbols text[],
  p_max_rows integer)
returns table (seconds bigint, minutes bigint)
language plpgsql security definer set search_path from current as $$
declare
  v_day constant bigint := 86400000;
  v_now bigint;
  v_before bigint;
begin
  select least(p_now_ms, klines_until_ms) into strict v_now from market_state;
  v_before := least(v_now - 2 * v_day, p_needed_from_ms);
  with gone as (
    delete from market_second where second_ms in (
      select second_ms from market_second where second_ms < v_before
        order by second_ms limit p_max_rows)
    returning 1)
  select count(*) into seconds from gone;
  with gone as (
    delete from kline c using (
      select old.symbol, old.open_ms
      from unnest(p_symbols) s (symbol)
        cross join lateral (
          select symbol, open_ms from kline
          where symbol = s.symbol and interval = '1m' and open_ms < v_now - 400 * v_day
          order by open_ms limit p_max_rows) old
      limit p_max_rows) old
    where c.symbol = old.symbol and c.interval = '1m' and c.open_ms = old.open_ms
    returning 1)
  select count(*) into minutes from gone;
  return next;
end $$;
revoke all on function purge_market(bigint, bigint, text[], integer) from public;
grant execute on function purge_market(bigint, bigint, text[], integer) to :app_role;
