import sql from 'sql-template-tag'
import type { CustomerConfig, Keyword, KeywordList, Organisation } from '#contract/account/organisation.ts'
import type { Db } from '#server/engine/db.ts'

export type OrganisationRow = Pick<
  Organisation,
  | 'code'
  | 'name'
  | 'is_access_budget_year_only'
  | 'is_access_budget_year'
  | 'allow_access_budget_year'
  | 'is_company_compare'
  | 'business_types'
  | 'is_access_company_comparison'
> & {
  package: string
  customer_config: CustomerConfig
  areas_with_provinces: Record<string, string[]>
  areas_filter_report: Record<string, string[]> | null
  is_register_completed: boolean
  is_watchlist_completed: boolean
  keywords: (Keyword & { list: KeywordList })[]
  keyword_groups: Organisation['keyword_groups']
}

/** One organisation with its watch lists, in one round trip; words in the order in which they were added. */
export async function findOrganisation(db: Db, organisationId: number): Promise<OrganisationRow | undefined> {
  const rows = await db.query<OrganisationRow>(sql`
    select o.code, o.name, o.package, o.customer_config, o.areas_with_provinces, o.areas_filter_report,
           o.is_access_budget_year_only, o.is_access_budget_year, o.allow_access_budget_year, o.is_company_compare,
           o.is_access_company_comparison, o.business_types, o.is_register_completed, o.is_watchlist_completed,
           (select coalesce(jsonb_agg(jsonb_build_object('list', k.list, 'id', k.id, 'word', k.word, 'group_id', k.group_id,
                     'approved', k.approved, 'added_at', k.created_at,
                     'added_by', coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email)) order by k.id), '[]')
              from keywords k left join users u on u.id = k.created_by where k.organisation_id = o.id) as keywords,
           (select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.id), '[]')
              from keyword_groups g where g.organisation_id = o.id) as keyword_groups
    from organisations o where o.id = ${organisationId}`)
  return rows[0]
}
