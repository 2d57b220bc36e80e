-- A person's optional 6-digit PIN for withdrawing and sending. Real time throughout.

create table user_pin (
  user_id text primary key check (length(user_id) between 16 and 64),
  -- `scrypt/<log2 N>/<r>/<p>`: the parameters of the hash, so that they can be strengthened later.
  scheme text not null,
  salt bytea not null check (length(salt) = 16),
  hash bytea not null check (length(hash) = 32),
  set_at_ms bigint not null,
  -- Tries since the last success. Each is counted before it is verified, so that concurrent tries
  -- cannot evade the delays.
  failures integer not null default 0 check (failures >= 0),
  locked_until_ms bigint not null default 0
);
grant select, insert, delete on user_pin to :app_role;
grant update (scheme, salt, hash, set_at_ms, failures, locked_until_ms) on user_pin to :app_role;
