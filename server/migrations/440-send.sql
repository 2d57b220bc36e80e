-- Send and receive. Specified in docs/rules/wallet.md.

-- The owner of each practice address. Every address derives from a user id, so a row can be missing
-- but never wrong.
create table practice_address (
  address text primary key check (length(address) <= 120),
  user_id text not null references user_account,
  network text not null,
  unique (user_id, network)
);
grant select, insert, delete on practice_address to :app_role;

-- Sends. Both sides see both addresses, never an id or a name.
create table coin_send (
  journal_id uuid primary key,
  user_id text not null,
  attempt_id text not null,
  to_user_id text not null,
  to_attempt_id text not null,
  coin text not null,
  amount bigint not null check (amount > 0),
  network text not null,
  from_address text not null,
  to_address text not null check (to_address <> from_address),
  at_ms bigint not null
);
grant select, insert on coin_send to :app_role;

-- Recipients a person has sent to, counted with each send. `at_ms`: world time of the last.
create table send_recipient (
  user_id text not null,
  address text not null,
  network text not null,
  times bigint not null check (times > 0),
  at_ms bigint not null,
  primary key (user_id, address)
) with (fillfactor = 80);
create index send_recipient_latest on send_recipient (user_id, at_ms desc);
grant select, insert, delete on send_recipient to :app_role;
grant update (times, at_ms) on send_recipient to :app_role;
