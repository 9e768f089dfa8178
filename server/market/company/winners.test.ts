import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RecentCompanyWins, recentCompanyWinsSchema } from '#contract/market/company.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser } from '../../../test/world/report-world.ts'
import { putWonProjects, type WonProject } from '../../../test/world/won-projects.ts'
import { updateCompanyFacts } from './update-company-facts.ts'

const PASSWORD = 'Tamngan#2569'
const ALPHA = { name: 'บริษัท อัลฟา จำกัด', tin: '0105500000001' }
const BETA = { name: 'บริษัท เบตา จำกัด', tin: '0105500000002' }
const PERSON = { name: 'นาง สมมติ ไม่มีจริง', tin: '330960000xxxx' }
const CAMERA = { name: 'ซื้อกล้องวงจรปิด', dept: 'กรมหนึ่ง' }

/** Returns a project whose most recent change is its award. */
const won = (id: string, day: string, more: Partial<WonProject>): WonProject => ({
  ...{
    id,
    year: 2570,
    ...CAMERA,
    estimate: 100_000_00,
    movement: 'winner_announced',
    movementOn: day,
    winnerAnnouncedOn: day,
  },
  ...more,
})
const contract = (company: typeof ALPHA, baht: number) => [{ ...company, amount: baht * 100, signedOn: null }]

/** The newest data in the report is from 18 November, so the last seven days begin on the 12th. */
const PROJECTS: readonly WonProject[] = [
  won('w1', '2026-11-18', { contracts: contract(ALPHA, 90_000) }),
  won('w2', '2026-11-12', { contracts: contract(BETA, 80_000), estimate: null, budget: 100_000_00 }),
  won('w3', '2026-11-11', { contracts: contract(BETA, 70_000) }),
  won('w4', '2026-11-14', { contracts: contract(PERSON, 60_000) }),
  won('w5', '2026-11-15', { contracts: contract(ALPHA, 50_000), status: 'project_cancelled' }),
  won('w6', '2026-11-16', { contracts: [...contract(ALPHA, 30_000), ...contract(BETA, 20_000)] }),
  // Project w7 is only in another organisation's report, w8 is dated after today.
  won('w7', '2026-11-17', { name: 'ก่อสร้างถนน', contracts: contract(BETA, 40_000) }),
  won('w8', '2026-12-24', { contracts: contract(BETA, 10_000) }),
  // Project w9 had a movement this week, but was won long ago.
  won('w9', '2026-11-18', { contracts: contract(ALPHA, 10_000), winnerAnnouncedOn: '2026-08-01', name: 'ก่อสร้างถนน' }),
]

onEachEngine('GET /company-winners', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let me: SignedIn
  let stranger: SignedIn
  let empty: SignedIn

  const requestWinners = async (user: SignedIn): Promise<RecentCompanyWins> =>
    recentCompanyWinsSchema.parse((await app.inject({ url: '/api/v2/company-winners', headers: user.headers })).json())
  const newcomer = async (word: string): Promise<string> => {
    const organisationId = await addOrganisation(db, { words: { include: [word] } })
    await db.execute(sql`update organisations set is_company_compare = true where id = ${organisationId}::int`)
    const userId = await addUser(db, organisationId)
    const [user] = await db.query<{ email: string }>(sql`
      update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${userId}::int returning email`)
    return user!.email
  }

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => new Date('2026-11-21T02:00:00Z') })
    const emails = [await newcomer('กล้อง'), await newcomer('ถนน'), await newcomer('ไม่มีใครซื้อ')]
    const load = await addLoad(db)
    await putWonProjects(db, load, PROJECTS)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    await updateCompanyFacts(db)
    const [a, b, c] = await Promise.all(emails.map((email) => signIn(app, email, PASSWORD)))
    me = a!
    stranger = b!
    empty = c!
  })
  afterAll(() => app.close())

  test('lists awards of the last seven days of data, each winner once, newest first, persons unnamed', async () => {
    const { from_date, to_date, total, results } = await requestWinners(me)
    expect([from_date, to_date, total]).toEqual(['2026-11-12', '2026-11-18', 5])
    expect(
      results.map((row) => [row.project_id, row.winner_name, row.company?.tax_id ?? null, row.value, row.discount]),
    ).toEqual([
      ['w1', ALPHA.name, ALPHA.tin, 90_000, { rate: 0.1, against: 'reference' }],
      ['w6', ALPHA.name, ALPHA.tin, 30_000, null],
      ['w6', BETA.name, BETA.tin, 20_000, null],
      ['w4', 'บุคคลธรรมดา', null, 60_000, { rate: 0.4, against: 'reference' }],
      ['w2', BETA.name, BETA.tin, 80_000, { rate: 0.2, against: 'budget' }],
    ])
    expect(JSON.stringify(results)).not.toContain('สมมติ')
  })

  test('new means no earlier win in this report, regardless of wins elsewhere', async () => {
    const isNew = Object.fromEntries(
      (await requestWinners(me)).results.map((row) => [`${row.project_id} ${row.company?.name ?? '-'}`, row.is_new]),
    )
    expect(isNew).toEqual({
      [`w1 ${ALPHA.name}`]: false,
      [`w6 ${ALPHA.name}`]: true,
      [`w6 ${BETA.name}`]: false,
      'w4 -': false,
      [`w2 ${BETA.name}`]: false,
    })
    expect((await requestWinners(stranger)).results.map(({ project_id, is_new }) => [project_id, is_new])).toEqual([
      ['w7', true],
    ])
  })

  test('returns no days for a report without projects', async () => {
    expect(await requestWinners(empty)).toEqual({ from_date: null, to_date: null, total: 0, results: [] })
  })

  test('the next answer shows a published award, its company figures and a changed list', async () => {
    const rows = async (user: SignedIn) =>
      (await requestWinners(user)).results.map((row) => `${row.project_id} ${row.company?.name ?? '-'}`)
    const before = await rows(me)
    expect(await rows(me)).toEqual(before)
    const load = await addLoad(db)
    await putWonProjects(db, load, [won('w10', '2026-11-18', { contracts: contract(BETA, 95_000) })])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    expect(await rows(me)).toEqual(['w10 -', ...before])
    await updateCompanyFacts(db)
    expect(await rows(me)).toEqual([`w10 ${BETA.name}`, ...before])
    await db.execute(sql`delete from project_matches where project_id = 'w10'`)
    expect(await rows(me)).toEqual(before)
  })
})
