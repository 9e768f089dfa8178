import sql, { empty, type Sql } from 'sql-template-tag'
import type { CompanySearch } from '#contract/company/company-params.ts'
import { factConditions } from '#server/features/company/company-scope.ts'

/**
 * Sizes of what was won, in baht, the upper border included: up to 500,000 the state may buy without competition, from 5 million on the draft must be
 * published for comment.
 */
const BORDERS = [0, 500_000, 5_000_000, 10_000_000, 50_000_000] as const
const UNKNOWN = BORDERS.length

/** Number of the band of an amount in satang: its place in `BORDERS`, `UNKNOWN` for none. */
export function sizeBandSql(satang: Sql): Sql {
  const [, ...uppers] = BORDERS
  return sql`(case when ${satang} is null then ${UNKNOWN}::int
    else width_bucket(${satang} - 1, ${uppers.map((baht) => baht * 100)}::bigint[]) end)::smallint`
}

/** `500000-5000000`, open above: `50000000-`, else `unknown`. */
export function sizeBandName(band: number): string {
  if (band === UNKNOWN) return 'unknown'
  return `${BORDERS[band]}-${BORDERS[band + 1] ?? ''}`
}

/** Bands from the smallest on, the unknown last. */
export const SIZE_BANDS: readonly string[] = [...BORDERS, UNKNOWN].map((_, band) => sizeBandName(band))

/** What a comparison is made of. */
export type ComparisonScope = {
  readonly search: CompanySearch
  readonly organisationId: number
  /** Only projects of the sample count (server/features/company/company-scope.ts). */
  readonly isSampleOnly?: boolean
  /** Ids of the companies, in the order asked for. */
  readonly companyIds: readonly number[]
  /** Today in Bangkok, ISO. */
  readonly today: string
}

/**
 * Table expressions `facts`, what each of the companies did in the scope, with its `place` among them from 0 on, and `per_project`, each of those
 * projects once. With `common` only projects in which two of them took part are left. `facts` is read once and kept: every block of a comparison
 * is made of it. Project ids are compared byte by byte: half the cost of counting them.
 */
export function factsSql({ search, organisationId, isSampleOnly = false, companyIds }: ComparisonScope): Sql {
  return sql`
    asked as (
      select c.company_id, (c.ordinality - 1)::int as place from unnest(${[...companyIds]}::int[]) with ordinality as c(company_id, ordinality)
    ),
    scoped as materialized (
      select c.place, f.project_id collate "C" as project_id, coalesce(f.decided_on, f.happened_on) as day, f.department_id, f.fiscal_year,
        f.project_province, f.method, f.method_type, f.criteria, f.coverage, f.is_winner, f.is_decided, f.value_satang, f.bid_satang,
        f.reference_satang, f.discount_base_satang, f.is_against_budget, f.decided_on, f.contract_amounts, f.open_until
      from asked c join company_projects f on f.company_id = c.company_id
      where ${factConditions({ search, organisationId, isSampleOnly })}
    ),
    per_project as materialized (
      select f.project_id, count(*)::int as parts, max(f.coverage) as coverage, max(f.day) as day, max(f.fiscal_year) as fiscal_year
      from scoped f group by f.project_id ${search.common ? sql`having count(*) > 1` : empty}
    ),
    facts as not materialized (
      select f.* from scoped f ${search.common ? sql`where f.project_id in (select p.project_id from per_project p)` : empty}
    )`
}
