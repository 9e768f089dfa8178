import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Ledger,
  ledgerSchema,
  type Preview,
  previewSchema,
  type Why,
  whySchema,
} from '#contract/keyword-impact.ts'
import type { OpenDb } from '#server/db/db.ts'
import { seedSampleOrganisations } from '#server/features/organisation/seed-sample.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { onEachEngine } from '../../../test/databases.ts'
import { appOn, enterDemo, type SignedIn, signIn } from '../../../test/http-app.ts'
import { addLoad, type ProjectInput, putProjects, setWords } from '../../../test/report-world.ts'
import { matchChanges } from './match-changes.ts'
import { rematchOrganisation } from './match-organisation.ts'

/** 10:00 in Bangkok: the lists are open. */
const OPEN = new Date('2026-11-21T03:00:00Z')
/** 03:00 in Bangkok: inside the not-allowed window. */
const CLOSED = new Date('2026-11-20T20:00:00Z')
const ids = ['67110000001', '67110000002', '67110000003', '67110000004', '67110000005', '67110000006'] as const
const PROJECTS: readonly Partial<ProjectInput>[] = [
  { id: ids[0], name: 'ซื้อกล้องวงจรปิด', movementOn: '2026-11-20', budget: 250_000_000 },
  { id: ids[1], name: 'เช่ากล้องวงจรปิด', movementOn: '2026-11-19' },
  { id: ids[2], name: 'เช่ากล้องถ่ายภาพ', movementOn: '2026-11-05' },
  { id: ids[3], name: 'เช่ากล้องส่องทางไกล', movementOn: '2026-08-05' },
  { id: ids[4], name: 'ซื้อยางรถยนต์', movementOn: '2026-11-18' },
  { id: ids[5], name: 'ซื้อยาและเวชภัณฑ์', movementOn: '2026-11-18', unit: 'กองสาธารณสุข' },
]
const NOBODY = '67119999999'

