-- Invitations (docs/rules/invites.md). Real time throughout, except where a column says world time.

-- Codes for classes and groups, created in the console. They belong to no person and earn nothing.
create table class_link (
  class_id uuid primary key,
  -- What the operator typed, encrypted for the operator.
  label_encrypted bytea not null,
  by_user_id text not null references user_account,
  created_at_ms bigint not null,
  expires_at_ms bigint not null,
  joined_max integer not null check (joined_max between 1 and 500),
  closed_at_ms bigint
);
grant select, insert, delete on class_link to :app_role;
grant update (closed_at_ms) on class_link to :app_role;

create table invite_code (
  code text primary key check (code ~ '^[3-9A-Y]{10}$'),
  user_id text unique references user_account,
  class_id uuid unique references class_link,
  created_at_ms bigint not null,
  check ((user_id is null) <> (class_id is null))
);
grant select, insert, delete on invite_code to :app_role;

-- One row per person who joined by a code, written with their account. The inviter is erased with
-- the inviter's account.
create table invitation (
  invitation_id uuid primary key,
  user_id text not null unique references user_account,
  inviter_id text references user_account,
  class_id uuid references class_link,
  joined_at_ms bigint not null,
  -- The name that the inviter sees, and the answer about who sent them: encrypted for the one who
  -- joined.
  name_encrypted bytea,
  answer_encrypted bytea,
  answered_at_ms bigint,
  lesson_at_ms bigint,
  -- Decided once, after the lesson: paid, or not because the inviter already had ten.
  outcome text check (outcome in ('rewarded', 'over_limit')),
  decided_at_ms bigint,
  journal_id uuid unique,
  check ((outcome is null) = (decided_at_ms is null)),
  check ((journal_id is not null) = (outcome is not null and outcome = 'rewarded')),
  check (inviter_id is null or class_id is null),
  check (inviter_id is distinct from user_id)
);
create index invitation_by_inviter on invitation (inviter_id, joined_at_ms desc);
create index invitation_by_class on invitation (class_id);
create index invitation_due on invitation (lesson_at_ms)
  where outcome is null and lesson_at_ms is not null and inviter_id is not null;
grant select, insert, delete on invitation to :app_role;
grant update (inviter_id, name_encrypted, answer_encrypted, answered_at_ms, lesson_at_ms, outcome,
  decided_at_ms, journal_id) on invitation to :app_role;
