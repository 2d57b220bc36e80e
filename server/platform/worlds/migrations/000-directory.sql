-- The worlds of this database that a program serves besides the one that its settings name. Which
-- worlds there are stands here and nowhere else.
create table world_entry (
  name text primary key check (name ~ '^[a-z]([a-z0-9-]{0,30}[a-z0-9])?$'),
  -- What people type at the world finder. Without letters and digits that look alike.
  code text not null unique check (code ~ '^[A-HJ-NP-Z2-9]{8}$'),
  state text not null default 'awake' check (state in ('awake', 'asleep', 'archived')),
  -- Of its own on a bare address; null: the world of the main address.
  port integer unique check (port between 1 and 65535),
  -- Those of npm start that made it, by their names.
  settings jsonb not null default '{}',
  made_at_ms bigint not null,
  -- Real time at which it last fell asleep; null: never.
  slept_at_ms bigint,
  -- Whether those in it are to have notice that it will be removed.
  removal_asked boolean not null default false,
  -- Real time from which it may be removed: those in it had notice.
  remove_after_ms bigint
);

-- One world has the main address.
create unique index world_entry_main on world_entry ((port is null)) where port is null;

grant select on world_entry to :app_role;
-- Whoever serves a world puts it to sleep and wakes it, over a connection that it has.
grant update (state, slept_at_ms) on world_entry to :app_role;
