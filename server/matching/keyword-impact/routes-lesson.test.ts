import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { keywordTermsSchema } from '#contract/matching/keyword-term.ts'
import { type Lesson, lessonSchema } from '#contract/matching/lesson.ts'
import { rematchOrganisation } from '#server/matching/match-organisation.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { type KeywordWorld, makeKeywordWorld } from '../../../test/world/keyword-world.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'

const WORD = 'กล้องวงจรปิด'
/** Titles matched by default terms, by suggested terms, and by none. */
const TITLES = [
  ...Array.from({ length: 6 }, (_, n) => `ซื้อระบบ CCTV อาคาร ${n}`),
  ...Array.from({ length: 6 }, (_, n) => `ติดตั้งโทรทัศน์วงจรปิด แห่งที่ ${n}`),
  ...Array.from({ length: 6 }, (_, n) => `ซื้อกล้องวงจรปิด ชุดที่ ${n}`),
  ...Array.from({ length: 6 }, (_, n) => `วางสายไฟเบอร์ออฟติก เส้นที่ ${n}`),
  'ซ่อมถนน',
]

const projectId = (n: number) => `670000000${String(n).padStart(2, '0')}`

onEachEngineInTurn('teaching by examples', (makeDb) => {
  let db: OpenDb
  let world: KeywordWorld
  let who: SignedIn
  let id: number

  beforeAll(async () => {
    db = await makeDb()
    world = await makeKeywordWorld(db)
    who = await signIn(world.app, 'manager@tharamek.example')
    const projects = TITLES.map((name, n) => ({
      id: projectId(n),
      name,
      movementOn: '2026-11-20',
    }))
    await putProjects(db, await addLoad(db), projects)
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    world.clock.now = new Date('2026-11-21T03:00:00Z')
    await world.clear()
    const after = await world.changed(who, 'POST', '', { ai_include_keywords: [{ word: WORD }] })
    id = after.ai_include[0]!.id
  })

  const lessonAt = async (method: 'GET' | 'POST' | 'PUT', body?: object, end = ''): Promise<Lesson> => {
    const answer = await world.send(who, method, `/keywords/${id}/lesson${end}`, body)
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([200, JSON.stringify(answer.body)])
    return lessonSchema.parse(answer.body)
  }
  const say = (answers: readonly { project_id: string; is_wanted: boolean | null }[]) => lessonAt('POST', { answers })
  const terms = async () => {
    const { body } = await world.send(who, 'GET', '/keyword-terms')
    return keywordTermsSchema.parse(body).keywords.find(({ keyword_id }) => keyword_id === id)!.terms
  }
  const stateOf = async (word: string) => (await terms()).find(({ term }) => term === word)
  /** Answers titles by `isWanted` until none is left. */
  const teach = async (isWanted: (name: string) => boolean) => {
    let lesson = await lessonAt('GET')
    for (let asked = 0; lesson.next && asked < 20; asked += 1) {
      const { project_id, name } = lesson.next
      const expected = isWanted(name) ? lesson.after_yes : lesson.after_no
      lesson = await say([{ project_id, is_wanted: isWanted(name) }])
      // The prefetched title equals what the server returns next.
      expect(lesson.next).toEqual(expected)
    }
    return lesson
  }

  test('asks titles, each once, and says which terms follow; they act when they are taken over, and go when forgotten', async () => {
    const begun = await lessonAt('GET')
    expect(begun).toMatchObject({ word: WORD, answers: [], in_force: 0, turned: [], share: 1 })
    expect(begun.next!.terms.length).toBeGreaterThan(0)
    const before = await terms()
    const taught = await teach((name) => !name.includes('CCTV'))
    const asked = taught.answers.map(({ project_id }) => project_id)
    expect(new Set(asked).size).toBe(asked.length)
    expect(taught.answers.some(({ name }) => name.includes('CCTV'))).toBe(true)
    const off = taught.turned.filter(({ acts }) => !acts).map(({ term }) => term.toLowerCase())
    expect(off).toContain('cctv')
    expect(taught.taught.right).toBeGreaterThan(taught.now.right)
    // Nothing changes before the user confirms.
    expect(await terms()).toEqual(before)

    await db.script("delete from jobs where kind = 'match'")
    const taken = await lessonAt('PUT', { in_force: true }, '/terms')
    expect(taken.turned).toEqual([])
    expect(taken.in_force).toBeGreaterThan(0)
    expect(taken.now).toEqual(taught.taught)
    expect(await db.query(sql`select from jobs where kind = 'match'`)).toHaveLength(1)
    const cctv = (await terms()).find(({ term }) => term.toLowerCase() === 'cctv')
    expect(cctv).toMatchObject({ state: 'rejected', taught: true })

    const forgotten = await lessonAt('PUT', { in_force: false }, '/terms')
    expect(forgotten).toMatchObject({ in_force: 0, now: taught.now, turned: taught.turned })
    expect(await terms()).toEqual(before)
  })

  test('one answer for each project, which can be changed and taken back; it is there another day', async () => {
    const { next } = await lessonAt('GET')
    const { project_id } = next!
    await say([{ project_id, is_wanted: true }])
    const { answers } = await say([{ project_id, is_wanted: false }])
    expect(answers).toEqual([{ project_id, name: next!.name, is_wanted: false }])
    expect((await lessonAt('GET')).answers).toEqual(answers)
    expect(await say([{ project_id, is_wanted: null }])).toEqual({ ...(await lessonAt('GET')), answers: [] })
    // A missing project is ignored.
    expect((await say([{ project_id: '1', is_wanted: true }])).answers).toEqual([])
  })

  test('what was ticked by hand stays, whatever the answers say', async () => {
    const cctv = (await terms()).find(({ term }) => term.toLowerCase() === 'cctv')!.term
    await teach((name) => !name.includes('CCTV'))
    await lessonAt('PUT', { in_force: true }, '/terms')
    expect(await stateOf(cctv)).toMatchObject({ state: 'rejected', taught: true })
    await world.send(who, 'PATCH', `/keywords/${id}/terms`, { approve: [cctv] })
    for (const again of [false, true]) {
      if (again) await lessonAt('PUT', { in_force: true }, '/terms')
      const own = await stateOf(cctv)
      expect([own!.state, own!.taught]).toEqual(['approved', undefined])
    }
  })

  test('a word that is deleted and put back has its answers, one that is corrected its taught terms', async () => {
    const { answers } = await teach((name) => !name.includes('CCTV'))
    await lessonAt('PUT', { in_force: true }, '/terms')
    await world.send(who, 'POST', '/keywords/remove', { ai_include_keywords: [{ id }] })
    expect((await world.send(who, 'GET', `/keywords/${id}/lesson`)).status).toBe(404)
    await world.send(who, 'POST', '/keywords/restore', { ids: [id] })
    expect((await lessonAt('GET')).answers).toEqual(answers)
    // Only a blank changed, so the terms are the same.
    await world.changed(who, 'PATCH', '', { ai_include_keywords: [{ id, word: 'กล้อง วงจรปิด' }] })
    const cctv = (await terms()).find(({ term }) => term.toLowerCase() === 'cctv')
    expect(cctv).toMatchObject({ state: 'rejected', taught: true })
  })

  test('offers what the asker starred and hid of what this word alone brought, until it is answered', async () => {
    const [me] = await db.query<{ id: number; organisation_id: number }>(
      sql`select id, organisation_id from users where email = 'manager@tharamek.example'`,
    )
    await db.script(`update organisations set customer_config = customer_config || '{"search_by_ai": true}'`)
    await world.changed(who, 'POST', '', { include_keywords: [{ word: 'ชุดที่' }] })
    await rematchOrganisation(db, me!.organisation_id)
    const named = (part: string) => TITLES.flatMap((name, n) => (name.includes(part) ? [projectId(n)] : []))
    const [cctv, other] = named('CCTV')
    // Another word also matches it; the road is in no report.
    const [both] = named('ชุดที่')
    const marks = [
      ['bookmarks', cctv!],
      ['hidden_projects', cctv!],
      ['hidden_projects', other!],
      ['hidden_projects', both!],
      ['hidden_projects', named('ซ่อมถนน')[0]!],
    ] as const
    for (const [table, project] of marks)
      await db.script(`insert into ${table} (user_id, project_id) values (${me!.id}, '${project}')`)
    const offered = (await lessonAt('GET')).marks
    expect(new Map(offered.map((mark) => [mark.project_id, mark.is_wanted]))).toEqual(
      new Map([
        [cctv, true],
        [other, false],
      ]),
    )
    const colleague = await signIn(world.app, 'sales@tharamek.example')
    const theirs = lessonSchema.parse((await world.send(colleague, 'GET', `/keywords/${id}/lesson`)).body)
    expect(theirs.marks).toEqual([])
    const after = await say(offered.map(({ project_id, is_wanted }) => ({ project_id, is_wanted })))
    expect([after.marks, after.answers.length]).toEqual([[], 2])
  })

  test('refuses exclusions, words of others and what is no answer', async () => {
    const after = await world.changed(who, 'POST', '', { ai_exclude_keywords: [{ word: 'ไฟเบอร์ออฟติก' }] })
    const own = after.ai_exclude[0]!.id
    expect((await world.send(who, 'GET', `/keywords/${own}/lesson`)).status).toBe(404)
    for (const path of ['0', '999999', 'x'])
      expect((await world.send(who, 'GET', `/keywords/${path}/lesson`)).status).toBe(404)
    for (const body of [{}, { answers: [] }, { answers: [{ project_id: '1' }] }])
      expect((await world.send(who, 'POST', `/keywords/${id}/lesson`, body)).status).toBe(400)
  })

  test('in the not-allowed window answers are taken and terms are not', async () => {
    const { next } = await lessonAt('GET')
    // 03:00 in Bangkok.
    world.clock.now = new Date('2026-11-20T20:00:00Z')
    await say([{ project_id: next!.project_id, is_wanted: true }])
    expect((await world.send(who, 'PUT', `/keywords/${id}/lesson/terms`, { in_force: true })).status).toBe(403)
  })
})
