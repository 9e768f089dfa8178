-- What an organisation brings to a tender (contract/account/qualification.ts, decision 0076): one row for each that has said something. Read and written as a whole.
create table qualifications (
  organisation_id int primary key references organisations (id) on delete cascade,
  profile jsonb not null
);

-- The second wall (decision 0025).
alter table qualifications enable row level security;
create policy tenant on qualifications to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
grant select, insert, update (profile) on qualifications to tamngan_tenant;
