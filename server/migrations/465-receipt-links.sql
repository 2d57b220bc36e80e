-- Links by which anyone can open one receipt (docs/rules/records.md). Real time.

create table receipt_link (
  link_id uuid primary key,
  user_id text not null,
  -- SHA-256 of the link's secret, which only whoever has the link knows.
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  kind text not null check (kind in ('contract', 'hosting', 'lease')),
  order_id uuid not null,
  created_at_ms bigint not null,
  expires_at_ms bigint not null,
  check (expires_at_ms > created_at_ms)
);
create index receipt_link_by_person on receipt_link (user_id, created_at_ms desc);
create index receipt_link_by_end on receipt_link (expires_at_ms);
grant select, insert, delete on receipt_link to :app_role;
