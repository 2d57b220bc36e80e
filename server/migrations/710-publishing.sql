-- What operators publish: drafts, their schedules, and every version that people saw. Specified in
-- docs/rules/publishing.md. Nothing here is about a person except news_read. Times are real time.

create table publication (
  seq bigint generated always as identity primary key,
  id uuid not null unique,
  kind text not null check (length(kind) between 1 and 40),
  -- The subject of a publication of which there may be only one: a symbol, a pool, a machine. Null
  -- for texts.
  subject text check (length(subject) between 1 and 100),
  -- Incremented by every change; a change names the revision it was based on.
  revision integer not null default 1 check (revision > 0),
  -- JSON as on the wire; null if there is no draft.
  draft text,
  publish_at_ms bigint,
  -- Why it was not published when its time came: JSON. Null once the draft is changed.
  refused text,
  -- The version that people see, or saw last; 0 before the first.
  version integer not null default 0 check (version >= 0),
  withdrawn boolean not null default false,
  first_published_at_ms bigint,
  created_at_ms bigint not null,
  changed_at_ms bigint not null,
  -- An operator's opaque id, or "software".
  changed_by text not null,
  scheduled_by text,
  check (draft is not null or version > 0),
  check ((publish_at_ms is null) = (scheduled_by is null)),
  check (not withdrawn or version > 0),
  check ((version > 0) = (first_published_at_ms is not null))
);
create unique index publication_subject on publication (kind, subject) where subject is not null;
create index publication_kind on publication (kind, seq);
create index publication_due on publication (publish_at_ms) where publish_at_ms is not null;

-- Versions stay as they were published.
create table publication_version (
  publication_id uuid not null references publication (id),
  version integer not null check (version > 0),
  body text not null,
  published_at_ms bigint not null,
  published_by text not null,
  -- Its `audit` leaf in the log.
  leaf bigint not null unique references log_leaf,
  primary key (publication_id, version)
);

-- Which news a person has opened.
create table news_read (
  user_id text not null,
  publication_id uuid not null,
  primary key (user_id, publication_id)
);

grant select on publication, publication_version, news_read to :app_role;
grant insert, update, delete on publication to :app_role;
grant insert on publication_version to :app_role;
grant insert, delete on news_read to :app_role;
