-- Starting over: what is recorded when an attempt is closed, and what a wallet held at past
-- moments.

-- One row per closed attempt, written in the transaction that posts the start of the next one. It
-- changes only once, when the pending recharges and withdrawals have been cancelled.
create table attempt_closing (
  attempt_id text primary key references user_attempt,
  -- Real time.
  closed_at_ms bigint not null,
  closed_at_world_ms bigint not null,
  -- What the wallet held in minor units, held amounts included, by coin; versions say up to which
  -- entries.
  balances jsonb not null,
  -- The index it was valued at: the second, and its values by symbol.
  priced_at_ms bigint,
  index jsonb not null,
  next_attempt_id text not null unique references user_attempt,
  -- Real time; null while something pending may remain.
  settled_at_ms bigint
);
create index attempt_closing_unsettled on attempt_closing (closed_at_ms)
  where settled_at_ms is null;
grant select, insert, update (settled_at_ms) on attempt_closing to :app_role;

-- For each account and each moment of `p_points` (ascending), what the account held just before it:
-- the balance after its last entry with an earlier time, found by version. Batches overlap
-- slightly, so a later entry of an account may carry a slightly earlier time
-- (docs/rules/ledger.md); the version defines the order, and this search uses it.
create function balances_before(p_accounts bigint[], p_points bigint[])
returns table (account bigint, point bigint, balance bigint)
language plpgsql stable as $$
declare
  v_account bigint; v_point bigint; v_count bigint; v_at_ms bigint;
  v_low bigint; v_high bigint; v_step bigint; v_middle bigint; v_balance bigint;
  v_galloping boolean;
begin
  foreach v_account in array p_accounts loop
    select a.version into v_count from account a where a.id = v_account;
    if not found or v_count = 0 then continue; end if;
    -- The entry at v_low is before the point, the one at v_high is not; the next point starts from
    -- where this one ended.
    v_low := 0;
    foreach v_point in array p_points loop
      v_step := 1;
      v_high := v_count + 1;
      v_galloping := true;
      while v_high - v_low > 1 loop
        v_middle := case when v_galloping and v_low + v_step < v_high then v_low + v_step
          else (v_low + v_high) / 2 end;
        select j.at_ms into v_at_ms from entry e join journal j on j.id = e.journal_id
        where e.account = v_account and e.version = v_middle;
        if v_at_ms < v_point then
          v_low := v_middle;
          v_step := v_step * 2;
        else
          v_high := v_middle;
          v_galloping := false;
        end if;
      end loop;
      if v_low > 0 then
        select e.balance into v_balance from entry e
          where e.account = v_account and e.version = v_low;
        account := v_account; point := v_point; balance := v_balance;
        return next;
      end if;
    end loop;
  end loop;
end $$;

revoke all on function balances_before(bigint[], bigint[]) from public;
grant execute on function balances_before(bigint[], bigint[]) to :app_role;
