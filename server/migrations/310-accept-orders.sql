-- Orders are accepted in one statement, and binding them writes no index.

-- A btree on bound_leaf made every binding write all indexes of the order anew. A summarising index leaves the update on its page,
-- where there is now room for a second version of every order.
alter table contract_order set (fillfactor = 50);
drop index contract_order_bound;
create index contract_order_bound on contract_order using brin (bound_leaf) with (pages_per_range = 16, autosummarize = on);

-- Enters the gate, posts the journals of a batch of orders and writes the orders of those that posted: a transaction of one
-- statement. `done` is false when it did nothing, for what the caller cannot be sure of beforehand: a second past `p_at_ms` was
-- closed before the gate opened, or contracts are off. DD303: among the people are some with limits of their own. Those the
-- caller takes the long way, where each is judged.
--
-- Every statement in here has a snapshot of its own, so that what follows the gate sees what was committed before it opened.
create function accept_orders(
  p_gate bigint, p_at_ms bigint,
  p_ids uuid[], p_body_hashes bytea[], p_kinds text[], p_abouts text[],
  p_leg_journals integer[], p_leg_accounts bigint[], p_leg_amounts bigint[], p_leg_abouts text[],
  p_limit_journals integer[], p_limit_keys text[], p_limit_deltas bigint[], p_limit_caps bigint[],
  p_hold_journals integer[], p_hold_actions text[], p_hold_ofs uuid[],
  p_users text[], p_attempts text[], p_accounts bigint[], p_contracts text[], p_directions text[],
  p_tiers integer[], p_windows integer[], p_ranges integer[], p_rates integer[], p_fee_rates integer[],
  p_stakes bigint[], p_fees bigint[], p_terms bytea[], p_salts bytea[], p_hashes bytea[],
  out done boolean, out outcomes text[], out limit_keys text[], out at_ms bigint[]
) language plpgsql as $$
begin
  done := false;
  perform pg_advisory_xact_lock_shared(p_gate);
  if (select max(second_ms) from market_second) > p_at_ms or not (select contracts_on from contract_settings) then
    return;
  end if;
  select p.outcomes, p.limit_keys, p.at_ms into outcomes, limit_keys, at_ms
  from post_journals(p_at_ms, p_ids, p_body_hashes, p_kinds, p_abouts, p_leg_journals, p_leg_accounts, p_leg_amounts, p_leg_abouts,
    p_limit_journals, p_limit_keys, p_limit_deltas, p_limit_caps, p_hold_journals, p_hold_actions, p_hold_ofs) p;
  -- Only now: orders of one person have waited for each other at their wallet.
  if exists (select from contract_limits where user_id = any(p_users)) then
    raise exception 'somebody has limits of their own' using errcode = 'DD303';
  end if;
  insert into contract_order (id, user_id, attempt_id, account, contract_id, direction, tier_seconds, window_seconds, range_bp, rate_bp,
    fee_bp, stake, fee, terms_hash, accepted_at_ms, salt, order_hash)
  select id, user_id, attempt_id, account, contract_id, direction, tier_seconds, window_seconds, range_bp, rate_bp,
    fee_bp, stake, fee, terms_hash, p_at_ms, salt, order_hash
  from unnest(p_ids, p_users, p_attempts, p_accounts, p_contracts, p_directions, p_tiers, p_windows, p_ranges, p_rates, p_fee_rates,
      p_stakes, p_fees, p_terms, p_salts, p_hashes, outcomes)
    with ordinality o (id, user_id, attempt_id, account, contract_id, direction, tier_seconds, window_seconds, range_bp, rate_bp,
      fee_bp, stake, fee, terms_hash, salt, order_hash, outcome, place)
  where outcome = 'posted' order by place;
  done := true;
  -- The usual case, in which a thousand words need not travel.
  if 'posted' = all (outcomes) then outcomes := null; limit_keys := null; at_ms := null; end if;
end $$;
revoke all on function accept_orders from public;
grant execute on function accept_orders to :app_role;
