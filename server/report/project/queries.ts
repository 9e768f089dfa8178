import sql, { empty } from 'sql-template-tag'
import { DOCUMENT_FACT_SOURCE, type ProjectFactSource } from '#contract/catalogue/fact-source.ts'
import type { DocumentFact } from '#contract/documents/document.ts'
import { contractAmountSql } from '#server/catalogue/contract/contract-ends-sql.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { withPrimaryReads } from '#server/platform/engine/replica-reads.ts'
import { newestProjectTraitsSql } from './newest-traits.ts'
import type { ProjectSizeRange } from './trait-tokens.ts'

export type RelatedProject = {
  readonly project_id: string
  readonly name: string
  readonly dept_name: string
  readonly dept_sub_name: string
  readonly department_id: number
  readonly fiscal_year: number | null
  readonly budget_satang: number | null
  readonly estimate_satang: number | null
  readonly winner_name: string | null
  readonly winner_satang: number | null
  readonly status: string
  readonly movement: string
  readonly method: string
  readonly movement_on: string | null
  readonly is_movement_undated?: boolean
  readonly announced_on: string | null
  readonly in_report: boolean
}

type RelatedSearch = {
  readonly tokens: readonly number[]
  readonly anyOf?: readonly number[]
  readonly sizes?: ProjectSizeRange | undefined
  readonly except: string
  readonly organisationId: number
  readonly limit: number
}

/**
 * Returns projects with these tokens; if there are more than `limit`, the newest by project number. `in_report` is true
 * if the organisation's report includes the project.
 */
export async function findRelatedProjects(db: Db, search: RelatedSearch): Promise<RelatedProject[]> {
  const { tokens, anyOf, sizes, except, organisationId, limit } = search
  return db.query<RelatedProject>(sql`
    select p.project_id, p.name, d.name as dept_name, d.sub_name as dept_sub_name, p.department_id, p.fiscal_year, p.budget_satang,
      p.estimate_satang, p.winner_name, p.winner_satang, p.status, p.movement, p.movement_on, p.is_movement_undated, p.method,
      least(p.draft_published_on, p.bidding_invited_on, p.winner_announced_on, p.contract_signed_on) as announced_on,
      exists (
        select from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id = p.project_id
      ) as in_report
    from (
      ${newestProjectTraitsSql(
        sql`t.tokens @> ${[...tokens]}::int[]
        ${anyOf ? sql`and t.tokens && ${[...anyOf]}::int[]` : empty}
        ${sizes ? sql`and t.tokens && ${[...sizes.tokens]}::int[] and t.size_satang between ${sizes.from}::bigint and ${sizes.to}::bigint` : empty}
        and t.project_id <> ${except}::text`,
        limit,
      )}
    ) found
    join projects p on p.project_id = found.project_id
    join departments d on d.id = p.department_id`)
}

const MAX_UNITS = 500

/**
 * Returns the units of the department's agency, including the department itself. The province distinguishes local
 * governments of the same name.
 */
export function findAgencyUnits(
  db: Db,
  departmentId: number,
): Promise<{ id: number; name: string; province: number | null }[]> {
  return db.query(sql`
    select d.id, d.name, d.province from departments own join departments d on d.name = own.name
    where own.id = ${departmentId}::int order by d.id <> own.id, d.id limit ${MAX_UNITS}::int`)
}

/**
 * Views that are closer together than this are one visit, so that a phone call or a look at the list does not end a
 * visit.
 */
const VISIT_GAP_MINUTES = 30
const VIEW_RETENTION_DAYS = 365

type ViewRow = { readonly previous_at: string | null }

/**
 * Records that the user viewed the project and returns the end of their previous visit (UTC ISO), or null on the first
 * visit. Two devices that open the project at once share one visit.
 */
export async function recordProjectView(db: Db, userId: number, projectId: string, now: Date): Promise<string | null> {
  const timestamp = sql`${now.toISOString()}::timestamptz`
  const insert = sql`
    insert into project_views as v (user_id, project_id, looked_at) values (${userId}::int, ${projectId}::text, ${timestamp})
    on conflict (user_id, project_id) do update set
      previous_at = case when v.looked_at < ${timestamp} - make_interval(mins => ${VISIT_GAP_MINUTES}::int) then v.looked_at else v.previous_at end,
      looked_at = greatest(v.looked_at, ${timestamp})
    returning v.previous_at`
  const [view] = await withPrimaryReads(() => db.query<ViewRow>(insert, { name: 'project_view' }))
  return view!.previous_at
}

export async function findPreviousProjectView(
  db: Db,
  userId: number,
  projectId: string,
  now: Date,
): Promise<string | null> {
  const [view] = await db.query<ViewRow>(sql`
    select case when v.looked_at < ${now.toISOString()}::timestamptz - make_interval(mins => ${VISIT_GAP_MINUTES}::int)
      then v.looked_at else v.previous_at end as previous_at
    from project_views v where v.user_id = ${userId}::int and v.project_id = ${projectId}::text`)
  return view?.previous_at ?? null
}

/** Deletes views older than a year and returns their number. Scans the whole table, so run it once a day. */
export async function pruneProjectViews(db: Db, now: Date): Promise<number> {
  return db.execute(sql`
    delete from project_views where looked_at < ${now.toISOString()}::timestamptz - make_interval(days => ${VIEW_RETENTION_DAYS}::int)`)
}

