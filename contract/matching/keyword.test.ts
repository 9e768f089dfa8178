import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod/mini'
import { customerConfigSchema, KEYWORD_LIST_CODES } from '../account/organisation.ts'
import { parseSearchExpression } from '../search/search-grammar.ts'
import { findKeywordProblem, KEYWORD_LIST_RULES, MAX_KEYWORD_LENGTH, toKeywordKey } from './keyword.ts'
import {
  addKeywordsRequestSchema,
  organisationPatchSchema,
  removeKeywordsRequestSchema,
  restoreKeywordsRequestSchema,
} from './keyword-requests.ts'

const accepts = (schema: z.core.$ZodType, body: unknown) => z.safeParse(schema, body).success

describe('findKeywordProblem and keywordKey', () => {
  test.each([
    ['include', 'กล้อง||CCTV', undefined],
    ['exclude', '<<ซ่อม', undefined],
    ['include', '(กล้อง', ['E_BRACKET', 0]],
    ['exclude', 'กล้อง##', ['E_OPERAND', 7]],
    ['include', ' ', ['E_EMPTY', 0]],
    ['include', '\u200b', ['E_EMPTY', 0]],
    ['ai_include', 'งานเดินท่อ (ประปา)', undefined],
    ['ai_include', 'กล้อง||CCTV', ['operator', 5]],
    ['ai_exclude', 'ก', ['E_SHORT', 0]],
    ['ai_exclude', 'C#', undefined],
    ['ai_include', '', ['E_EMPTY', 0]],
    ['ai_include', 'ก'.repeat(201), ['too_long', 200]],
    ['deptsub_include', 'กองช่าง (ส่วนกลาง)', undefined],
    ['deptsub_include', 'ก'.repeat(201), ['too_long', 200]],
    // U+FDFA becomes eighteen letters when normalised.
    ['include', '\uFDFA'.repeat(300), ['too_long', 0]],
  ] as const)('in %s: %s gives %o', (list, word, problem) => {
    const checked = findKeywordProblem(list, word)
    expect(checked.ok ? undefined : [checked.code, checked.position]).toEqual(problem)
  })

  test('every accepted word has an indexable key, and name words parse', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...KEYWORD_LIST_CODES),
        fc.string({ unit: 'binary', maxLength: 600 }),
        (list, word) => {
          if (!findKeywordProblem(list, word).ok) return
          expect(toKeywordKey(word).length).toBeLessThanOrEqual(MAX_KEYWORD_LENGTH)
          if (list === 'include' || list === 'exclude') expect(parseSearchExpression(word).ok).toBe(true)
        },
      ),
    )
  })

  test.each([
    ['กล้อง วงจรปิด', 'กล้องวงจรปิด'],
    ['CCTV', 'cctv '],
    ['ที่ ๕', 'ที่ 5'],
    ['น\u0e4d\u0e49\u0e32', 'น้ำ'],
    ['เเม่ข่าย', 'แม่ข่าย'],
  ])('%s and %s are the same word', (word, otherWord) => {
    expect(toKeywordKey(word)).toBe(toKeywordKey(otherWord))
  })

  test('each list has its own payload and its own limit in the settings', () => {
    const facts = KEYWORD_LIST_CODES.map((list) => KEYWORD_LIST_RULES[list])
    expect(new Set(facts.map(({ payload }) => payload)).size).toBe(5)
    expect(new Set(facts.map(({ limit }) => limit)).size).toBe(5)
    for (const { limit } of facts) expect(Object.keys(customerConfigSchema.shape)).toContain(limit)
  })
})

describe('request bodies for watch lists', () => {
  test('adding accepts up to 500 words with a group, each of limited length', () => {
    const words = (...include_keywords: unknown[]) => accepts(addKeywordsRequestSchema, { include_keywords })
    expect(words({ word: 'กล้อง' }, { word: 'จอ', group_id: null }, { word: 'โดรน', group: 'บิน' })).toBe(true)
    expect(accepts(addKeywordsRequestSchema, {})).toBe(true)
    expect(words({})).toBe(false)
    expect(words({ word: 'ก'.repeat(501) })).toBe(false)
    expect(words({ word: 'กล้อง', group: '  ' })).toBe(false)
    expect(words({ word: 'กล้อง', group_id: 1.5 })).toBe(false)
    expect(words(...Array.from({ length: 501 }, () => ({ word: 'กล้อง' })))).toBe(false)
  })

  test('removing accepts ids or words; restoring needs at least one id', () => {
    expect(accepts(removeKeywordsRequestSchema, { exclude_keywords: [{ id: 1 }, { word: 'ซ่อม' }] })).toBe(true)
    expect(accepts(removeKeywordsRequestSchema, { exclude_keywords: [{ id: '1' }] })).toBe(false)
    expect(accepts(restoreKeywordsRequestSchema, { ids: [1] })).toBe(true)
    expect(accepts(restoreKeywordsRequestSchema, { ids: [] })).toBe(false)
  })

  test('C25: a patch can only mark the watch-list set-up as completed', () => {
    const status = (update_register_status: unknown) => accepts(organisationPatchSchema, { update_register_status })
    expect(status({ is_watchlist_completed: true })).toBe(true)
    expect(status({ is_watchlist_completed: false })).toBe(false)
    expect(status({ is_register_completed: true })).toBe(false)
    const parsed = z.parse(organisationPatchSchema, {
      update_register_status: { is_watchlist_completed: true, is_register_completed: true },
    })
    expect(parsed.update_register_status).toEqual({ is_watchlist_completed: true })
  })

  test('changing needs the keyword id and accepts only word and group', () => {
    const parsed = z.parse(organisationPatchSchema, {
      include_keywords: [{ id: 1, word: 'กล้อง', approved: true }],
      name: 'x',
    })
    expect(parsed).toEqual({ include_keywords: [{ id: 1, word: 'กล้อง' }] })
    expect(accepts(organisationPatchSchema, { include_keywords: [{ word: 'กล้อง' }] })).toBe(false)
  })
})
