-- What registration makes unique (R18), and what it keeps of where an organisation came from.
alter table organisations add column name_key text;
-- As `organisationKeyOf` makes it of the names that exist so far; of two equal ones only the first gets it.
update organisations o set name_key = k.key
from (
  select distinct on (key) id, key
  from (select id, lower(regexp_replace(normalize(name, NFC), '\s', '', 'g')) as key from organisations) named
  order by key, id
) k
where k.id = o.id;
create unique index organisations_by_name on organisations (name_key);
alter table organisations add column business_types int[] not null default '{}';
alter table organisations add column discover_channel text;

alter table users add column phone text;
-- digits only, as `phoneSchema` leaves them
create unique index users_by_phone on users (phone);
alter table users add column terms_version text;
alter table users add column terms_accepted_at timestamptz;

-- One row a registration that was begun (R15). Known by the hash of its form code; the password is here only as its hash, and all that is
-- personal goes when the account is made or the row has run out.
create table registrations (
  code_hash text primary key,
  email text,
  email_key text,
  password_hash text,
  organization_name text,
  first_name text,
  last_name text,
  phone text,
  business_types int[] not null default '{}',
  discover_channel text,
  -- where somebody came from, as the browser told it: text, never shown
  query_string text,
  client_info text,
  terms_version text not null,
  terms_accepted_at timestamptz not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- the newest code: its keyed hash, when it dies, how often it was compared
  otp_hash text,
  otp_expires_at timestamptz,
  otp_attempts int not null default 0,
  completed_at timestamptz,
  user_id int references users (id) on delete set null,
  -- hashed key of the request that made the account, so that its repetition gets an answer and not a second account (R46)
  idempotency_hash text
);
create index registrations_by_expiry on registrations (expires_at);

-- Links that set a new password (R21): kept as SHA-256, one use, the newest only.
create table password_resets (
  token_hash text primary key,
  user_id int not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  replaced_at timestamptz
);
create index password_resets_by_user on password_resets (user_id);

-- How often something was done for one subject within a window (R19, R20): mails to one address, codes of one form. The subject is hashed.
create table use_counts (
  action text not null,
  subject text not null,
  window_started_at timestamptz not null,
  last_used_at timestamptz not null,
  uses int not null,
  primary key (action, subject)
);

-- Mails to be sent and their fate. `sealed` is the mail itself, encrypted; it goes when the mail has been sent or given up (R14).
create table mails (
  id bigint generated always as identity primary key,
  kind text not null,
  -- the same mail asked for twice is one mail (R52)
  dedupe_key text unique,
  message_id text not null unique,
  sealed text,
  state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'failed', 'expired', 'kept')),
  attempts int not null default 0,
  created_at timestamptz not null,
  next_at timestamptz not null,
  not_after timestamptz,
  -- of the worker that is sending it: one that dies stops renewing
  holder text,
  lease_until timestamptz,
  settled_at timestamptz,
  -- answer code of the mail server or kind of fault; never its text, which repeats addresses
  failure text,
  organisation_id int,
  user_id int
);
create index mails_due on mails (next_at) where state in ('queued', 'sending');

-- Where somebody is logged in, shown to them (settings, sessions).
alter table sessions add column user_agent text;
alter table sessions add column address text;
