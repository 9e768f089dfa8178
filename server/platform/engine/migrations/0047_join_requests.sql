-- Somebody who registers finds that the organisation has an account already and asks to be let in (decision 0081). Accepted, they are invited as anybody
-- is; the row says nothing that an invitation would not.
create table join_requests (
  id int generated always as identity primary key,
  organisation_id int not null references organisations (id) on delete cascade,
  email text not null,
  email_key text not null,
  -- as typed: nobody has checked it
  name text not null,
  requested_at timestamptz not null,
  decided_at timestamptz,
  is_accepted boolean,
  decided_by int references users (id) on delete set null,
  check ((decided_at is null) = (is_accepted is null))
);
-- One address asks one organisation once at a time.
create unique index join_requests_open on join_requests (organisation_id, email_key) where decided_at is null;
create index join_requests_by_decider on join_requests (decided_by);

alter table join_requests enable row level security;
create policy tenant on join_requests to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
grant select, update (decided_at, is_accepted, decided_by) on join_requests to tamngan_tenant;
