-- A colleague is asked into the organisation by mail. Of the link's token only SHA-256 is kept.
create table invitations (
  id int generated always as identity primary key,
  organisation_id int not null references organisations (id) on delete cascade,
  email text not null,
  email_key text not null,
  role text not null check (role in ('member_user', 'super_user')),
  token_hash text not null unique,
  invited_by int references users (id) on delete set null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz
);
-- Nobody has two links into one organisation at the same time.
create unique index invitations_open on invitations (organisation_id, email_key) where accepted_at is null and revoked_at is null;
create index invitations_by_inviter on invitations (invited_by);

alter table invitations enable row level security;
create policy tenant on invitations to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
grant select, insert, update (token_hash, sent_at, expires_at, role, invited_by, revoked_at) on invitations to tamngan_tenant;
