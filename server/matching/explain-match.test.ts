import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type MatchExplanation, matchExplanationSchema } from '#contract/matching/keyword-impact.ts'
import { onEachEngine } from '../../test/server/databases.ts'
import type { SignedIn } from '../../test/server/http-app.ts'
import { ImpactWorld, ids, UNKNOWN_PROJECT } from '../../test/world/impact-world.ts'
import { setWords } from '../../test/world/report-world.ts'

onEachEngine('why a project is or is not in the report', (makeDb) => {
  let world: ImpactWorld
  beforeAll(async () => {
    world = await ImpactWorld.make(await makeDb())
  })
  afterAll(() => world.app.close())
  beforeEach(() => world.reset())

  describe('GET /projects/{id}/why', () => {
    const why = async (id: string, user?: SignedIn): Promise<MatchExplanation> =>
      matchExplanationSchema.parse(await world.get(`projects/${encodeURIComponent(id)}/why`, user))
    const failed = ({ rules }: MatchExplanation) => rules.filter(({ passed }) => !passed)
    const setConfig = (config: object) =>
      world.db.execute(
        sql`update organisations set customer_config = customer_config || ${JSON.stringify(config)}::jsonb where id = ${world.organisation.a}::int`,
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

    test('extracts the id from pasted text', async () => {
      for (const text of ['6711 0000001', '๖๗๑๑๐๐๐๐๐๐๑', `https://process3.gprocurement.go.th/x.sch?pid=${ids[0]}&a=1`])
        expect((await why(text)).project?.project_id).toBe(ids[0])
    })

    test('handles an unknown project and a text without an id', async () => {
      expect(await why(UNKNOWN_PROJECT)).toMatchObject({
        project: null,
        in_report: false,
        rules: [{ rule: 'known', passed: false }],
      })
      expect((await why(UNKNOWN_PROJECT)).rules[0]!.text).toContain(UNKNOWN_PROJECT)
      expect((await why('กล้อง')).rules[0]!.text).toContain('11 หลัก')
    })

    test('names a word that is missing, switched off or awaits approval', async () => {
      expect(failed(await why(ids[4]))).toMatchObject([
        { rule: 'include', text: expect.stringContaining('ไม่มีคำที่ติดตาม') },
      ])
      await setWords(world.db, world.organisation.a, { include: ['?ยาง'] })
      expect(failed(await why(ids[4]))).toMatchObject([{ text: '“ยาง” ตรงกับโครงการนี้ แต่ยังรอทีมงานอนุมัติ' }])
      await setWords(world.db, world.organisation.a, { include: ['ยาง'] })
      await setConfig({ search_by_name: false })
      expect(failed(await why(ids[4]))).toMatchObject([{ text: '“ยาง” ตรงกับโครงการนี้ แต่ปิดการค้นหาจากชื่อโครงการไว้' }])
      await setWords(world.db, world.organisation.a, {})
      expect(failed(await why(ids[4]))).toMatchObject([{ text: 'ยังไม่มีคำหรือหน่วยงานในรายการติดตาม' }])
    })

    test('names the exclusion, and that the project was rescued', async () => {
      expect(failed(await why(ids[1]))).toMatchObject([
        { rule: 'exclude', text: 'ชื่อโครงการมีคำที่ไม่รวม “เช่า”', words: [{ list: 'exclude', word: 'เช่า' }] },
      ])
      await world.post('hidden/rescue', { project_ids: [ids[1]] })
      const waiting = await why(ids[1])
      expect(failed(waiting)).toEqual([])
      expect(waiting.rules[0]!.text).toContain('อีกสักครู่จะขึ้นในรายงาน')
      await world.runWaitingMatches()
      const done = await why(ids[1])
      expect(done).toMatchObject({ in_report: true })
      expect(done.rules[0]!.text).not.toContain('กำลังจับคู่')
      expect(done.rules[2]!.text).toContain('นำกลับเข้ารายงานแล้ว')
    })

    test('names budget, province and window with the deciding figures', async () => {
      await setConfig({ max_project_budget: '1000000', start_date_report: '2026-11-21', end_date_report: '2026-12-31' })
      await world.db.execute(
        sql`update organisations set areas_with_provinces = '{"north": ["เชียงใหม่"]}' where id = ${world.organisation.a}::int`,
      )
      const answer = await why(ids[0])
      expect(answer.in_report).toBe(false)
      expect(failed(answer).map(({ text }) => text)).toEqual([
        'งบประมาณ 2.50 ล้านบาท สูงเกินไป (ช่วงขององค์กร 0 บาท ถึง 1.00 ล้านบาท)',
        'กรุงเทพมหานคร อยู่นอกพื้นที่ขององค์กร (องค์กรดูได้ 1 จังหวัด)',
        'เคลื่อนไหวล่าสุด 20 พ.ย. 2569 อยู่นอกช่วงของรายงาน (ตั้งแต่ 21 พ.ย. 2569 ถึง 31 ธ.ค. 2569)',
      ])
    })

    test('reports hidden and archived as places, not as refusals', async () => {
      await world.db.execute(
        sql`insert into hidden_projects (user_id, project_id) select id, ${ids[0]} from users where email_key = 'sales@tharamek.example'`,
      )
      await world.db.execute(sql`update projects set is_archived = true where project_id = ${ids[0]}`)
      const answer = await why(ids[0])
      expect(answer.in_report).toBe(true)
      expect(failed(answer).map(({ rule }) => rule)).toEqual(['hidden_by_you', 'archived'])
      expect(failed(await why(ids[0], world.b)).map(({ rule }) => rule)).toEqual(['archived'])
      await world.db.execute(sql`update projects set is_archived = false where project_id = ${ids[0]}`)
    })
  })
})
