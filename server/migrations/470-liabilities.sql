-- Commitments to all user accounts (docs/formats/log.md, "liabilities"). One row per leaf.
create table liability_run (
  number bigint primary key,
  -- The chain batch whose state is committed to, and the snapshot of that batch.
  batch bigint not null unique,
  snapshot pg_snapshot not null,
  accounts bigint not null check (accounts > 0),
  -- Index of the leaf in the log.
  leaf bigint not null unique,
  at_ms bigint not null
);

-- An account's position in the tree, assigned at its first entry.
create table liability_account (
  tree_index bigint primary key,
  account bigint not null unique
);

-- The account at a tree index from that run on, until a later one.
create table liability_head (
  tree_index bigint not null,
  run bigint not null,
  position bigint not null,
  balance bigint not null,
  hash bytea not null,
  primary key (tree_index, run),
  -- Positions only grow, so this finds the run that first contained an entry.
  unique (tree_index, position)
);
-- Nodes over 16, 256, 4 096 … neighbours (levels 1, 2, 3 …), each from a run on. Intermediate nodes
-- are computed when needed.
create table liability_node (
  level smallint not null check (level >= 1),
  tree_index bigint not null,
  run bigint not null,
  hash bytea not null,
  sums bigint[] not null,
  primary key (level, tree_index, run)
);
grant select, insert on liability_run, liability_account, liability_head, liability_node
  to :app_role;
