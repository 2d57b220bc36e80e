-- The first lesson (docs/rules/invites.md). Real time.

-- Each time a person finished the lesson: its id made by the client, so that sending again counts
-- once.
create table lesson_run (
  run_id uuid primary key,
  user_id text not null references user_account,
  finished_at_ms bigint not null,
  -- The choices in the order of the scenes, sealed.
  answers_sealed bytea not null,
  sound integer not null check (sound between 0 and 6)
);
create index lesson_run_by_user on lesson_run (user_id, finished_at_ms desc);
grant select, insert, delete on lesson_run to :app_role;
