-- What documents that e-GP handed out surely state of a project, of kinds whose switch is on (decision 0077): the place of a value that filled an empty field, and the word that
-- differs from e-GP's own. Public, as these documents are; nothing of what people added. Written by the job that fills, in the transaction of its load.
create table document_values (
  project_id text not null references projects (project_id) on delete cascade,
  -- as the report's row names it: budget, estimate_budget, submission_end_date
  fact text not null,
  -- as read: value, sentence, page
  told jsonb not null,
  hash text not null,
  -- of the document
  name text not null,
  primary key (project_id, fact)
);
grant select on document_values to tamngan_tenant;
create index fetched_facts_by_project on fetched_facts (project_id);
