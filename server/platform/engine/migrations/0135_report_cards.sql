-- Points and suspensions of juristic persons under the contractor report card (Regulation No. 3 B.E. 2569), as an organisation noted them: no open feed has them.
create table report_cards (
  organisation_id int not null references organisations (id) on delete cascade,
  tax_id text not null check (tax_id ~ '^[0D][0-9]{12}$'),
  name text not null,
  points int,
  suspended_until date,
  noted_at timestamptz not null,
  primary key (organisation_id, tax_id)
);

alter table report_cards enable row level security;
create policy tenant on report_cards to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
grant select, insert, update (name, points, suspended_until, noted_at), delete on report_cards to tamngan_tenant;
