-- Second factors of operators: what elevation takes besides the wallet's signature. Real time
-- throughout.

create table operator_passphrase (
  operator_id text primary key references operator,
  -- `scrypt/<log2 N>/<r>/<p>`: how the hash was made, so that later ones can be stronger.
  scheme text not null,
  salt bytea not null check (length(salt) = 16),
  hash bytea not null check (length(hash) = 32),
  set_at_ms bigint not null,
  -- Attempts since the last correct one. Each is counted before it is checked, so that concurrent
  -- attempts cannot get around the delays.
  failures integer not null default 0 check (failures >= 0),
  locked_until_ms bigint not null default 0
);
grant select, insert, delete on operator_passphrase to :app_role;
grant update (scheme, salt, hash, set_at_ms, failures, locked_until_ms)
  on operator_passphrase to :app_role;

-- Security keys (WebAuthn credentials).
create table operator_key (
  key_id uuid primary key,
  operator_id text not null references operator,
  -- The name that the operator gave it, encrypted under the person's own key.
  name_encrypted bytea not null,
  -- The host name of the console's address at which it was registered, and works.
  rp_id text not null check (length(rp_id) between 1 and 255),
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  -- COSE_Key.
  public_key bytea not null,
  -- Signature counter: falls back only if the key was copied. Always 0 for many keys.
  counter bigint not null check (counter >= 0),
  transports text[] not null default '{}',
  created_at_ms bigint not null,
  last_used_at_ms bigint
);
create index operator_key_by_operator on operator_key (operator_id);
grant select, insert, delete on operator_key to :app_role;
grant update (counter, last_used_at_ms) on operator_key to :app_role;

-- Challenges for registering a key: used once, by the session that asked.
create table operator_key_challenge (
  challenge bytea primary key check (length(challenge) = 32),
  session_id text not null,
  host text not null,
  rp_id text not null,
  issued_at_ms bigint not null,
  expires_at_ms bigint not null
);
create index operator_key_challenge_by_session on operator_key_challenge (session_id);
grant select, insert, delete on operator_key_challenge to :app_role;

-- Operators whose factors were reset: elevation for setting up new ones takes this one-time code.
-- The row is gone once new ones are set up.
create table operator_factor_reset (
  operator_id text primary key references operator,
  -- SHA-256; null if the code was revoked and a new one is needed.
  code_hash bytea check (length(code_hash) = 32),
  expires_at_ms bigint not null
);
grant select, insert, delete on operator_factor_reset to :app_role;
grant update (code_hash, expires_at_ms) on operator_factor_reset to :app_role;
