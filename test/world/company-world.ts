import type { LightMyRequestResponse } from 'fastify'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import {
  type CompanyDetail,
  type CompanyProjects,
  companyDetailSchema,
  companyProjectsSchema,
} from '#contract/market/company.ts'
import { updateCompanyFacts } from '#server/market/company/update-company-facts.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { appOn, type SignedIn, signIn } from '../server/http-app.ts'
import { addLoad, addOrganisation, addUser } from './report-world.ts'
import { putWonProjects, type WonProject } from './won-projects.ts'

const PASSWORD = 'Tamngan#2569'
export const ALPHA = { name: 'บริษัท อัลฟา จำกัด', tin: '0105500000001' }
export const BETA = { name: 'บริษัท เบตา จำกัด', tin: '0105500000002' }
export const GAMMA = { name: 'ห้างหุ้นส่วนจำกัด แกมมา', tin: null }
export const PERSON = { name: 'นาย สมมติ ไม่มีจริง', tin: '330960000xxxx' }

const b = (baht: number) => baht * 100
export const CAMERA = 'ซื้อกล้องวงจรปิด'
export const ROAD = 'ก่อสร้างถนน'

/** One project per rule. The comments state the effect of each project on the figures of the company อัลฟา. */
const PROJECTS: readonly WonProject[] = [
  {
    // Won: 10 % below the reference price.
    ...{
      id: 'p1',
      year: 2568,
      name: CAMERA,
      dept: 'กรมหนึ่ง',
      unit: 'กอง ก',
      estimate: b(1_000_000),
      winnerAnnouncedOn: '2025-03-01',
    },
    bidders: [
      { ...ALPHA, price: b(900_000), won: true },
      { ...BETA, price: b(950_000) },
      { ...GAMMA, price: b(1_000_000) },
    ],
    contracts: [{ ...ALPHA, amount: b(900_000), signedOn: '2025-03-10', endsOn: '2025-06-30' }],
  },
  {
    // Lost to เบตา with a price that was higher by 5 % of the reference price.
    ...{
      id: 'p2',
      year: 2568,
      name: CAMERA,
      dept: 'กรมหนึ่ง',
      unit: 'กอง ข',
      estimate: b(2_000_000),
      winnerAnnouncedOn: '2025-04-01',
    },
    bidders: [
      { ...ALPHA, price: b(1_900_000) },
      { ...BETA, price: b(1_800_000), won: true },
    ],
    contracts: [{ ...BETA, amount: b(1_800_000), signedOn: '2025-04-10' }],
  },
  {
    // Won: reference price unknown, 10 % below the budget.
    ...{
      id: 'p3',
      year: 2569,
      name: ROAD,
      dept: 'กรมหนึ่ง',
      unit: 'กอง ก',
      budget: b(500_000),
      province: 50,
      methodType: 'service',
    },
    contracts: [{ ...ALPHA, amount: b(450_000), signedOn: '2026-01-05', endsOn: '2026-12-31' }],
  },
  {
    // Won: 10 % above the reference price. Its location is unknown.
    ...{
      id: 'p4',
      year: 2569,
      name: ROAD,
      dept: 'กรมสอง',
      unit: 'กอง ค',
      estimate: b(100_000),
      province: null,
      criteria: 'price_and_other',
    },
    contracts: [{ ...ALPHA, amount: b(110_000), signedOn: '2026-02-05', endsOn: '2026-03-01' }],
  },
  {
    // Won together with another company, so no discount can be attributed.
    ...{
      id: 'p5',
      year: 2569,
      name: CAMERA,
      dept: 'กรมสอง',
      unit: 'กอง ค',
      estimate: b(600_000),
      winnerAnnouncedOn: '2026-05-01',
    },
    contracts: [
      { ...ALPHA, amount: b(300_000), signedOn: '2026-05-10', status: 'สิ้นสุดสัญญา' },
      { ...GAMMA, amount: b(200_000), signedOn: '2026-05-10' },
    ],
  },
  {
    // Cancelled, so it is not a win and has no known result.
    ...{
      id: 'p6',
      year: 2569,
      name: ROAD,
      dept: 'กรมสอง',
      unit: 'กอง ค',
      estimate: b(700_000),
      status: 'project_cancelled',
    },
    bidders: [
      { ...ALPHA, price: b(650_000), won: true },
      { ...BETA, price: b(660_000) },
    ],
    contracts: [{ ...ALPHA, amount: b(650_000), signedOn: '2026-05-12' }],
  },
  {
    // Won at an unknown price.
    ...{ id: 'p7', year: 2570, name: CAMERA, dept: 'กรมสาม', unit: 'กอง ง', estimate: b(800_000), method: 'specific' },
    winnerAnnouncedOn: '2026-10-15',
    contracts: [{ ...ALPHA, amount: null, endsOn: '2026-11-01' }],
  },
  {
    // Two contracts, one of them under way; no year is known.
    ...{ id: 'p8', year: null, name: ROAD, dept: 'กรมสาม', unit: 'กอง ง', estimate: b(150_000) },
    contracts: [
      { ...ALPHA, amount: b(50_000), signedOn: '2026-06-01', endsOn: '2026-07-01' },
      { ...ALPHA, amount: b(70_000), signedOn: '2026-06-01', endsOn: '2027-07-01' },
    ],
  },
  {
    ...{
      id: 'p9',
      year: 2567,
      name: ROAD,
      dept: 'กรมหนึ่ง',
      unit: 'กอง ก',
      estimate: b(400_000),
      winnerAnnouncedOn: '2024-02-01',
    },
    contracts: [{ ...ALPHA, amount: b(300_000), signedOn: '2024-02-10' }],
  },
  {
    // Lost; no price is known.
    ...{
      id: 'p10',
      year: 2568,
      name: ROAD,
      dept: 'กรมสาม',
      unit: 'กอง ง',
      estimate: b(900_000),
      winnerAnnouncedOn: '2025-07-01',
    },
    bidders: [
      { ...ALPHA, price: null },
      { ...BETA, price: null, won: true },
    ],
    contracts: [{ ...BETA, amount: b(850_000), signedOn: '2025-07-10' }],
  },
  {
    // Won by a natural person; the department's spending still counts.
    ...{
      id: 'p11',
      year: 2569,
      name: ROAD,
      dept: 'กรมหนึ่ง',
      unit: 'กอง ก',
      estimate: b(50_000),
      winnerAnnouncedOn: '2026-03-01',
    },
    contracts: [{ ...PERSON, amount: b(50_000), signedOn: '2026-03-02' }],
  },
]

