-- A user takes another mail address (decision 0126): the new one and the one before confirm it by links, of which SHA-256 is kept. Read and written by the
-- server as the owner of the tables alone.
create table email_changes (
  id int generated always as identity primary key,
  user_id int not null references users (id) on delete cascade,
  old_email text not null,
  new_email text not null,
  new_email_key text not null,
  old_token_hash text not null unique,
  new_token_hash text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  -- both had confirmed: from then on the user has the new address
  done_at timestamptz,
  -- one of the two said no, or another change took its place
  stopped_at timestamptz
);
-- A user is about to take one address at a time.
create unique index email_changes_open on email_changes (user_id) where done_at is null and stopped_at is null;
create index email_changes_by_user on email_changes (user_id);
