-- A saved filter that its owner shares with the organisation is a view of the team (decision 0093).
alter table saved_filters add column shared_with int references organisations (id) on delete cascade;
create index saved_filters_shared on saved_filters (shared_with) where shared_with is not null;
-- Beside one's own: colleagues read what is shared with them, and change nothing of it.
create policy tenant_sees_shared on saved_filters for select to tamngan_tenant
  using (shared_with = current_setting('app.organisation')::int);

-- The view of a colleague with which a user begins, instead of one of their own. It stays when the view goes, so that the user can be told.
create table team_view_starts (
  user_id int primary key references users (id) on delete cascade,
  organisation_id int not null references organisations (id) on delete cascade,
  owner_id int not null references users (id) on delete cascade,
  filter_id text not null,
  -- as it was called when it was chosen
  name text not null
);
create index team_view_starts_by_organisation on team_view_starts (organisation_id);
create index team_view_starts_by_owner on team_view_starts (owner_id, filter_id);

alter table team_view_starts enable row level security;
create policy tenant on team_view_starts to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int and user_id = current_setting('app.user')::int)
  with check (organisation_id = current_setting('app.organisation')::int and user_id = current_setting('app.user')::int);
grant select, insert, update (owner_id, filter_id, name), delete on team_view_starts to tamngan_tenant;
