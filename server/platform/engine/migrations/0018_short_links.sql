-- Links that people copy (decision 0041): an address of the product and nothing of who copied it. Closed to tenants: the server asks by the whole code
-- or the whole address, so that nobody can list what others have shared.
create table short_links (
  code text primary key,
  address text not null,
  -- sha-256 of the address, which may be longer than an index takes
  address_hash bytea not null unique,
  copied_at timestamptz not null
);
