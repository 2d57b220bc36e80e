-- The one world of this schema. What it runs on and how fast is fixed here, when it is made; world time is the straight
-- line through (clock_world_ms, clock_real_ms) with that speed, whether or not a process is running.
create table world (
  only_one boolean primary key default true check (only_one),
  name text not null,
  market_kind text not null check (market_kind in ('simulated', 'replay')),
  speed integer not null check (speed between 1 and 60),
  -- What has a market here, [{"name", "scale", "venues"}] in the order of columns of `second` leaves, and which version of
  -- the simulator makes it: later programs may know more symbols and other versions, and run this world with its own.
  symbols json not null,
  simulator integer check ((simulator is not null) = (market_kind = 'simulated')),
  start_ms bigint not null,
  clock_world_ms bigint not null,
  clock_real_ms bigint not null,
  created_at timestamptz not null default clock_timestamp()
);
grant select on world to :app_role;
