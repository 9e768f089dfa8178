import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type KeywordTerm,
  type KeywordTermState,
  type KeywordTerms,
  keywordTermExpansionSchema,
  keywordTermsSchema,
  keywordWithTermsSchema,
  MAX_TERMS_PER_KEYWORD,
} from '#contract/matching/keyword-term.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { type KeywordWorld, makeKeywordWorld } from '../../../test/world/keyword-world.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'

const WORD = 'กล้องวงจรปิด'
/**
 * `cctv` must match as a whole word, because it is shorter than `MIN_SUBSTRING_MATCH_LENGTH`; longer terms do not
 * occur in other words.
 */
const TITLES = ['ประกวดราคาซื้อระบบ CCTV จำนวน 4 ชุด', 'ซื้อCCTV โรงเรียน', 'จ้างติดตั้ง cctv อาคาร', 'ซื้อ XCCTVX รุ่นใหม่', 'ซ่อมถนน']

onEachEngineInTurn('terms of AI keywords', (makeDb) => {
  let db: OpenDb
  let world: KeywordWorld
  let user: SignedIn
  let id: number
  let path: string

  beforeAll(async () => {
    db = await makeDb()
    world = await makeKeywordWorld(db)
    user = await signIn(world.app, 'manager@tharamek.example')
    await putProjects(
      db,
      await addLoad(db),
      TITLES.map((name, n) => ({ id: `6700000000${n}`, name })),
    )
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    await world.clear()
    const after = await world.changed(user, 'POST', '', { ai_include_keywords: [{ word: WORD }] })
    id = after.ai_include[0]!.id
    path = `/keywords/${id}/terms`
    await db.script('delete from jobs; delete from audit_events')
  })

  const allTerms = async (): Promise<KeywordTerms> => {
    const { status, body } = await world.send(user, 'GET', '/keyword-terms')
    expect(status).toBe(200)
    return keywordTermsSchema.parse(body)
  }
  const change = async (body: object, at = path) => {
    const answer = await world.send(user, 'PATCH', at, body)
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    const { terms } = keywordWithTermsSchema.parse(answer.body)
    return terms
  }
  const refusal = async (body: object) => {
    const before = await allTerms()
    const { errors } = await world.refused(user, 'PATCH', path, body)
    expect(await allTerms()).toEqual(before)
    return errors
  }
  /** Returns the terms in this state that match without a second facet, excluding the word itself. */
  const standaloneTerms = (terms: readonly KeywordTerm[], state: KeywordTermState) =>
    terms
      .filter((term) => term.state === state && term.source !== 'literal')
      .map(({ term }) => term)
      .filter((term) => terms.every((candidate) => candidate.term !== term || candidate.facet === 0))
  const stateOf = (terms: readonly { term: string; state: string }[], term: string) =>
    terms.find((candidate) => candidate.term === term)?.state

  test('a saved AI word has terms: itself first, then automatic and suggested ones', async () => {
    const { engine, keywords } = await allTerms()
    expect(engine).toContain('e-GP')
    expect(keywords).toMatchObject([{ keyword_id: id, known: true }])
    const { terms } = keywords[0]!
    expect(terms[0]).toMatchObject({ term: WORD, source: 'literal', state: 'auto', similarity: 1, facet: 0 })
    expect(terms.filter(({ state }) => state === 'auto').length).toBeGreaterThan(1)
    expect(terms.filter(({ state }) => state === 'suggested').length).toBeGreaterThan(3)
    expect(terms.some(({ title_count }) => title_count !== null && title_count > 100)).toBe(true)
  })

  test('samples are at most two real names that the term finds', async () => {
    const { samples } = (await allTerms()).keywords[0]!.terms.find(({ term }) => term === 'cctv')!
    expect(samples).toHaveLength(2)
    for (const name of samples) expect(TITLES.slice(0, 3)).toContain(name)
  })

  test('shows the same terms before saving and stores nothing; an unknown word has only itself', async () => {
    const { status, body } = await world.send(user, 'POST', '/keywords/expand', { word: WORD })
    const { engine, keywords } = await allTerms()
    expect([status, keywordTermExpansionSchema.parse(body)]).toEqual([
      200,
      { engine, known: true, terms: keywords[0]!.terms },
    ])
    const unknown = await world.send(user, 'POST', '/keywords/expand', { word: '🛸🛸' })
    expect(unknown.body).toMatchObject({ known: false, terms: [{ term: '🛸🛸', source: 'literal', samples: [] }] })
    for (const bad of [{}, { word: '' }, { word: 'ก'.repeat(201) }, { word: 7 }])
      expect((await world.send(user, 'POST', '/keywords/expand', bad)).status).toBe(400)
    for (const odd of ['\u0000', '\uD800', '🎉', '__proto__', '((', ' '])
      expect((await world.send(user, 'POST', '/keywords/expand', { word: odd })).status).toBe(200)
  })

  test('ticking, unticking and adding are stored, rematched by changed terms, and audited', async () => {
    const before = (await allTerms()).keywords[0]!.terms
    const [waiting, acting] = [standaloneTerms(before, 'suggested')[0]!, standaloneTerms(before, 'auto')[0]!]
    const terms = await change({ approve: [waiting], reject: [acting], add: [' ตา\u200bวิเศษ  พกพา '] })
    expect([stateOf(terms, waiting), stateOf(terms, acting)]).toEqual(['approved', 'rejected'])
    expect(terms.at(-1)).toEqual({
      term: 'ตาวิเศษ พกพา',
      source: 'user',
      state: 'approved',
      similarity: 1,
      facet: 0,
      title_count: null,
      samples: [],
    })
    expect((await allTerms()).keywords[0]!.terms).toEqual(terms)
    const [scope] = (await world.scopes()) as [{ terms: string[] }]
    expect(new Set(scope.terms)).toEqual(new Set([waiting, acting, 'ตาวิเศษ พกพา']))
    const [row] = await db.query<{ detail: { before: unknown[]; after: unknown[] } }>(
      sql`select detail from audit_events`,
    )
    expect(row!.detail).toMatchObject({ did: 'terms', keyword: WORD })
    expect(row!.detail.after).toContainEqual({ term: acting, facet: 0, state: 'rejected' })
  })

  test('repeating a tick changes nothing; ticking an unknown term adds it', async () => {
    await change({ reject: ['cctv'] })
    const again = await change({ reject: ['CCTV', 'คำที่ไม่มี'] })
    expect(stateOf(again, 'cctv')).toBe('rejected')
    expect(stateOf(again, 'คำที่ไม่มี')).toBe(undefined)
    expect(await world.scopes()).toHaveLength(1)
    expect(stateOf(await change({ approve: ['คำที่ไม่มี'] }), 'คำที่ไม่มี')).toBe('approved')
  })

  test('reset restores the terms of the engine and drops ticks and added terms', async () => {
    const before = (await allTerms()).keywords[0]!.terms
    await change({ reject: ['cctv'], add: ['ตาวิเศษ'] })
    expect(await change({ reset: true })).toEqual(before)
    expect(stateOf(await change({ reset: true, reject: ['cctv'] }), 'cctv')).toBe('rejected')
  })

  test('keeps the word itself and enforces length, count and blacklist of terms', async () => {
    expect(await refusal({ reject: [WORD] })).toEqual({ reject: expect.stringContaining('ตัวคำเอง') })
    expect(await refusal({ add: ['ก'] })).toEqual({ add: expect.stringContaining('2 ถึง 60') })
    expect(await refusal({ add: ['ก'.repeat(61)] })).toHaveProperty('add')
    expect(await refusal({ add: ['\u0000'] })).toHaveProperty('add')
    expect(await refusal({ add: ['จัด ซื้อ'] })).toEqual({ add: expect.stringContaining('“จัด ซื้อ”') })
    expect(await refusal({ add: Array.from({ length: MAX_TERMS_PER_KEYWORD }, (_, n) => `คำใกล้เคียงที่ ${n}`) })).toEqual({
      add: expect.stringContaining(`ไม่เกิน ${MAX_TERMS_PER_KEYWORD}`),
    })
    for (const bad of [{ add: 'x' }, { approve: [1] }, { reset: 'yes' }, []])
      expect((await world.send(user, 'PATCH', path, bad)).status).toBe(400)
  })

  test('an exclusion matches by its own spelling and ticked terms; only those are rematched', async () => {
    const { terms } = (await allTerms()).keywords[0]!
    const [ticked, unticked] = [standaloneTerms(terms, 'suggested')[0]!, standaloneTerms(terms, 'auto')[0]!]
    const after = await world.changed(user, 'POST', '', { ai_exclude_keywords: [{ word: WORD, approve: [ticked] }] })
    const [scope] = (await world.scopes()) as [{ terms: string[] }]
    const letters = terms.filter(({ source }) => source === 'literal').map(({ term }) => term)
    expect(new Set(scope.terms)).toEqual(new Set([...letters, ticked]))
    await db.script('delete from jobs')
    await change({ reject: [unticked] }, `/keywords/${after.ai_exclude[0]!.id}/terms`)
    expect(await world.scopes()).toEqual([])
  })

  test('stores ticks made before saving with the word; the word itself cannot be unticked', async () => {
    await world.clear()
    await world.changed(user, 'POST', '', {
      ai_include_keywords: [{ word: WORD, approve: ['ตาวิเศษ', 'ซีซีทีวี'], reject: ['cctv', WORD, 'ไม่มี'] }],
    })
    const { terms } = (await allTerms()).keywords[0]!
    expect(['ตาวิเศษ', 'ซีซีทีวี', 'cctv', WORD, 'ไม่มี'].map((term) => stateOf(terms, term))).toEqual([
      'approved',
      'approved',
      'rejected',
      'auto',
      undefined,
    ])
    const { errors } = await world.refused(user, 'POST', '', {
      ai_include_keywords: [{ word: 'โดรน', approve: ['x'.repeat(61)] }],
    })
    expect(errors).toHaveProperty('ai_include_keywords')
  })

  test('offers terms to a keyword without any, which matches literally until the first tick stores them', async () => {
    await db.execute(sql`delete from keyword_terms where keyword_id = ${id}::int`)
    const offered = (await allTerms()).keywords[0]!.terms
    expect(offered.length).toBeGreaterThan(5)
    expect(await db.query(sql`select from keyword_terms`)).toEqual([])
    const terms = await change({ approve: ['ตาวิเศษ'] })
    expect(terms).toHaveLength(offered.length + 1)
    const [scope] = (await world.scopes()) as [{ terms: string[] }]
    expect(scope.terms).not.toContain(WORD)
    expect(scope.terms).toEqual(expect.arrayContaining(['cctv', 'ตาวิเศษ']))
  })

  test('name words, deleted words and unknown ids have no terms: 404', async () => {
    const after = await world.changed(user, 'POST', '', { include_keywords: [{ word: 'จอภาพ' }] })
    await world.changed(user, 'DELETE', '', { ai_include_keywords: [{ id }] })
    for (const invalidId of [id, after.include[0]!.id, 0, -1, 2 ** 31, 'x', '1e3', '__proto__'])
      expect([invalidId, await world.send(user, 'PATCH', `/keywords/${invalidId}/terms`, { add: ['ตาวิเศษ'] })]).toEqual(
        [invalidId, { status: 404, body: { code: 'not_found' } }],
      )
  })
})