/**
 * Project details in addition to the report row: money in satang, dates ISO, timestamps in PostgreSQL's JSON format.
 */
export type StoredProjectDetail = {
  readonly fiscal_year: number | null
  readonly contract_signed_on: string | null
  readonly district: string | null
  readonly subdistrict: string | null
  readonly source: string
  readonly winner_name: string | null
  readonly winner_satang: number | null
  readonly first_seen_at: string
  readonly changed_at: string
  readonly data_time: string | null
  readonly fact_sources: readonly (Omit<ProjectFactSource, 'page'> & { readonly page: number | null })[]
  readonly document_deadline: { readonly told: DocumentFact; readonly document: string } | null
  readonly plans: readonly { readonly plan_id: string; readonly published_on: string; readonly link: string | null }[]
  readonly announcements: readonly {
    readonly movement: string
    readonly announced_date: string
    readonly link: string | null
  }[]
  readonly history: {
    readonly field: string
    readonly old: string | null
    readonly new: string | null
    readonly seen_at: string
  }[]
  readonly attachments: {
    readonly name: string
    readonly url: string
    readonly step: string
    readonly published_date: string | null
    readonly first_seen_at: string
  }[]
  readonly bidders: StoredBidder[]
  readonly contracts: StoredContract[]
}

export type StoredBidder = {
  readonly name: string
  readonly tax_id: string | null
  readonly price_satang: number | null
  readonly is_winner: boolean
  readonly is_sme: boolean | null
}

export type StoredContract = {
  readonly contract_no: string
  readonly winner_name: string | null
  readonly winner_tax_id: string | null
  readonly amount_satang: number | null
  readonly signed_date: string | null
  readonly end_date: string | null
  readonly status: string | null
}

/**
 * Loads the details of a project without checking access: the caller must verify that the organisation's report
 * includes the project.
 */
export async function loadProjectDetail(db: Db, projectId: string): Promise<StoredProjectDetail | undefined> {
  const [detail] = await db.query<StoredProjectDetail>(
    sql`
    select p.fiscal_year, p.contract_signed_on, p.district, p.subdistrict, p.source, p.winner_name, p.winner_satang,
      first.published_at as first_seen_at, changed.published_at as changed_at,
      (select max(l.published_at) from loads l where l.state = 'published') as data_time,
      coalesce((
        select json_agg(json_build_object('fact', e.key, 'source', e.value ->> 0, 'seen_at', l.published_at, 'page', v.told -> 'page'))
        from field_sources f cross join lateral jsonb_each(f.fields) e join loads l on l.id = (e.value ->> 1)::bigint
        left join document_values v on v.project_id = f.project_id and v.fact = e.key and e.value ->> 0 = ${DOCUMENT_FACT_SOURCE}
        where f.project_id = p.project_id
      ), '[]') as fact_sources,
      (select json_build_object('told', v.told, 'document', v.name) from document_values v
        where v.project_id = p.project_id and v.fact = 'submission_end_date') as document_deadline,
      coalesce((
        select json_agg(json_build_object('plan_id', q.plan_id, 'published_on', q.published_on, 'link', q.link) order by q.published_on, q.plan_id)
        from purchase_plans q where q.project_id = p.project_id
      ), '[]') as plans,
      coalesce((
        select json_agg(json_build_object('movement', a.movement, 'announced_date', a.announced_on, 'link', (
            select f.url from attachments f
            where f.project_id = a.project_id and f.step = a.movement and f.published_on = a.announced_on order by f.url limit 1
          )) order by a.announced_on, a.load_id, a.movement)
        from announcements a where a.project_id = p.project_id
      ), '[]') as announcements,
      coalesce((
        select json_agg(json_build_object('field', c.field, 'old', c.old_value, 'new', c.new_value, 'seen_at', l.published_at)
          order by l.published_at desc, c.load_id desc, c.field)
        from project_changes c join loads l on l.id = c.load_id where c.project_id = p.project_id
      ), '[]') as history,
      coalesce((
        select json_agg(json_build_object('name', a.name, 'url', a.url, 'step', a.step, 'published_date', a.published_on, 'first_seen_at', l.published_at)
          order by a.published_on nulls first, a.url)
        from attachments a join loads l on l.id = a.first_load where a.project_id = p.project_id
      ), '[]') as attachments,
      coalesce((
        select json_agg(json_build_object('name', b.name, 'tax_id', b.tin, 'price_satang', b.price_satang, 'is_winner', b.is_winner, 'is_sme', b.is_sme)
          order by b.is_winner desc, b.price_satang nulls last, b.position)
        from bidders b where b.project_id = p.project_id
      ), '[]') as bidders,
      coalesce((
        select json_agg(json_build_object('contract_no', split_part(c.contract_no, chr(10), 1), 'winner_name', c.winner_name, 'winner_tax_id', c.winner_tin,
          'amount_satang', ${contractAmountSql(sql`p.winner_satang`)}, 'signed_date', c.signed_on, 'end_date', c.ends_on, 'status', c.status)
          order by c.signed_on nulls last, c.contract_no)
        from contracts c where c.project_id = p.project_id
      ), '[]') as contracts
    from projects p
    join loads first on first.id = p.first_load
    join loads changed on changed.id = p.changed_load
    where p.project_id = ${projectId}::text`,
    { name: 'project_detail' },
  )
  return detail
}
