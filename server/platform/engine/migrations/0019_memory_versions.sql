-- Whether what a server process holds in memory of projects and matches is still what stands here (decision 0043): the transaction that wrote last,
-- noted in that transaction itself. Every reader compares; equal means unchanged, in any process.
-- One transaction, and no other of this or of any database that a backup may bring it into: its number and the moment when it began.
create function own_transaction() returns text stable language sql as
  $$ select pg_current_xact_id()::text || ' ' || extract(epoch from transaction_timestamp())::text $$;

create table project_version (
  is_only boolean primary key default true check (is_only),
  version text not null,
  -- how many transactions have written: a reader that knows all loads among them knows all writes
  writes bigint not null default 0
);
insert into project_version (version) values (own_transaction());
grant select on project_version to tamngan_tenant;

-- No row: nothing has been written since this table is here.
create table match_versions (
  organisation_id int primary key,
  version text not null
);
alter table match_versions enable row level security;
create policy tenant on match_versions to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
grant select on match_versions to tamngan_tenant;

create function note_project_write() returns trigger language plpgsql as $$
begin
  update project_version set version = own_transaction(), writes = writes + 1 where version <> own_transaction();
  return null;
end $$;
create trigger note_write after insert or update or delete or truncate on projects
  for each statement execute function note_project_write();

-- A load writes thousands of statements for a thousand organisations: each organisation is noted once a transaction.
create function note_match_write() returns trigger language plpgsql as $$
begin
  insert into match_versions (organisation_id, version)
  select distinct c.organisation_id, own_transaction() from changed c
  where not exists (
    select from match_versions v where v.organisation_id = c.organisation_id and v.version = own_transaction()
  )
  on conflict (organisation_id) do update set version = excluded.version;
  return null;
end $$;
create trigger note_insert after insert on project_matches
  referencing new table as changed for each statement execute function note_match_write();
create trigger note_update after update on project_matches
  referencing new table as changed for each statement execute function note_match_write();
create trigger note_delete after delete on project_matches
  referencing old table as changed for each statement execute function note_match_write();

-- Whose rows went is not known then: everybody's are taken for others.
create function note_match_truncate() returns trigger language plpgsql as $$
begin
  insert into match_versions (organisation_id, version) select o.id, own_transaction() from organisations o
  on conflict (organisation_id) do update set version = excluded.version;
  return null;
end $$;
create trigger note_truncate after truncate on project_matches for each statement execute function note_match_truncate();

-- Departments are added and never changed; should one be, this counts as a write that no load explains.
create function note_department_change() returns trigger language plpgsql as $$
begin
  if exists (select from was join became using (id) where was is distinct from became) then
    update project_version set version = own_transaction(), writes = writes + 2;
  end if;
  return null;
end $$;
create trigger note_change after update on departments
  referencing old table as was new table as became for each statement execute function note_department_change();
