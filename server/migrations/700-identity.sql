-- Specimen identities and practice verifications with them (docs/rules/identity.md).

-- No field of a specimen is stored: all of them derive from the seed.
create table identity_specimen (
  id text primary key check (id ~ '^[0-9a-f]{24}$'),
  seq bigint generated always as identity unique,
  user_id text not null,
  seed bytea not null check (length(seed) = 32),
  kind text not null check (kind in ('verified', 'unreadable', 'expired', 'name_differs',
    'number_check_failed')),
  -- False for a surprise that has not been resolved yet.
  kind_disclosed boolean not null,
  document_type text not null,
  state text not null,
  country text not null,
  drawn_at_ms bigint not null,
  drawn_real_ms bigint not null
);
create index identity_specimen_by_user on identity_specimen (user_id, seq desc);
create index identity_specimen_by_age on identity_specimen (drawn_real_ms);

-- How many specimens a person was given in a real day: the specimens themselves may be deleted
-- within it.
create table identity_specimen_quota (
  user_id text not null,
  day integer not null,
  used integer not null check (used > 0),
  primary key (user_id, day)
);

create table identity_verification (
  id uuid primary key,
  seq bigint generated always as identity unique,
  user_id text not null,
  -- Keyed digest of the request, under a key of this instance: recognises a repeated request
  -- without revealing it.
  request bytea not null check (length(request) = 32),
  specimen_id text not null,
  document_type text not null,
  -- What the person typed, encrypted under a key of this verification alone, which the purge
  -- destroys.
  fields_encrypted bytea,
  -- Name of the file that holds the picture, encrypted under the same key.
  image text unique,
  image_width integer not null,
  image_height integer not null,
  -- Hash of the picture as stored.
  image_sha256 text not null check (image_sha256 ~ '^[0-9a-f]{64}$'),
  image_bytes integer not null check (image_bytes > 0),
  -- World time, except for the real times that limits and purges use.
  sent_at_ms bigint not null,
  sent_real_ms bigint not null,
  closing_at_ms bigint not null,
  due_at_ms bigint not null,
  outcome text check (outcome in ('verified', 'refused')),
  reason text,
  over_at_ms bigint,
  over_real_ms bigint,
  purged_real_ms bigint,
  check ((outcome is null) = (over_at_ms is null)),
  check ((outcome is null) = (over_real_ms is null)),
  check ((outcome is not distinct from 'refused') = (reason is not null)),
  check ((purged_real_ms is null) = (fields_encrypted is not null)),
  check ((purged_real_ms is null) = (image is not null)),
  check (purged_real_ms is null or outcome is not null)
);
create index identity_verification_by_user on identity_verification (user_id, seq desc);
create unique index identity_one_under_review on identity_verification (user_id)
  where outcome is null;
create index identity_verification_due on identity_verification (due_at_ms) where outcome is null;
create index identity_verification_to_purge on identity_verification (over_real_ms)
  where purged_real_ms is null and outcome is not null;

grant select, insert, delete on identity_specimen, identity_specimen_quota, identity_verification
  to :app_role;
grant update (kind_disclosed) on identity_specimen to :app_role;
grant update (used) on identity_specimen_quota to :app_role;
grant update (fields_encrypted, image, outcome, reason, over_at_ms, over_real_ms, purged_real_ms)
  on identity_verification to :app_role;
