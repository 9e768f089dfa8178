import sql from 'sql-template-tag'
import { CONTRACT_ENDS_PAGE_SIZE } from '#contract/catalogue/contract-ends-list.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import {
  contractAmountSql,
  contractCountSql,
  contractEndsWithinCondition,
  IS_ACTIVE_CONTRACT_SQL,
} from '#server/catalogue/contract/contract-ends-sql.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { isPriceInDoubtSql } from '#server/platform/text/doubt-sql.ts'
import { reportMatchesFromClauseSql } from '#server/report/deep/semantic-search-hits.ts'
import {
  buildReportFilterConditions,
  joinFilterConditions,
  removeSemanticSearchCondition,
  reportSearchCondition,
} from '#server/report/filter/report-filters.ts'
import { PROJECT_FIRST_DAY_SQL } from '#server/report/project/purchase-queries.ts'
import type { ReportScope } from '#server/report/report-queries.ts'
import { resolveReportSearchScope } from '#server/report/resolve-report-search-scope.ts'

/** An active contract; money in satang. */
export type StoredContractEnd = {
  readonly project_id: string
  readonly contract_no: string
  readonly name: string
  readonly department_id: number
  readonly dept_name: string
  readonly dept_sub_name: string
  readonly province: number | null
  readonly method: string
  readonly winner_tin: string | null
  readonly winner_name: string | null
  readonly amount: number | null
  readonly project_amount: number | null
  readonly project_contracts: number
  readonly signed_on: string | null
  readonly ends_on: string
  readonly first_on: string | null
}

export type StoredContractEndList = {
  readonly total: number
  readonly projects: number
  /** Total value: a numeric in text form, because it may exceed int8. */
  readonly value: string | null
  readonly n_value: number
  readonly amounts_in_doubt: number
  readonly rows: readonly StoredContractEnd[]
}

export async function loadContractEnds(
  db: Db,
  search: ReportSearch & { readonly ends_within: number },
  requestScope: ReportScope,
): Promise<StoredContractEndList> {
  const scope = { ...requestScope, ...(await resolveReportSearchScope(db, [search], requestScope)) }
  const conditions = removeSemanticSearchCondition(buildReportFilterConditions(search, scope))
  const [page] = await db.query<StoredContractEndList>(sql`
    with found as materialized (
      select c.project_id, c.contract_no, c.winner_tin, c.winner_name, ${contractAmountSql(sql`m.winner_satang`)} as amount_satang, c.signed_on, c.ends_on
      from ${reportMatchesFromClauseSql(search, scope)}
      join contracts c on c.project_id = m.project_id and ${IS_ACTIVE_CONTRACT_SQL} and ${contractEndsWithinCondition(search.ends_within, scope.today)}
      where ${reportSearchCondition(scope, search)} and ${joinFilterConditions(conditions)}
    )
    select count(*) as total, count(distinct f.project_id) as projects, sum(f.amount_satang)::text as value, count(f.amount_satang) as n_value,
      count(*) filter (where ${isPriceInDoubtSql(sql`f`, sql`f.amount_satang`)}) as amounts_in_doubt,
      coalesce((select json_agg(r) from (
        select f.project_id, f.contract_no, p.name, p.department_id, d.name as dept_name, d.sub_name as dept_sub_name,
          coalesce(p.project_province, d.province) as province, p.method, f.winner_tin, coalesce(f.winner_name, p.winner_name) as winner_name,
          f.amount_satang as amount, p.winner_satang as project_amount, ${contractCountSql(sql`f.project_id`)} as project_contracts, f.signed_on, f.ends_on, ${PROJECT_FIRST_DAY_SQL} as first_on
        from found f join projects p on p.project_id = f.project_id join departments d on d.id = p.department_id
        order by f.ends_on, f.project_id, f.contract_no
        limit ${CONTRACT_ENDS_PAGE_SIZE}::int offset ${((search.page ?? 1) - 1) * CONTRACT_ENDS_PAGE_SIZE}::bigint
      ) r), '[]') as rows
    from found f`)
  return page!
}
