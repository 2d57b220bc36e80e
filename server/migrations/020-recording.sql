-- A world that replays a recording goes on with the same bytes only: this is the SHA-256 (hex) over the names and contents
-- of its files. Null for every other market.
alter table world add column recording text
  check (recording is null or (market_kind = 'replay' and recording ~ '^[0-9a-f]{64}$'));
