-- The one world of this schema. Its market and speed are fixed when it is created; world time is
-- the straight line through (clock_world_ms, clock_real_ms) with that speed, but for its pauses,
-- whether or not a process is running.
create table world (
  singleton boolean primary key default true check (singleton),
  name text not null,
  market_kind text not null check (market_kind in ('simulated', 'replay', 'live')),
  -- A world that replays a recording continues only with the same bytes: this is the SHA-256 (hex)
  -- over the names and contents of its files. Null for every other market.
  recording text check (recording is null
    or (market_kind = 'replay' and recording ~ '^[0-9a-f]{64}$')),
  speed integer not null check (speed between 1 and 60 and (market_kind <> 'live' or speed = 1)),
  -- The symbols with a market here, [{"name", "scale", "venues"}] in the column order of `second`
  -- leaves, and the version of the simulator that generates it. Later programs may know more
  -- symbols and other versions; they run this world with its own.
  symbols json not null,
  simulator integer check ((simulator is not null) = (market_kind = 'simulated')),
  -- The public beacon that the seeds of a simulated market are mixed with, {"hash", "publicKey",
  -- "genesisSeconds", "periodSeconds"}; null if none is.
  beacon json check (beacon is null or market_kind = 'simulated'),
  start_ms bigint not null,
  clock_world_ms bigint not null,
  clock_real_ms bigint not null,
  created_at timestamptz not null default clock_timestamp()
);
grant select on world to :app_role;

-- Pauses of world time: it stands still from at_ms on until real time is resumed_real_ms (null: not
-- known yet). One that ended before it was reached was called off. Readable by the feed at its
-- start and kept for good: world time since the creation follows from them.
create table world_pause (
  ordinal integer primary key check (ordinal > 0),
  at_ms bigint not null check (at_ms % 1000 = 0),
  announced_real_ms bigint not null,
  resumed_real_ms bigint check (resumed_real_ms >= announced_real_ms)
);
create unique index on world_pause ((true)) where resumed_real_ms is null;
grant select, insert, update (resumed_real_ms) on world_pause to :app_role;

-- Digest that identifies the key file under which encrypted values are looked up
-- (docs/rules/personal-data.md), and the random id in the directories of keys and pictures, which
-- all processes of the world share; written at the first start.
create table encryption_state (
  singleton boolean primary key default true check (singleton),
  key_id bytea check (octet_length(key_id) = 32),
  directory_id text check (directory_id ~ '^[0-9a-f]{32}$')
);
insert into encryption_state default values;
grant select on encryption_state to :app_role;
