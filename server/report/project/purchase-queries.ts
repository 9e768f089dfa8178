import sql, { join, type Sql } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { newestProjectTraitsSql } from './newest-traits.ts'

/**
 * Search for earlier purchases by the unit's token and the hash of the first word of the name. `index` identifies the
 * search in the results.
 */
export type PurchaseSearch = {
  readonly index: number
  readonly unit: number
  readonly word: number
  readonly department: number
  readonly exceptProjectId: string
}

export type PastPurchase = {
  readonly place: number
  readonly tokens: readonly number[]
  readonly project_id: string
  readonly name: string
  readonly first_on: string | null
  readonly fiscal_year: number | null
  readonly winner_tin: string | null
  readonly winner_name: string | null
  readonly winner_satang: number | null
  readonly in_report: boolean
}

export type PurchaseHistoryProject = {
  readonly project_id: string
  readonly name: string
  readonly department_id: number
  readonly winner_tin: string | null
  readonly winner_name: string | null
  readonly first_on: string | null
}

const MAX_PURCHASES_PER_SEARCH = 200

export const PROJECT_FIRST_DAY_SQL: Sql = sql`coalesce(least(p.draft_published_on, p.bidding_invited_on), p.winner_announced_on, p.contract_signed_on)`
const LARGEST_CONTRACT_WINNER: Sql = sql`(
  select c.winner_tin from contracts c where c.project_id = p.project_id order by c.amount_satang desc nulls last, c.contract_no limit 1)`

/**
 * Returns the earlier purchases of all searches in one statement, without cancelled ones. Each search is a separate
 * branch of the statement: with tokens as parameters the planner uses their frequencies, but for tokens from a joined
 * list it assumes half a percent of the table and may scan all of it.
 */
export async function findPastPurchases(
  db: Db,
  searches: readonly PurchaseSearch[],
  { organisationId }: { readonly organisationId: number },
): Promise<PastPurchase[]> {
  if (searches.length === 0) return []
  const branches = searches.map(({ index, unit, word, department, exceptProjectId }) => {
    const isOther = sql`t.project_id <> ${exceptProjectId}::text`
    const newest = newestProjectTraitsSql(
      sql`t.tokens @> ${[unit, word]}::int[] and ${isOther}`,
      MAX_PURCHASES_PER_SEARCH,
    )
    return sql`select ${index}::int as place, ${department}::int as department, n.project_id, n.tokens from (${newest}) n`
  })
  return db.query<PastPurchase>(sql`
    select t.place, t.tokens, p.project_id, p.name, ${PROJECT_FIRST_DAY_SQL} as first_on, p.fiscal_year, ${LARGEST_CONTRACT_WINNER} as winner_tin, p.winner_name,
      p.winner_satang, exists (
        select from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id = p.project_id
      ) as in_report
    from (${join(branches, ' union all ')}) t
    join projects p on p.project_id = t.project_id and p.department_id = t.department
    where p.status not in ('project_cancelled', 'invitation_cancelled')`)
}

export async function loadPurchaseHistoryProject(db: Db, projectId: string): Promise<PurchaseHistoryProject[]> {
  return db.query<PurchaseHistoryProject>(sql`
    select p.project_id, p.name, p.department_id, ${LARGEST_CONTRACT_WINNER} as winner_tin, p.winner_name, ${PROJECT_FIRST_DAY_SQL} as first_on
    from projects p where p.project_id = ${projectId}::text`)
}
