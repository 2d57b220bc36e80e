-- What the console shows about the instance itself: job runs, growth, daily use, and what operators
-- set. Nothing here is about a person. Times are real time.

-- Runs of jobs, aggregated by the processes that run them.
create table instance_job (
  name text primary key check (length(name) between 1 and 80),
  began_at_ms bigint,
  ended_at_ms bigint,
  took_ms integer,
  failed_at_ms bigint,
  -- The class of the error, never its message.
  error text check (length(error) <= 80),
  runs bigint not null default 0,
  failures bigint not null default 0
);
grant select, insert, update on instance_job to :app_role;

-- Processes, each of which reports every ten seconds that it is alive.
create table instance_process (
  id uuid primary key,
  pid integer not null,
  services text not null check (length(services) <= 80),
  version text not null check (length(version) <= 80),
  started_at_ms bigint not null,
  seen_at_ms bigint not null,
  memory_bytes bigint not null,
  heap_bytes bigint not null
);
grant select, insert, update, delete on instance_process to :app_role;

-- Sampled each minute; of samples older than a day the first of each hour is kept, for 400 days.
create table instance_sample (
  at_ms bigint primary key,
  hourly boolean not null,
  feed_lag_ms bigint,
  log_lag_ms bigint not null,
  database_bytes bigint not null,
  log_bytes bigint not null,
  memory_bytes bigint not null,
  disk_free_bytes bigint
);
create index instance_sample_hourly on instance_sample (at_ms) where hourly;
grant select, insert, delete on instance_sample to :app_role;

-- Use by real day (UTC, since 1970), counted from the tables themselves; a day that is over is
-- counted once more and then final.
create table instance_day (
  day integer primary key,
  accounts bigint not null,
  orders bigint not null,
  settled bigint not null,
  withdrawals bigint not null,
  counted_at_ms bigint not null
);
grant select, insert, update on instance_day to :app_role;

create table instance_setting (
  name text primary key check (length(name) between 1 and 40),
  -- Null: none.
  value text check (length(value) <= 300),
  -- False: the environment's value applies.
  set_here boolean not null,
  revision integer not null check (revision > 0)
);
grant select, insert, update on instance_setting to :app_role;

-- Standbys of the database, without copies being made of it. The owner sees what they are if it may
-- (pg_read_all_stats); `seen` is false if it may not.
create function replication_state()
returns table (standbys integer, synchronous integer, lag_bytes bigint, seen boolean)
language sql stable security definer set search_path from current as $$
  select count(*) filter (where state <> 'backup')::integer,
    count(*) filter (where sync_state in ('sync', 'quorum'))::integer,
    max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)) filter (where state <> 'backup')::bigint,
    coalesce(bool_and(state is not null), true)
  from pg_stat_replication
$$;
revoke all on function replication_state() from public;
grant execute on function replication_state() to :app_role;