type Query = Readonly<Record<string, string>>

export type CompanyWorld = {
  readonly app: RouteApp
  /** `mine` is a user whose organisation watches cameras; the organisation of `stranger` watches roads. */
  readonly mine: SignedIn
  readonly stranger: SignedIn
  readonly url: (name: string, part?: string, query?: Query) => string
  readonly ask: (path: string, user?: SignedIn) => Promise<LightMyRequestResponse>
  readonly detail: (query?: Query, name?: string, user?: SignedIn) => Promise<CompanyDetail>
  readonly projects: (query: Query, name?: string, user?: SignedIn) => Promise<CompanyProjects>
}

/**
 * Starts the whole server with these projects, on 21 November 2026, and two organisations that see different parts of
 * them.
 */
export async function companyWorld(db: OpenDb): Promise<CompanyWorld> {
  const app = await appOn(db, { now: () => new Date('2026-11-21T02:00:00Z') })
  const emails = [await newUser(db, 'กล้อง'), await newUser(db, 'ถนน')]
  const load = await addLoad(db)
  await putWonProjects(db, load, PROJECTS)
  await db.transaction((tx) => matchDataLoadProjects(tx, load))
  await updateCompanyFacts(db)
  const mine = await signIn(app, emails[0]!, PASSWORD)
  const stranger = await signIn(app, emails[1]!, PASSWORD)
  const url: CompanyWorld['url'] = (name, part = '', query = {}) =>
    `/api/v2/companies/${encodeURIComponent(name)}${part}?${new URLSearchParams(query)}`
  const ask = async (path: string, user = mine) => app.inject({ url: path, headers: user.headers })
  const answerOf = async (path: string, user?: SignedIn): Promise<unknown> => {
    const answer = await ask(path, user)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json()
  }
  return {
    ...{ app, mine, stranger, url, ask },
    detail: async (query = {}, name = ALPHA.name, user) =>
      companyDetailSchema.parse(await answerOf(url(name, '', query), user)),
    projects: async (query, name = ALPHA.name, user) =>
      companyProjectsSchema.parse(await answerOf(url(name, '/projects', query), user)),
  }
}

async function newUser(db: OpenDb, word: string): Promise<string> {
  const organisationId = await addOrganisation(db, { words: { include: [word] } })
  await db.execute(sql`update organisations set is_company_compare = true where id = ${organisationId}::int`)
  const userId = await addUser(db, organisationId)
  const [user] = await db.query<{ email: string }>(sql`
    update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${userId}::int returning email`)
  return user!.email
}
