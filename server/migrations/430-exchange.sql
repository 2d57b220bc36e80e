-- Exchange of one coin for another. Specified in docs/rules/wallet.md.

-- Quotes, kept while they are useful. Amounts in minor units; `steps` as on the wire.
create table exchange_quote (
  quote_id uuid primary key,
  user_id text not null,
  attempt_id text not null,
  from_coin text not null,
  to_coin text not null check (to_coin <> from_coin),
  given bigint not null check (given > 0),
  received bigint not null check (received > 0),
  at_index bigint not null,
  steps jsonb not null,
  index_second_ms bigint not null,
  index_leaf bigint not null,
  -- Real time.
  expires_real_ms bigint not null
);
create index exchange_quote_expiry on exchange_quote (expires_real_ms);
grant select, insert, delete on exchange_quote to :app_role;

-- Executed exchanges: the quote as given, and the journal that executed it. Never changed; a quote
-- is executed once.
create table exchange (
  journal_id uuid primary key,
  quote_id uuid not null unique,
  user_id text not null,
  attempt_id text not null,
  from_coin text not null,
  to_coin text not null check (to_coin <> from_coin),
  given bigint not null check (given > 0),
  received bigint not null check (received > 0),
  at_index bigint not null,
  steps jsonb not null,
  index_second_ms bigint not null,
  index_leaf bigint not null,
  at_ms bigint not null
);
create index exchange_by_attempt on exchange (attempt_id);
create index exchange_by_time on exchange (at_ms);

-- On a live world: what an exchange would have come to at each venue, with the levels of its book,
-- in the second (leaf `leaf`) that closed after it. `steps` as on the wire.
create table exchange_venue_comparison (
  journal_id uuid primary key references exchange,
  second_ms bigint not null,
  leaf bigint not null,
  steps jsonb not null
);
grant select, insert on exchange, exchange_venue_comparison to :app_role;
