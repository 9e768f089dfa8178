-- Names of the winners of a project beside `winner_name`, one a line: a project is found by each of them. Natural persons are left out. Null: none.
alter table projects add column other_winners text;

-- Of what is stored, 229 of 1,386,362 projects of fiscal year 2568 have such winners; the rule is `otherWinners` (server/features/feed/derivation.ts). What this
-- statement reads otherwise (a company under two spellings without a tax id) is corrected when a source names the project again.
create temporary table several_winners on commit drop as
with parties as (
  select c.project_id, c.winner_tin as tin, c.winner_name as name, c.amount_satang as amount, c.contract_no as place from contracts c
  join projects p on p.project_id = c.project_id where p.winner_count > 1
  union all
  select b.project_id, b.tin, b.name, null, to_char(b.position, 'FM0000') from bidders b
  join projects p on p.project_id = b.project_id
  where p.winner_count > 1 and b.is_winner and not exists (select from contracts c where c.project_id = b.project_id and (c.winner_name is not null or c.winner_tin is not null))
), named as (
  select x.project_id, btrim(regexp_replace(x.name, '\s+', ' ', 'g')) as name, coalesce(x.tin, x.name) as identity, p.winner_name, x.amount, x.place
  from parties x join projects p on p.project_id = x.project_id
  where x.name is not null and (
    x.tin ~ '^[0D][0-9]{12}$' and x.tin <> '0000000000000'
    or x.name !~ '^\s*(บุคคลธรรมดา|นางสาว|นาย|นาง|น\.\s?ส\.|ว่าที่)' and coalesce(x.tin, '') !~ '^[1-8]|[xX]')
), first as (
  select distinct n.project_id, n.identity from named n where n.name = btrim(regexp_replace(n.winner_name, '\s+', ' ', 'g'))
), others as (
  select distinct on (n.project_id, n.identity) n.project_id, n.name, n.amount, n.place
  from named n where not exists (select from first f where f.project_id = n.project_id and f.identity = n.identity)
  order by n.project_id, n.identity, n.amount desc nulls last, n.place
)
select o.project_id, string_agg(o.name, E'\n' order by o.amount desc nulls last, o.place) as names from others o group by o.project_id;

update projects p set other_winners = s.names from several_winners s where p.project_id = s.project_id;

-- Their search forms as `normaliseThai` and `compactForm` make them, but for marks in the wrong order, of which no such name has any.
with lines as (
  select s.project_id, btrim(regexp_replace(lower(translate(replace(regexp_replace(
      replace(normalize(l.name, NFKC), E'\u0e4d\u0e32', E'\u0e33'), E'[\u00ad\u200b-\u200f\u2060\ufeff]', '', 'g'),
      'เเ', 'แ'), '๐๑๒๓๔๕๖๗๘๙', '0123456789')), '\s+', ' ', 'g')) as spaced, l.place
  from several_winners s cross join lateral unnest(string_to_array(s.names, E'\n')) with ordinality l (name, place)
), forms as (
  select project_id, string_agg(spaced, E'\n' order by place) as spaced,
    string_agg(regexp_replace(regexp_replace(spaced, E' (?=[\u0e00-\u0e7f])', '', 'g'), E'([\u0e00-\u0e7f]) ', '\1', 'g'), E'\n' order by place) as compact
  from lines group by project_id
)
update project_texts t set winner_search = concat_ws(E'\n', t.winner_search, f.compact), winner_spaced = concat_ws(E'\n', t.winner_spaced, f.spaced)
from forms f join project_filters x on x.project_id = f.project_id where t.filters_id = x.id;
