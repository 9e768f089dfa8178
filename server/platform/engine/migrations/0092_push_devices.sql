-- Browsers that are told by web push (decision 0129). One ends with the session in which it was switched on: whoever logs out there is told nothing more there.
create table push_devices (
  id text primary key,
  user_id int not null references users (id) on delete cascade,
  organisation_id int not null references organisations (id) on delete cascade,
  session_id text not null references sessions (id) on delete cascade,
  -- where its push service takes messages, and the keys that they are encrypted for
  endpoint text not null,
  endpoint_hash text not null unique,
  p256dh text not null,
  auth text not null,
  -- of the secret by which its worker says that its address is another now
  secret_hash text not null unique,
  user_agent text,
  created_at timestamptz not null,
  -- when its push service took a message last
  told_at timestamptz,
  -- the message that it took last: a killed worker does not send that again
  last_batch uuid,
  -- tries that failed since
  failures int not null default 0
);
create index push_devices_by_user on push_devices (user_id);
create index push_devices_by_organisation on push_devices (organisation_id);
create index push_devices_by_session on push_devices (session_id);

alter table push_devices enable row level security;
create policy tenant on push_devices to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int and user_id = current_setting('app.user')::int)
  with check (organisation_id = current_setting('app.organisation')::int and user_id = current_setting('app.user')::int);
grant select, insert, delete, update (told_at, failures) on push_devices to tamngan_tenant;
