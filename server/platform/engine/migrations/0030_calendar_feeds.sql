-- A calendar that a user's calendar program fetches by a secret address (decision 0062). Of the address only SHA-256 is kept.
create table calendar_feeds (
  id int generated always as identity primary key,
  organisation_id int not null references organisations (id) on delete cascade,
  user_id int not null references users (id) on delete cascade,
  -- contract/project/calendar.ts; `filter`: what the saved filter finds
  source text not null check (source in ('followed', 'starred', 'pursued', 'filter')),
  filter_id text,
  token_hash text not null unique,
  created_at timestamptz not null,
  -- to the hour
  fetched_at timestamptz,
  foreign key (user_id, filter_id) references saved_filters (user_id, id) on delete cascade,
  check ((source = 'filter') = (filter_id is not null))
);
create index calendar_feeds_by_user on calendar_feeds (user_id, filter_id);
create index calendar_feeds_by_organisation on calendar_feeds (organisation_id);

alter table calendar_feeds enable row level security;
create policy tenant on calendar_feeds to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int and user_id = current_setting('app.user')::int)
  with check (organisation_id = current_setting('app.organisation')::int and user_id = current_setting('app.user')::int);
grant select (id, organisation_id, user_id, source, filter_id, created_at, fetched_at), insert, delete on calendar_feeds to tamngan_tenant;
