import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { keywordTermsSchema } from '#contract/matching/keyword-term.ts'
import { type KeywordTraining, keywordTrainingSchema } from '#contract/matching/keyword-training.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { type KeywordWorld, makeKeywordWorld } from '../../../test/world/keyword-world.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'

const WORD = 'กล้องวงจรปิด'
const TITLES = [
  ...Array.from({ length: 6 }, (_, n) => `ซื้อระบบ CCTV อาคาร ${n}`),
  ...Array.from({ length: 6 }, (_, n) => `ติดตั้งกล้องเครือข่าย แห่งที่ ${n}`),
  ...Array.from({ length: 6 }, (_, n) => `วางสายไฟเบอร์ออฟติก เส้นที่ ${n}`),
]
type DraftAnswer = { project_id: string; is_wanted: boolean }

onEachEngineInTurn('a lesson before the word is saved', (makeDb) => {
  let db: OpenDb
  let world: KeywordWorld
  let user: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    world = await makeKeywordWorld(db)
    user = await signIn(world.app, 'manager@tharamek.example')
    const projects = TITLES.map((name, n) => {
      return { id: `670000000${String(n).padStart(2, '0')}`, name, movementOn: '2026-11-20' }
    })
    await putProjects(db, await addLoad(db), projects)
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    world.clock.now = new Date('2026-11-21T03:00:00Z')
    await world.clear()
  })

  const lesson = async (answers: readonly DraftAnswer[], more: object = {}): Promise<KeywordTraining> => {
    const { status, body } = await world.send(user, 'POST', '/keywords/lesson', { word: WORD, answers, ...more })
    expect([status, JSON.stringify(body)]).toEqual([200, JSON.stringify(body)])
    return keywordTrainingSchema.parse(body)
  }
  const taught = async (): Promise<{ answers: DraftAnswer[]; last: KeywordTraining }> => {
    const answers: DraftAnswer[] = []
    let last = await lesson(answers)
    while (last.next) {
      answers.push({ project_id: last.next.project_id, is_wanted: last.next.name.includes('กล้องเครือข่าย') })
      last = await lesson(answers)
    }
    return { answers, last }
  }
  const stored = async () => {
    const { body } = await world.send(user, 'GET', '/keyword-terms')
    return keywordTermsSchema.parse(body).keywords
  }

  test('queries titles, returns the effect of the answers and stores nothing', async () => {
    const { answers, last } = await taught()
    expect(last).toMatchObject({ keyword_id: 0, word: WORD, marks: [], next: null, in_force: 0 })
    expect(last.answers.map(({ project_id }) => project_id)).toEqual(
      answers.map(({ project_id }) => project_id).reverse(),
    )
    expect(last.turned).toContainEqual(expect.objectContaining({ term: 'cctv', facet: 0, acts: false }))
    expect(await stored()).toEqual([])
    expect(await db.query(sql`select from lesson_answers`)).toEqual([])
  })

  test('skips terms ticked before; for a repeated title the last answer counts', async () => {
    const { answers } = await taught()
    expect((await lesson(answers, { approve: ['cctv'] })).turned.map(({ term }) => term)).not.toContain('cctv')
    const [first] = answers
    const turned = await lesson([first!, { ...first!, is_wanted: !first!.is_wanted }])
    expect(turned.answers).toMatchObject([{ project_id: first!.project_id, is_wanted: !first!.is_wanted }])
    expect((await lesson([{ project_id: 'nowhere', is_wanted: true }])).answers).toEqual([])
  })

  test('is saved with the word: the lesson continues, its terms are taught and can be untaught', async () => {
    const { answers, last } = await taught()
    const words = { ai_include_keywords: [{ word: WORD, lesson: { answers, turned: last.turned } }] }
    const { ai_include } = await world.changed(user, 'POST', '', words)
    const { id } = ai_include[0]!
    const [keyword] = await stored()
    expect(keyword!.terms.find(({ term }) => term === 'cctv')).toMatchObject({ state: 'rejected', taught: true })
    const { body } = await world.send(user, 'GET', `/keywords/${id}/lesson`)
    const after = keywordTrainingSchema.parse(body)
    expect(after.answers).toEqual(last.answers)
    expect([after.turned, after.in_force]).toEqual([[], last.turned.length])
    await world.send(user, 'PUT', `/keywords/${id}/lesson/terms`, { in_force: false })
    expect((await stored())[0]!.terms.find(({ term }) => term === 'cctv')).toMatchObject({ state: 'auto' })
  })

  test('changes no term of an exclusion, and a malformed lesson is refused with its word', async () => {
    const { answers, last } = await taught()
    const entry = { word: WORD, lesson: { answers, turned: last.turned } }
    await world.changed(user, 'POST', '', { ai_exclude_keywords: [entry] })
    expect((await stored())[0]!.terms.filter(({ taught }) => taught)).toEqual([])
    expect(await db.query(sql`select from lesson_answers`)).toEqual([])
    for (const bad of [{ answers }, { answers: [{ project_id: '' }], turned: [] }, 7]) {
      const body = { ai_include_keywords: [{ word: 'โดรน', lesson: bad }] }
      expect((await world.send(user, 'POST', '', body)).status).toBe(400)
    }
    for (const bad of [{ word: '', answers: [] }, { word: WORD }, { word: WORD, answers: [{ project_id: '1' }] }])
      expect((await world.send(user, 'POST', '/keywords/lesson', bad)).status).toBe(400)
  })
})
