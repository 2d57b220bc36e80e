-- log_record_checkpoint() asks with each checkpoint, once a second, whether the hour has one that stays; without this index it
-- reads all of them, and each hour leaves one more.
create index log_checkpoint_hourly on log_checkpoint (at_ms) where hourly;
