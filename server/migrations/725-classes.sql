-- Classes: one-use codes, tasks, and looks at the room view (docs/rules/classes.md). Real time
-- throughout. Every row ends with its class.

-- A code that one pupil joins with. Its text is encrypted for the operator who made the class, so
-- that it can be printed again, and removed once it is used.
create table class_code (
  class_id uuid not null references class_link,
  number integer not null check (number between 1 and 40),
  -- HMAC under the instance's key.
  code_index bytea not null unique check (octet_length(code_index) = 32),
  code_encrypted bytea,
  created_at_ms bigint not null,
  joined_at_ms bigint,
  -- Null before, and again once the account was deleted.
  user_id text references user_account,
  primary key (class_id, number),
  unique (class_id, user_id),
  check (user_id is null or joined_at_ms is not null),
  check (code_encrypted is null or joined_at_ms is null)
);
create index class_code_by_user on class_code (user_id);
grant select, insert, delete on class_code to :app_role;
grant update (code_encrypted, joined_at_ms, user_id) on class_code to :app_role;

-- The tasks that a teacher chose; all of them where there is no row.
create table class_tasks (
  class_id uuid primary key references class_link,
  tasks text[] not null
);
grant select, insert, delete on class_tasks to :app_role;
grant update (tasks) on class_tasks to :app_role;

-- Tasks that a pupil's browser reported as done. The others are told from what a pupil has.
create table class_task_done (
  class_id uuid not null references class_link,
  user_id text not null references user_account,
  task text not null,
  at_ms bigint not null,
  primary key (class_id, user_id, task)
);
create index class_task_done_by_user on class_task_done (user_id);
grant select, insert, delete on class_task_done to :app_role;

-- Backups of practice wallets, encrypted in the browser under code and PIN, and once more under the
-- person's key. The server knows neither PIN nor seed.
create table class_wallet (
  class_id uuid not null,
  number integer not null,
  user_id text not null references user_account,
  -- HMAC under the instance's key of what proves code and PIN.
  proof_index bytea not null check (octet_length(proof_index) = 32),
  backup_encrypted bytea not null,
  set_at_ms bigint not null,
  -- Wrong PINs in a row, counted before they are checked.
  failures integer not null default 0 check (failures >= 0),
  unlocks integer not null default 0 check (unlocks between 0 and 10),
  primary key (class_id, number),
  foreign key (class_id, number) references class_code
);
create index class_wallet_by_user on class_wallet (user_id);
grant select, insert, delete on class_wallet to :app_role;
grant update (proof_index, backup_encrypted, set_at_ms, failures, unlocks) on class_wallet
  to :app_role;

-- Room views that an operator opened, and whose records say so.
create table class_look (
  look_id uuid primary key,
  class_id uuid not null references class_link,
  operator_id text not null,
  opened_at_ms bigint not null,
  ends_at_ms bigint not null
);
create index class_look_by_class on class_look (class_id);
grant select, insert, delete on class_look to :app_role;
create table class_look_person (
  look_id uuid not null references class_look on delete cascade,
  user_id text not null references user_account,
  primary key (look_id, user_id)
);
create index class_look_person_by_user on class_look_person (user_id);
grant select, insert, delete on class_look_person to :app_role;

-- Who is in a class: by its link, or by a code with an account that there was before.
create view class_member as
  select class_id, user_id from invitation where class_id is not null
  union select class_id, user_id from class_code where user_id is not null;
grant select on class_member to :app_role;

-- Places of a class that are taken: one for each code, used or not, and for each who joined by the
-- link.
create function class_places_taken(p_class uuid) returns bigint
language sql stable set search_path from current as $$
  select (select count(*) from class_code where class_id = p_class) + (
    select count(*) from invitation i where i.class_id = p_class and not exists (
      select from class_code c where (c.class_id, c.user_id) = (i.class_id, i.user_id)))
$$;
revoke all on function class_places_taken from public;
grant execute on function class_places_taken to :app_role;
