-- What a person's records need besides the ledger: operator actions that touched the person.

-- Every console action that touched a person. Append-only; `what` and the encrypted `why` are what
-- the person is shown.
create table person_audit_event (
  seq bigint generated always as identity primary key,
  event_id uuid not null unique,
  user_id text not null references user_account,
  -- The attempt open at the time: the action is shown among its records.
  attempt_id text not null,
  role text not null check (length(role) between 1 and 64),
  what text not null check (length(what) between 1 and 200),
  why_encrypted bytea not null,
  -- Its leaf in the log, the leaf before that in the audit chain, and the encrypted opening of what
  -- the leaf commits to: salt, act and real time.
  leaf bigint not null unique references log_leaf,
  before_leaf bigint references log_leaf,
  opening_encrypted bytea not null,
  -- World time, and real time.
  at_ms bigint not null,
  recorded_at_ms bigint not null
);
create index person_audit_event_by_attempt on person_audit_event (attempt_id, seq);
grant select, insert on person_audit_event to :app_role;

-- Up to where a person has read their inbox, in one attempt: a position of the list on the wire.
create table inbox_read (
  user_id text primary key references user_account,
  attempt_id text not null,
  position text not null check (length(position) between 1 and 160)
);
grant select, insert, update, delete on inbox_read to :app_role;

-- The last version of an account, up to `p_version`, whose journal is no later than `p_at_ms`; 0 if
-- there is none. Versions follow time except within a batch's length, so callers allow some slack
-- and check exactly themselves.
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
