-- Which source a fact of a project is from, where it is not the source that brought the project (decision 0049): budget → [source, load]. A project of one
-- source has no row, so a load of new projects writes nothing here.
create table field_sources (
  project_id text primary key references projects (project_id) on delete cascade,
  fields jsonb not null
);
grant select on field_sources to tamngan_tenant;
