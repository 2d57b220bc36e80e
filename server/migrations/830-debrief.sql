-- The debrief of a class (docs/rules/operator.md, "Debrief"). Real time throughout.

-- Who lets their class count how sure they were, in which class.
create table belief_consent (
  user_id text primary key references user_account,
  class_id uuid not null references class_link,
  agreed_at_ms bigint not null
);
create index belief_consent_by_class on belief_consent (class_id);
grant select, insert, delete on belief_consent to :app_role;

-- Figures as they were counted: never over fewer than five people.
create table class_figure (
  figure_id uuid primary key,
  class_id uuid not null references class_link,
  name text not null,
  -- How many were in the class.
  people integer not null check (people >= 5),
  counted_at_ms bigint not null,
  content text not null
);
create index class_figure_by_class on class_figure (class_id, name, counted_at_ms desc);
grant select, insert, delete on class_figure to :app_role;

-- What each person brought to a figure, under their key: compared before it is counted again.
create table class_figure_part (
  figure_id uuid not null references class_figure on delete cascade,
  user_id text not null references user_account,
  content_encrypted bytea not null,
  primary key (figure_id, user_id)
);
create index class_figure_part_by_user on class_figure_part (user_id);
grant select, insert, delete on class_figure_part to :app_role;
