import sql, { bulk } from 'sql-template-tag'
import type { Label } from '#contract/account/label.ts'
import type { CustomerConfig, Keyword, KeywordListCode, Organisation } from '#contract/account/organisation.ts'
import type { SavedFilter } from '#contract/account/saved-filter.ts'
import type { Db } from '#server/platform/engine/db.ts'

type UnmarkedUser = { userId: number; organisationId: number }

export async function findUsersWithoutMarksOrSavedFilters(db: Db, organisationCode: string): Promise<UnmarkedUser[]> {
  return db.query<UnmarkedUser>(sql`
    select u.id as "userId", u.organisation_id as "organisationId"
    from users u join organisations o on o.id = u.organisation_id
    where o.code = ${organisationCode} and not u.is_demo_visitor
      and not exists (select from bookmarks b where b.user_id = u.id)
      and not exists (select from labels l where l.user_id = u.id)
      and not exists (select from saved_filters f where f.user_id = u.id)
    order by u.id`)
}

/**
 * Returns active projects of the organisation's report in rotation, as users would follow them: one changed by the
 * latest load, one closing within a week of `today`, one with a late deadline.
 */
export async function findActiveProjects(
  db: Db,
  organisationId: number,
  { today, limit, offset }: { today: string; limit: number; offset: number },
): Promise<string[]> {
  const rows = await db.query<{ project_id: string }>(sql`
    select project_id from (
      select m.project_id, k.kind, row_number() over (
          partition by k.kind
          order by case when k.kind = 2 then m.submission_ends_on end, m.submission_ends_on desc nulls last, m.project_id
        ) as place
      from report_matches m
      cross join lateral (
        select case
          when m.first_load < m.changed_load and m.changed_load = (select max(l.id) from loads l where l.state = 'published') then 1
          when m.submission_ends_on between ${today}::date and ${today}::date + 7 then 2
          else 3 end as kind
      ) k
      where m.organisation_id = ${organisationId} and not m.is_archived
    ) ranked
    order by place, kind
    limit ${limit} offset ${offset}`)
  return rows.map((row) => row.project_id)
}

type Marks = {
  bookmarks: readonly string[]
  labels: readonly Label[]
  assignments: readonly { projectId: string; labelId: string }[]
  filters: readonly SavedFilter[]
}

export async function insertProjectMarks(
  db: Db,
  userId: number,
  { bookmarks, labels, assignments, filters }: Marks,
): Promise<void> {
  if (labels.length > 0) {
    await db.execute(sql`
      insert into labels (user_id, id, name, color) values ${bulk(labels.map(({ id, name, color }) => [userId, id, name, color]))}`)
  }
  if (bookmarks.length > 0) {
    await db.execute(
      sql`insert into bookmarks (user_id, project_id) values ${bulk(bookmarks.map((id) => [userId, id]))}`,
    )
  }
  if (assignments.length > 0) {
    await db.execute(sql`
      insert into label_assignments (user_id, project_id, label_id)
      values ${bulk(assignments.map(({ projectId, labelId }) => [userId, projectId, labelId]))}`)
  }
  for (const [index, { id, filterName, filterData, isSend }] of filters.entries()) {
    await db.execute(sql`
      insert into saved_filters (user_id, id, name, filter_data, is_send, created_at)
      values (${userId}, ${id}, ${filterName}, ${JSON.stringify(filterData)}::jsonb, ${isSend}::boolean, now() + ${index}::int * interval '1 second')`)
  }
}

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
  keywords: (Keyword & { list: KeywordListCode })[]
  keyword_groups: Organisation['keyword_groups']
}

export async function findOrganisation(db: Db, organisationId: number): Promise<OrganisationRow | undefined> {
  const rows = await db.query<OrganisationRow>(sql`
    select o.code, o.name, o.package, o.customer_config, o.areas_with_provinces, o.areas_filter_report,
           o.is_access_budget_year_only, o.is_access_budget_year, o.allow_access_budget_year, o.is_company_compare,
           o.is_access_company_comparison, o.business_types, o.is_register_completed, o.is_watchlist_completed,
           (select coalesce(jsonb_agg(jsonb_build_object('list', k.list, 'id', k.id, 'word', k.word, 'group_id', k.group_id,
                     'approved', k.approved, 'in_documents', k.in_documents, 'added_at', k.created_at,
                     'added_by', coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email)) order by k.id), '[]')
              from keywords k left join users u on u.id = k.created_by where k.organisation_id = o.id) as keywords,
           (select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.id), '[]')
              from keyword_groups g where g.organisation_id = o.id) as keyword_groups
    from organisations o where o.id = ${organisationId}`)
  return rows[0]
}

export async function loadOrganisationName(db: Db, organisationId: number): Promise<string> {
  const [row] = await db.query<{ name: string }>(sql`select name from organisations where id = ${organisationId}::int`)
  return row!.name
}
