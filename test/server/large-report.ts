import sql from 'sql-template-tag'
import { updateCompanyFacts } from '#server/market/company/update-company-facts.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { addLoad, addOrganisation, addUser } from '../world/report-world.ts'

export type LargeReport = { readonly organisationId: number; readonly userId: number }

/** Number of projects per department. The departments are called `กรม 1`, `กรม 2`, …. */
export const PROJECTS_PER_DEPARTMENT = 50

/**
 * Adds an organisation whose report contains every project, each won by one of 100 companies and signed on one of 300
 * days until 18 November 2026. The rows that a statement reads then show whether it uses an index or scans the whole
 * report.
 */
export async function addLargeReport(db: Db, { departments }: { readonly departments: number }): Promise<LargeReport> {
  const load = await addLoad(db)
  const organisationId = await addOrganisation(db)
  const userId = await addUser(db, organisationId)
  await db.script(`
    insert into departments (name, sub_name, province) select 'กรม ' || n, '', 10 from generate_series(1, ${departments}) n;
    insert into projects (project_id, name, name_search, name_spaced, department_id, project_province, fiscal_year, status, movement, movement_on, criteria,
      method, method_type, budget_satang, estimate_satang, winner_satang, winner_name, winner_count, bidding_invited_on, contract_signed_on,
      source, first_load, changed_load, written_load)
    select (69000000000 + n)::text, 'ซื้อกล้อง ' || n, 'ซื้อกล้อง' || n, 'ซื้อกล้อง ' || n, d.id, 10, 2569, 'contract_created', 'contract_created', x.signed_on, 'price',
      'e_bidding', 'buy', 10000000, 10000000, 9000000, 'บริษัท ทดสอบ ' || n % 100 || ' จำกัด', 1, x.signed_on - 30, x.signed_on, 'test', ${load}, ${load}, ${load}
    from generate_series(1, ${departments * PROJECTS_PER_DEPARTMENT}) n
    cross join lateral (select date '2026-11-18' - n * 7 % 300 as signed_on) x
    join departments d on d.name = 'กรม ' || 1 + n % ${departments};
    insert into contracts (project_id, contract_no, winner_name, amount_satang, signed_on)
    select p.project_id, '1', p.winner_name, p.winner_satang, p.contract_signed_on from projects p`)
  await db.transaction((tx) => matchDataLoadProjects(tx, load))
  await updateCompanyFacts(db)
  const [matched] = await db.query<{ n: number }>(sql`
    select count(*)::int as n from project_matches m where m.organisation_id = ${organisationId}::int`)
  if (matched!.n !== departments * PROJECTS_PER_DEPARTMENT) throw new Error(`only ${matched!.n} projects match`)
  await db.script('vacuum analyze')
  return { organisationId, userId }
}