onEachEngine('the impact of words', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let a: SignedIn
  let b: SignedIn
  let demo: SignedIn
  let now = OPEN
  const organisation = { a: 0, b: 0 }

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    await putProjects(db, await addLoad(db), PROJECTS)
    app = await appOn(db, { now: () => now })
    a = await signIn(app, 'sales@tharamek.example')
    b = await signIn(app, 'bid@noensai.example')
    demo = await enterDemo(app)
    const rows = await db.query<{ id: number; code: string }>(sql`select id, code from organisations`)
    organisation.a = rows.find(({ code }) => code === 'tharamek')!.id
    organisation.b = rows.find(({ code }) => code === 'noensai')!.id
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    now = OPEN
    await db.script('truncate match_rescues, match_requests, project_matches, match_exclusions, hidden_projects')
    await db.script(`update organisations set customer_config = customer_config
      || '{"min_project_budget": "0", "max_project_budget": "0", "report_start_date": null, "start_date_report": null, "end_date_report": null, "search_by_name": true, "search_by_ai": false, "search_by_deptsub": true}'::jsonb,
      areas_with_provinces = '{"all": ["กรุงเทพมหานคร"]}'`)
    for (const id of [organisation.a, organisation.b]) {
      await setWords(db, id, { include: ['กล้อง'], exclude: ['เช่า'] })
      await rematchOrganisation(db, id)
    }
  })

  const get = async <T>(url: string, who: SignedIn = a): Promise<T> => {
    const answer = await app.inject({ url: `/api/v2/${url}`, headers: who.headers })
    expect([url, answer.statusCode]).toEqual([url, 200])
    return answer.json() as T
  }
  const post = (url: string, payload: unknown, who: SignedIn = a) =>
    app.inject({
      method: 'POST',
      url: `/api/v2/organisations/me/${url}`,
      headers: who.headers,
      payload: payload as object,
    })
  const preview = async (payload: unknown, who?: SignedIn): Promise<Preview> => {
    const answer = await post('keywords/preview', payload, who)
    expect([answer.statusCode, answer.body]).toEqual([200, answer.body])
    return previewSchema.parse(answer.json())
  }
  const idsOf = (rows: readonly { project_id: string }[]) => rows.map((row) => row.project_id)
  const reportOf = async (id: number) =>
    idsOf(
      await db.query<{ project_id: string }>(
        sql`select project_id from project_matches where organisation_id = ${id}::int order by 1`,
      ),
    )
  /** What the job does with the requests that wait. */
  const matchWhatWaits = async () => {
    const rows = await db.query<{ organisation_id: number; scope: { projects: string[] } }>(
      sql`delete from match_requests returning organisation_id, scope`,
    )
    for (const row of rows) await matchChanges(db, row.organisation_id, row.scope)
    return rows
  }

  describe('POST /organisations/me/keywords/preview', () => {
    test('says what an added word brings, with samples, traps and the rest of the report', async () => {
      const answer = await preview({ add: { include: ['ยา'] } })
      expect(answer).toMatchObject({
        days: 30,
        looked_at: 5,
        before: 1,
        after: 3,
        added: 2,
        removed: 0,
        level: 'too_few',
      })
      expect(idsOf(answer.added_samples)).toEqual([ids[5], ids[4]])
      expect(answer.added_samples[1]).toEqual({
        project_id: ids[4],
        name: 'ซื้อยางรถยนต์',
        dept_name: 'เทศบาลเมืองตัวอย่าง',
        dept_sub_name: 'กองช่าง',
        budget: 1_000_000,
        movement_date: '2026-11-18',
        words: ['ยา'],
      })
      expect(idsOf(answer.after_samples)).toEqual([ids[0], ids[5], ids[4]])
    })

    test('says what an exclusion takes away, and what comes back without one', async () => {
      const excluded = await preview({ add: { exclude: ['วงจรปิด'] } })
      expect(excluded).toMatchObject({ before: 1, after: 0, added: 0, removed: 1 })
      expect(excluded.removed_samples).toMatchObject([{ project_id: ids[0], words: ['กล้อง'] }])
      const [word] = await db.query<{ id: number }>(
        sql`select id from keywords where organisation_id = ${organisation.a}::int and list = 'exclude'`,
      )
      const without = await preview({ add: {}, remove: [word!.id] })
      expect(without).toMatchObject({ before: 1, after: 3, added: 2, removed: 0 })
    })

    test('offers traps with their counts', async () => {
      const load = await addLoad(db)
      const tyres = Array.from({ length: 6 }, (_, at) => ({
        id: `6711100000${at}`,
        name: `ซื้อยางรถ คันที่ ${at}`,
        movementOn: '2026-11-10',
      }))
      await putProjects(db, load, tyres)
      const answer = await preview({ add: { include: ['ยา'] } })
      expect(answer.traps).toEqual([{ of: 'ยา', word: 'ยาง', count: 7, samples: ['ซื้อยางรถยนต์', 'ซื้อยางรถ คันที่ 5'] }])
      const taken = await preview({ add: { include: ['ยา'], exclude: ['ยาง'] } })
      expect(answer.added - taken.added).toBe(7)
      await db.script(`delete from projects where project_id like '6711100000%'`)
      await db.execute(sql`delete from loads where id = ${load}::bigint`)
    })

    test('names stored words that find the same, and exclusions that take it away', async () => {
      const answer = await preview({ add: { include: ['วงจรปิด'] } })
      expect(answer).toMatchObject({ added: 0, removed: 0 })
      expect(answer.overlaps).toMatchObject([{ of: 'วงจรปิด', word: 'กล้อง', share: 1 }])
      expect(answer.conflicts).toEqual([{ of: 'วงจรปิด', word: 'เช่า', count: 1 }])
      const own = await preview({ add: { include: ['ยาง'], exclude: ['รถยนต์'] } })
      expect(own).toMatchObject({ added: 0, conflicts: [{ of: 'ยาง', word: 'รถยนต์', count: 1 }] })
    })

    test('AI words come with the terms given, or the automatic ones', async () => {
      const switches = { search_by_ai: true }
      const literal = await preview({ add: { ai_include: [{ word: 'ทดลองคำ', terms: ['เวชภัณฑ์'] }] }, switches })
      expect(idsOf(literal.added_samples)).toEqual([ids[5]])
      const automatic = await preview({ add: { ai_include: [{ word: 'ยางรถยนต์' }] }, switches })
      expect(idsOf(automatic.added_samples)).toContain(ids[4])
      // While the switch is off an AI word does nothing.
      expect(await preview({ add: { ai_include: [{ word: 'ยางรถยนต์' }] } })).toMatchObject({ added: 0 })
    })

    test('departments and switches', async () => {
      const unit = await preview({ add: { deptsub_include: ['กองสาธารณสุข'] } })
      expect(idsOf(unit.added_samples)).toEqual([ids[5]])
      expect(await preview({ add: {}, switches: { search_by_name: false } })).toMatchObject({ after: 0, removed: 1 })
    })

    test('changes nothing and is answered to the demo and in the not-allowed window', async () => {
      now = CLOSED
      const count = () =>
        db.query(
          sql`select (select count(*) from keywords) as words, (select count(*) from match_requests) as requests`,
        )
      const before = await count()
      await preview({ add: { include: ['ยา'] } })
      await preview({ add: { include: ['ยา'] } }, demo)
      expect(await count()).toEqual(before)
    })

    test('a word that cannot be read is refused by line', async () => {
      const answer = await post('keywords/preview', {
        add: { include: ['กล้อง', '(กล้อง'], ai_include: [{ word: 'ก||ข' }] },
      })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({
        errors: { include_keywords: expect.stringContaining('วงเล็บ') },
        lines: [
          { list: 'ai_include', index: 0, word: 'ก||ข', code: 'operator', position: 1 },
          { list: 'include', index: 1, word: '(กล้อง', code: 'E_BRACKET', position: 0 },
        ],
      })
    })
  })

  test('GET /organisations/me/keyword-stats: what each word and switch did', async () => {
    await setWords(db, organisation.a, {
      include: ['กล้อง', 'วงจรปิด', 'ยาง', '?เวชภัณฑ์'],
      exclude: ['เช่า', 'ถ่ายภาพ'],
      deptsub_include: ['กองสาธารณสุข'],
    })
    const stats = await get<{ keywords: { id: number; hits: number; only: number }[]; switches: unknown }>(
      'organisations/me/keyword-stats',
    )
    const words = await db.query<{ id: number; word: string }>(
      sql`select id, word from keywords where organisation_id = ${organisation.a}::int`,
    )
    const named = Object.fromEntries(
      stats.keywords.map(({ id, ...counts }) => [words.find((word) => word.id === id)!.word, counts]),
    )
    expect(named).toEqual({
      กล้อง: { hits: 1, only: 0 },
      วงจรปิด: { hits: 1, only: 0 },
      ยาง: { hits: 1, only: 1 },
      เวชภัณฑ์: { hits: 0, only: 0 },
      เช่า: { hits: 2, only: 1 },
      ถ่ายภาพ: { hits: 1, only: 0 },
      กองสาธารณสุข: { hits: 1, only: 1 },
    })
    expect(stats).toMatchObject({
      days: 30,
      hidden: 2,
      // 22 October to 20 November without weekends and 23 October: 21 working days.
      per_working_day: 0.1,
      level: 'too_few',
      switches: {
        search_by_name: { days: 2, only: 2 },
        search_by_ai: { days: 0 },
        search_by_deptsub: { days: 1, only: 1 },
      },
    })
  })

  describe('the exclusion ledger', () => {
    test('lists what exclusions keep out, by days and word, newest first', async () => {
      const recent = ledgerSchema.parse(await get('organisations/me/hidden'))
      expect(recent).toMatchObject({
        total_project: 2,
        page: 1,
        rescued: 0,
        words: [{ list: 'exclude', word: 'เช่า', count: 2 }],
      })
      expect(recent.results[0]).toMatchObject({
        project_id: ids[1],
        word: 'เช่า',
        list: 'exclude',
        words: ['กล้อง'],
        guilty_words: ['เช่า'],
        rescued: false,
        budget: 1_000_000,
      })
      expect(idsOf((await get<Ledger>('organisations/me/hidden?days=7')).results)).toEqual([ids[1]])
      expect(idsOf((await get<Ledger>('organisations/me/hidden?days=all')).results)).toEqual([ids[1], ids[2], ids[3]])
      expect((await get<Ledger>('organisations/me/hidden?keyword=other')).total_project).toBe(0)
      const paged = await get<Ledger>('organisations/me/hidden?days=all&page=2&page_size=2')
      expect(idsOf(paged.results)).toEqual([ids[3]])
      expect(paged.links).toEqual({
        next: null,
        previous: '/api/v2/organisations/me/hidden?days=all&page=1&page_size=2',
      })
    })

    test('a rescue lets the project in, is seen at once, and can be taken back', async () => {
      expect((await post('hidden/rescue', { project_ids: [ids[1], ids[0], NOBODY] })).statusCode).toBe(204)
      // Before matching has seen it, too.
      expect(idsOf((await get<Ledger>('organisations/me/hidden')).results)).toEqual([ids[2]])
      const rescued = await get<Ledger>('organisations/me/hidden?rescued=true')
      expect(rescued).toMatchObject({ rescued: 1, results: [{ project_id: ids[1], rescued: true, word: 'เช่า' }] })
      expect(await matchWhatWaits()).toEqual([{ organisation_id: organisation.a, scope: { projects: [ids[1]] } }])
      expect(await reportOf(organisation.a)).toEqual([ids[0], ids[1]])
      expect(await reportOf(organisation.b)).toEqual([ids[0]])

      expect((await post('hidden/unrescue', { project_ids: [ids[1]] })).statusCode).toBe(204)
      await matchWhatWaits()
      expect(await reportOf(organisation.a)).toEqual([ids[0]])
      expect((await get<Ledger>('organisations/me/hidden')).total_project).toBe(2)
    })

    test('what is rescued already, or kept out by nothing, asks for no matching', async () => {
      await post('hidden/rescue', { project_ids: [ids[1]] })
      await post('hidden/rescue', { project_ids: [ids[1]] })
      await post('hidden/unrescue', { project_ids: [ids[2], NOBODY] })
      expect(await matchWhatWaits()).toHaveLength(1)
    })

    test('a rescue leaves an audit row, is allowed at night, and not to the demo', async () => {
      now = CLOSED
      await db.execute(sql`delete from audit_events`)
      await post('hidden/rescue', { project_ids: [ids[1]] })
      expect(await db.query(sql`select kind, organisation_id, detail from audit_events`)).toEqual([
        { kind: 'rescues_changed', organisation_id: organisation.a, detail: { rescued: true, projects: [ids[1]] } },
      ])
      const refused = await post('hidden/rescue', { project_ids: [ids[1]] }, demo)
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'demo_read_only'])
    })

    test("another organisation's rescues and exclusions are never seen or touched", async () => {
      await setWords(db, organisation.b, { include: ['กล้อง'], exclude: ['นกขมิ้น'] })
      await rematchOrganisation(db, organisation.b)
      await post('hidden/rescue', { project_ids: [ids[1]] })
      for (const query of ['', '?rescued=true', '?days=all']) {
        const ledger = await get<Ledger>(`organisations/me/hidden${query}`, b)
        expect(ledger).toMatchObject({ total_project: 0, rescued: 0, words: [], results: [] })
      }
      expect((await post('hidden/unrescue', { project_ids: [ids[1]] }, b)).statusCode).toBe(204)
      expect((await post('hidden/rescue', { project_ids: [ids[2]] }, b)).statusCode).toBe(204)
      expect(await db.query(sql`select organisation_id, project_id from match_rescues`)).toEqual([
        { organisation_id: organisation.a, project_id: ids[1] },
      ])
    })

    test('the preview knows the rescued', async () => {
      await post('hidden/rescue', { project_ids: [ids[1]] })
      expect(await preview({ add: {} })).toMatchObject({ before: 2, after: 2 })
    })
  })

  describe('GET /projects/{id}/why', () => {
    const why = async (id: string, who?: SignedIn): Promise<Why> =>
      whySchema.parse(await get(`projects/${encodeURIComponent(id)}/why`, who))
    const failed = ({ rules }: Why) => rules.filter(({ passed }) => !passed)
    const setConfig = (config: object) =>
      db.execute(
        sql`update organisations set customer_config = customer_config || ${JSON.stringify(config)}::jsonb where id = ${organisation.a}::int`,
      )

    test('a project in the report passes every rule', async () => {
      const answer = await why(ids[0])
      expect(answer).toMatchObject({
        in_report: true,
        project: { project_id: ids[0], words: ['กล้อง'], budget: 2_500_000 },
      })
      expect(answer.rules.map(({ rule, passed }) => [rule, passed])).toEqual(
        ['known', 'include', 'exclude', 'budget', 'province', 'window', 'hidden_by_you', 'archived'].map((rule) => [
          rule,
          true,
        ]),
      )
      expect(answer.rules[1]).toMatchObject({
        text: 'ชื่อโครงการมีคำที่ติดตาม “กล้อง”',
        words: [{ list: 'include', word: 'กล้อง' }],
      })
    })

    test('an id is read out of what was pasted', async () => {
      for (const text of ['6711 0000001', '๖๗๑๑๐๐๐๐๐๐๑', `https://process3.gprocurement.go.th/x.sch?pid=${ids[0]}&a=1`])
        expect((await why(text)).project?.project_id).toBe(ids[0])
    })

    test('an unknown project, and a text without an id', async () => {
      expect(await why(NOBODY)).toMatchObject({
        project: null,
        in_report: false,
        rules: [{ rule: 'known', passed: false }],
      })
      expect((await why(NOBODY)).rules[0]!.text).toContain(NOBODY)
      expect((await why('กล้อง')).rules[0]!.text).toContain('11 หลัก')
    })

    test('says which word is missing, off, or waits', async () => {
      expect(failed(await why(ids[4]))).toMatchObject([
        { rule: 'include', text: expect.stringContaining('ไม่มีคำที่ติดตาม') },
      ])
      await setWords(db, organisation.a, { include: ['?ยาง'] })
      expect(failed(await why(ids[4]))).toMatchObject([{ text: '“ยาง” ตรงกับโครงการนี้ แต่ยังรอทีมงานอนุมัติ' }])
      await setWords(db, organisation.a, { include: ['ยาง'] })
      await setConfig({ search_by_name: false })
      expect(failed(await why(ids[4]))).toMatchObject([{ text: '“ยาง” ตรงกับโครงการนี้ แต่ปิดการค้นหาจากชื่อโครงการไว้' }])
      await setWords(db, organisation.a, {})
      expect(failed(await why(ids[4]))).toMatchObject([{ text: 'ยังไม่มีคำหรือหน่วยงานในรายการติดตาม' }])
    })

    test('says which exclusion keeps it out, and that it was rescued', async () => {
      expect(failed(await why(ids[1]))).toMatchObject([
        { rule: 'exclude', text: 'ชื่อโครงการมีคำที่ไม่รวม “เช่า”', words: [{ list: 'exclude', word: 'เช่า' }] },
      ])
      await post('hidden/rescue', { project_ids: [ids[1]] })
      const waiting = await why(ids[1])
      expect(failed(waiting)).toEqual([])
      expect(waiting.rules[0]!.text).toContain('อีกสักครู่จะขึ้นในรายงาน')
      await matchWhatWaits()
      const done = await why(ids[1])
      expect(done).toMatchObject({ in_report: true })
      expect(done.rules[0]!.text).not.toContain('กำลังจับคู่')
      expect(done.rules[2]!.text).toContain('นำกลับเข้ารายงานแล้ว')
    })

    test('says budget, province and window with the figures that decided', async () => {
      await setConfig({ max_project_budget: '1000000', start_date_report: '2026-11-21', end_date_report: '2026-12-31' })
      await db.execute(
        sql`update organisations set areas_with_provinces = '{"north": ["เชียงใหม่"]}' where id = ${organisation.a}::int`,
      )
      const answer = await why(ids[0])
      expect(answer.in_report).toBe(false)
      expect(failed(answer).map(({ text }) => text)).toEqual([
        'งบประมาณ 2.50 ล้านบาท สูงเกินไป (ช่วงขององค์กร 0 บาท ถึง 1.00 ล้านบาท)',
        'กรุงเทพมหานคร อยู่นอกพื้นที่ขององค์กร (องค์กรดูได้ 1 จังหวัด)',
        'เคลื่อนไหวล่าสุด 20 พ.ย. 2569 อยู่นอกช่วงของรายงาน (ตั้งแต่ 21 พ.ย. 2569 ถึง 31 ธ.ค. 2569)',
      ])
    })

    test('hidden by the user and delivered are places, not refusals', async () => {
      await db.execute(
        sql`insert into hidden_projects (user_id, project_id) select id, ${ids[0]} from users where email_key = 'sales@tharamek.example'`,
      )
      await db.execute(sql`update projects set is_archived = true where project_id = ${ids[0]}`)
      const answer = await why(ids[0])
      expect(answer.in_report).toBe(true)
      expect(failed(answer).map(({ rule }) => rule)).toEqual(['hidden_by_you', 'archived'])
      expect(failed(await why(ids[0], b)).map(({ rule }) => rule)).toEqual(['archived'])
      await db.execute(sql`update projects set is_archived = false where project_id = ${ids[0]}`)
    })
  })
})
