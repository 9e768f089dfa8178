-- What imports repaired, left out or doubt of a project (contract/project/doubt.ts), each with its source and load, and when the source stated what is
-- stored. A project without either has no row, so an ordinary load writes nothing here.
create table project_doubts (
  project_id text primary key references projects (project_id) on delete cascade,
  doubts jsonb not null default '[]',
  stated_at timestamptz
);
grant select on project_doubts to tamngan_tenant;

-- How many doubts of each kind a load brought.
alter table loads add column doubts jsonb not null default '{}';
