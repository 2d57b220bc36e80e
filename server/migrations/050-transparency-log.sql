-- The public log: leaves in order, the full tiles of the tree over them, signed checkpoints, and
-- the keys that signed them. Nothing here is ever changed or removed; the application appends
-- through the functions below.

create table log_leaf (
  leaf bigint primary key check (leaf >= 0),
  kind smallint not null,
  bytes bytea not null check (octet_length(bytes) <= 65535),
  -- Real time of appending, milliseconds.
  at_ms bigint not null
);

-- The newest `build` leaf.
create index log_leaf_build on log_leaf (leaf) where kind = 10;
-- The audit chain.
create index log_leaf_audit on log_leaf (leaf) where kind = 12;
-- Every `succession` leaf.
create index log_leaf_succession on log_leaf (leaf) where kind = 14;

-- One row whose lock is the append lock: leaves are numbered in commit order, without gaps.
create table log_head (
  singleton boolean primary key default true check (singleton),
  next bigint not null,
  -- The log's name, set once.
  origin text
);
insert into log_head (next) values (0);

create table log_key (
  vkey text primary key,
  -- The first tree size this key may sign.
  from_size bigint not null,
  -- The note by which the key before it handed over; null for the log's first key.
  handover text,
  recorded_at timestamptz not null default clock_timestamp()
);

-- Full tiles only: 256 hashes, and the root over them, which is a hash of the level above.
create table log_tile (
  level smallint not null,
  tile bigint not null,
  hashes bytea not null check (octet_length(hashes) = 8192),
  root bytea not null check (octet_length(root) = 32),
  primary key (level, tile)
);

-- Checkpoints, of growing size. All of the last hour are kept, and the first of every earlier hour.
create table log_checkpoint (
  size bigint primary key check (size > 0),
  root bytea not null check (octet_length(root) = 32),
  note text not null,
  at_ms bigint not null,
  hourly boolean not null
);
create index log_checkpoint_recent on log_checkpoint (at_ms) where not hourly;
-- log_record_checkpoint() checks with each checkpoint, once a second, whether the hour already has
-- one to keep; without this index that would read them all, and each hour adds one more.
create index log_checkpoint_hourly on log_checkpoint (at_ms) where hourly;

-- The hashes that a leaf binds by a root: of orders of every kind, in the order of the root, 32
-- bytes each.
create table log_binding (
  leaf bigint primary key,
  hashes bytea not null check (octet_length(hashes) > 0 and octet_length(hashes) % 32 = 0)
);

-- What was published, version by version, as its `audit` leaves name it.
create table log_publication (
  publication text not null check (length(publication) between 1 and 64),
  version integer not null check (version > 0),
  leaf bigint not null unique references log_leaf,
  before_leaf bigint references log_leaf,
  -- Real time, as in the leaf.
  at_ms bigint not null,
  -- The leaf's record, and all of the text in canonical JSON.
  record text not null,
  body text not null,
  -- The leaf that says it is no longer shown.
  withdrawn_leaf bigint unique references log_leaf,
  primary key (publication, version)
);

-- The witnesses that the operator's policy names, and how far each has cosigned.
create table log_witness (
  vkey text primary key,
  name text not null,
  size bigint not null default 0,
  -- Real time of the first and the latest cosignature.
  since_ms bigint,
  at_ms bigint,
  -- Why the latest round gave none.
  error text
);

-- Checkpoints with the cosignatures of witnesses. All of the last hour are kept, and the first of
-- every earlier hour.
create table log_cosigned_checkpoint (
  size bigint primary key check (size > 0),
  note text not null,
  at_ms bigint not null,
  hourly boolean not null
);
create index log_cosigned_checkpoint_recent on log_cosigned_checkpoint (at_ms);

create function log_record_cosigned(new_size bigint, new_note text, new_at_ms bigint) returns void
language plpgsql security definer set search_path from current as $$
begin
  insert into log_cosigned_checkpoint (size, note, at_ms, hourly)
    values (new_size, new_note, new_at_ms, not exists (
      select from log_cosigned_checkpoint where at_ms >= new_at_ms - new_at_ms % 3600000 and hourly
    ))
    on conflict (size) do update set note = excluded.note, at_ms = excluded.at_ms;
  delete from log_cosigned_checkpoint where not hourly and at_ms < new_at_ms - 3600000;
end $$;

-- Takes the append lock until the transaction ends and returns the index of the next leaf.
create function log_next() returns bigint
language plpgsql security definer set search_path from current as $$
declare
  found bigint;
begin
  select next into strict found from log_head for update;
  return found;
end $$;

-- Appends leaves and returns the index of the first.
create function log_append(kinds smallint[], entries bytea[], at_ms bigint) returns bigint
language plpgsql security definer set search_path from current as $$
declare
  first bigint := log_next();
begin
  if cardinality(kinds) <> cardinality(entries) or cardinality(kinds) = 0 then
    raise exception 'log_append takes as many kinds as entries, and at least one';
  end if;
  insert into log_leaf (leaf, kind, bytes, at_ms)
    select first + number - 1, kind, entry, log_append.at_ms
    from unnest(kinds, entries) with ordinality as given (kind, entry, number);
  update log_head set next = first + cardinality(kinds);
  return first;
end $$;

-- Names the log, once; returns the name it has.
create function log_name(wanted text) returns text
language plpgsql security definer set search_path from current as $$
declare
  found text;
begin
  update log_head set origin = wanted where origin is null;
  select origin into strict found from log_head;
  return found;
end $$;

-- Records a signed checkpoint. The tree only grows, and never past the existing leaves.
create function log_record_checkpoint(new_size bigint, new_root bytea, new_note text,
  new_at_ms bigint)
returns void
language plpgsql security definer set search_path from current as $$
begin
  if new_size <= coalesce((select max(size) from log_checkpoint), 0) then
    raise exception 'a checkpoint of size % would not grow the log', new_size;
  end if;
  if new_size > (select next from log_head) then
    raise exception 'a checkpoint of size % covers leaves that do not exist', new_size;
  end if;
  insert into log_checkpoint (size, root, note, at_ms, hourly)
    values (new_size, new_root, new_note, new_at_ms, not exists (
      select from log_checkpoint where at_ms >= new_at_ms - new_at_ms % 3600000 and hourly
    ));
  delete from log_checkpoint where not hourly and at_ms < new_at_ms - 3600000;
end $$;

revoke all on function log_next(), log_append(smallint[], bytea[], bigint), log_name(text),
  log_record_checkpoint(bigint, bytea, text, bigint), log_record_cosigned(bigint, text, bigint)
  from public;
grant execute on function log_next(), log_append(smallint[], bytea[], bigint), log_name(text),
  log_record_checkpoint(bigint, bytea, text, bigint), log_record_cosigned(bigint, text, bigint)
  to :app_role;
grant select on log_leaf, log_head, log_checkpoint, log_cosigned_checkpoint to :app_role;
grant select, insert, update on log_witness to :app_role;
grant select, insert on log_key, log_tile, log_binding, log_publication to :app_role;
grant update (withdrawn_leaf) on log_publication to :app_role;
