-- One queue for everything that is done beside a request (decision 0033). What a job is about stays in the tables of its feature; that it waits, who is
-- at it, how often it was tried and how far it is stand here.
create table jobs (
  id bigint generated always as identity primary key,
  kind text not null,
  -- what the kind works on (an organisation, a user, a file): jobs of one kind and key never run at the same time
  key text not null,
  -- a second request with it, made while the first was not begun, is the same job; taken away when the job begins
  dedupe_key text,
  payload jsonb not null,
  -- whose it is; null: the server's own
  organisation_id int references organisations (id) on delete cascade,
  user_id int references users (id) on delete cascade,
  -- `dead`: given up
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'dead', 'cancelled')),
  requested_at timestamptz not null,
  run_at timestamptz not null,
  attempts int not null default 0,
  -- of the worker that is at it: one that dies stops renewing
  leased_by text,
  lease_until timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  progress jsonb,
  -- the kind of the fault, never a text that may hold somebody's name or address
  last_error text
);
create index jobs_open on jobs (kind, run_at, id) where state in ('waiting', 'running');
create index jobs_by_key on jobs (kind, key, id);
create unique index jobs_dedupe on jobs (kind, dedupe_key) where dedupe_key is not null;
create index jobs_finished on jobs (kind, finished_at) where finished_at is not null;
create index jobs_by_organisation on jobs (organisation_id);
create index jobs_by_user on jobs (user_id);

-- The organisation sees how far its jobs are; each user asks for their own, or for the organisation, and cancels their own.
alter table jobs enable row level security;
create policy tenant_sees on jobs for select to tamngan_tenant using (organisation_id = current_setting('app.organisation')::int);
create policy tenant_asks on jobs for insert to tamngan_tenant
  with check (organisation_id = current_setting('app.organisation')::int and (user_id is null or user_id = current_setting('app.user')::int));
create policy tenant_cancels on jobs for update to tamngan_tenant
  using (user_id = current_setting('app.user')::int)
  with check (organisation_id = current_setting('app.organisation')::int and user_id = current_setting('app.user')::int);
grant select, insert on jobs to tamngan_tenant;
grant update (state, finished_at, leased_by, lease_until, dedupe_key) on jobs to tamngan_tenant;

-- What waits is carried over, with its tries; what was running begins again. Matching that is done tells when, matching that was given up is tried again.
insert into jobs (kind, key, payload, organisation_id, state, requested_at, run_at, attempts, started_at, finished_at, progress, last_error)
select 'match', organisation_id::text, scope, organisation_id,
  case state when 'done' then 'done' when 'failed' then 'dead' else 'waiting' end,
  requested_at, next_at, attempts, started_at, finished_at, jsonb_build_object('done', done, 'total', total), failure
from match_requests order by id;
drop table match_requests;

insert into jobs (kind, key, payload, organisation_id, user_id, state, requested_at, run_at, attempts, started_at, finished_at, progress, last_error)
select 'export', id, jsonb_build_object('export', id), organisation_id, user_id,
  case state when 'failed' then 'dead' when 'running' then 'waiting' else state end,
  requested_at, next_at, attempts, started_at, finished_at, jsonb_build_object('done', done), failure
from report_exports order by requested_at, id;
drop policy tenant_changes on report_exports;
revoke update on report_exports from tamngan_tenant;
alter table report_exports
  drop column state, drop column started_at, drop column finished_at, drop column done, drop column attempts, drop column next_at,
  drop column holder, drop column lease_until, drop column failure;

insert into jobs (kind, key, payload, organisation_id, user_id, requested_at, run_at, attempts, last_error)
select 'report_mail', r.user_id::text, jsonb_build_object('loads', jsonb_build_array(r.load_id)), o.id, r.user_id, r.due_at, r.due_at, r.attempts, r.failure
from report_mails r left join organisations o on o.id = r.organisation_id
where r.state in ('waiting', 'composing') order by r.due_at, r.organisation_id, r.user_id;
update report_mails set state = 'waiting' where state = 'composing';
alter table report_mails drop constraint report_mails_state_check;
alter table report_mails add constraint report_mails_state_check check (state in ('waiting', 'queued', 'empty', 'unwanted', 'failed'));
drop index report_mails_due, report_mails_settled;
alter table report_mails
  drop column due_at, drop column attempts, drop column holder, drop column lease_until, drop column failure;
create index report_mails_settled on report_mails (settled_at) where state <> 'waiting';

insert into jobs (kind, key, payload, organisation_id, user_id, state, requested_at, run_at, attempts, finished_at, last_error)
select 'mail', m.id::text, jsonb_build_object('mail', m.id), o.id, u.id,
  case m.state when 'failed' then 'dead' when 'expired' then 'done' else 'waiting' end,
  m.created_at, m.next_at, m.attempts, m.settled_at, m.failure
from mails m left join organisations o on o.id = m.organisation_id left join users u on u.id = m.user_id
where m.state not in ('sent', 'kept') order by m.id;
update mails set state = 'queued' where state = 'sending';
drop index mails_due;
alter table mails drop constraint mails_state_check;
alter table mails add constraint mails_state_check check (state in ('queued', 'sent', 'failed', 'expired', 'kept'));
alter table mails
  drop column attempts, drop column next_at, drop column holder, drop column lease_until, drop column failure;
-- Its number goes into its job.
grant select (id) on mails to tamngan_tenant;
