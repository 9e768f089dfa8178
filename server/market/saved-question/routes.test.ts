import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MAX_SAVED_QUESTIONS } from '#contract/market/saved-question.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { enterDemo, signIn } from '../../../test/server/http-app.ts'
import { makeQuestionWorld, NOW, type QuestionWorld } from '../../../test/world/question-world.ts'

const ALERTS = { monthly: true, on_change: true }
const FREE = { problem: null, is_wide: false }

onEachEngineInTurn('saved questions', (makeDb) => {
  let db: OpenDb
  let world: QuestionWorld
  beforeAll(async () => {
    db = await makeDb()
    world = await makeQuestionWorld(db, () => NOW)
  })
  afterAll(() => world.app.close())
  beforeEach(() => world.clear())

  test('saves a question by its address, renames it, changes its alerts, deletes and saves it again', async () => {
    const address = { market: 'true', project_name__in: 'กล้อง', rank: 'wins' }
    const add = { id: 'q1', name: ' กล้องทั้งตลาด ', address: { ...address, page: '3', view: 'who_wins' }, ...ALERTS }
    const saved = { id: 'q1', name: 'กล้องทั้งตลาด', address, ...ALERTS, ...FREE }
    expect(await world.patched({ add })).toEqual({ questions: [saved], bell: true, mail: true })
    expect((await world.patched({ add })).questions).toEqual([saved])
    const changed = await world.patched({ change: { id: 'q1', name: 'กล้อง', on_change: false }, bell: false })
    expect(changed).toEqual({ questions: [{ ...saved, name: 'กล้อง', on_change: false }], bell: false, mail: true })
    expect((await world.patched({ remove: { id: 'q1' } })).questions).toEqual([])
    expect((await world.patched({ remove: { id: 'q1' } })).questions).toEqual([])
    expect((await world.patched({ add })).questions).toEqual([saved])
    const lines = await db.query<{ description: string }>(
      sql`select description from usage_events where type <> 'session' order by id`,
    )
    expect(lines.map(({ description }) => description)).toEqual([
      'บันทึกคำถามใครชนะ',
      'เปลี่ยนชื่อคำถามใครชนะ',
      'ตั้งค่าการแจ้งคำถามใครชนะ',
      'ลบคำถามใครชนะที่บันทึก',
      'บันทึกคำถามใครชนะ',
    ])
  })

  test('stores a question of a report segment without the segment', async () => {
    const address = { project_bidding__in: 'open', project_name__in: 'กล้อง' }
    const { questions } = await world.patched({ add: { id: 'q1', name: 'กล้อง', address, ...ALERTS } })
    expect(questions[0]).toMatchObject({ address: { project_name__in: 'กล้อง' } })
    const requestWhoWins = async (query: string) => {
      const { headers } = await signIn(world.app, 'manager@tharamek.example')
      const answer = await world.app.inject({ url: `/api/v2/who-wins?${query}`, headers })
      expect(answer.statusCode, answer.body).toBe(200)
      return answer.json()
    }
    const all = await requestWhoWins('project_name__in=กล้อง')
    for (const states of ['open', 'upcoming', 'closed', 'awarded', '<<open'])
      expect(await requestWhoWins(`project_name__in=กล้อง&project_bidding__in=${encodeURIComponent(states)}`)).toEqual(
        all,
      )
  })

  test('refuses an invalid question, a duplicate name and one over the limit with a sentence', async () => {
    const refusal = async (address: Record<string, string>, name = 'ก') => {
      const answer = await world.call('PATCH', { add: { id: 'x', name, address, ...ALERTS } })
      expect(answer.statusCode).toBe(400)
      return JSON.stringify(answer.json())
    }
    expect(await refusal({ market: 'true', project_bookmark: 'true' })).toContain('ใช้ได้กับโครงการของเราเท่านั้น')
    expect(await refusal({ project_province__in: 'ไม่มีจังหวัดนี้' })).toContain('project_province__in')
    expect(await refusal({ no_such: '1' })).toContain('no_such')
    expect(await refusal({}, ' ')).toContain('ตั้งชื่อคำถาม')
    await world.patched({ add: { id: 'a', name: 'กล้อง', address: {}, ...ALERTS } })
    expect(await refusal({ market: 'true' }, 'กล้อง ')).toContain('มีคำถามชื่อนี้แล้ว')
    for (let at = 1; at < MAX_SAVED_QUESTIONS; at += 1)
      await world.patched({ add: { id: `n${at}`, name: `n${at}`, address: {}, ...ALERTS } })
    expect(await refusal({}, 'อีกคำถาม')).toContain(`ไม่เกิน ${MAX_SAVED_QUESTIONS} คำถาม`)
  })

  test('questions are private to their owner, and the demo saves none', async () => {
    await world.patched({ add: { id: 'q1', name: 'กล้อง', address: {}, ...ALERTS } })
    const seller = await signIn(world.app, 'sales@tharamek.example')
    expect((await world.patched({ remove: { id: 'q1' } }, seller)).questions).toEqual([])
    expect((await world.call('GET', undefined, seller)).json().questions).toEqual([])
    expect((await world.call('GET')).json().questions).toHaveLength(1)
    const visitor = await enterDemo(world.app)
    for (const method of ['GET', 'PATCH'] as const)
      expect((await world.call(method, method === 'PATCH' ? { bell: true } : undefined, visitor)).statusCode).toBe(403)
  })
})
