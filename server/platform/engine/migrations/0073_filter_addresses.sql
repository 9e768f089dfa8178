-- The secret address of a saved filter may hold its projects, as Atom or CSV, instead of its days (decision 0111).
alter table calendar_feeds
  add column format text not null default 'ics' check (format in ('ics', 'atom', 'csv')),
  add constraint calendar_feeds_projects_of_filter check (format = 'ics' or source = 'filter');
grant select (format) on calendar_feeds to tamngan_tenant;
