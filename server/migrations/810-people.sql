-- Helping people at their own wish, and the switches of a class. Real time throughout.

-- The code that a person shows: one at a time, stored as a digest under the instance's key, gone once it is used.
create table person_code (
  user_id text primary key references user_account,
  code_mac bytea not null unique check (length(code_mac) = 32),
  expires_at_ms bigint not null
);
grant select, insert, delete on person_code to :app_role;
grant update (code_mac, expires_at_ms) on person_code to :app_role;

-- Somebody's pages opened to one operator, with the person's code.
create table person_viewing (
  viewing_id uuid primary key,
  user_id text not null references user_account,
  operator_id text not null references operator,
  role text not null,
  opened_at_ms bigint not null,
  ends_at_ms bigint not null check (ends_at_ms > opened_at_ms),
  ended_at_ms bigint,
  -- The parts that were opened, each of which the person's records name once.
  parts text[] not null default '{}'
);
create index person_viewing_by_user on person_viewing (user_id, ends_at_ms);
create index person_viewing_by_end on person_viewing (ends_at_ms);
grant select, insert, delete on person_viewing to :app_role;
grant update (ended_at_ms, parts) on person_viewing to :app_role;

-- Who may make an account; whoever has one can always sign in.
create table sign_up (
  only_one boolean primary key default true check (only_one),
  state text not null default 'open' check (state in ('open', 'class_links', 'closed'))
);
insert into sign_up default values;
grant select on sign_up to :app_role;
grant update (state) on sign_up to :app_role;

grant update (contracts_on) on contract_settings to :app_role;
