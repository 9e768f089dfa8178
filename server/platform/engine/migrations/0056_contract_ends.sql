-- Contracts that end soon are looked for by their last day (decision 0089).
create index contracts_by_end on contracts (ends_on);
-- Who won the work and gave it back: few of all.
create index contracts_terminated on contracts (project_id) where status = 'ยกเลิกสัญญา';

-- One row for each contract, end and step that a user was told of: never twice, and the next mail takes those that no mail had.
create table contract_end_news (
  id bigint generated always as identity primary key,
  user_id int not null references users (id) on delete cascade,
  organisation_id int not null references organisations (id) on delete cascade,
  project_id text not null,
  contract_no text not null,
  ends_on date not null,
  -- told when so many days or fewer were left: 180, 90, 30
  step smallint not null,
  found_at timestamptz not null,
  mailed_at timestamptz,
  unique (user_id, project_id, contract_no, ends_on, step)
);
create index contract_end_news_by_organisation on contract_end_news (organisation_id);
create index contract_end_news_unmailed on contract_end_news (user_id) where mailed_at is null;

alter table contract_end_news enable row level security;
create policy tenant on contract_end_news to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int and user_id = current_setting('app.user')::int)
  with check (organisation_id = current_setting('app.organisation')::int and user_id = current_setting('app.user')::int);
grant select on contract_end_news to tamngan_tenant;

-- Whoever chose among the kinds before this one was there is told of it too.
update follow_settings set bell = array_append(bell, 'contract'), mail = array_append(mail, 'contract');
