-- Withdrawals and the address book. World time, except where a column says real.

create table withdrawal (
  -- The id of the journal that placed the hold.
  id uuid primary key,
  number bigint generated always as identity unique,
  user_id text not null,
  attempt_id text not null,
  coin text not null,
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee >= 0 and fee < amount),
  -- Whether it was the whole available balance, which is exempt from the minimum.
  is_whole_balance boolean not null,
  network text not null,
  address_encrypted bytea not null,
  -- Index of the coin's market used to check the minimum; null if it has none.
  price_index bigint,
  placed_at_ms bigint not null,
  placed_real_ms bigint not null,
  cancel_until_ms bigint not null,
  -- Null while it is held.
  outcome text check (outcome in ('left', 'cancelled')),
  -- What ended it: the two minutes, the 24 hours, an operator paying early, or the person.
  ended_by text check (ended_by in ('time', 'day', 'operator', 'person')),
  ended_at_ms bigint,
  ended_journal uuid unique,
  -- Who paid early and in what role.
  early_payment jsonb check (not early_payment ? 'reason'),
  -- The operator's stated reason for paying early.
  early_payment_reason_encrypted bytea,
  check ((outcome is null) = (ended_by is null) and (outcome is null) = (ended_at_ms is null)
    and (outcome is null) = (ended_journal is null)),
  check ((early_payment is not null) = (ended_by is not distinct from 'operator'))
);
create index withdrawal_by_user on withdrawal (user_id, number desc);
-- Lets a day be counted without a full scan.
create index withdrawal_by_time on withdrawal (placed_real_ms);
create index withdrawal_open on withdrawal (cancel_until_ms) where outcome is null;
grant select on withdrawal to :app_role;
grant insert (id, user_id, attempt_id, coin, amount, fee, is_whole_balance, network,
  address_encrypted, price_index, placed_at_ms, placed_real_ms, cancel_until_ms)
  on withdrawal to :app_role;
-- What was requested never changes.
grant update (outcome, ended_by, ended_at_ms, ended_journal, early_payment,
  early_payment_reason_encrypted) on withdrawal to :app_role;

-- Locks a person's accounts until the transaction ends, in the ledger's lock order, and returns
-- their balances: "all" is then the whole balance, however many postings are concurrent.
create function lock_accounts(p_accounts bigint[], out id bigint, out balance bigint)
returns setof record
language plpgsql security definer set search_path from current as $$
begin
  perform from account a where a.id = any(p_accounts) and not a.house
    order by a.id for no key update;
  return query select a.id, a.balance from account a where a.id = any(p_accounts) and not a.house;
end $$;
revoke all on function lock_accounts from public;
grant execute on function lock_accounts to :app_role;

create table address_book (
  entry_id uuid primary key,
  user_id text not null,
  name_encrypted bytea not null,
  network text not null,
  address_encrypted bytea not null,
  added_real_ms bigint not null
);
create index address_book_by_user on address_book (user_id, added_real_ms);
grant select, insert, delete on address_book to :app_role;
grant update (name_encrypted) on address_book to :app_role;
