-- What people typed, and the address they sign in with, are kept sealed under a key of their own (docs/rules/personal-data.md). The
-- clear columns stay for rows of older versions only: the next start seals them, empties them and rewrites the tables, before
-- anything reads. `not valid` checks bind what is written from now on.

-- The digest that says which key file looks addresses up. `rewritten`: false while rows of an older version wait.
create table sealing_state (
  only_one boolean primary key default true check (only_one),
  fingerprint bytea check (octet_length(fingerprint) = 32),
  rewritten boolean not null
);
insert into sealing_state (rewritten)
  select not exists (select from user_address) and not exists (select from user_authorisation)
    and not exists (select from address_book) and not exists (select from withdrawal) and not exists (select from console_act);
grant select on sealing_state to :app_role;

alter table user_address drop constraint user_address_pkey;
alter table user_address drop constraint user_address_user_id_key;
alter table user_address add primary key (user_id);
alter table user_address alter column address drop not null;
-- HMAC-SHA-256 of the address under the instance's key file.
alter table user_address add column address_mac bytea unique check (octet_length(address_mac) = 32);
alter table user_address add column address_sealed bytea;
alter table user_address add check ((address is null) = (address_sealed is not null) and (address_sealed is null) = (address_mac is null));

-- Nonces live five minutes: those that wait are asked for again.
truncate session_nonce;
alter table session_nonce drop column address;
alter table session_nonce add column address_mac bytea not null check (octet_length(address_mac) = 32);
create index session_nonce_by_mac on session_nonce (address_mac, issued_at_ms);

alter table user_authorisation alter column text drop not null;
alter table user_authorisation add column text_sealed bytea;
alter table user_authorisation add check ((text is null) = (text_sealed is not null));

alter table address_book alter column name drop not null;
alter table address_book alter column address drop not null;
alter table address_book add column name_sealed bytea;
alter table address_book add column address_sealed bytea;
alter table address_book add check ((name is null) = (name_sealed is not null) and (address is null) = (address_sealed is not null));
grant update (name_sealed) on address_book to :app_role;
revoke update (name) on address_book from :app_role;

alter table withdrawal alter column address drop not null;
alter table withdrawal add column address_sealed bytea;
alter table withdrawal add check ((address is null) = (address_sealed is not null));
grant insert (address_sealed) on withdrawal to :app_role;
-- What an operator wrote as the reason for paying sooner; `act` holds it no longer.
alter table withdrawal add column act_reason_sealed bytea;
grant update (act_reason_sealed) on withdrawal to :app_role;

alter table console_act alter column why drop not null;
alter table console_act add column why_sealed bytea;
alter table console_act add check ((why is null) = (why_sealed is not null));

alter table user_address add constraint user_address_only_sealed check (address is null) not valid;
alter table user_authorisation add constraint user_authorisation_only_sealed check (text is null) not valid;
alter table address_book add constraint address_book_only_sealed check (name is null and address is null) not valid;
alter table withdrawal add constraint withdrawal_only_sealed check (address is null and not act ? 'reason') not valid;
alter table console_act add constraint console_act_only_sealed check (why is null) not valid;
