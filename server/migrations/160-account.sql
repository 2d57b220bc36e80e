-- Accounts that were deleted (docs/rules/personal-data.md). Real time throughout.

-- One row per deletion, inserted in the transaction that begins it. Holds opaque ids, times and
-- counts, nothing personal.
create table account_deletion (
  user_id text primary key references user_account,
  receipt_id uuid not null unique,
  asked_at_ms bigint not null,
  attempt_ids text[] not null,
  sessions_ended integer not null,
  -- Withdrawals that could still be cancelled; counted as cancelled once they are.
  withdrawals uuid[] not null,
  recharges uuid[] not null,
  -- [{what, at_ms}] in the order of erasure.
  erased jsonb not null default '[]',
  finished_at_ms bigint,
  -- A second erasure some time after the first, for whatever requests in flight at the time left
  -- behind.
  swept_at_ms bigint
);
create index account_deletion_open on account_deletion (asked_at_ms) where swept_at_ms is null;
grant select, insert on account_deletion to :app_role;
grant update (erased, finished_at_ms, swept_at_ms) on account_deletion to :app_role;

-- A self-exclusion still in force when its account was deleted, keyed by the digest of the address
-- alone: signing in again with the same wallet inherits it. Nothing here links to the old account.
-- Removed when it expires.
create table account_exclusion (
  address_index bytea primary key check (octet_length(address_index) = 32),
  until_ms bigint,
  for_good boolean not null,
  check (for_good = (until_ms is null))
);
grant select, insert, update, delete on account_exclusion to :app_role;
