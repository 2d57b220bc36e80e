-- Backtests of strategies. All of it belongs to the person who made it and is short-lived; none of
-- it is money.

-- Names of price files are chosen by a person, and the parameters and results of a backtest repeat
-- them, so all of it is stored encrypted (docs/rules/personal-data.md).

-- One price file; `kept` is false while its set is still being uploaded. The bytes are in a blob
-- file outside the database.
create table backtest_file (
  user_id uuid not null,
  set_id text not null check (set_id ~ '^[0-9a-f]{32}$'),
  name_encrypted bytea not null,
  name_index bytea not null check (octet_length(name_index) = 32),
  symbol text not null,
  blob text not null unique,
  bytes integer not null check (bytes > 0),
  minutes integer not null check (minutes > 0),
  from_ms bigint not null,
  to_ms bigint not null check (to_ms > from_ms),
  kept boolean not null default false,
  created_real_ms bigint not null,
  primary key (user_id, set_id, name_index)
);
create index backtest_file_age on backtest_file (created_real_ms);

create table backtest_run (
  id uuid primary key,
  seq bigint generated always as identity unique,
  user_id uuid not null,
  source text not null check (source in ('world', 'files')),
  -- {pool, setting}: the pool, its configuration and the period as requested.
  what_encrypted bytea not null,
  margin_bp integer not null check (margin_bp between 0 and 1000),
  status text not null check (status in ('waiting', 'running', 'over', 'cancelled', 'failed')),
  stage text not null,
  percent integer not null default 0 check (percent between 0 and 100),
  reason text,
  data_hash text,
  result_encrypted bytea,
  -- At realistic friction, in hundredths of a percent.
  return_bp bigint,
  -- JSON, gzipped.
  trades_encrypted bytea,
  asked_real_ms bigint not null,
  -- Real time of the last heartbeat of the process that runs it.
  heartbeat_real_ms bigint not null,
  check ((status = 'over') = (result_encrypted is not null and trades_encrypted is not null
    and data_hash is not null))
);
create index backtest_run_by_user on backtest_run (user_id, seq desc);
create unique index backtest_run_one on backtest_run (user_id)
  where status in ('waiting', 'running');

-- Every setting that a person ran to completion on the same data, so that the best of many can be
-- shown with their number.
create table backtest_trial (
  user_id uuid not null,
  data_hash text not null,
  -- A digest: it only distinguishes one trial from another.
  setting text not null check (setting ~ '^[0-9a-f]{64}$'),
  return_bp bigint not null,
  created_real_ms bigint not null,
  primary key (user_id, data_hash, setting)
);
grant select, insert, update, delete on backtest_file, backtest_run to :app_role;
grant select, insert, update, delete on backtest_trial to :app_role;
