import type { LightMyRequestResponse } from 'fastify'
import sql from 'sql-template-tag'
import { type CompanyComparison, companyComparisonSchema } from '#contract/market/company-comparison.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { putCompanies, putProjectFacts } from '../comparison-facts.ts'
import { appOn, type SignedIn, signIn } from '../server/http-app.ts'
import { addOrganisation, addUser } from './report-world.ts'

const PASSWORD = 'Tamngan#2569'
export const A = 'บริษัท ก้าวหน้า จำกัด'
export const B = 'ห้างหุ้นส่วนจำกัด ขยันงาน'
export const C = 'บริษัท คงทน จำกัด'
export const TWIN = 'บริษัท เหมือนกัน จำกัด'
export const TIN = {
  A: '0105550000018',
  B: '0103550000026',
  C: '0105550000034',
  TWIN_1: '0105550000042',
  TWIN_2: '0105550000051',
}
export const ROADS = 'กรมทางหลวง'
export const SCHOOL = 'โรงเรียนบ้านนา'

export type ComparisonApp = {
  readonly app: RouteApp
  member(words: readonly string[]): Promise<SignedIn>
  get(path: string, query: Record<string, string>, user: SignedIn): Promise<LightMyRequestResponse>
  compare(names: readonly string[], more: Record<string, string>, user: SignedIn): Promise<CompanyComparison>
}

/** Starts the server on a database, with its clock at noon of 21 November 2026 in Bangkok. */
export async function comparisonApp(db: OpenDb): Promise<ComparisonApp> {
  const app = await appOn(db, { now: () => new Date('2026-11-21T05:00:00Z') })
  const get: ComparisonApp['get'] = (path, query, user) =>
    app.inject({ url: `/api/v2/company-comparison${path}`, query, headers: user.headers })
  return {
    app,
    get,
    async member(words) {
      const organisationId = await addOrganisation(db, { words: { include: words } })
      await db.execute(
        sql`update organisations set is_access_company_comparison = true where id = ${organisationId}::int`,
      )
      const userId = await addUser(db, organisationId)
      const [user] = await db.query<{ email: string }>(
        sql`update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${userId}::int returning email`,
      )
      return signIn(app, user!.email, PASSWORD)
    },
    async compare(names, more, user) {
      const answer = await get('', { project_winner_name__in: names.join('||'), ...more }, user)
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`)
      return companyComparisonSchema.parse(answer.json())
    },
  }
}

/** Adds a world whose figures can be computed by hand. Returns company ids by tax id. */
export async function putHandWorld(db: OpenDb): Promise<Map<string, number>> {
  const ids = await putCompanies(db, [
    { name: A, taxId: TIN.A, isSme: false },
    { name: B, taxId: TIN.B, isSme: true },
    { name: C, taxId: TIN.C },
    { name: TWIN, taxId: TIN.TWIN_1 },
    { name: TWIN, taxId: TIN.TWIN_2 },
  ])
  const [a, b, c] = [TIN.A, TIN.B, TIN.C]
  const load = await putProjectFacts(db, ids, [
    // A beats B by 5 % of the reference price.
    {
      id: '69010000001',
      year: 2569,
      reference: 1_000_000,
      coverage: 2,
      decided: '2026-01-10',
      parts: [
        { company: a, bid: 900_000, value: 890_000, won: true, openUntil: '2027-01-31' },
        { company: b, bid: 950_000 },
      ],
    },
    // B beats A by 2 %, at another office and for another kind of work.
    {
      id: '69010000002',
      name: 'ก่อสร้างถนน',
      dept: ROADS,
      unit: 'แขวงทางหลวงหนึ่ง',
      province: 30,
      type: 'construct',
      criteria: 'price_performance',
      year: 2569,
      reference: 10_000_000,
      coverage: 2,
      decided: '2026-03-10',
      parts: [
        { company: a, bid: 9_900_000 },
        { company: b, bid: 9_700_000, value: 9_700_000, won: true, openUntil: null },
        { company: c, bid: 9_950_000 },
      ],
    },
    // Neither company wins, and the prices are unknown.
    {
      id: '68010000003',
      year: 2568,
      reference: 500_000,
      coverage: 1,
      decided: '2025-06-01',
      othersWon: true,
      parts: [{ company: a }, { company: b }],
    },
    // The project has no result and no reference price yet, so there is no gap.
    {
      id: '69010000004',
      year: 2569,
      coverage: 2,
      parts: [
        { company: a, bid: 100 },
        { company: b, bid: 90 },
      ],
    },
    // Only the winner and the price are known.
    {
      id: '68010000005',
      year: 2568,
      reference: 400_000,
      coverage: 0,
      decided: '2025-02-01',
      parts: [{ company: a, value: 380_000, won: true }],
    },
    // The price can be compared only with the budget, so it is counted separately.
    {
      id: '68010000006',
      dept: SCHOOL,
      year: 2568,
      budget: 600_000,
      coverage: 0,
      decided: '2025-03-01',
      parts: [{ company: a, value: 540_000, won: true }],
    },
    // Both companies won a part: one common project, although its bidders are unknown.
    {
      id: '67010000007',
      dept: SCHOOL,
      year: 2567,
      reference: 60_000_000,
      coverage: 0,
      decided: '2024-02-01',
      parts: [
        { company: a, value: 50_500_000, won: true },
        { company: c, won: true },
      ],
    },
  ])
  await db.transaction((tx) => matchDataLoadProjects(tx, load))
  return ids
}
