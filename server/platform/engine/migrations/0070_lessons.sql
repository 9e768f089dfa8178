-- Teaching an AI word by examples (decision 0107): what a person said of titles, one answer for each word and project.
create table lesson_answers (
  organisation_id int not null references organisations (id) on delete cascade,
  keyword_id int not null references keywords (id) on delete cascade,
  project_id text not null,
  is_wanted boolean not null,
  answered_by int references users (id) on delete set null,
  answered_at timestamptz not null,
  primary key (keyword_id, project_id)
);
create index lesson_answers_by_organisation on lesson_answers (organisation_id);
create index lesson_answers_by_user on lesson_answers (answered_by);

-- The second wall (decision 0025): the word must be the tenant's, too.
alter table lesson_answers enable row level security;
create policy tenant on lesson_answers to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int and keyword_id in (select k.id from keywords k))
  with check (organisation_id = current_setting('app.organisation')::int and keyword_id in (select k.id from keywords k));
grant select, insert, update (is_wanted, answered_by, answered_at), delete on lesson_answers to tamngan_tenant;

-- The state of the term follows from answers and not from a tick. Null is false: words deleted before can still be put back.
alter table keyword_terms add column taught boolean;
-- A deletion that is taken back brings the answers, too.
alter table deleted_keywords add column answers jsonb;
