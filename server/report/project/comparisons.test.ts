import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LinkedProject } from '#contract/catalogue/linked-project.ts'
import {
  type ComparablePriceScope,
  type SimilarProjectPrices,
  similarProjectPricesSchema,
} from '#contract/catalogue/similar-prices.ts'
import { linkedProjectsSchema } from '#contract/report/project-detail.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser, type ProjectInput, putProjects } from '../../../test/world/report-world.ts'
import { putWonProjects, type WonProject } from '../../../test/world/won-projects.ts'
import { loadSimilarPrices } from './load-similar-prices.ts'
import { loadComparedProject } from './similar-project-queries.ts'
import { areProjectTraitsComplete, writeProjectTraits } from './write-project-traits.ts'

const PASSWORD = 'Tamngan#2569'
const MILLION = 100_000_000
/** A day in fiscal year 2569. Awards before fiscal year 2567 count as old. */
const NOW = new Date('2026-06-01T05:00:00Z')
const CAMERAS = 'ประกวดราคาซื้อกล้องวงจรปิดพร้อมติดตั้ง'
const HOME = { dept: 'เทศบาลเมืองหนึ่ง', unit: 'เทศบาลเมืองหนึ่ง', deptProvince: 50, province: 50 }
const NEIGHBOUR = { dept: 'เทศบาลเมืองสอง', unit: 'เทศบาลเมืองสอง', deptProvince: 50, province: 50 }
const FAR_AWAY = { dept: 'เทศบาลเมืองสี่', unit: 'เทศบาลเมืองสี่', deptProvince: 90, province: 90 }

let serial = 0
const project = (input: Partial<ProjectInput>): Partial<ProjectInput> & { id: string } => ({
  ...HOME,
  name: CAMERAS,
  budget: MILLION,
  ...input,
  id: input.id ?? String(69_010_000_000 + ++serial),
})
const won = (discount: number, input: Partial<ProjectInput> = {}) =>
  project({
    estimate: MILLION,
    winning: Math.round(MILLION * (1 - discount)),
    winner: 'บริษัท ก จำกัด',
    status: 'contract_created',
    winnerAnnouncedOn: '2026-03-01',
    ...input,
  })
const many = (count: number, make: (i: number) => Partial<ProjectInput>) =>
  Array.from({ length: count }, (_, i) => make(i))

