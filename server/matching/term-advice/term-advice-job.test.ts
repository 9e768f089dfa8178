import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type KeywordTermAdviceList, keywordTermAdviceListSchema } from '#contract/matching/term-advice.ts'
import { rematchOrganisation } from '#server/matching/rematch-organisation.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { decodeClaims, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { type KeywordWorld, makeKeywordWorld } from '../../../test/world/keyword-world.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'
import { getNextMondayMorning, keywordTermAdviceJob, scheduleKeywordTermAdvice } from './term-advice-job.ts'

const WORD = 'กล้องวงจรปิด'
/** A Saturday morning and the two following Mondays. */
const NOW = new Date('2026-11-21T03:00:00Z')
const MONDAY = new Date('2026-11-23T01:30:00Z')
const LATER = new Date('2026-11-30T01:30:00Z')

const CCTV = Array.from({ length: 7 }, (_, n) => `6700000000${n}`)
const CAMERAS = Array.from({ length: 12 }, (_, n) => `670000001${String(n).padStart(2, '0')}`)

onEachEngineInTurn('terms that bring only what is hidden', (makeDb) => {
  let db: OpenDb
  let world: KeywordWorld
  let user: SignedIn
  let colleague: SignedIn
  let userId: number
  let organisationId: number
  let keywordId: number

  beforeAll(async () => {
    db = await makeDb()
    world = await makeKeywordWorld(db)
    user = await signIn(world.app, 'manager@tharamek.example')
    colleague = await signIn(world.app, 'sales@tharamek.example')
    userId = Number(decodeClaims(user.access).sub)
    const [me] = await db.query<{ id: number }>(sql`select organisation_id as id from users where id = ${userId}::int`)
    organisationId = me!.id
    const load = await addLoad(db)
    await putProjects(db, load, [
      ...CCTV.map((id, n) => ({ id, name: `ซื้อระบบ CCTV อาคาร ${n}`, movementOn: '2026-11-10' })),
      ...CAMERAS.map((id, n) => ({ id, name: `ซื้อกล้องวงจรปิด ชุดที่ ${n}`, movementOn: '2026-11-10' })),
    ])
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    await world.clear()
    await db.script(`delete from hidden_projects; delete from project_feedback; delete from bookmarks; delete from notifications; delete from follow_settings;
      delete from jobs; update organisations set customer_config = customer_config || '{"search_by_ai": true}'`)
    const { ai_include: words } = await world.changed(user, 'POST', '', { ai_include_keywords: [{ word: WORD }] })
    keywordId = words[0]!.id
    await rematchOrganisation(db, organisationId)
    await db.script('delete from jobs')
  })

  const hide = async (ids: readonly string[], { by = userId, days = 3 } = {}) => {
    for (const [n, id] of ids.entries())
      await db.execute(sql`
        insert into hidden_projects (user_id, project_id, created_at)
        values (${by}::int, ${id}, ${`2026-11-${15 + (n % days)}T03:00:00Z`}::timestamptz)`)
  }
  const bell = async (reader = user) => {
    const { json } = await world.app.inject({ url: '/api/v2/users/me', headers: reader.headers })
    return json()
      .notification_updated_status.notifications.filter(({ type }: { type: string }) => type === 'Term_advice')
      .map(({ detail, change_count: count }: { detail: string; change_count: number }) => `${count} ${detail}`)
  }
  const advice = async (reader = user): Promise<KeywordTermAdviceList['advice']> =>
    keywordTermAdviceListSchema.parse((await world.send(reader, 'GET', '/term-advice')).body).advice
  const runMondayJob = async (at = MONDAY) => {
    await db.transaction((tx) => scheduleKeywordTermAdvice(tx, new Date(at.getTime() - 1000)))
    await runDue(keywordTermAdviceJob, { db, now: at })
  }
  const cctv = async () => {
    const { terms } = (
      await db.query<{ terms: string[] }>(
        sql`select array_agg(term) as terms from keyword_terms where keyword_id = ${keywordId}::int and term_key = 'cctv'`,
      )
    )[0]!
    return terms[0]!
  }

  test('appears once in the bell with its evidence; the next weekly run is queued and reports nothing new', async () => {
    await hide(CCTV)
    await runMondayJob()
    const term = await cctv()
    expect(await bell()).toEqual([`1 ${term}`])
    const [suggestion] = await advice()
    expect(suggestion).toMatchObject({
      keyword_id: keywordId,
      word: WORD,
      term,
      facet: 0,
      shown: 7,
      hidden: 7,
      excluded: 0,
    })
    expect(suggestion!.titles).toHaveLength(3)
    expect(suggestion!.titles.every(({ name }) => name.includes('CCTV'))).toBe(true)
    expect([await bell(colleague), await advice(colleague)]).toEqual([[], []])
    const waiting = await db.query(
      sql`select dedupe_key, run_at from jobs where kind = 'term-advice' and state = 'waiting'`,
    )
    expect(waiting).toMatchObject([{ dedupe_key: 'all 2026-11-30' }])
    await runDue(keywordTermAdviceJob, { db, now: LATER })
    expect(await bell()).toHaveLength(1)
    expect(await advice()).toHaveLength(1)
  })

  test('says nothing about a term that brought a colleague a project answered with เกี่ยว', async () => {
    await hide(CCTV)
    await db.execute(sql`
      insert into project_feedback (user_id, organisation_id, project_id, verdict, given_at)
      select id, organisation_id, ${CCTV[0]}, 'relevant', now() from users where email_key = 'sales@tharamek.example'`)
    await runMondayJob()
    expect(await advice()).toEqual([])
  })

  test('changes nothing itself; unticking closes it, and ticking again does not reopen it', async () => {
    await hide(CCTV)
    await runMondayJob()
    const [{ term }] = (await advice()) as [KeywordTermAdviceList['advice'][number]]
    const state = async () =>
      (
        await db.query(sql`select state from keyword_terms where keyword_id = ${keywordId}::int and term_key = 'cctv'`)
      )[0]
    expect(await state()).toEqual({ state: 'auto' })
    await world.send(user, 'PATCH', `/keywords/${keywordId}/terms`, { reject: [term] })
    expect(await advice()).toEqual([])
    await world.send(user, 'PATCH', `/keywords/${keywordId}/terms`, { approve: [term] })
    expect(await advice()).toHaveLength(1)
    await runMondayJob(LATER)
    expect(await bell()).toHaveLength(1)
  })

  test('declined is not offered again until undone; advice of another user is 404', async () => {
    await hide(CCTV)
    await runMondayJob()
    const [suggestion] = (await advice()) as [KeywordTermAdviceList['advice'][number]]
    const about = { keyword_id: keywordId, facet: 0, term: suggestion.term }
    expect((await world.send(colleague, 'PUT', '/term-advice', { ...about, refused: true })).status).toBe(404)
    expect((await world.send(user, 'PUT', '/term-advice', { ...about, refused: true })).body).toEqual({
      advice: [],
      additions: [],
    })
    await runMondayJob(LATER)
    expect([await advice(), (await bell()).length]).toEqual([[], 1])
    expect((await world.send(user, 'PUT', '/term-advice', { ...about, refused: false })).body).toEqual({
      advice: [suggestion],
      additions: [],
    })
  })

  test('disappears when the user unhides the titles', async () => {
    await hide(CCTV)
    await runMondayJob()
    await db.script('delete from hidden_projects')
    expect(await advice()).toEqual([])
  })

  test('is not given when a colleague wants a title, all were hidden at once, or the user hides everything', async () => {
    await hide(CCTV)
    const colleagueId = Number(decodeClaims(colleague.access).sub)
    await db.execute(sql`insert into bookmarks (user_id, project_id) values (${colleagueId}::int, ${CCTV[0]})`)
    await runMondayJob()
    expect(await advice()).toEqual([])
    await db.script('delete from bookmarks; delete from hidden_projects; delete from jobs')
    await hide(CCTV, { days: 1 })
    await runMondayJob()
    expect(await advice()).toEqual([])
    await db.script('delete from hidden_projects; delete from jobs')
    await hide([...CCTV, ...CAMERAS])
    await runMondayJob()
    expect([await advice(), await bell()]).toEqual([[], []])
  })

  test('counts titles removed by an exclusion together with hidden ones', async () => {
    await hide(CCTV.slice(0, 3))
    await runMondayJob()
    expect(await advice()).toEqual([])
    await db.script('delete from jobs')
    const exclusions = CCTV.slice(3).map((_, n) => ({ word: `อาคาร ${n + 3}` }))
    await world.changed(user, 'POST', '', { exclude_keywords: exclusions })
    await rematchOrganisation(db, organisationId)
    await db.script("delete from jobs where kind = 'match'")
    await runMondayJob()
    expect(await advice()).toMatchObject([{ shown: 7, hidden: 3, excluded: 4 }])
  })

  test('ignores titles that another word matches too, and never advises against the keyword itself', async () => {
    await hide(CAMERAS)
    await runMondayJob()
    expect(await advice()).toEqual([])
    await db.script('delete from hidden_projects; delete from jobs')
    await world.changed(user, 'POST', '', { include_keywords: [{ word: 'ระบบ' }] })
    await rematchOrganisation(db, organisationId)
    await db.script("delete from jobs where kind = 'match'")
    await hide(CCTV)
    await runMondayJob()
    expect(await advice()).toEqual([])
  })

  test('with its switch off is absent from the bell but shown on the words page', async () => {
    const { json } = await world.app.inject({ url: '/api/v2/users/me/follows', headers: user.headers })
    const bells = json().bell.filter((kind: string) => kind !== 'term')
    await world.app.inject({
      method: 'PATCH',
      url: '/api/v2/users/me/follows',
      headers: { ...user.headers, 'content-type': 'application/json' },
      payload: JSON.stringify({ bell: bells }),
    })
    await hide(CCTV)
    await runMondayJob()
    expect([await bell(), (await advice()).length]).toEqual([[], 1])
  })

  test('skips users with fewer than three hides, and each load queues the same Monday', async () => {
    await hide(CCTV.slice(0, 2))
    for (const at of [NOW, new Date(NOW.getTime() + 1000), MONDAY])
      await db.transaction((tx) => scheduleKeywordTermAdvice(tx, at))
    const scheduled = await db.query<{ dedupe_key: string }>(
      sql`select dedupe_key from jobs where kind = 'term-advice' order by id`,
    )
    expect(scheduled.map(({ dedupe_key: key }) => key)).toEqual(['all 2026-11-23', 'all 2026-11-30'])
    await runDue(keywordTermAdviceJob, { db, now: MONDAY })
    expect(await db.query(sql`select from jobs where kind = 'term-advice' and user_id is not null`)).toEqual([])
  })

  describe('terms to add', () => {
    const VIDEO = Array.from({ length: 4 }, (_, n) => `6700000002${n}`)
    const additions = async (reader = user): Promise<KeywordTermAdviceList['additions']> =>
      keywordTermAdviceListSchema.parse((await world.send(reader, 'GET', '/term-advice')).body).additions
    const star = async (ids: readonly string[], by = userId) => {
      for (const id of ids)
        await db.execute(sql`
          insert into bookmarks (user_id, project_id, created_at) values (${by}::int, ${id}, '2026-11-15T03:00:00Z'::timestamptz)`)
    }

    beforeAll(async () => {
      const load = await addLoad(db)
      const rows = VIDEO.map((id, n) => ({ id, name: `ซื้ออุปกรณ์บันทึกภาพ อาคาร ${n}`, movementOn: '2026-11-10' }))
      await putProjects(db, load, rows)
    })

    test('are offered from starred projects that the word misses, with an estimate', async () => {
      await star(VIDEO.slice(0, 3))
      await runMondayJob()
      const [addition, ...others] = await additions()
      expect(addition).toMatchObject({ keyword_id: keywordId, facet: 0, word: WORD, wanted: 3 })
      expect('ซื้ออุปกรณ์บันทึกภาพอาคาร').toContain(addition!.term)
      expect(addition!.titles).toHaveLength(3)
      expect(addition!.likely_right).toBeGreaterThanOrEqual(0.5)
      // Four titles of the year in the sample are a third of a project a month.
      expect(addition!.monthly).toBeCloseTo(VIDEO.length / 12, 1)
      expect(others.some(({ term }) => term.includes(addition!.term) || addition!.term.includes(term))).toBe(false)
      expect((await bell())[0]).toContain(addition!.term)
    })

    test('are offered from projects that the team decided to bid for, to all of the team', async () => {
      for (const id of VIDEO.slice(0, 2))
        await db.execute(sql`
          insert into pursuits (organisation_id, project_id, stage, stage_since, decision, decided_at, created_at, changed_at)
          values (${organisationId}::int, ${id}, 'found', '2026-11-15', 'bid', '2026-11-15', '2026-11-15', '2026-11-15')`)
      await runMondayJob()
      expect((await additions()).length).toBeGreaterThan(0)
      expect((await additions(colleague)).length).toBeGreaterThan(0)
      await db.script('delete from pursuits')
    })

    test('disappear when added or refused, and are never offered twice', async () => {
      await star(VIDEO)
      await runMondayJob()
      const [addition] = await additions()
      const about = { keyword_id: keywordId, facet: 0, term: addition!.term }
      await world.send(user, 'PUT', '/term-advice', { ...about, refused: true })
      expect((await additions()).map(({ term }) => term)).not.toContain(addition!.term)
      await world.send(user, 'PUT', '/term-advice', { ...about, refused: false })
      expect((await additions()).map(({ term }) => term)).toContain(addition!.term)
      await world.send(user, 'PATCH', `/keywords/${keywordId}/terms`, { add: [addition!.term] })
      expect((await additions()).map(({ term }) => term)).not.toContain(addition!.term)
    })

    test('need two projects that no hidden ones outweigh, and stay private to who starred', async () => {
      await star(VIDEO.slice(0, 1))
      await runMondayJob()
      expect(await additions()).toEqual([])
      await db.script('delete from jobs')
      await star(VIDEO.slice(1, 2))
      await hide(VIDEO.slice(2))
      await runMondayJob()
      expect(await additions()).toEqual([])
      await db.script('delete from hidden_projects; delete from jobs')
      await runMondayJob()
      expect((await additions()).length).toBeGreaterThan(0)
      expect(await additions(colleague)).toEqual([])
    })
  })

  test('Monday means 08:30 in Bangkok, strictly in the future', () => {
    const text = (at: string) => getNextMondayMorning(new Date(at)).toISOString()
    expect(text('2026-11-21T03:00:00Z')).toBe('2026-11-23T01:30:00.000Z')
    expect(text('2026-11-23T01:29:59Z')).toBe('2026-11-23T01:30:00.000Z')
    expect(text('2026-11-23T01:30:00Z')).toBe('2026-11-30T01:30:00.000Z')
    // This Sunday evening in UTC is Monday in Bangkok, before half past eight.
    expect(text('2026-11-22T20:00:00Z')).toBe('2026-11-23T01:30:00.000Z')
  })
})
