import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

const NO_TIMEOUT = { timeoutMs: 0 }

export async function findStaleSharedNames(db: Db, after: number, limit: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    sql`select c.id from companies c where c.is_stale and c.tax_id is null and c.id > ${after}::int order by c.id limit ${limit}::int`,
    NO_TIMEOUT,
  )
  return rows.map(({ id }) => id)
}

/**
 * Separates sellers that share a name. If the projects of a name have two or more personal ids (see
 * contract/catalogue/natural-person.ts), the projects of each id become a company, and the projects without an id
 * become one company per agency province. With fewer ids, all projects return to the single company of that name. A
 * load assigns the facts of a project to the company of the name, so this must run before figures are counted.
 * Companies that lose or gain projects become stale.
 */
export async function splitSharedNames(tx: Db, companyIds: readonly number[]): Promise<void> {
  await tx.execute(
    sql`
      with bases as materialized (
        select distinct coalesce(c.split_from, c.key) as base from companies c where c.id = any (${[...companyIds]}::int[])
      ),
      family as materialized (
        select c.id, c.key, b.base from bases b join companies c on c.key = b.base
        union all select c.id, c.key, b.base from bases b join companies c on c.split_from = b.base
      ),
      facts as materialized (
        select m.id, m.key, m.base, f.project_id, f.name_id, coalesce(d.province, f.project_province, 0) as place,
          (select min(x.tin) from (
            select c.winner_tin as tin, c.winner_name as name from contracts c where c.project_id = f.project_id and c.winner_tin like 'p:_%'
            union all select b.tin, b.name from bidders b where b.project_id = f.project_id and b.tin like 'p:_%'
          ) x where x.name in (select n.name from family o join company_names n on n.company_id = o.id where o.base = m.base)) as person
        from family m join company_projects f on f.company_id = m.id join departments d on d.id = f.department_id
      ),
      shared as materialized (select f.base from facts f group by f.base having count(distinct f.person) > 1),
      moved as materialized (
        select f.id as company_id, f.project_id, f.name_id, f.base, t.key
        from facts f left join shared s on s.base = f.base
        cross join lateral (
          select case when s.base is null then f.base else f.base || '#' || coalesce(f.person, f.place::text) end as key
        ) t
        where t.key <> f.key
      ),
      made as (
        insert into companies (key, tax_id, name, name_key, split_from)
        select distinct on (m.key) m.key, null, n.name, n.name_key, case when m.key <> m.base then m.base end
        from moved m join company_names n on n.id = m.name_id
        where not exists (select from companies c where c.key = m.key)
        order by m.key, n.name collate "C"
        on conflict (key) do nothing returning id, key
      ),
      target as (select id, key from made union all select c.id, c.key from companies c where c.key in (select m.key from moved m)),
      named as (
        insert into company_names (company_id, name, name_key, uses)
        select distinct t.id, n.name, n.name_key, 0 from moved m join target t on t.key = m.key join company_names n on n.id = m.name_id
        where not exists (select from company_names o where o.company_id = t.id and o.name = n.name)
        on conflict do nothing returning id, company_id, name
      ),
      spelled as (
        select n.id, n.company_id, n.name from named n
        union all select n.id, n.company_id, n.name from company_names n where n.company_id in (select t.id from target t)
      ),
      stale as (
        update companies c set is_stale = true
        where c.id in (select m.company_id from moved m union select t.id from target t) and not c.is_stale
      )
      update company_projects f set company_id = t.id, name_id = s.id
      from moved m join target t on t.key = m.key left join company_names n on n.id = m.name_id left join spelled s on s.company_id = t.id and s.name = n.name
      where f.company_id = m.company_id and f.project_id = m.project_id`,
    NO_TIMEOUT,
  )
}
