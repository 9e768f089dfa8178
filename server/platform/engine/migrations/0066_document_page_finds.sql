-- Pages of the organisation that asks on which all of `phrases` stand and none of `banned` (folded), ended after `most`, in no order: a word of every page names each of them, and nobody
-- looks at more than a thousand. `wanted`: trigrams of the phrases. The text is looked at where the index has led, so no page is looked up twice; what is named is still read through the
-- policy, as with `document_page_candidates` (0025). The planner takes a limit for a reason to read the table from its beginning, which finds a rare word last: here it may not.
create function document_page_finds(wanted int[], phrases text[], banned text[], most int) returns table (document_id text, page int)
language sql stable security definer rows 500 set enable_seqscan = off
begin atomic
  select p.document_id, p.page from document_pages p
  where p.trigrams @> array_append(wanted, -current_setting('app.organisation')::int)
    and p.organisation_id = current_setting('app.organisation')::int
    and not exists (select from unnest(phrases) phrase where position(phrase in p.folded) = 0)
    and not exists (select from unnest(banned) phrase where position(phrase in p.folded) > 0)
  limit most;
end;
revoke execute on function document_page_finds(int[], text[], text[], int) from public;
grant execute on function document_page_finds(int[], text[], text[], int) to tamngan_tenant;

-- The newest documents of an organisation, from which a common word is looked for.
create index documents_newest on documents (organisation_id, added_at desc, id);
