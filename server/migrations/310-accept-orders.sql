-- Orders are accepted in one statement, and binding them writes no index.

-- A btree on bound_leaf made every binding write all indexes of the order anew. A summarising index
-- leaves the update on its page, where there is now room for a second version of every order.
alter table contract_order set (fillfactor = 50);
drop index contract_order_bound;
create index contract_order_bound on contract_order
  using brin (bound_leaf) with (pages_per_range = 16, autosummarize = on);

-- Why no order can be accepted at p_at_ms; null when orders can. Asked inside the gate, in a
-- statement of its own: it must see every second that closed before the gate opened. Gives the name
-- of the refusal (api/errors.ts). p_end_ms: where the world's recording ends, null for never.
--
--   contracts.off              the operator has switched contracts off
--   contracts.recording_ended  the recording was ended meanwhile: no later second would bind an order
--   contracts.no_price         a second past p_at_ms has closed: the caller's clock is behind the
--                              feed's, and a later second would bind the order as if held back
create function orders_refusal(p_at_ms bigint, p_end_ms bigint) returns text
language plpgsql stable as $$
declare
  v_closed_ms bigint := (select max(second_ms) from market_second);
begin
  return case
    when not (select contracts_on from contract_settings) then 'contracts.off'
    when v_closed_ms > p_end_ms then 'contracts.recording_ended'
    when v_closed_ms > p_at_ms then 'contracts.no_price'
  end;
end $$;

-- Writes the orders of journals that posted, and gives whose they are: the only insert into
-- contract_order. p_orders is a JSON array with an object an order, whose members are the columns
-- below (hashes and salt in hex); p_outcomes are what post_journals answered for their journals in
-- the same order, or null when all posted.
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

-- The lists of post_journals after its time, in its order.
create type journal_batch as (
  ids uuid[], body_hashes bytea[], kinds text[], abouts text[],
  leg_journals integer[], leg_accounts bigint[], leg_amounts bigint[], leg_abouts text[],
  limit_journals integer[], limit_keys text[], limit_deltas bigint[], limit_caps bigint[],
  hold_journals integer[], hold_actions text[], hold_ofs uuid[]
);

-- Enters the gate, posts the journals of a batch of orders and writes the orders of those that
-- posted: a transaction of one statement. p_orders is as insert_orders takes it, an order for each
-- journal. `done` is false when it did nothing because orders_refusal gives a reason, which the
-- caller cannot be sure of beforehand. DD303: among the people are some with limits of their own,
-- who are judged one by one in the transaction that posts and calls insert_orders.
--
-- Every statement in here has a snapshot of its own, so that what follows the gate sees what was
-- committed before it opened.
create function accept_orders(
  p_gate bigint, p_at_ms bigint, p_end_ms bigint, p_journals journal_batch, p_orders json,
  out done boolean, out outcomes text[], out limit_keys text[], out at_ms bigint[]
) language plpgsql as $$
declare
  j alias for p_journals;
  v_users text[];
begin
  done := false;
  perform pg_advisory_xact_lock_shared(p_gate);
  if orders_refusal(p_at_ms, p_end_ms) is not null then return; end if;
  select p.outcomes, p.limit_keys, p.at_ms into outcomes, limit_keys, at_ms
  from post_journals(
    p_at_ms, j.ids, j.body_hashes, j.kinds, j.abouts,
    j.leg_journals, j.leg_accounts, j.leg_amounts, j.leg_abouts,
    j.limit_journals, j.limit_keys, j.limit_deltas, j.limit_caps,
    j.hold_journals, j.hold_actions, j.hold_ofs) p;
  v_users := insert_orders(p_orders, outcomes);
  -- Only now: orders of one person have waited for each other at their wallet.
  if exists (select from contract_limits where user_id = any(v_users)) then
    raise exception 'somebody has limits of their own' using errcode = 'DD303';
  end if;
  done := true;
  -- The usual case, in which the arrays need not travel.
  if 'posted' = all (outcomes) then outcomes := null; limit_keys := null; at_ms := null; end if;
end $$;
revoke all on function orders_refusal, insert_orders, accept_orders from public;
grant execute on function orders_refusal, insert_orders, accept_orders to :app_role;
