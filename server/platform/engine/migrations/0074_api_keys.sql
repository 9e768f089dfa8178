-- A key by which an organisation's programs read the API (decision 0112). Of the key only SHA-256 is kept.
create table api_keys (
  id int generated always as identity primary key,
  organisation_id int not null references organisations (id) on delete cascade,
  made_by int not null references users (id) on delete cascade,
  name text not null,
  -- contract/account/api-key.ts
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['report', 'pursuits', 'companies']),
  key_hash text not null unique,
  -- the last four signs of the key
  ending text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  -- to the minute
  used_at timestamptz
);
create index api_keys_by_organisation on api_keys (organisation_id);
create index api_keys_by_maker on api_keys (made_by);

alter table api_keys enable row level security;
create policy tenant on api_keys to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
grant select (id, organisation_id, made_by, name, scopes, ending, created_at, expires_at, used_at), insert, delete on api_keys to tamngan_tenant;
