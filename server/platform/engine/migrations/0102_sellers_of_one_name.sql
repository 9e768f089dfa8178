-- Sellers without a tax id are known by their names. Where people's ids beside one name differ, they are different sellers, each a company of its own whose
-- key is that of the name, `#`, and what tells it apart (server/features/company/queries/split-names.ts). Null: the name is one company.
alter table companies add column split_from text;
create index companies_split on companies (split_from) where split_from is not null;
-- The next count looks at every name.
update companies set is_stale = true where tax_id is null and not is_stale;
