-- Specimen vouchers drawn by the workshop, and recharges made with them (docs/rules/wallet.md,
-- "Recharge").

-- The key that signs vouchers: created on first use, read only by the server, never in an answer.
create table voucher_key (
  singleton boolean primary key default true check (singleton),
  secret bytea not null check (length(secret) = 32)
);

create table voucher (
  id text primary key check (id ~ '^[0-9a-f]{24}$'),
  seq bigint generated always as identity unique,
  user_id text not null,
  kind text not null check (kind in ('good', 'wrong_network', 'already_used', 'altered',
    'expired')),
  -- As signed. An altered voucher shows `shown_amount` instead.
  coin text not null,
  network text not null,
  amount bigint not null check (amount > 0),
  shown_amount bigint not null check (shown_amount > 0),
  expires_at_ms bigint not null,
  -- World time of its credit, or of the mark it was drawn with.
  used_at_ms bigint,
  drawn_at_ms bigint not null,
  drawn_real_ms bigint not null,
  check ((kind = 'altered') = (shown_amount <> amount))
);
create index voucher_by_user on voucher (user_id, seq desc);

create table recharge (
  -- The journal id of its idempotency key; nothing is posted under it.
  id uuid primary key,
  seq bigint generated always as identity unique,
  user_id text not null,
  attempt_id text not null,
  body_hash bytea not null check (length(body_hash) = 32),
  -- As the person typed it.
  coin text not null,
  network text not null,
  amount bigint not null check (amount > 0),
  -- As read from the picture.
  voucher_id text not null references voucher (id),
  read_coin text not null,
  read_network text not null,
  read_amount bigint not null,
  read_expires_at_ms bigint not null,
  mac_valid boolean not null,
  image text not null unique,
  image_width integer not null,
  image_height integer not null,
  -- World time, except for the real day that the limits use.
  accepted_at_ms bigint not null,
  accepted_real_ms bigint not null,
  closing_at_ms bigint not null,
  due_at_ms bigint not null,
  outcome text check (outcome in ('credited', 'refused', 'cancelled')),
  reason text,
  worth bigint,
  journal_id uuid unique,
  over_at_ms bigint,
  check ((outcome is null) = (over_at_ms is null)),
  check ((outcome is not distinct from 'refused') = (reason is not null)),
  check ((outcome is not distinct from 'credited') = (journal_id is not null))
);
create index recharge_by_user on recharge (user_id, attempt_id, seq desc);
create index recharge_by_day on recharge (user_id, accepted_real_ms);
create index recharge_due on recharge (due_at_ms) where outcome is null;
create index recharge_waiting on recharge (attempt_id) where outcome is null;

grant select, insert on voucher_key to :app_role;
grant select, insert on voucher, recharge to :app_role;
grant update (used_at_ms) on voucher to :app_role;
grant update (outcome, reason, worth, journal_id, over_at_ms) on recharge to :app_role;
