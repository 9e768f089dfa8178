-- Whether an organisation asks a language model about its documents (decision 0098): one row for each that has ever agreed.
create table document_answers (
  organisation_id int primary key references organisations (id) on delete cascade,
  -- where pages go and what reads them, as a super user agreed to; null: switched off
  host text,
  model text,
  -- Bangkok day of the last question, and how many were asked on it; no question is kept
  asked_on date,
  asked int not null default 0
);

-- The second wall (decision 0025).
alter table document_answers enable row level security;
create policy tenant on document_answers to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
grant select, insert, update (host, model, asked_on, asked) on document_answers to tamngan_tenant;
