-- What a user follows: an agency, a company, the relatives of a project; and what of it was told.
create table follows (
  user_id int not null references users (id) on delete cascade,
  organisation_id int not null references organisations (id) on delete cascade,
  kind text not null check (kind in ('department', 'company', 'project')),
  -- name of the agency, `companies.key`, id of the project
  key text not null,
  -- as it was called when it was followed
  name text not null,
  created_at timestamptz not null,
  primary key (user_id, kind, key)
);
create index follows_by_organisation on follows (organisation_id);
create index follows_by_key on follows (kind, key);

-- One row for each thing that was told: it is never told twice, and the next mail takes those that no mail had.
create table follow_news (
  id bigint generated always as identity primary key,
  user_id int not null,
  organisation_id int not null references organisations (id) on delete cascade,
  kind text not null,
  key text not null,
  project_id text not null,
  found_at timestamptz not null,
  mailed_at timestamptz,
  foreign key (user_id, kind, key) references follows (user_id, kind, key) on delete cascade,
  unique (user_id, kind, key, project_id)
);
create index follow_news_by_organisation on follow_news (organisation_id);
create index follow_news_unmailed on follow_news (user_id) where mailed_at is null;

-- Which kinds reach the bell and the mail; without a row all of them do.
create table follow_settings (
  user_id int primary key references users (id) on delete cascade,
  organisation_id int not null references organisations (id) on delete cascade,
  bell text[] not null,
  mail text[] not null
);
create index follow_settings_by_organisation on follow_settings (organisation_id);

do $$
declare name text;
begin
  foreach name in array array['follows', 'follow_news', 'follow_settings'] loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy tenant on %I to tamngan_tenant
      using (organisation_id = current_setting(''app.organisation'')::int and user_id = current_setting(''app.user'')::int)
      with check (organisation_id = current_setting(''app.organisation'')::int and user_id = current_setting(''app.user'')::int)', name);
  end loop;
end $$;
grant select, insert, delete on follows to tamngan_tenant;
grant select on follow_news to tamngan_tenant;
grant select, insert, update (bell, mail) on follow_settings to tamngan_tenant;
