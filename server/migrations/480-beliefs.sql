-- How sure a person was before an order or a subscription, and why (docs/rules/beliefs.md).

create table belief (
  user_id text not null,
  -- Of the contract order or the subscription.
  order_id uuid not null,
  attempt_id text not null,
  kind text not null check (kind in ('order', 'subscription')),
  -- Confidence and reason, under the person's key.
  content_encrypted bytea not null,
  -- World time of the order.
  stated_at_ms bigint not null,
  primary key (user_id, order_id)
);
create index belief_by_attempt on belief (user_id, attempt_id, stated_at_ms desc);
grant select, insert, delete on belief to :app_role;
