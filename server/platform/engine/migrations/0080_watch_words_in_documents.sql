-- Watch words that look into what e-GP handed out to everybody (decision 0120).

-- "ค้นในเอกสารด้วย", of words of the list "include"
alter table keywords add column in_documents boolean not null default false;

-- Invitations that were fetched by links of the feed: which file stands at which project. Closed to tenants, whose own copies lie in `documents`.
create table public_documents (
  -- SHA-256 of the file
  hash text not null,
  project_id text not null,
  name text not null,
  link text not null,
  fetched_at timestamptz not null,
  primary key (hash, project_id)
);
create index public_documents_by_time on public_documents (fetched_at);

-- Their text, once however many organisations have the document.
create table public_pages (
  hash text not null,
  -- from 1
  page int not null,
  text text not null,
  -- what is searched (contract/document/fold-text.ts), and its trigrams
  folded text not null,
  trigrams int[] not null,
  primary key (hash, page)
);

-- What the last four months brought, as organisations have it.
insert into public_documents (hash, project_id, name, link, fetched_at)
select distinct on (d.hash, d.project_id) d.hash, d.project_id, d.name, d.link, d.fetched_at
from documents d join intake_links l on l.project_id = d.project_id and l.link = d.link and l.type = 'D0'
where d.link is not null and d.type = 'pdf' and d.state = 'read' and d.fetched_at > now() - interval '120 days'
order by d.hash, d.project_id, d.fetched_at;
insert into public_pages (hash, page, text, folded, trigrams)
select c.hash, p.page, p.text, p.folded, array_remove(p.trigrams, -p.organisation_id)
from (
  select distinct on (d.hash) d.hash, d.id from documents d
  where d.state = 'read' and d.hash in (select hash from public_documents) order by d.hash, d.id
) c join document_pages p on p.document_id = c.id
where not p.is_from_picture;
create index public_pages_by_trigrams on public_pages using gin (trigrams);

-- Where a watch word stands in a public document: one page a word and project.
create table document_matches (
  organisation_id int not null references organisations (id) on delete cascade,
  project_id text not null,
  keyword_id int not null references keywords (id) on delete cascade,
  hash text not null,
  page int not null,
  -- the load in which the document brought the project, where it is New; null: the word came after the document
  load_id bigint,
  found_at timestamptz not null,
  -- when users were told; null: not yet, or nobody is to be told
  told_at timestamptz,
  primary key (organisation_id, project_id, keyword_id)
);
create index document_matches_by_keyword on document_matches (keyword_id, found_at desc);
create index document_matches_by_project on document_matches (project_id);
create index document_matches_untold on document_matches (organisation_id) where told_at is null and load_id is not null;

alter table document_matches enable row level security;
create policy tenant on document_matches to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
grant select, delete on document_matches to tamngan_tenant;

-- The pages by which the organisation that asks has a project, as far as it keeps documents that long. The text is the owner's: a tenant reads no page but those.
create function document_match_passages(project text, at timestamptz)
returns table (keyword_id int, hash text, page int, name text, link text, text text)
language sql stable security definer rows 20
begin atomic
  select m.keyword_id, m.hash, m.page, d.name, d.link, p.text
  from document_matches m
  join public_documents d on d.hash = m.hash and d.project_id = m.project_id
  join public_pages p on p.hash = m.hash and p.page = m.page
  join organisations o on o.id = m.organisation_id
  where m.organisation_id = current_setting('app.organisation')::int and m.project_id = project
    and not coalesce(d.fetched_at < at - make_interval(days => nullif((o.customer_config ->> 'limit_document_days')::int, 0)), false);
end;
revoke execute on function document_match_passages(text, timestamptz) from public;
grant execute on function document_match_passages(text, timestamptz) to tamngan_tenant;
