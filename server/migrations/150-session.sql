-- Users, how they sign in, and what they agreed to. Real time throughout, except where a column
-- says world time. The ledger and the log know only `user_id` and `attempt_id`; the address is in a
-- separate table, so that erasing the mapping leaves postings that point at nobody.

create table user_account (
  user_id text primary key check (length(user_id) between 16 and 64),
  created_at_ms bigint not null,
  language text not null default 'en',
  invite_code text check (length(invite_code) <= 20),
  custom_service_url text,
  -- Suspension ends sessions and stops new positions; it never blocks signing in, reading or
  -- withdrawing.
  suspended_at_ms bigint,
  -- Set in the transaction that erases the mapping: from then on no session of the account opens or
  -- resolves.
  erased_at_ms bigint
);
-- Lets a day be counted without a full scan.
create index user_account_by_time on user_account (created_at_ms);
grant select, insert on user_account to :app_role;
grant update (language, invite_code, custom_service_url, suspended_at_ms, erased_at_ms)
  on user_account to :app_role;

-- The highest number is the current attempt.
create table user_attempt (
  attempt_id text primary key check (length(attempt_id) between 16 and 64),
  user_id text not null references user_account,
  number integer not null check (number >= 1),
  opened_at_ms bigint not null,
  -- World time.
  opened_at_world_ms bigint not null,
  unique (user_id, number)
);
grant select, insert on user_attempt to :app_role;

create table user_address (
  user_id text primary key references user_account,
  -- HMAC-SHA-256 of the lower-case address, under the instance's key file.
  address_index bytea not null unique check (octet_length(address_index) = 32),
  address_encrypted bytea not null,
  -- Secret salt of the owner commitment that the person's accounts start from (ledger_owner).
  owner_salt_encrypted bytea not null
);
grant select, insert, delete on user_address to :app_role;

create table session_nonce (
  nonce text primary key,
  address_index bytea not null check (octet_length(address_index) = 32),
  chain_id text not null,
  host text not null,
  issued_at_ms bigint not null,
  expires_at_ms bigint not null,
  used_at_ms bigint
);
create index session_nonce_by_address on session_nonce (address_index, issued_at_ms);
create index session_nonce_by_expiry on session_nonce (expires_at_ms);
grant select, insert, delete on session_nonce to :app_role;
grant update (used_at_ms) on session_nonce to :app_role;

create table user_authorisation (
  authorisation_id text primary key,
  user_id text not null references user_account,
  kind text not null check (kind in ('sign_in', 'terms')),
  version integer check ((version is null) = (kind = 'sign_in')),
  text_encrypted bytea not null,
  text_hash bytea not null check (length(text_hash) = 32),
  at_ms bigint not null,
  revoked_at_ms bigint
);
create index user_authorisation_by_user on user_authorisation (user_id, at_ms desc);
-- At most one acceptance of a version in force.
create unique index user_authorisation_terms on user_authorisation (user_id, version)
  where kind = 'terms' and revoked_at_ms is null;
-- A signed message contains the address, so deleting an account deletes its texts.
grant select, insert, delete on user_authorisation to :app_role;
grant update (revoked_at_ms) on user_authorisation to :app_role;

create table user_session (
  session_id text primary key,
  -- SHA-256 of the token; the token itself is stored nowhere.
  token_hash bytea not null unique check (length(token_hash) = 32),
  user_id text not null references user_account,
  authorisation_id text not null references user_authorisation on delete cascade,
  created_at_ms bigint not null,
  last_seen_at_ms bigint not null,
  expires_at_ms bigint not null,
  ended_at_ms bigint,
  -- Null while it is open or simply ran out, and after a restore, which ends all.
  ended_by text check (ended_by in ('person', 'sign_in', 'limit', 'operator')),
  client text not null check (length(client) <= 60)
);
create index user_session_by_user on user_session (user_id, created_at_ms desc);
create index user_session_by_authorisation on user_session (authorisation_id);
create index user_session_by_expiry on user_session (expires_at_ms);
grant select, insert, delete on user_session to :app_role;
grant update (last_seen_at_ms, ended_at_ms, ended_by) on user_session to :app_role;

-- Who may create an account; whoever has one can always sign in.
create table sign_up (
  singleton boolean primary key default true check (singleton),
  state text not null default 'open' check (state in ('open', 'class_links', 'closed'))
);
insert into sign_up default values;
grant select on sign_up to :app_role;
grant update (state) on sign_up to :app_role;
