import sql, { empty } from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'
import { andOfSample } from '#server/features/demo/sample-only.ts'
import type { SizeRange } from './project-size.ts'

/** A project that may belong to another. */
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
  readonly movement_on: string | null
  readonly announced_on: string | null
  readonly in_report: boolean
}

export type RelatedSearch = {
  /** Tokens that all of them have. */
  readonly tokens: readonly number[]
  readonly sizes: SizeRange | undefined
  readonly except: string
  readonly organisationId: number
  readonly isSampleOnly: boolean
  readonly most: number
}

/** Projects with these tokens; of more than `most` the newest, as their numbers tell. `in_report`: whether the organisation's report holds them. */
export async function findRelated(db: Db, search: RelatedSearch): Promise<RelatedProject[]> {
  const { tokens, sizes, except, organisationId, isSampleOnly, most } = search
  return db.query<RelatedProject>(sql`
    select p.project_id, p.name, d.name as dept_name, d.sub_name as dept_sub_name, p.department_id, p.fiscal_year, p.budget_satang,
      p.estimate_satang, p.winner_name, p.winner_satang, p.status, p.movement, p.movement_on,
      least(p.draft_published_on, p.bidding_invited_on, p.winner_announced_on, p.contract_signed_on) as announced_on,
      exists (
        select from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id = p.project_id
      ) as in_report
    from (
      select t.project_id from project_traits t
      where t.tokens @> ${[...tokens]}::int[]
        ${sizes ? sql`and t.tokens && ${[...sizes.tokens]}::int[] and t.size_satang between ${sizes.from}::bigint and ${sizes.to}::bigint` : empty}
        and t.project_id <> ${except}::text ${andOfSample(isSampleOnly, sql`t.project_id`)}
      order by t.project_id desc limit ${most}::int
    ) found
    join projects p on p.project_id = found.project_id
    join departments d on d.id = p.department_id`)
}
