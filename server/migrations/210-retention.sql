-- What the market does not keep for ever, and how long it stays (docs/operating.md). The log keeps every second for good; these
-- rows are what settlement and charts read, and can be made again from it. The application's role may not delete: it calls this,
-- and how much must stay is decided here.

-- Removes at most `p_most` rows of each kind: seconds older than two days and 1m klines that opened more than 400 days ago, of
-- world time. Never a second from `p_needed_from_ms` on (null: none is waited for), nor one that is not folded into klines, nor
-- anything counted from a clock that ran on while no second was closed. `p_symbols`: whose klines. Gives how many went.
create function market_forget(p_now_ms bigint, p_needed_from_ms bigint, p_symbols text[], p_most integer)
returns table (seconds bigint, minutes bigint)
language plpgsql security definer set search_path from current as $$
declare
  v_day constant bigint := 86400000;
  v_now bigint;
  v_before bigint;
begin
  select least(p_now_ms, candled_to_ms) into strict v_now from market_state;
  v_before := least(v_now - 2 * v_day, p_needed_from_ms);
  with gone as (
    delete from market_second where second_ms in (
      select second_ms from market_second where second_ms < v_before order by second_ms limit p_most)
    returning 1)
  select count(*) into seconds from gone;
  with gone as (
    delete from candle c using (
      select old.symbol, old.open_ms
      from unnest(p_symbols) s (symbol)
        cross join lateral (
          select symbol, open_ms from candle
          where symbol = s.symbol and interval = '1m' and open_ms < v_now - 400 * v_day
          order by open_ms limit p_most) old
      limit p_most) old
    where c.symbol = old.symbol and c.interval = '1m' and c.open_ms = old.open_ms
    returning 1)
  select count(*) into minutes from gone;
  return next;
end $$;
revoke all on function market_forget(bigint, bigint, text[], integer) from public;
grant execute on function market_forget(bigint, bigint, text[], integer) to :app_role;
