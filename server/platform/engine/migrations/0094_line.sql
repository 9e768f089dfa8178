-- LINE (decision 0132). Ids that LINE gives to people and groups stand here twice and never in clear: as a keyed hash, to be found by, and sealed, to be
-- written to. Neither is shown to requests.
create table line_links (
  user_id int primary key references users (id) on delete cascade,
  organisation_id int not null references organisations (id) on delete cascade,
  line_hash text not null unique,
  line_sealed text not null,
  -- the name that LINE shows, sealed: by it the user sees which LINE it is
  name_sealed text,
  connected_at timestamptz not null
);
create index line_links_by_organisation on line_links (organisation_id);

-- A connection under way, one a user: a code that is typed into the chat, then a nonce that LINE brings back (account link). Each works once.
create table line_connects (
  user_id int primary key references users (id) on delete cascade,
  organisation_id int not null references organisations (id) on delete cascade,
  -- null: it was used
  code_hash text unique,
  -- of the event that used it: the same event may go on after a worker died
  event_id text,
  line_hash text,
  nonce_hash text unique,
  expires_at timestamptz not null
);

-- Groups in which pasted project numbers are answered: of one organisation each.
create table line_groups (
  id int generated always as identity primary key,
  organisation_id int not null references organisations (id) on delete cascade,
  group_hash text not null unique,
  connected_by int references users (id) on delete set null,
  connected_at timestamptz not null
);
create index line_groups_by_organisation on line_groups (organisation_id);
create index line_groups_by_maker on line_groups (connected_by);

-- The code by which a super user connects a group, one an organisation.
create table line_group_codes (
  organisation_id int primary key references organisations (id) on delete cascade,
  made_by int not null references users (id) on delete cascade,
  code_hash text not null unique,
  expires_at timestamptz not null
);
create index line_group_codes_by_maker on line_group_codes (made_by);

-- What LINE sent, by its own number of the event, so that the same event is done once however often it comes. Its text is sealed and goes when it is done.
create table line_events (
  id text primary key,
  received_at timestamptz not null,
  sealed text,
  done_at timestamptz
);
create index line_events_by_age on line_events (received_at);
create index line_events_waiting on line_events (id) where done_at is null;

-- Buttons that were pressed: each works once. The event that used it may go on after a worker died.
create table line_presses (
  token_hash text primary key,
  event_id text not null,
  expires_at timestamptz not null
);
create index line_presses_by_expiry on line_presses (expires_at);

-- What LINE says of the account itself, asked for now and then. One row.
create table line_channel (
  id int primary key check (id = 1),
  -- `@` and letters, by which people find the account
  basic_id text,
  name text,
  -- messages a month; null: no limit
  quota int,
  used int,
  -- when LINE refused a message for the quota; a later answer that leaves room takes it back
  quota_out_at timestamptz,
  asked_at timestamptz,
  -- why the last question was not answered; null: it was
  failure text
);

do $$
declare name text;
begin
  foreach name in array array['line_links', 'line_connects'] loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy tenant on %I to tamngan_tenant
      using (organisation_id = current_setting(''app.organisation'')::int and user_id = current_setting(''app.user'')::int)
      with check (organisation_id = current_setting(''app.organisation'')::int and user_id = current_setting(''app.user'')::int)', name);
  end loop;
  foreach name in array array['line_groups', 'line_group_codes'] loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy tenant on %I to tamngan_tenant
      using (organisation_id = current_setting(''app.organisation'')::int) with check (organisation_id = current_setting(''app.organisation'')::int)', name);
  end loop;
end $$;
grant select (user_id, organisation_id, name_sealed, connected_at), delete on line_links to tamngan_tenant;
grant select (user_id, organisation_id, expires_at), insert, delete on line_connects to tamngan_tenant;
grant select (id, organisation_id, connected_by, connected_at), delete on line_groups to tamngan_tenant;
grant select (organisation_id, made_by, expires_at), insert, delete on line_group_codes to tamngan_tenant;
grant select on line_channel to tamngan_tenant;
