-- Letters with which an organisation commented on a draft, which keeps its right to appeal about the scope of work. A letter is evidence, so it is never changed:
-- a mistaken entry is marked as withdrawn.
create table draft_comments (
  organisation_id int not null references organisations (id) on delete cascade,
  id bigint not null generated always as identity,
  project_id text not null,
  user_id int references users (id) on delete set null,
  commented_on date not null,
  text text not null,
  created_at timestamptz not null,
  withdrawn_at timestamptz,
  primary key (organisation_id, id)
);
create index draft_comments_by_project on draft_comments (organisation_id, project_id);
create index draft_comments_by_user on draft_comments (user_id);

alter table draft_comments enable row level security;
create policy tenant on draft_comments to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
grant select, insert, update (withdrawn_at) on draft_comments to tamngan_tenant;
