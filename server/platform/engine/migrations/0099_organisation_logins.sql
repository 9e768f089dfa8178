-- Login with the account of an organisation (decision 0138). As with the second factor, all of it is read and written by the server as the owner of the tables
-- alone: nothing here is anything that a request of a tenant may ask the database for.

-- Domains that an organisation proves by a record in the DNS, and whose mail addresses then log in at a provider.
create table login_domains (
  id int generated always as identity primary key,
  organisation_id int not null references organisations (id) on delete cascade,
  domain text not null check (domain = lower(domain) and length(domain) between 3 and 253),
  provider text not null check (provider in ('google', 'microsoft')),
  -- what the record says: no secret, but another for each organisation
  token text not null,
  -- who signs: for Microsoft 365 the one tenant that has this domain, as it was when the domain was proven
  issuer text,
  rule text not null default 'may' check (rule in ('may', 'must')),
  asks_own_factor boolean not null default false,
  created_by int references users (id) on delete set null,
  created_at timestamptz not null,
  checked_at timestamptz,
  verified_at timestamptz,
  check (verified_at is null or issuer is not null),
  unique (organisation_id, domain)
);
create index login_domains_by_creator on login_domains (created_by);
-- A domain is one organisation's; before the proof anybody may say that it is theirs.
create unique index login_domains_proven on login_domains (domain) where verified_at is not null;

-- The account at the provider to which one of ours is bound since its first login there.
create table login_identities (
  user_id int not null references users (id) on delete cascade,
  issuer text not null,
  subject text not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  primary key (user_id, issuer),
  unique (issuer, subject)
);

-- Logins that are under way: gone when they are used, and after ten minutes. `state` is kept hashed, and so is the browser's cookie; what proves the request to the
-- provider (PKCE, nonce) is worked out from that cookie and stands nowhere.
create table organisation_logins (
  state_hash text primary key,
  browser_hash text not null,
  domain_id int not null references login_domains (id) on delete cascade,
  expires_at timestamptz not null
);
create index organisation_logins_by_domain on organisation_logins (domain_id);

-- Somebody whom the provider vouched for and who has an invitation: the account is made when the terms are accepted.
create table organisation_joins (
  token_hash text primary key,
  browser_hash text not null,
  invitation_id int not null references invitations (id) on delete cascade,
  domain_id int not null references login_domains (id) on delete cascade,
  issuer text not null,
  subject text not null,
  expires_at timestamptz not null
);
create index organisation_joins_by_invitation on organisation_joins (invitation_id);
create index organisation_joins_by_domain on organisation_joins (domain_id);

-- Opened by a provider whose own second factor the organisation trusts: ours is not asked for in it.
alter table sessions add column is_factor_trusted boolean not null default false;
