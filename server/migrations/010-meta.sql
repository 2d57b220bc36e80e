-- Script errors reported by clients, without personal data; purged after 30 days.
create table error_log (
  id bigint generated always as identity primary key,
  at_ms bigint not null,
  type text not null check (length(type) <= 40),
  code text not null check (length(code) <= 80),
  message text not null check (length(message) <= 2000),
  page_url text not null check (length(page_url) <= 500),
  version text not null
);
create index error_log_at on error_log (at_ms);
grant select, insert, delete on error_log to :app_role;
