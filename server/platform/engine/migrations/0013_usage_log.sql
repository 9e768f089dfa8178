-- What people did, for the one who leads them (/logs). Said in words when it happened: names change and words go, the log does not.
-- No foreign key to users: a person who leaves stays in the log.
create table usage_events (
  id bigint generated always as identity primary key,
  organisation_id int not null references organisations (id) on delete cascade,
  user_id int not null,
  at timestamptz not null,
  type text not null,
  description text not null,
  -- [{name, value}], in the order in which it is shown
  info jsonb not null default '[]',
  -- searchForm of the description and of the values
  text_search text not null
);
create index usage_events_by_organisation on usage_events (organisation_id, at desc, id desc);