onEachEngineInTurn('projects compared with one', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let me: SignedIn

  const load = async (inputs: readonly Partial<ProjectInput>[]) => {
    const id = await addLoad(db)
    await putProjects(db, id, inputs)
    await db.transaction((tx) => matchDataLoadProjects(tx, id))
    await writeProjectTraits(db)
  }
  const loadWon = async (inputs: readonly Partial<WonProject>[]) => {
    const id = await addLoad(db)
    await putWonProjects(
      db,
      id,
      inputs.map((input) => ({ ...project(input), year: null, ...input }) as WonProject),
    )
    await db.transaction((tx) => matchDataLoadProjects(tx, id))
    await writeProjectTraits(db)
  }
  const similar = async (id: string, step?: ComparablePriceScope): Promise<SimilarProjectPrices> => {
    const query = step === undefined ? '' : `?step=${step}`
    const answer = await app.inject({ url: `/api/v2/projects/${id}/similar-prices${query}`, headers: me.headers })
    expect(answer.statusCode, answer.body).toBe(200)
    return similarProjectPricesSchema.parse(answer.json())
  }
  const linked = async (id: string): Promise<LinkedProject[]> => {
    const answer = await app.inject({ url: `/api/v2/projects/${id}/linked`, headers: me.headers })
    expect(answer.statusCode, answer.body).toBe(200)
    return linkedProjectsSchema.parse(answer.json()).results
  }
  const kinds = async (id: string) => (await linked(id)).map(({ kind, project_id }) => [kind, project_id])

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => NOW })
    const organisationId = await addOrganisation(db, { words: { include: ['กล้อง', 'รักษาความสะอาด', 'ถนน'] } })
    const userId = await addUser(db, organisationId)
    const [user] = await db.query<{ email: string }>(
      sql`update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${userId}::int returning email`,
    )
    me = await signIn(app, user!.email, PASSWORD)
  })
  afterAll(() => app.close())

  test('widens from agency to ministry, all, years and sizes until nine match; each step can be requested', async () => {
    for (const name of ['เทศบาลเมืองหนึ่ง', 'เทศบาลเมืองสอง'])
      await db.execute(sql`
        insert into agency_directory (name_key, name, ministry, province, imported_at) values (${name}, ${name}, 'เทศบาลเมือง', null, now())`)
    const subject = project({})
    const steps = async () => {
      const { step, steps: all } = await similar(subject.id)
      return [step, ...all.map(({ n }) => n)]
    }
    await load([subject, ...many(3, (i) => won(0.01 * i))])
    // With too few projects everywhere, the comparison uses the widest scope.
    expect(await steps()).toEqual(['sizes', 3, 3, 3, 3, 3])
    expect(await similar(subject.id)).toMatchObject({
      n: 3,
      found: 3,
      median: null,
      p25: null,
      band: null,
      no_band_reason: 'too_few',
      winners: [],
    })
    await load([won(0.3, { ...FAR_AWAY, budget: MILLION * 9, estimate: MILLION * 9, winning: MILLION * 6 })])
    await load(many(2, () => won(0.3, { ...FAR_AWAY, winnerAnnouncedOn: '2023-09-30' })))
    expect(await steps()).toEqual(['sizes', 3, 3, 3, 5, 6])
    await load(many(2, () => won(0.3, FAR_AWAY)))
    expect(await steps()).toEqual(['sizes', 3, 3, 5, 7, 8])
    await load(many(2, () => won(0.3, { ...FAR_AWAY, winnerAnnouncedOn: '2022-05-01' })))
    expect(await steps()).toEqual(['years', 3, 3, 5, 9, 10])
    await load(many(4, () => won(0.2, NEIGHBOUR)))
    expect(await steps()).toEqual(['all', 3, 7, 9, 13, 14])
    expect((await similar(subject.id)).steps.map(({ text }) => text)).toEqual([
      'หน่วยงานเดียวกัน',
      'ทั้งสังกัด เทศบาลเมือง',
      'ทุกหน่วยงาน',
      'รวมปีก่อน 2567 ด้วย',
      'วงเงินห่างกันได้ 10 เท่า',
    ])
    await load(many(2, () => won(0.25, NEIGHBOUR)))
    expect(await similar(subject.id)).toMatchObject({
      step: 'ministry',
      n: 9,
      // Ranks 0.3 and 8.25 of 0, 0.01, 0.02, four times 0.2 and twice 0.25.
      band: { low: 0, high: 0.25, n: 9, basis: 'similar' },
      no_band_reason: null,
      scope: 'งานซื้อที่ชื่อคล้ายกันในสังกัด เทศบาลเมือง · วิธีเชิญชวนทั่วไป · วงเงิน 330,000–3 ล้านบาท · ปีงบประมาณ 2569',
    })
    expect(await similar(subject.id, 'agency')).toMatchObject({ step: 'agency', n: 3 })
    const widest = await similar(subject.id, 'sizes')
    expect(widest).toMatchObject({ step: 'sizes', n: 16 })
    expect(widest.breakdown.years.map(({ year, n }) => [year, n])).toEqual([
      [2569, 12],
      [2566, 2],
      [2565, 2],
    ])
    expect(widest.breakdown.agencies.map(({ name, is_own, n }) => [name, is_own, n])).toEqual([
      ['เทศบาลเมืองหนึ่ง จ.เชียงใหม่', true, 3],
      ['เทศบาลเมืองสี่ จ.สงขลา', false, 7],
      ['เทศบาลเมืองสอง จ.เชียงใหม่', false, 6],
    ])
    await db.execute(sql`delete from agency_directory`)
    expect((await similar(subject.id)).steps.map(({ step }) => step)).toEqual(['agency', 'all', 'years', 'sizes'])
    const refused = await app.inject({
      url: `/api/v2/projects/${subject.id}/similar-prices?step=x`,
      headers: me.headers,
    })
    expect(refused.statusCode).toBe(400)
  })

  test('says why each project is similar, closest first, and never names a person', async () => {
    const unit = { dept: 'กรมสิบสอง', unit: 'กองหนึ่ง', deptProvince: null, province: 40 }
    const subject = project({ ...unit, name: 'ประกวดราคาซื้อกล้องวงจรปิด' })
    const person = won(0.1, { ...unit, unit: 'กองสอง', winner: 'บุคคลธรรมดา-1a2b' })
    const same = won(0.2, { ...unit, name: subject.name!, method: 'e_market', budget: MILLION * 2 })
    const far = won(0.3, { ...unit, dept: 'กรมสิบสาม', province: 41, name: subject.name! })
    await load([subject, person, same, far])
    const { results } = await similar(subject.id, 'all')
    const similarRows = results.filter(({ project_id: id }) => [person.id, same.id, far.id].includes(id))
    const of = (id: string) => similarRows.find(({ project_id }) => project_id === id)!
    expect(of(same.id)).toMatchObject({
      estimate_budget: 1_000_000,
      winner_budget: 800_000,
      discount: 0.2,
      winner_name: 'บริษัท ก จำกัด',
      bids: [],
      why: {
        words: ['กล้องวงจรปิด'],
        likeness: 1,
        buyer: 'unit',
        is_same_province: true,
        is_same_method: false,
        times: 2,
      },
      in_report: true,
    })
    expect(of(person.id)).toMatchObject({ winner_name: null, why: { buyer: 'agency' } })
    expect(of(far.id).why).toMatchObject({ buyer: null, is_same_province: false, is_same_method: true, times: 1 })
    const likeness = results.map(({ why }) => why.likeness)
    expect(likeness).toEqual(likeness.toSorted((a, b) => b - a))
    expect(similarRows.map(({ project_id }) => project_id).indexOf(far.id)).toBeLessThan(
      similarRows.map(({ project_id }) => project_id).indexOf(same.id),
    )
  })

  test('counts several winners and deviating contract sums separately, a consortium as one; lists bids', async () => {
    const unit = { dept: 'กรมสิบสี่', unit: 'กรมสิบสี่', deptProvince: null, province: 42 }
    const decided = { ...unit, estimate: MILLION, status: 'contract_created', winnerAnnouncedOn: '2026-03-01' }
    const subject = project(unit)
    const signed = (amount: number, name = 'บริษัท ก จำกัด', tin: string | null = null) => ({ name, tin, amount })
    await loadWon([
      subject,
      { ...decided, contracts: [signed(MILLION * 0.9)] },
      { ...decided, contracts: [signed(MILLION * 0.8, 'กิจการร่วมค้า กข', 'D888888888001')] },
      { ...decided, contracts: [signed(MILLION * 0.4), signed(MILLION * 0.5, 'บริษัท ข จำกัด')] },
      { ...decided, contracts: [signed(MILLION * 0.3), signed(MILLION * 0.4)] },
      { ...decided, status: 'project_cancelled', contracts: [signed(MILLION * 0.1)] },
      { ...decided, estimate: null, contracts: [signed(MILLION * 0.1)] },
      {
        ...decided,
        contracts: [signed(MILLION * 0.95)],
        bidders: [
          { name: 'บริษัท ก จำกัด', tin: null, price: MILLION * 0.95, won: true },
          { name: 'บริษัท ข จำกัด', tin: null, price: MILLION * 0.93 },
        ],
      },
      // This bidder list is incomplete, because a price is missing.
      {
        ...decided,
        contracts: [signed(MILLION * 0.96)],
        bidders: [{ name: 'บริษัท ข จำกัด', tin: null, price: null }],
      },
    ])
    const answer = await similar(subject.id, 'agency')
    expect(answer).toMatchObject({ n: 5, without_reference: 1, without_clear_price: 1, median: 0.1 })
    const bids = answer.results.map(({ discount, bids: offered }) => [discount, offered]).sort()
    expect(bids).toEqual([
      [0.04, []],
      [0.05, [930_000, 950_000]],
      [0.1, []],
      [0.2, []],
      [0.3, []],
    ])
  })

  test('excludes other goods, methods and sizes, cancelled and undecided projects, and itself', async () => {
    const unit = { dept: 'โรงเรียนห้า', unit: 'โรงเรียนห้า', deptProvince: 30, province: 30 }
    const subject = won(0.9, unit)
    const like = many(10, (i) => won(0.01 * (i + 1), unit))
    await load([
      subject,
      ...like,
      won(0.7, { ...unit, name: 'ประกวดราคาซื้อเครื่องปรับอากาศ พร้อมติดตั้ง กล้อง' }),
      won(0.7, { ...unit, method: 'specific' }),
      won(0.7, { ...unit, methodType: 'lease' }),
      won(0.7, { ...unit, budget: MILLION * 4 }),
      won(0.7, { ...unit, status: 'project_cancelled' }),
      project({ ...unit, estimate: MILLION }),
    ])
    const { n, results } = await similar(subject.id)
    expect(n).toBe(10)
    expect(results.map(({ discount }) => discount).sort()).toEqual(like.map((_, i) => (i + 1) / 100).sort())
  })

  test('D20: counts projects without a reference price separately, never in the average', async () => {
    const unit = { dept: 'โรงเรียนหก', unit: 'โรงเรียนหก', deptProvince: 31, province: 31 }
    const subject = project(unit)
    await load([
      subject,
      ...many(10, () => won(0.1, unit)),
      won(0, { ...unit, estimate: null, winning: MILLION / 2 }),
      won(0, { ...unit, estimate: 0, winning: MILLION / 2 }),
    ])
    expect(await similar(subject.id)).toMatchObject({ n: 10, without_reference: 2, median: 0.1, weighted: 0.1 })
    expect(await similar(subject.id)).not.toHaveProperty('references_in_doubt')
    await db.execute(sql`
      insert into project_doubts (project_id, doubts)
      select p.project_id, '[{"kind": "amount_is_id", "field": "ราคากลาง", "value": "1"}]' from projects p
      join departments d on d.id = p.department_id where d.name = 'โรงเรียนหก' and p.estimate_satang is null`)
    expect(await similar(subject.id)).toMatchObject({ without_reference: 2, references_in_doubt: 1 })
  })

  test('leaves doubtful prices out and counts those of the applied scope', async () => {
    const unit = { dept: 'กรมสิบห้า', unit: 'กรมสิบห้า', deptProvince: null, province: 43 }
    const subject = project(unit)
    const doubtful = {
      ...unit,
      estimate: MILLION,
      status: 'contract_created',
      winnerAnnouncedOn: '2026-03-01',
      isPriceInDoubt: true,
    }
    const signed = (amount: number | null) => [{ name: 'บริษัท ก จำกัด', tin: null, amount }]
    await loadWon([
      subject,
      ...many(5, () => ({ ...doubtful, isPriceInDoubt: false, contracts: signed(MILLION * 0.9) })),
      { ...doubtful, contracts: signed(null) },
      { ...doubtful, contracts: signed(null), method: 'e_market' },
      // Stated by another source since, so it is no longer in doubt.
      { ...doubtful, contracts: signed(MILLION * 0.9) },
      // A price of twice the reference price counts, a higher one is in doubt.
      { ...doubtful, isPriceInDoubt: false, contracts: signed(MILLION * 2) },
      { ...doubtful, isPriceInDoubt: false, contracts: signed(MILLION * 2 + 1) },
      { ...doubtful, contracts: signed(null), method: 'specific' },
      { ...doubtful, contracts: signed(null), name: 'ซื้อเครื่องปรับอากาศ' },
      { ...doubtful, contracts: signed(null), status: 'project_cancelled' },
      { ...doubtful, contracts: signed(null), budget: MILLION * 100 },
      // Unknown without a doubt.
      { ...doubtful, contracts: signed(null), isPriceInDoubt: false },
      { ...doubtful, ...FAR_AWAY, contracts: signed(null) },
    ])
    expect(await similar(subject.id, 'agency')).toMatchObject({ n: 7, median: 0.1, amounts_in_doubt: 3 })
    expect(await similar(subject.id, 'all')).toMatchObject({ amounts_in_doubt: 4 })
    const apart = project({ ...unit, name: 'ซื้อรถบรรทุกน้ำ กล้อง' })
    await load([apart])
    expect(await similar(apart.id)).not.toHaveProperty('amounts_in_doubt')
  })

  test('takes the band from other work of the agency if too few projects are similar', async () => {
    const unit = { dept: 'กรมยี่สิบ', unit: 'กรมยี่สิบ', deptProvince: null, province: 44 }
    const subject = project({ ...unit, name: 'ซื้อเรือตรวจการณ์ กล้อง' })
    const airConditioner = (discount: number, input: Partial<ProjectInput> = {}) =>
      won(discount, { ...unit, name: 'ประกวดราคาซื้อเครื่องปรับอากาศ', ...input })
    await load([
      subject,
      ...many(8, (i) => airConditioner(0.01 * (i + 1))),
      airConditioner(-2),
      airConditioner(0.5, { budget: MILLION * 4 }),
      airConditioner(0.5, { method: 'specific' }),
      airConditioner(0.5, { methodType: 'lease' }),
      airConditioner(0.5, { dept: 'กรมยี่สิบเอ็ด' }),
    ])
    expect(await similar(subject.id)).toMatchObject({ n: 0, band: null, no_band_reason: 'too_few' })
    await load([airConditioner(0.09)])
    // Ranks 0.3 and 8 of 0.01 to 0.09.
    expect(await similar(subject.id)).toMatchObject({
      n: 0,
      band: { low: 0.01, high: 0.08, n: 9, basis: 'agency' },
      no_band_reason: null,
    })
  })

  test('ignores projects decided on a given day or later', async () => {
    const unit = { dept: 'กรมสามสิบ', unit: 'กรมสามสิบ', deptProvince: null, province: 45 }
    const subject = project(unit)
    await load([
      subject,
      ...many(9, (i) => won(0.1, { ...unit, winnerAnnouncedOn: `2026-02-0${i + 1}` })),
      ...many(9, (i) => won(0.3, { ...unit, winnerAnnouncedOn: `2026-02-1${i}` })),
    ])
    const [match] = await db.query<{ organisation_id: number }>(
      sql`select organisation_id from project_matches where project_id = ${subject.id}`,
    )
    const organisationId = match!.organisation_id
    const compared = await loadComparedProject(db, subject.id, organisationId)
    const before = (decidedBefore: string) =>
      loadSimilarPrices(db, compared!, { organisationId, today: '2026-06-01', step: 'agency', decidedBefore })
    expect(await before('2026-02-10')).toMatchObject({ n: 9, band: { low: 0.1, high: 0.1 } })
    expect(await before('2026-02-09')).toMatchObject({ n: 8, band: null })
  })

  test('compares a project in its current state after a later load changed it', async () => {
    const unit = { dept: 'โรงเรียนเจ็ด', unit: 'โรงเรียนเจ็ด', deptProvince: 32, province: 32 }
    const subject = project(unit)
    const similarProjects = many(10, () => won(0.1, unit))
    await load([subject, ...similarProjects])
    const changed = { ...similarProjects[0]!, status: 'project_cancelled' }
    await load([changed, won(0.4, unit)])
    expect(await similar(subject.id)).toMatchObject({ n: 10, p75: 0.1, weighted: 0.13 })
    const traits = sql`select * from project_traits order by project_id`
    const before = await db.query(traits)
    await db.execute(sql`update loads set traits_version = 0`)
    expect(await areProjectTraitsComplete(db)).toBe(false)
    await writeProjectTraits(db)
    expect(await areProjectTraitsComplete(db)).toBe(true)
    expect(await db.query(traits)).toEqual(before)
  })

  test('N8: links a cancelled purchase and its retender; not across budgets, units or villages', async () => {
    const name = `${CAMERAS} ภายในเขตเทศบาล จำนวน 54 ชุด ถนนสายหลัก หมู่ที่ 3`
    const first = project({ name, status: 'invitation_cancelled', invitedOn: '2026-05-01' })
    const second = project({ name: `${name} (ครั้งที่ 2)`, invitedOn: '2026-07-01', budget: MILLION * 1.04 })
    const dearer = project({ name: `${name} (ครั้งที่ 2)`, invitedOn: '2026-07-01', budget: MILLION * 1.2 })
    const elsewhere = project({ name, invitedOn: '2026-07-01', ...NEIGHBOUR })
    const village = project({ name: name.replace('หมู่ที่ 3', 'หมู่ที่ 8'), invitedOn: '2026-07-01' })
    const older = project({ name, invitedOn: '2026-02-01' })
    await load([first, second, dearer, elsewhere, village, older])
    const sure = (links: unknown[][]) => links.filter(([kind]) => kind !== 'similar')
    expect(sure(await kinds(first.id))).toEqual([['retendered_as', second.id]])
    expect(sure(await kinds(second.id))).toEqual([['retender_of', first.id]])
    expect((await kinds(first.id)).filter(([kind]) => kind === 'similar').map(([, id]) => id)).toEqual(
      expect.arrayContaining([dearer.id, village.id]),
    )
    expect((await kinds(first.id)).map(([, id]) => id)).not.toContain(elsewhere.id)
    expect((await linked(first.id))[0]).toMatchObject({ likeness: 1, in_report: true, budget: 1_040_000 })
  })

  test('N8: links announcements without a budget only when the names are identical', async () => {
    const unit = { dept: 'กรมสิบเอ็ด', unit: 'กรมสิบเอ็ด' }
    const name = `${CAMERAS} ภายในบริเวณอาคารอำนวยการ จำนวน 54 ชุด`
    const first = project({ ...unit, name, status: 'invitation_cancelled', invitedOn: '2026-05-01' })
    const second = project({ ...unit, name, invitedOn: '2026-07-01' })
    const similar = project({ ...unit, name: name.replace('อาคารอำนวยการ', 'อาคารอำนวยงาน'), invitedOn: '2026-07-01' })
    await load([first, second, similar])
    await db.execute(sql`update projects set budget_satang = null, estimate_satang = null, winner_satang = null
      where project_id = any(${[first.id, second.id, similar.id]}::text[])`)
    await db.execute(sql`update loads set traits_version = 0`)
    await writeProjectTraits(db)
    const sure = (links: unknown[][]) => links.filter(([kind]) => kind !== 'similar')
    expect(sure(await kinds(first.id))).toEqual([['retendered_as', second.id]])
    expect(sure(await kinds(second.id))).toEqual([['retender_of', first.id]])
  })

  test('N9: links the same purchase of another fiscal year, and marks it when it is outside the report', async () => {
    const unit = { dept: 'โรงพยาบาลแปด', unit: 'โรงพยาบาลแปด', deptProvince: 33, province: 33 }
    const name = (year: number) =>
      `จ้างเหมาบริการรักษาความสะอาดอาคารผู้ป่วยนอก จำนวน ${year - 2560} คน ประจำปีงบประมาณ พ.ศ. ${year}`
    const subject = project({ ...unit, name: name(2570) })
    const lastYear = project({ ...unit, name: name(2569), budget: MILLION * 0.8 })
    const otherService = project({ ...unit, name: 'จ้างเหมาบริการรักษาความปลอดภัยอาคารผู้ป่วยนอก ประจำปีงบประมาณ พ.ศ. 2569' })
    await load([subject, lastYear, otherService])
    await db.execute(sql`update projects set fiscal_year = case project_id when ${subject.id} then 2570 else 2569 end where department_id =
      (select id from departments where name = ${unit.dept})`)
    await db.execute(sql`delete from project_matches where project_id = ${lastYear.id}`)
    const links = await linked(subject.id)
    expect(links.map(({ kind, project_id, in_report }) => [kind, project_id, in_report])).toEqual([
      ['yearly', lastYear.id, false],
    ])
  })

  test('N17: finds possible duplicates (rerun, announced twice, in lots, by a sister unit) with the reason', async () => {
    const unit = { dept: 'กรมสิบสอง', unit: 'กองหนึ่ง', methodType: 'construct', method: 'e_bidding' } as const
    const road = 'ก่อสร้างถนนคอนกรีตเสริมเหล็ก สายบ้านเหนือถึงบ้านใต้ หมู่ที่ 7'
    const subject = project({ ...unit, name: `${road} (ช่วงที่ 1)`, invitedOn: '2026-05-01' })
    const twice = project({ ...unit, name: `${road} (ช่วงที่ ๑)`, invitedOn: '2026-06-30', budget: MILLION * 1.02 })
    const part = project({ ...unit, name: `${road} (ช่วงที่ 2)`, invitedOn: '2026-05-03', budget: MILLION * 1.5 })
    const sister = project({ ...unit, unit: 'กองสอง', name: `${road} (ช่วงที่ 1)`, invitedOn: '2026-05-01' })
    const not = [
      project({ ...unit, name: `${road} (ช่วงที่ 1)`, invitedOn: '2026-12-01' }),
      project({ ...unit, name: `${road} (ช่วงที่ 1)`, invitedOn: '2026-05-01', budget: MILLION * 1.2 }),
      project({ ...unit, name: `${road.replace('หมู่ที่ 7', 'หมู่ที่ 9')} (ช่วงที่ 1)`, invitedOn: '2026-05-01' }),
      project({ ...unit, name: `${road} (ช่วงที่ 3)`, invitedOn: '2026-08-01' }),
      project({ ...unit, dept: 'กรมสิบสาม', name: `${road} (ช่วงที่ 1)`, invitedOn: '2026-05-01' }),
      project({ ...unit, method: 'specific', name: `${road} (ช่วงที่ 1)`, invitedOn: '2026-05-01' }),
    ]
    await load([subject, twice, part, sister, ...not])
    const twins = async (id: string) =>
      linkedProjectsSchema.parse(
        (await app.inject({ url: `/api/v2/projects/${id}/linked`, headers: me.headers })).json(),
      ).twins!
    expect((await twins(subject.id)).map(({ project_id, reason }) => [project_id, reason])).toEqual([
      [twice.id, { kind: 'same', likeness: 1, budget_share: expect.closeTo(0.02, 2), days: 60 }],
      [part.id, { kind: 'lot', likeness: 1, budget_share: expect.closeTo(1 / 3, 2), days: 2 }],
      [sister.id, { kind: 'sister', likeness: 1, budget_share: 0, days: 0 }],
    ])
    await db.execute(sql`update projects set status = 'invitation_cancelled' where project_id = ${subject.id}`)
    expect((await twins(subject.id))[0]).toMatchObject({ project_id: twice.id, reason: { kind: 'again', days: 60 } })
    expect((await twins(twice.id))[0]).toMatchObject({ project_id: subject.id, reason: { kind: 'again' } })
    expect(await twins(not.at(-1)!.id)).toEqual([])
  })

  test('finds nothing similar for a name without distinctive words', async () => {
    const subject = project({ name: 'ประกวดราคา กล้อง', dept: 'เก้า', unit: 'เก้า' })
    await load([subject])
    expect(await linked(subject.id)).toEqual([])
  })
})
