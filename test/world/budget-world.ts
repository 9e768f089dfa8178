import sql from 'sql-template-tag'
import type { BudgetRow } from '#server/market/budget/budget-row.ts'
import { replaceBudgetYear } from '#server/market/budget/replace-budget-year.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import { writeProjectTraits } from '#server/report/project/write-project-traits.ts'
import {
  addLoad,
  addOrganisation,
  addUser,
  type OrganisationInput,
  type ProjectInput,
  putProjects,
} from './report-world.ts'

export const BUDGET_PASSWORD = 'Tamngan#2569'

const ITEM: BudgetRow = {
  sourceId: '',
  document: 'เล่มที่ 1',
  page: 1,
  ministry: 'กระทรวงตัวอย่าง',
  unit: 'กรมตัวอย่าง',
  plan: 'แผนงานตัวอย่าง',
  output: null,
  project: 'โครงการตัวอย่าง',
  categories: ['งบลงทุน', 'ค่าครุภัณฑ์'],
  description: 'กล้องวงจรปิด',
  amountSatang: 100_000_000,
  isMultiYear: false,
  isCrossFunction: false,
}

export async function putBudget(
  db: Db,
  fiscalYear: number,
  rows: readonly Partial<BudgetRow>[],
): Promise<{ budgetLoadId: number; unchanged: number; removed: number }> {
  const items = rows.map((row) => ({ ...ITEM, ...row }))
  const year = { fiscalYear, origin: 'test', read: rows.length, rows: items, refused: [], at: new Date() }
  return db.transaction((tx) => replaceBudgetYear(tx, year))
}

export type BudgetFlags = {
  readonly only?: boolean
  readonly access?: boolean
  readonly years?: string
  readonly userFlag?: boolean | null
}

/**
 * Adds an organisation with these budget flags and words. Returns the e-mail of its user, whose password is
 * `BUDGET_PASSWORD`.
 */
export async function addBudgetOrganisation(
  db: Db,
  { only = false, access = true, years = '2569,2570', userFlag = null }: BudgetFlags = {},
  input: Partial<OrganisationInput> = {},
): Promise<{ organisationId: number; userId: number; email: string }> {
  const organisationId = await addOrganisation(db, input)
  await db.execute(sql`
    update organisations set is_access_budget_year_only = ${only}::boolean, is_access_budget_year = ${access}::boolean,
      allow_access_budget_year = ${years} where id = ${organisationId}::int`)
  const userId = await addUser(db, organisationId)
  const [user] = await db.query<{ email: string }>(sql`
    update users set password_hash = ${await hashPassword(BUDGET_PASSWORD)}, is_access_budget_year = ${userFlag}::boolean, first_name = 'มานี'
    where id = ${userId}::int returning email`)
  return { organisationId, userId, email: user!.email }
}

export async function putBudgetProjects(
  db: Db,
  fiscalYear: number,
  projects: readonly Partial<ProjectInput>[],
): Promise<number> {
  const load = await addLoad(db)
  await putProjects(db, load, projects)
  await db.execute(sql`update projects set fiscal_year = ${fiscalYear}::smallint where written_load = ${load}::bigint`)
  await writeProjectTraits(db)
  return load
}
