import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FirstListProofRequest, firstListProofSchema, firstListSchema } from '#contract/market/first-list.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { putCompanies, putProjectFacts } from '../../../test/comparison-facts.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import type { SignedIn } from '../../../test/server/http-app.ts'
import { type ComparisonApp, comparisonApp } from '../../../test/world/comparison-world.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'

const FIRM = 'บริษัท กล้องดี จำกัด'
const FIRM_TIN = '0105550000015'
const RIVAL_TIN = '0103550000021'
const NO_WINS_TIN = '0105550000031'

onEachEngine('first watch list', (makeDb) => {
  let db: OpenDb
  let on: ComparisonApp
  let user: SignedIn
  let firmId: number

  beforeAll(async () => {
    db = await makeDb()
    on = await comparisonApp(db)
    user = await on.member([])
    const ids = await putCompanies(db, [
      { name: FIRM, taxId: FIRM_TIN, isSme: true },
      { name: 'ห้างหุ้นส่วนจำกัด คู่แข่ง', taxId: RIVAL_TIN },
      { name: 'บริษัท ยังไม่ชนะ จำกัด', taxId: NO_WINS_TIN },
    ])
    firmId = ids.get(FIRM_TIN)!
    const load = await putProjectFacts(
      db,
      ids,
      Array.from({ length: 6 }, (_, index) => ({
        id: `6801000000${index}`,
        name: index < 5 ? `ซื้อกล้องวงจรปิด จุดที่ ${index}` : 'จ้างซ่อมเครื่องเสียงห้องประชุม',
        province: index === 5 ? 30 : 50,
        year: 2568,
        reference: 1_000_000,
        coverage: 2 as const,
        decided: `2026-0${index + 1}-10`,
        parts: [
          { company: FIRM_TIN, bid: 900_000, value: 900_000, won: true },
          ...(index < 2 ? [{ company: RIVAL_TIN, bid: 950_000 }] : []),
          ...(index === 3 ? [{ company: NO_WINS_TIN, bid: 990_000 }] : []),
        ],
      })),
    )
    await putProjects(db, load, [
      { id: '69020000001', name: 'ซื้อกล้องวงจรปิดสถานี', province: 50, submissionEndsOn: '2026-12-01' },
      { id: '69020000002', name: 'ซื้อกล้องวงจรปิดโรงเรียน', province: 10, submissionEndsOn: '2026-12-02' },
      { id: '69020000003', name: 'ซื้อกล้องวงจรปิดตลาด', province: 50, submissionEndsOn: '2026-11-01' },
    ])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    await addLoad(db)
  })
  afterAll(() => on.app.close())

  const post = (path: string, payload: object) =>
    on.app.inject({ method: 'POST', url: `/api/v2/organisations/me/first-list${path}`, payload, headers: user.headers })
  const propose = async (company: string) => {
    const answer = await post('', { company })
    expect(answer.statusCode, answer.body).toBe(200)
    return firstListSchema.parse(answer.json())
  }
  const prove = async (request: Partial<FirstListProofRequest>) => {
    const answer = await post('/proof', {
      company_id: firmId,
      words: [],
      agencies: [],
      provinces: null,
      band: { min: null, max: null },
      ...request,
    })
    expect(answer.statusCode, answer.body).toBe(200)
    return firstListProofSchema.parse(answer.json())
  }

  test('proposes words with the wins that contain them, and rivals that the company met', async () => {
    const { company, proposal } = await propose(FIRM_TIN)
    expect(company).toMatchObject({ id: firmId, name: FIRM })
    expect(proposal).toMatchObject({ wins: 6, from_date: '2026-01-10', to_date: '2026-06-10' })
    expect(proposal!.retrospect).toMatchObject({ learned: 4, later: 2 })
    expect(proposal!.words.find(({ word }) => word.includes('กล้องวงจรปิด'))).toMatchObject({ wins: 5, is_ticked: true })
    expect(proposal!.provinces.map(({ name, wins }) => [name, wins])).toEqual([
      ['เชียงใหม่', 5],
      ['นครราชสีมา', 1],
    ])
    expect(proposal!.rivals).toEqual([{ name: 'ห้างหุ้นส่วนจำกัด คู่แข่ง', tax_id: RIVAL_TIN, met: 2 }])
  })

  test.each(['0-1055-50000-01-5', '0 1055 50000 01 5', '๐๑๐๕๕๕๐๐๐๐๐๑๕', FIRM, 'บจก. กล้องดี'])(
    'finds the company by %s',
    async (typed) => {
      expect((await propose(typed)).company?.id).toBe(firmId)
    },
  )

  test('answers with similar names, or without a proposal for a company that has not won', async () => {
    expect(await propose('บริษัท กล้องดีดี จำกัด')).toMatchObject({
      company: null,
      proposal: null,
      similar: [{ id: firmId }],
    })
    expect(await propose(NO_WINS_TIN)).toMatchObject({ company: { tax_id: NO_WINS_TIN }, proposal: null })
    expect(await propose('0105550000058')).toEqual({ company: null, similar: [], proposal: null })
  })

  test.each([
    ['010555000001', 'มี 12 หลัก'],
    ['0105550000017', 'หลักสุดท้าย'],
    ['3101200345678', 'เลขประจำตัวของบุคคล'],
    ['3-1012-00345-67-8', 'เลขประจำตัวของบุคคล'],
    ['นางสาวสมมุติ ใจดี', 'ชื่อบุคคล'],
    ['   ', 'ใส่'],
  ])('refuses %s', async (company, reason) => {
    const answer = await post('', { company })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().company[0]).toContain(reason)
    expect(answer.body).not.toContain('3101200345678')
  })

  test('proves a list on wins and open projects, and suggests fixes for the missed ones', async () => {
    const proof = await prove({ words: ['กล้องวงจรปิด'], provinces: ['เชียงใหม่'], band: { min: 100, max: null } })
    expect(proof.found.map(({ project_id }) => project_id)).toHaveLength(5)
    expect(proof.found[0]!.found_by).toEqual(['กล้องวงจรปิด'])
    expect(proof.missed).toHaveLength(1)
    expect(proof.missed[0]!.fixes.map(({ kind }) => kind)).toEqual(['word', 'province'])
    expect(proof.open).toMatchObject({ total: 1, results: [{ project_id: '69020000001' }] })
    expect((await prove({ words: ['กล้องวงจรปิด'] })).open.total).toBe(2)
  })

  test('finds every win after the offered fixes are applied', async () => {
    const request = { words: ['กล้องวงจรปิด'], agencies: [] as string[], provinces: ['เชียงใหม่'] }
    const { missed } = await prove(request)
    for (const { fixes } of missed)
      for (const { kind, value } of fixes)
        (kind === 'province' ? request.provinces : kind === 'word' ? request.words : request.agencies).push(value)
    expect((await prove(request)).missed).toEqual([])
  })

  test('the proof of the proposed list finds the wins that the proposal states', async () => {
    const { proposal } = await propose(FIRM_TIN)
    const ticked = (entries: readonly { word: string; is_ticked: boolean }[]) =>
      entries.flatMap(({ word, is_ticked }) => (is_ticked ? [word] : []))
    const { found } = await prove({ words: ticked(proposal!.words), agencies: ticked(proposal!.agencies) })
    for (const { word, wins } of proposal!.words)
      expect([word, found.filter(({ found_by }) => found_by.includes(word)).length]).toEqual([
        word,
        proposal!.words.find((entry) => entry.word === word)!.is_ticked ? wins : 0,
      ])
  })

  test('answers 404 for an unknown company', async () => {
    const answer = await post('/proof', {
      company_id: 999_999,
      words: ['กล้อง'],
      agencies: [],
      provinces: null,
      band: { min: null, max: null },
    })
    expect(answer.statusCode).toBe(404)
  })
})
