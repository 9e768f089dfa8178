-- Documents of tenders that people dropped in (decision 0055). A row belongs to the organisation of who did so; the file lies in the document store under its hash, where
-- rows of several organisations may stand for the same one.
create table documents (
  id text primary key,
  organisation_id int not null references organisations (id) on delete cascade,
  project_id text not null,
  -- who added it; null: nobody knows any more
  user_id int references users (id) on delete set null,
  -- SHA-256 of the file
  hash text not null,
  -- told by its first bytes
  type text not null check (type in ('pdf', 'jpeg', 'png')),
  name text not null,
  bytes bigint not null,
  -- waiting: to be read · read: has text · scan: pictures of pages · unreadable: reason says why
  state text not null default 'waiting' check (state in ('waiting', 'read', 'scan', 'unreadable')),
  reason text,
  kind text,
  page_count int not null default 0,
  facts jsonb not null default '[]',
  added_at timestamptz not null,
  read_at timestamptz,
  unique (organisation_id, project_id, hash)
);
create index documents_by_hash on documents (hash);

create table document_pages (
  document_id text not null references documents (id) on delete cascade,
  -- from 1
  page int not null,
  organisation_id int not null references organisations (id) on delete cascade,
  -- as it stands on the page, Thai marks normalised
  text text not null,
  -- what is searched (contract/document/fold-text.ts)
  folded text not null,
  -- trigrams of `folded`, each three codes of ten bits, and the organisation as a negative number
  trigrams int[] not null,
  primary key (document_id, page)
);
create index document_pages_by_trigrams on document_pages using gin (trigrams);

-- The second wall (decision 0025), as for every other table of a tenant.
alter table documents enable row level security;
create policy tenant on documents to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
grant select, insert, delete on documents to tamngan_tenant;
alter table document_pages enable row level security;
create policy tenant on document_pages to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
grant select on document_pages to tamngan_tenant;

-- Pages whose trigrams hold all of these, of the organisation that asks. Comparing arrays is not leakproof, so under the policy above the index would never be used: the function
-- is the owner's, and names the organisation by the same setting as the policy. What it names is still read through the policy.
create function document_page_candidates(wanted int[]) returns table (document_id text, page int)
language sql stable security definer rows 100
begin atomic
  select p.document_id, p.page from document_pages p
  where p.trigrams @> array_append(wanted, -current_setting('app.organisation')::int)
    and p.organisation_id = current_setting('app.organisation')::int;
end;
revoke execute on function document_page_candidates(int[]) from public;
grant execute on function document_page_candidates(int[]) to tamngan_tenant;
