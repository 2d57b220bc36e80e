-- Operators, their one-time codes and elevations, and the audit of what they did. Real time
-- throughout.

create table operator (
  -- The id in the audit. It says nothing about a person once `user_id` is empty.
  operator_id text primary key check (length(operator_id) between 16 and 64),
  user_id text references user_account,
  role text not null check (role in ('owner', 'publisher', 'support', 'auditor')),
  -- The name other operators know them by, encrypted under the person's own key.
  name_encrypted bytea,
  since_ms bigint not null,
  ended_at_ms bigint
);
create unique index operator_by_user on operator (user_id) where ended_at_ms is null;
grant select, insert on operator to :app_role;
grant update (user_id, role, name_encrypted, ended_at_ms) on operator to :app_role;

-- One-time codes: the first, printed at startup, and those that owners issue. The code itself is
-- stored nowhere.
create table operator_code (
  code_hash bytea primary key check (length(code_hash) = 32),
  role text not null check (role in ('owner', 'publisher', 'support', 'auditor')),
  -- Empty for the first.
  made_by text references operator,
  created_at_ms bigint not null,
  expires_at_ms bigint not null,
  used_by text references operator
);
grant select, insert, delete on operator_code to :app_role;
grant update (used_by) on operator_code to :app_role;

-- Elevated sessions.
create table operator_elevation (
  session_id text primary key,
  operator_id text not null references operator,
  until_ms bigint not null
);
grant select, insert, delete on operator_elevation to :app_role;
grant update (operator_id, until_ms) on operator_elevation to :app_role;

-- Nonces of the message that elevates a session: separate from sign-in nonces, so that neither can
-- be used for the other.
create table operator_nonce (
  nonce text primary key,
  session_id text not null,
  chain_id text not null,
  host text not null,
  issued_at_ms bigint not null,
  expires_at_ms bigint not null,
  used_at_ms bigint
);
create index operator_nonce_by_session on operator_nonce (session_id);
grant select, insert, delete on operator_nonce to :app_role;
grant update (used_at_ms) on operator_nonce to :app_role;

-- Changing calls by their idempotency key, of which only a hash is stored; the answer is encrypted
-- under the operator's key.
create table operator_call (
  key_hash bytea primary key check (length(key_hash) = 32),
  -- Salted with the key.
  body_hash bytea not null check (length(body_hash) = 32),
  answer_encrypted bytea,
  at_ms bigint not null
);
create index operator_call_by_time on operator_call (at_ms);
grant select, insert, delete on operator_call to :app_role;
grant update (answer_encrypted) on operator_call to :app_role;

-- The audit: append-only, each entry with its leaf in the log (docs/formats/audit.md).
create table operator_audit_event (
  seq bigint primary key check (seq >= 1),
  at_ms bigint not null,
  operator_id text not null,
  role text not null check (length(role) between 1 and 20),
  what text not null check (length(what) between 1 and 64),
  target text check (length(target) between 1 and 64),
  -- The person affected.
  touches text check (length(touches) between 16 and 64),
  leaf bigint not null unique references log_leaf,
  -- SHA-256 of the leaf's body: what the next leaf names.
  hash bytea not null unique check (length(hash) = 32)
);
create index operator_audit_event_by_operator on operator_audit_event (operator_id, seq desc);
create index operator_audit_event_by_touches on operator_audit_event (touches, seq desc)
  where touches is not null;
create index operator_audit_event_by_time on operator_audit_event (at_ms);
grant select, insert on operator_audit_event to :app_role;

-- Reason and details, and the salt of the commitment in the log, encrypted under the key of
-- `key_owner`: the person touched, else the operator. Deleting one leaves the chain intact.
create table operator_audit_event_text (
  seq bigint primary key references operator_audit_event,
  key_owner text not null,
  text_encrypted bytea not null
);
create index operator_audit_event_text_by_key_owner on operator_audit_event_text (key_owner);
grant select, insert, delete on operator_audit_event_text to :app_role;

-- The code that a person shows: one at a time, stored as a digest under the instance's key, deleted
-- once used.
create table person_code (
  user_id text primary key references user_account,
  code_index bytea not null unique check (length(code_index) = 32),
  expires_at_ms bigint not null
);
grant select, insert, delete on person_code to :app_role;
grant update (code_index, expires_at_ms) on person_code to :app_role;

-- A person's pages opened to one operator with the person's code.
create table person_viewing (
  viewing_id uuid primary key,
  user_id text not null references user_account,
  operator_id text not null references operator,
  role text not null,
  opened_at_ms bigint not null,
  ends_at_ms bigint not null check (ends_at_ms > opened_at_ms),
  ended_at_ms bigint,
  -- The parts that were opened, each recorded once in the person's records.
  parts text[] not null default '{}'
);
create index person_viewing_by_user on person_viewing (user_id, ends_at_ms);
create index person_viewing_by_end on person_viewing (ends_at_ms);
grant select, insert, delete on person_viewing to :app_role;
grant update (ended_at_ms, parts) on person_viewing to :app_role;
