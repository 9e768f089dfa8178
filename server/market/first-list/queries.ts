import sql from 'sql-template-tag'
import type { CompanyRef } from '#contract/market/company.ts'
import { COMPANY_REF_SQL } from '#server/market/company/company-names-sql.ts'
import type { ProjectToMatch } from '#server/matching/compile-match-rules.ts'
import type { Db } from '#server/platform/engine/db.ts'

/** Newest wins from which a list is learned: more do not change it, and the learner is linear in them. */
const MAX_WINS = 200
const MAX_RIVALS = 6

export type WonProject = ProjectToMatch & {
  readonly name: string
  readonly value_satang: number | null
  readonly decided_on: string | null
}

export async function loadWonProjects(db: Db, companyId: number): Promise<WonProject[]> {
  return db.query<WonProject>(sql`
    select w.* from (
      select p.project_id, p.name, p.name_search, p.name_spaced, d.name as dept_name, d.sub_name as dept_sub_name, d.province as dept_province,
        p.project_province, p.budget_satang, p.movement_on, f.value_satang, coalesce(f.decided_on, f.happened_on) as decided_on
      from company_projects f
      join projects p on p.project_id = f.project_id
      join departments d on d.id = p.department_id
      where f.company_id = ${companyId}::int and f.is_winner
      order by coalesce(f.decided_on, f.happened_on) desc nulls last, f.project_id desc limit ${MAX_WINS}::int
    ) w
    order by w.decided_on nulls first, w.project_id`)
}

export async function loadRivals(db: Db, companyId: number): Promise<(CompanyRef & { readonly met: number })[]> {
  return db.query<CompanyRef & { readonly met: number }>(sql`
    select ${COMPANY_REF_SQL}, m.met
    from (
      select o.company_id, count(*)::int as met
      from company_projects f join company_projects o on o.project_id = f.project_id and o.company_id <> f.company_id
      where f.company_id = ${companyId}::int and f.coverage > 0 and o.coverage > 0
      group by o.company_id having count(*) > 1
      order by count(*) desc, o.company_id limit ${MAX_RIVALS}::int
    ) m
    join companies c on c.id = m.company_id
    order by m.met desc, c.id`)
}

export type OpenProject = ProjectToMatch & {
  readonly name: string
  readonly status: string
  readonly movement: string
  readonly bidding_invited_on: string | null
  readonly submission_ends_on: string | null
  readonly winner_announced_on: string | null
}

export async function loadProjectsDueFrom(db: Db, today: string, limit: number): Promise<OpenProject[]> {
  return db.query<OpenProject>(sql`
    select p.project_id, p.name, p.name_search, p.name_spaced, d.name as dept_name, d.sub_name as dept_sub_name, d.province as dept_province,
      p.project_province, p.budget_satang, p.movement_on, p.status, p.movement, p.bidding_invited_on, p.submission_ends_on, p.winner_announced_on
    from projects p join departments d on d.id = p.department_id
    where not p.is_archived and greatest(p.draft_discussion_ends_on, p.submission_ends_on) >= ${today}::date
    order by greatest(p.draft_discussion_ends_on, p.submission_ends_on), p.project_id limit ${limit}::int`)
}
