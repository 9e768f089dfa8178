-- Ids of natural persons are stored as keyed hashes (contract/company/natural-person.ts). The key is sealed with AUTH_SECRET, so that a copy of the
-- database cannot be searched for an id.
create table person_ids (
  is_only boolean primary key default true check (is_only),
  sealed_key text not null,
  -- Texts of loads up to this one, and of announcements up to this moment, hold no id; null: not looked through yet.
  swept_load bigint,
  swept_at timestamptz
);
