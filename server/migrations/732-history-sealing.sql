-- Names of price files hold a word that a person chose, and what they were tested with and what came out repeat it: all of it is kept
-- sealed. The clear columns stay for rows of older versions, which the next start seals.

alter table history_file drop constraint history_file_pkey;
alter table history_file alter column name drop not null;
alter table history_file alter column venue drop not null;
alter table history_file add column name_sealed bytea;
alter table history_file add column name_mac bytea check (octet_length(name_mac) = 32);
alter table history_file add unique (user_id, set_id, name_mac);
alter table history_file add check ((name is null) = (name_sealed is not null) and (name_sealed is null) = (name_mac is null));
alter table history_file add constraint history_file_only_sealed check (name is null and venue is null) not valid;

alter table history_run alter column pool drop not null;
alter table history_run alter column setting drop not null;
-- {pool, setting}, and as they were: result and trades.
alter table history_run add column what_sealed bytea;
alter table history_run add column result_sealed bytea;
alter table history_run add column trades_sealed bytea;
alter table history_run drop constraint history_run_check;
alter table history_run add check ((setting is null) = (what_sealed is not null));
alter table history_run add check ((status = 'over') = ((result is not null or result_sealed is not null)
  and (trades is not null or trades_sealed is not null) and data_hash is not null));
alter table history_run add constraint history_run_only_sealed
  check (pool is null and setting is null and result is null and trades is null) not valid;

-- `setting` is a digest from now on: it only tells one try from another.
alter table history_try add constraint history_try_only_digest check (setting ~ '^[0-9a-f]{64}$') not valid;

update sealing_state set rewritten = false
where exists (select from history_file) or exists (select from history_run) or exists (select from history_try);
