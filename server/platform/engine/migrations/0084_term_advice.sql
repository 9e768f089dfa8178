-- Terms of AI words that bring a user nothing but what the user hides (decision 0123). One row for each term that was ever told of: never twice.
create table term_advice (
  user_id int not null references users (id) on delete cascade,
  organisation_id int not null references organisations (id) on delete cascade,
  keyword_id int not null references keywords (id) on delete cascade,
  facet smallint not null,
  -- search form of the term
  term_key text not null,
  -- of the titles of the last half year that the term alone brings: all, hidden by the user, kept out by exclusions
  shown int not null,
  hidden int not null,
  excluded int not null,
  -- hidden projects that show it, the newest first
  projects text[] not null,
  found_at timestamptz not null,
  refused_at timestamptz,
  primary key (user_id, keyword_id, facet, term_key)
);
create index term_advice_by_organisation on term_advice (organisation_id);
create index term_advice_by_keyword on term_advice (keyword_id);

-- A user's hides are the user's alone.
alter table term_advice enable row level security;
create policy tenant on term_advice to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int and user_id = current_setting('app.user')::int)
  with check (organisation_id = current_setting('app.organisation')::int and user_id = current_setting('app.user')::int);
grant select, update (refused_at) on term_advice to tamngan_tenant;

-- Whoever chose among the kinds before this one was there is told of it too.
update follow_settings set bell = array_append(bell, 'term');
