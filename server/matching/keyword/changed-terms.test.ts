import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keywordWithTermsSchema, MAX_TERMS_PER_KEYWORD } from '#contract/matching/keyword-term.ts'
import { keywordTermChangesResponseSchema } from '#contract/matching/term-changes.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { type KeywordWorld, makeKeywordWorld } from '../../../test/world/keyword-world.ts'
import { applyChangedKeywordTerms, findChangedKeywordTerms } from './changed-terms.ts'
import type { StoredKeywordTerm } from './store-terms.ts'

const term = (text: string, change: Partial<StoredKeywordTerm> = {}): StoredKeywordTerm => ({
  term: text,
  source: 'learned',
  state: 'auto',
  similarity: 0.8,
  facet: 0,
  title_count: 100,
  ...change,
})
const WORD = term('ถนนลูกรัง', { source: 'literal', similarity: 1 })
const names = (terms: readonly { term: string }[]) => terms.map(({ term }) => term)
const news = (stored: readonly StoredKeywordTerm[], today: readonly StoredKeywordTerm[]) => {
  const { gained, lost } = findChangedKeywordTerms(stored, today)
  return { gained: names(gained), lost: names(lost) }
}
const states = (terms: readonly StoredKeywordTerm[]) =>
  Object.fromEntries(terms.map(({ term, state }) => [term, state]))
const sided = (...terms: string[]) => terms.map((term) => ({ term, facet: 0 }))

describe('new terms of a word', () => {
  test('lists terms whose automatic state changed in either direction', () => {
    const stored = [WORD, term('เก่า'), term('รออยู่', { state: 'suggested' }), term('เหมือนเดิม')]
    const today = [WORD, term('ใหม่'), term('รออยู่'), term('เหมือนเดิม')]
    expect(news(stored, today)).toEqual({ gained: ['ใหม่', 'รออยู่'], lost: ['เก่า'] })
    expect(news(today, today)).toEqual({ gained: [], lost: [] })
  })

  test('ignores terms decided by a user or by title answers', () => {
    const stored = [
      WORD,
      term('ติ๊กไว้', { state: 'approved' }),
      term('เอาออก', { state: 'rejected' }),
      term('สอนว่าใช่', { state: 'approved', taught: true }),
      term('สอนว่าไม่', { state: 'rejected', taught: true }),
      term('พิมพ์เอง', { state: 'approved', source: 'user' }),
    ]
    expect(news(stored, [WORD, term('เอาออก'), term('สอนว่าไม่')])).toEqual({ gained: [], lost: [] })
  })

  test('omits terms that an active term covers; a lost term covers none', () => {
    expect(news([WORD, term('คอมพิวเตอร์')], [WORD, term('คอมพิวเตอร์'), term('เครื่องคอมพิวเตอร์')]).gained).toEqual([])
    expect(news([WORD, term('เครื่องคอมพิวเตอร์')], [WORD, term('คอมพิวเตอร์')])).toEqual({
      gained: ['คอมพิวเตอร์'],
      lost: [],
    })
    expect(news([WORD, term('พิวเตอร์')], [WORD, term('คอมพิวเตอร์')])).toEqual({
      gained: ['คอมพิวเตอร์'],
      lost: ['พิวเตอร์'],
    })
  })

  test('compares sides only when the word is split as before', () => {
    const side = (facet: number, literal: string, ...synonyms: string[]) => [
      term(literal, { facet, source: 'literal' }),
      ...synonyms.map((synonym) => term(synonym, { facet })),
    ]
    const stored = [WORD, ...side(1, 'ปรับปรุง', 'ซ่อมสร้าง'), ...side(2, 'ถนน')]
    expect(news(stored, [WORD, ...side(1, 'ปรับปรุง'), ...side(2, 'ถนน', 'ผิวทาง')])).toEqual({
      gained: ['ผิวทาง'],
      lost: ['ซ่อมสร้าง'],
    })
    expect(news(stored, [WORD, ...side(1, 'ถนน', 'ผิวทาง'), ...side(2, 'ปรับปรุง')])).toEqual({ gained: [], lost: [] })
  })
})

describe('accepting and declining', () => {
  const stored = [WORD, term('เก่า'), term('รออยู่', { state: 'suggested' }), term('ติ๊กไว้', { state: 'approved' })]
  const fresh = [WORD, term('ใหม่', { similarity: 0.9 }), term('รออยู่'), term('ไม่ต้อง', { state: 'suggested' })]
  const all = sided('ใหม่', 'รออยู่', 'เก่า')

  test('changes only the new terms', () => {
    const taken = applyChangedKeywordTerms(stored, fresh, { take: all })
    expect(states(taken)).toEqual({ ถนนลูกรัง: 'auto', เก่า: 'suggested', รออยู่: 'auto', ติ๊กไว้: 'approved', ใหม่: 'auto' })
    expect(taken.at(-1)).toMatchObject({ source: 'learned', similarity: 0.9, facet: 0 })
    expect(states(applyChangedKeywordTerms(stored, fresh, { leave: all }))).toEqual({
      ถนนลูกรัง: 'auto',
      เก่า: 'approved',
      รออยู่: 'rejected',
      ติ๊กไว้: 'approved',
      ใหม่: 'rejected',
    })
    expect(applyChangedKeywordTerms(stored, fresh, { take: sided('ไม่ต้อง', 'ติ๊กไว้', 'ไม่มี', 'ถนนลูกรัง') })).toEqual(stored)
  })

  test.each([{ take: all }, { leave: all }])('%o is not reported again until undone', (change) => {
    const after = applyChangedKeywordTerms(stored, fresh, change)
    const today = fresh.filter(({ state }) => state === 'auto')
    expect(news(after, today)).toEqual({ gained: [], lost: [] })
    // A second user who confirms the change later does not undo the first user's decisions.
    expect(applyChangedKeywordTerms(after, fresh, { take: all, leave: [] })).toEqual(after)
    expect(applyChangedKeywordTerms(after, fresh, { leave: all })).toEqual(after)
    const undone = applyChangedKeywordTerms(after, fresh, { back: all })
    expect(news(undone, today).gained.toSorted()).toEqual(['รออยู่', 'ใหม่'])
    expect(news(undone, today).lost).toEqual(['เก่า'])
    const acting = (terms: readonly StoredKeywordTerm[]) => names(terms.filter(({ state }) => state !== 'suggested'))
    expect(acting(undone)).toEqual(acting(stored))
  })

  test('drops waiting suggestions when the term limit is reached', () => {
    const waiting = Array.from({ length: MAX_TERMS_PER_KEYWORD - 1 }, (_, n) => term(`รอ ${n}`, { state: 'suggested' }))
    const after = applyChangedKeywordTerms([WORD, ...waiting], [WORD, term('ใหม่')], { take: sided('ใหม่') })
    expect(after).toHaveLength(MAX_TERMS_PER_KEYWORD)
    expect(names(after).slice(-2)).toEqual([`รอ ${MAX_TERMS_PER_KEYWORD - 3}`, 'ใหม่'])
  })
})

