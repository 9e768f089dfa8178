import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ContractEnds,
  contractEndListSchema,
  formatContractAmount,
} from '#contract/catalogue/contract-ends-list.ts'
import { linkedProjectsSchema } from '#contract/report/project-detail.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { writeProjectTraits } from '#server/report/project/write-project-traits.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser, type ProjectInput, putProjects } from '../../../test/world/report-world.ts'

const PASSWORD = 'Tamngan#2569'
const TODAY = '2026-11-23'
const CAMERAS = 'ประกวดราคาเช่ากล้องวงจรปิดพร้อมติดตั้ง'

type Contract = {
  readonly no?: string
  readonly signed?: string | null
  readonly ends: string | null
  readonly status?: string
  readonly winner?: string
  readonly satang?: number
}

onEachEngine('ending contracts', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let me: SignedIn
  let userId: number

  const publish = async (inputs: readonly (Partial<ProjectInput> & { id: string })[]) => {
    const load = await addLoad(db)
    await putProjects(db, load, inputs)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    await writeProjectTraits(db)
  }
  const sign = async (id: string, contracts: readonly Contract[]) => {
    for (const [at, contract] of contracts.entries())
      await db.execute(sql`
        insert into contracts (project_id, contract_no, signed_on, ends_on, status, winner_name, amount_satang)
        values (${id}, ${contract.no ?? `${at + 1}`}, ${contract.signed === undefined ? '2025-12-01' : contract.signed}::date, ${contract.ends}::date,
          ${contract.status ?? null}, ${contract.winner ?? null}, ${contract.satang ?? null}::bigint)`)
  }
  const get = (url: string) => app.inject({ url: `/api/v2/${url}`, headers: me.headers })
  const list = async (query: Record<string, string> = {}): Promise<ContractEnds> => {
    const answer = await get(`contract-ends?${new URLSearchParams(query)}`)
    expect(answer.statusCode, answer.body).toBe(200)
    return contractEndListSchema.parse(answer.json())
  }
  const listed = async (query?: Record<string, string>) =>
    (await list(query)).results.map(({ project_id: id, contract_no: no }) => `${id}/${no}`)

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => new Date('2026-11-23T02:00:00Z') })
    userId = await addUser(db, await addOrganisation(db))
    const [user] = await db.query<{ email: string }>(sql`
      update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${userId}::int returning email`)
    me = await signIn(app, user!.email, PASSWORD)
  })
  afterAll(() => app.close())
  beforeEach(() => emptyTables(db, 'loads', 'projects', 'project_matches', 'hidden_projects', 'departments'))

  test('lists running contracts of both tabs, earliest end first, with their amounts', async () => {
    await publish([
      { id: '1', status: 'contract_created', isArchived: true },
      { id: '2', status: 'contract_created' },
      { id: '3', status: 'project_cancelled', isArchived: true },
      { id: '4', name: 'ซื้อของอื่น' },
    ])
    await sign('1', [
      { ends: '2027-03-01', satang: 100_050 },
      { ends: '2026-12-31' },
      { ends: '2026-11-22' },
      { ends: '2026-12-01', status: 'ยกเลิกสัญญา' },
      { ends: '2026-12-02', status: 'สิ้นสุดสัญญา' },
      { ends: '2026-12-03', signed: '2027-01-01' },
      { ends: null },
    ])
    await sign('2', [{ ends: TODAY, signed: null, satang: 200_000 }, { ends: '2027-05-22' }, { ends: '2027-05-23' }])
    await sign('3', [{ ends: '2026-12-05' }])
    await sign('4', [{ ends: '2026-12-06' }])
    expect(await list()).toMatchObject({ total: 4, projects: 2, within: 180, value: 3_000.5, n_value: 2 })
    expect(await listed()).toEqual(['2/1', '1/2', '1/1', '2/2'])
    expect((await list()).results.map(({ days_left: left }) => left)).toEqual([0, 38, 98, 180])
    expect(await listed({ ends_within: '60' })).toEqual(['2/1', '1/2'])
    expect(await listed({ is_archived: 'true' })).toEqual(['1/2', '1/1'])
  })

  test('counts the contracts whose price the total leaves out as doubtful', async () => {
    await publish([
      { id: '1', status: 'contract_created' },
      { id: '2', status: 'contract_created', winning: 500_000 },
      { id: '3', status: 'contract_created' },
    ])
    await sign('1', [{ ends: '2026-12-01' }, { ends: '2026-12-02', satang: 300_000 }])
    await sign('2', [{ ends: '2026-12-01' }])
    await sign('3', [{ ends: '2026-12-01' }])
    expect(await list()).not.toHaveProperty('amounts_in_doubt')
    await db.execute(sql`
      insert into project_doubts (project_id, doubts)
      select id, '[{"kind": "amount_is_id", "field": "งบสัญญา", "value": "105546135262"}]' from unnest(array['1', '2']) id`)
    expect(await list()).toMatchObject({ total: 4, value: 8_000, n_value: 2, amounts_in_doubt: 1 })
  })

  test('a contract without an amount takes the project’s agreed sum if the project has no other contract', async () => {
    await publish([
      { id: '1', status: 'contract_created', winning: 500_000 },
      { id: '2', status: 'contract_created', winning: 900_000 },
      { id: '3', status: 'contract_created', winning: 700_000 },
      { id: '4', status: 'contract_created' },
    ])
    await sign('1', [{ ends: '2026-12-01' }])
    // An ended contract counts as a contract of the project too, because the project's price covers both.
    await sign('2', [{ ends: '2026-12-02' }, { ends: '2026-01-01', status: 'สิ้นสุดสัญญา' }])
    await sign('3', [{ ends: '2026-12-03', satang: 600_000 }])
    await sign('4', [{ ends: '2026-12-04' }])
    const { results, ...sums } = await list()
    expect(sums).toMatchObject({ total: 4, value: 11_000, n_value: 2 })
    expect(results.map(({ amount, project_amount: agreed, project_contracts: n }) => [amount, agreed, n])).toEqual([
      [5_000, 5_000, 1],
      [null, 9_000, 2],
      [6_000, 7_000, 1],
      [null, null, 1],
    ])
    expect(results.map((row) => formatContractAmount(row, String))).toEqual([
      '5000 บาท',
      'รวม 2 สัญญาของงานนี้ 9000 บาท',
      '6000 บาท',
      undefined,
    ])
    const amounts = async (id: string) =>
      (await get(`projects/${id}`)).json().contracts.map(({ amount }: { amount: number | null }) => amount)
    expect([await amounts('1'), await amounts('2'), await amounts('3')]).toEqual([[5_000], [null, null], [6_000]])
  })

  test('the report finds the same projects, and an invalid number of days is refused in Thai', async () => {
    await publish([
      { id: '1', status: 'contract_created', isArchived: true },
      { id: '2', status: 'contract_created' },
      { id: '3' },
    ])
    await sign('1', [{ ends: '2027-01-01' }])
    await sign('2', [{ ends: '2027-01-02' }])
    const page = (await get('projects?ends_within=60')).json()
    expect(page.results.map((row: { project_id: string }) => row.project_id).sort()).toEqual(['1', '2'])
    expect(page.results[0].contract_ends).toHaveLength(1)
    for (const days of ['0', '731', '-3', '1.5', 'x', '30,60']) {
      const refused = await get(`projects?ends_within=${days}`)
      expect([refused.statusCode, refused.json().ends_within]).toEqual([400, ['ต้องเป็นจำนวนเต็มที่อยู่ในช่วงที่ใช้ได้']])
      expect((await get(`contract-ends?ends_within=${days}`)).statusCode).toBe(400)
    }
  })

  test('omits hidden projects, and another organisation sees none', async () => {
    await publish([{ id: '1', status: 'contract_created' }])
    await sign('1', [{ ends: '2027-01-01' }])
    await db.execute(sql`insert into hidden_projects (user_id, project_id) values (${userId}::int, '1')`)
    expect(await listed()).toEqual([])
    expect(await listed({ project_hidden: 'true' })).toEqual(['1/1'])
    const strangerId = await addUser(db, await addOrganisation(db, { words: { include: ['ไม่มีคำนี้'] } }))
    const [user] = await db.query<{ email: string }>(sql`
      update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${strangerId}::int returning email`)
    const stranger = await signIn(app, user!.email, PASSWORD)
    const answer = await app.inject({ url: '/api/v2/contract-ends?project_hidden=true', headers: stranger.headers })
    expect(answer.json()).toMatchObject({ total: 0, results: [] })
  })

  describe('earlier purchases of the unit', () => {
    const years = [2022, 2023, 2024, 2025] as const
    const past = (winners: readonly string[]) =>
      years.map((year, at) => ({
        id: `${at + 1}`,
        name: `${CAMERAS} ปี ${year}`,
        invitedOn: `${year}-10-05`,
        winner: winners[at]!,
        status: 'contract_created',
      }))
    const now = {
      id: '9',
      name: CAMERAS,
      invitedOn: '2026-10-20',
      winner: 'บริษัท ก จำกัด',
      status: 'contract_created',
    }

    test('lists winners, frequency and usual months; the project page agrees', async () => {
      await publish([
        ...past(['บริษัท ก จำกัด', 'บริษัท ข จำกัด', 'บจก. ก', 'นาย สมมติ ไม่มีจริง']),
        now,
        { ...now, id: '10', unit: 'กองอื่น' },
        { ...now, id: '11', name: 'ประกวดราคาจ้างก่อสร้างถนน กล้อง' },
        { ...now, id: '12', status: 'project_cancelled' },
      ])
      await sign('9', [{ ends: '2027-01-01', winner: 'บริษัท ก จำกัด' }])
      const [row] = (await list({ project_id__in: '9' })).results
      expect(row!.history).toMatchObject({
        decided: 4,
        same_winner: 2,
        rhythm: { n: 5, years: 5, usual: { month: 9, hits: 5, certainty: 'medium' } },
      })
      const { earlier } = row!.history
      expect(earlier.map(({ project_id: id, is_same_winner: isSame }) => `${id} ${isSame}`)).toEqual([
        '4 false',
        '3 true',
        '2 false',
        '1 true',
      ])
      expect(earlier[0]).toMatchObject({ winner_name: 'บุคคลธรรมดา', first_date: '2025-10-05', in_report: true })
      const linked = linkedProjectsSchema.parse((await get('projects/9/linked')).json())
      expect(linked.history).toEqual(row!.history)
    })

    test('a first purchase has no known predecessor', async () => {
      await publish([now])
      await sign('9', [{ ends: '2027-01-01', winner: 'บริษัท ก จำกัด' }])
      const [row] = (await list()).results
      expect(row!.history).toEqual({
        rhythm: { n: 1, years: 1, usual: null },
        decided: 0,
        same_winner: 0,
        earlier: [],
      })
    })
  })
})
