-- A secret address may lead to a view of the team: a colleague's saved filter, while it is shared (decision 0122).
alter table calendar_feeds
  add column view_owner int,
  add column view_id text,
  add constraint calendar_feeds_view foreign key (view_owner, view_id) references saved_filters (user_id, id) on delete cascade,
  drop constraint calendar_feeds_source_check,
  add constraint calendar_feeds_source_check check (source in ('followed', 'starred', 'pursued', 'filter', 'view')),
  add constraint calendar_feeds_view_named check ((source = 'view') = (view_owner is not null) and (source = 'view') = (view_id is not null)),
  drop constraint calendar_feeds_projects_of_filter,
  add constraint calendar_feeds_projects_of_filter check (format = 'ics' or source in ('filter', 'view'));
create index calendar_feeds_by_view on calendar_feeds (view_owner, view_id) where view_owner is not null;
grant select (view_owner, view_id) on calendar_feeds to tamngan_tenant;
