-- What an organisation's programs are told (decision 0127). A delivery is written in the transaction that makes its event true; a job sends it.
create table webhooks (
  id int generated always as identity primary key,
  organisation_id int not null references organisations (id) on delete cascade,
  -- whoever made it may leave; it goes on
  made_by int references users (id) on delete set null,
  name text not null,
  url text not null,
  -- contract/account/webhook.ts
  events text[] not null check (cardinality(events) > 0 and events <@ array['match.new', 'project.changed', 'project.winner', 'pursuit.stage']),
  -- the saved filter that a member shares with the team; null: all projects of the report
  view_owner int,
  view_id text,
  -- sealed with the signing secret; the one before signs as well until its time is over
  secret text not null,
  old_secret text,
  old_secret_until timestamptz,
  created_at timestamptz not null,
  -- switched off by a person: nothing is written
  is_on boolean not null default true,
  -- paused by itself: what happens is kept and can be sent later. 'gone': the target answered 410; 'failing': nothing but failures for three days
  paused_at timestamptz,
  pause_reason text check (pause_reason in ('gone', 'failing')),
  -- the first failure since the last success, and how many in a row
  failing_since timestamptz,
  failures int not null default 0,
  -- nothing is sent before it: the target is slow, away, or asked for a rest
  rests_until timestamptz,
  check ((view_owner is null) = (view_id is null)),
  check ((old_secret is null) = (old_secret_until is null)),
  check ((paused_at is null) = (pause_reason is null))
);
create index webhooks_by_organisation on webhooks (organisation_id);
create index webhooks_by_maker on webhooks (made_by);

create table webhook_deliveries (
  -- `webhook-id`: the same however often it is sent
  id text primary key default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
  organisation_id int not null references organisations (id) on delete cascade,
  webhook_id int not null references webhooks (id) on delete cascade,
  type text not null,
  project_id text,
  -- when it happened, and what is told of it beside the project's address
  at timestamptz not null,
  data jsonb not null,
  state text not null check (state in ('waiting', 'delivered', 'dead')),
  -- of a dead one. 'paused': it happened while the webhook was paused, or the pause came before its turn; 'view': the shared filter is gone
  reason text check (reason in ('expired', 'gone', 'off', 'paused', 'test', 'view', 'error')),
  -- no try after it; begins anew when it is sent again
  tries_until timestamptz not null,
  attempts int not null default 0,
  settled_at timestamptz,
  check ((reason is not null) = (state = 'dead'))
);
create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, at desc, id);
create index webhook_deliveries_by_state on webhook_deliveries (webhook_id, state, at desc, id);
create index webhook_deliveries_by_organisation on webhook_deliveries (organisation_id);
create index webhook_deliveries_by_age on webhook_deliveries (at);
-- What waits, and what became of the rest lately, is counted over all organisations.
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id) where state = 'waiting';
create index webhook_deliveries_settled on webhook_deliveries (settled_at) where settled_at is not null;

create table webhook_attempts (
  id bigint generated always as identity primary key,
  organisation_id int not null references organisations (id) on delete cascade,
  delivery_id text not null references webhook_deliveries (id) on delete cascade,
  at timestamptz not null,
  -- null where nobody answered; then `fault` says why: a rule of ours in words, 'timeout', or a code of the line
  status smallint,
  fault text,
  ms int not null,
  -- the first bytes of what came back
  answer text not null default '',
  check ((status is null) = (fault is not null))
);
create index webhook_attempts_by_delivery on webhook_attempts (delivery_id, id);
create index webhook_attempts_by_organisation on webhook_attempts (organisation_id);
create index webhook_attempts_by_time on webhook_attempts (at);

alter table webhooks enable row level security;
create policy tenant on webhooks to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
alter table webhook_deliveries enable row level security;
create policy tenant on webhook_deliveries to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
alter table webhook_attempts enable row level security;
create policy tenant on webhook_attempts to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
-- The secrets are read by jobs alone. A request writes deliveries, because a stage is moved by one.
grant select (id, organisation_id, made_by, name, url, events, view_owner, view_id, old_secret_until, created_at, is_on, paused_at, pause_reason, failing_since, failures, rests_until)
  on webhooks to tamngan_tenant;
grant select, insert on webhook_deliveries to tamngan_tenant;
grant select on webhook_attempts to tamngan_tenant;