onEachEngineInTurn('new terms of a saved word', (makeDb) => {
  let db: OpenDb
  let world: KeywordWorld
  let user: SignedIn
  let id: number
  const NEW = ['cctv', 'กล้องเครือข่าย']
  const OLD = 'กล่องใส่ของ'

  beforeAll(async () => {
    db = await makeDb()
    world = await makeKeywordWorld(db)
    user = await signIn(world.app, 'manager@tharamek.example')
  })
  afterAll(() => world.app.close())
  /**
   * Stores the word as an earlier engine would have saved it: one term missing, another only suggested, and one extra.
   */
  beforeEach(async () => {
    await world.clear()
    const words = { ai_include_keywords: [{ word: 'กล้องวงจรปิด' }], ai_exclude_keywords: [{ word: 'กล้องวงจรปิด' }] }
    const after = await world.changed(user, 'POST', '', words)
    id = after.ai_include[0]!.id
    await db.execute(sql`delete from keyword_terms where term = ${NEW[0]}`)
    await db.execute(sql`update keyword_terms set state = 'suggested' where term = ${NEW[1]}`)
    await db.execute(sql`
      insert into keyword_terms (keyword_id, term_key, term, source, state, similarity, facet, title_count, position)
      select k.id, ${OLD}, ${OLD}, 'learned', 'auto', 0.7, 0, 12, 99 from keywords k where k.list in ('ai_include', 'ai_exclude')`)
    await db.script('delete from jobs; delete from audit_events')
  })

  const reportedChanges = async () => {
    const { status, body } = await world.send(user, 'GET', '/keyword-terms/news')
    expect(status).toBe(200)
    return keywordTermChangesResponseSchema.parse(body).keywords
  }
  const renew = async (renew: object, at = id) => {
    const { status, body } = await world.send(user, 'PATCH', `/keywords/${at}/terms`, { renew })
    expect(status).toBe(200)
    return states(keywordWithTermsSchema.parse(body).terms)
  }

  test('are reported for include words, accepted with one rematch of the changed terms, and undone', async () => {
    const [change, ...moreChanges] = await reportedChanges()
    expect(moreChanges).toEqual([])
    expect([change!.keyword_id, names(change!.gained).toSorted(), names(change!.lost)]).toEqual([id, NEW, [OLD]])
    const after = await renew({ take: sided(...NEW, OLD) })
    expect([...NEW, OLD].map((term) => after[term])).toEqual(['auto', 'auto', 'suggested'])
    const [scope] = (await world.scopes()) as [{ terms: string[] }]
    expect(new Set(scope.terms)).toEqual(new Set([...NEW, OLD]))
    expect(await reportedChanges()).toEqual([])
    await renew({ back: sided(...NEW, OLD) })
    expect(names((await reportedChanges())[0]!.gained).toSorted()).toEqual(NEW)
    expect(names((await reportedChanges())[0]!.lost)).toEqual([OLD])
  })

  test('can be declined permanently, and every user decision survives', async () => {
    await world.send(user, 'PATCH', `/keywords/${id}/terms`, { add: ['ตาวิเศษ'], reject: ['วงจรปิด'] })
    const after = await renew({ leave: sided(...NEW, OLD) })
    expect([...NEW, OLD, 'ตาวิเศษ'].map((term) => after[term])).toEqual(['rejected', 'rejected', 'approved', 'approved'])
    expect(await reportedChanges()).toEqual([])
  })

  test('of an exclusion are neither reported nor accepted, so it hides only ticked terms', async () => {
    const { body } = await world.send(user, 'GET', '/keyword-terms')
    const { keywords } = body as { keywords: { keyword_id: number }[] }
    const exclusion = keywords.find(({ keyword_id }) => keyword_id !== id)!.keyword_id
    const after = await renew({ take: sided(...NEW, OLD), leave: sided(OLD) }, exclusion)
    expect([NEW[0], NEW[1], OLD].map((term) => after[term!])).toEqual([undefined, 'suggested', 'auto'])
  })

  test('a malformed request changes nothing', async () => {
    for (const bad of [{ take: ['cctv'] }, { take: [{ term: 'cctv' }] }, { leave: 'all' }, 7])
      expect((await world.send(user, 'PATCH', `/keywords/${id}/terms`, { renew: bad })).status).toBe(400)
    expect(names((await reportedChanges())[0]!.gained).toSorted()).toEqual(NEW)
  })
})
