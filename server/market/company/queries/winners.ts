import sql, { type Sql } from 'sql-template-tag'
import type { CompanyRef } from '#contract/market/company.ts'
import { COMPANY_REF_SQL, WINNER_TAX_ID_SQL } from '#server/market/company/company-names-sql.ts'
import { DISCOUNT_RATE_SQL } from '#server/market/company/company-scope.ts'
import type { Db } from '#server/platform/engine/db.ts'

const DAYS = 7
const MAX_AWARDS = 100

export type StoredAward = {
  readonly company: CompanyRef | null
  readonly winner_name: string | null
  readonly winner_tin: string | null
  readonly project_id: string
  readonly project_name: string
  readonly dept_name: string
  readonly value_satang: number | null
  readonly decided_on: string
  readonly discount: number | null
  readonly is_against_budget: boolean
  readonly is_new: boolean
}

export type StoredNewestAwards = {
  readonly from_date: string | null
  readonly to_date: string | null
  readonly total: number
  readonly awards: readonly StoredAward[]
}

/** Number of newest projects checked for a match before falling back to the organisation's own matches. */
const NEWEST_CHECKED = 20_000

/** SQL expression: award day of project `p`, as in the index `projects_by_award`. */
const DECIDED_ON = sql`coalesce(p.winner_announced_on, p.contract_signed_on)`

/**
 * SQL condition: the project is in the organisation's report. `offset 0` forces an index lookup, because a large
 * organisation has 656,223 matches.
 */
const isMatched = (organisationId: number, projectId: Sql): Sql => sql`exists (
  select from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id = ${projectId} offset 0)`

/**
 * SQL expression: the last day with a movement in the organisation's report. Searches the newest projects first, which
 * nearly always include one from the report; if they include none, the organisation has few or old matches. Ignores
 * undated movements, because they do not show how new the data is.
 */
const lastDay = (organisationId: number, today: string): Sql => sql`coalesce(
  (select p.movement_on from (
      select p.project_id, p.movement_on from projects p where p.movement_on <= ${today}::date and not p.is_movement_undated
      order by p.movement_on desc, p.project_id desc limit ${NEWEST_CHECKED}::int
    ) p where ${isMatched(organisationId, sql`p.project_id`)} order by p.movement_on desc limit 1),
  (select max(m.movement_on) from report_matches m where m.organisation_id = ${organisationId}::int and m.movement_on <= ${today}::date))`

/**
 * Loads the newest awards in the organisation's report, from the last days of its data. The data may end before today;
 * awards dated after today are ignored.
 */
export async function loadNewestAwards(db: Db, organisationId: number, today: string): Promise<StoredNewestAwards> {
  const [winners] = await db.query<StoredNewestAwards>(sql`
    with data as materialized (
        select ${lastDay(organisationId, today)} as to_date
      ),
      days as materialized (select to_date - ${DAYS - 1}::int as from_date, to_date from data),
      -- Only what counts and orders awards; thousands are found, of which the last query details those shown.
      projects_moved as materialized (
        select p.project_id, p.winner_name is not null as is_winner_named, p.winner_satang, ${DECIDED_ON} as decided_on
        from projects p
        where ${DECIDED_ON} between (select days.from_date from days) and (select days.to_date from days)
          and ${isMatched(organisationId, sql`p.project_id`)}
          and p.status not in ('project_cancelled', 'invitation_cancelled') and p.movement <> 'winner_cancelled'
      ),
      awards as materialized (
        select f.company_id, coalesce(f.decided_on, p.decided_on) as decided_on, p.project_id,
          case when f.company_id is null then p.winner_satang else f.value_satang end as value_satang
        from projects_moved p
        left join lateral (
          select x.company_id, x.decided_on, x.value_satang from company_projects x where x.project_id = p.project_id and x.is_winner offset 0
        ) f on true
        where f.company_id is not null or p.is_winner_named
      ),
      shown as materialized (
        select a.* from awards a order by a.decided_on desc, a.value_satang desc nulls last, a.project_id, a.company_id limit ${MAX_AWARDS}::int
      )
    select days.from_date, days.to_date, (select count(*)::int from awards) as total,
      coalesce((select json_agg(r) from (
        select (select row_to_json(ref) from (select ${COMPANY_REF_SQL} from companies c where c.id = a.company_id) ref) as company, p.winner_name,
          ${WINNER_TAX_ID_SQL} as winner_tin, a.project_id, p.name as project_name, d.name as dept_name, a.value_satang, a.decided_on,
          case when f.discount_base_satang is not null then ${DISCOUNT_RATE_SQL}
            when a.company_id is null and p.winner_count = 1
              then 1 - p.winner_satang::float8 / coalesce(nullif(p.estimate_satang, 0), nullif(p.budget_satang, 0)) end as discount,
          coalesce(f.is_against_budget, coalesce(p.estimate_satang, 0) <= 0) as is_against_budget,
          a.company_id is not null and not exists (
            select from company_projects e
            where e.company_id = a.company_id and e.is_winner and e.project_id <> a.project_id
              and (e.decided_on is null or (e.decided_on, e.project_id) < (a.decided_on, a.project_id))
              and ${isMatched(organisationId, sql`e.project_id`)}
          ) as is_new
        from shown a
        join projects p on p.project_id = a.project_id
        join departments d on d.id = p.department_id
        left join company_projects f on f.company_id = a.company_id and f.project_id = a.project_id
        order by a.decided_on desc, a.value_satang desc nulls last, a.project_id, a.company_id
      ) r), '[]') as awards
    from days`)
  return winners!
}
