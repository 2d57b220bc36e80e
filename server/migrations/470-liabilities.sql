-- Commitments to all user accounts (docs/formats/log.md, "liabilities"). One row a leaf.
create table liability_run (
  number bigint primary key,
  -- The chain's batch whose state it is, and what that batch had seen.
  batch bigint not null unique,
  snapshot pg_snapshot not null,
  accounts bigint not null check (accounts > 0),
  -- Place of the leaf in the log.
  leaf bigint not null unique,
  at_ms bigint not null
);

-- The place of an account in the tree, given when it first had an entry.
create table liability_account (
  place bigint primary key,
  account bigint not null unique
);

-- The account at a place from that run on, until a later one.
create table liability_head (
  place bigint not null,
  run bigint not null,
  position bigint not null,
  balance bigint not null,
  hash bytea not null,
  primary key (place, run),
  -- Positions only grow, so this finds the run that first held an entry.
  unique (place, position)
);
-- Nodes over 16, 256, 4 096 … neighbours (level 1, 2, 3 …), each from a run on. Those between
-- are made when they are needed.
create table liability_node (
  level smallint not null check (level >= 1),
  place bigint not null,
  run bigint not null,
  hash bytea not null,
  sums bigint[] not null,
  primary key (level, place, run)
);
grant select, insert on liability_run, liability_account, liability_head, liability_node
  to :app_role;
