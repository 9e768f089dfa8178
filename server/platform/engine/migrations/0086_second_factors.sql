-- Accounts that a password alone does not open (decision 0125). All of it is read and written by the server as the owner of the tables alone: nothing here
-- is anything that a request of a tenant may ask the database for.

-- When whoever holds the session last showed who they are: at login and whenever they were asked again.
alter table sessions add column proved_at timestamptz;

-- A super user asks everybody of the organisation for a second factor, from the logins after this moment on.
alter table organisations add column second_factor_required_at timestamptz;

-- The shared secret of an authenticator app.
create table totp_secrets (
  user_id int primary key references users (id) on delete cascade,
  -- encrypted (server/engine/sealed-text.ts)
  sealed text not null,
  created_at timestamptz not null,
  -- null: being set up, and asked for by nobody
  confirmed_at timestamptz,
  -- number of the half minute whose code was used last: neither it nor an earlier one works again
  last_step bigint not null default 0
);

create table passkeys (
  id int generated always as identity primary key,
  user_id int not null references users (id) on delete cascade,
  credential_id text not null unique,
  public_key text not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id);

-- Codes for who has lost the rest: kept as SHA-256 of 80 random bits, gone when used.
create table recovery_codes (
  user_id int not null references users (id) on delete cascade,
  code_hash text not null,
  created_at timestamptz not null,
  primary key (user_id, code_hash)
);

-- What a passkey signs: good once and for five minutes. Without a user: a login that begins with the passkey.
create table passkey_challenges (
  challenge text primary key,
  user_id int references users (id) on delete cascade,
  purpose text not null check (purpose in ('add', 'login', 'factor')),
  expires_at timestamptz not null
);
create index passkey_challenges_by_user on passkey_challenges (user_id);

-- Logins whose password was right and whose second factor is waited for.
create table login_steps (
  token_hash text primary key,
  user_id int not null references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index login_steps_by_user on login_steps (user_id);

-- Browsers that a user has logged in with, known by a cookie of which SHA-256 is kept.
create table known_devices (
  id int generated always as identity primary key,
  user_id int not null references users (id) on delete cascade,
  token_hash text not null,
  user_agent text,
  address text,
  created_at timestamptz not null,
  used_at timestamptz not null,
  -- until then the second factor is not asked for there
  trusted_until timestamptz,
  unique (user_id, token_hash)
);

-- "This was not me": links in mails about an account. Kept as SHA-256, good once.
create table not_me_links (
  token_hash text primary key,
  user_id int not null references users (id) on delete cascade,
  kind text not null,
  -- what was added to the account from then on is taken away again
  since timestamptz not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index not_me_links_by_user on not_me_links (user_id);
