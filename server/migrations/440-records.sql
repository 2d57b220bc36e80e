-- What a person's records need besides the ledger: what a console did to them, and what was committed of their accounts.

-- Every act of a console that touched a person. Only ever appended; `what` and the sealed `why` are what the person is shown.
create table console_act (
  seq bigint generated always as identity primary key,
  act_id uuid not null unique,
  user_id text not null references user_account,
  -- The attempt that was open then: the act is shown among its records.
  attempt_id text not null,
  role text not null check (length(role) between 1 and 64),
  what text not null check (length(what) between 1 and 200),
  why_sealed bytea not null,
  -- World time, and real time.
  at_ms bigint not null,
  recorded_at_ms bigint not null
);
create index console_act_by_attempt on console_act (attempt_id, seq);
grant select, insert on console_act to :app_role;

-- The last version of an account, up to `p_version`, whose journal is no later than `p_at_ms`; 0 when there is none. Versions follow time
-- but for a batch's length, so a caller gives some room and looks closely itself.
create function entry_version_at(p_account bigint, p_version bigint, p_at_ms bigint) returns bigint
language plpgsql stable as $$
declare
  v_low bigint := 0; v_high bigint := p_version; v_middle bigint; v_at_ms bigint;
begin
  while v_low < v_high loop
    v_middle := (v_low + v_high + 1) / 2;
    select j.at_ms into v_at_ms from entry e join journal j on j.id = e.journal_id
    where e.account = p_account and e.version = v_middle;
    if v_at_ms <= p_at_ms then v_low := v_middle; else v_high := v_middle - 1; end if;
  end loop;
  return v_low;
end $$;
revoke all on function entry_version_at from public;
grant execute on function entry_version_at to :app_role;

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
-- Nodes over 16, 256, 4 096 … neighbours (level 1, 2, 3 …), each from a run on. Those between are made when they are needed.
create table liability_node (
  level smallint not null check (level >= 1),
  place bigint not null,
  run bigint not null,
  hash bytea not null,
  sums bigint[] not null,
  primary key (level, place, run)
);
grant select, insert on liability_run, liability_account, liability_head, liability_node to :app_role;
