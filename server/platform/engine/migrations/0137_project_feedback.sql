-- Answers about projects that a user pressed in a mail, a LINE card or a push message.
create table project_feedback (
  user_id int not null references users (id) on delete cascade,
  organisation_id int not null references organisations (id) on delete cascade,
  project_id text not null,
  verdict text not null check (verdict in ('relevant', 'irrelevant', 'seen')),
  -- the answer hid the project, so another answer or none shows it again
  is_hidden_by_answer boolean not null default false,
  given_at timestamptz not null,
  primary key (user_id, project_id)
);
create index project_feedback_by_organisation on project_feedback (organisation_id, given_at);
create index project_feedback_by_project on project_feedback (project_id);

-- The results count the answers of the team. Only signed links and buttons store them, without a session.
alter table project_feedback enable row level security;
create policy tenant on project_feedback to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
grant select on project_feedback to tamngan_tenant;
