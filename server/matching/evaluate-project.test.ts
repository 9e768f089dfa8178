import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PROVINCES } from '#contract/thai/province.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import {
  compileMatchRules,
  type MatchRuleTerm,
  type OrganisationMatchRules,
  type ProjectToMatch,
} from './compile-match-rules.ts'
import { evaluateProjectMatch } from './evaluate-project.ts'
import {
  computeReferenceVerdict,
  documentOccurrencesArbitrary,
  organisationConfigArbitrary,
  projectToMatchArbitrary,
  ruleKeywordArbitrary,
} from './rules-for-tests.ts'

const organisation: fc.Arbitrary<OrganisationMatchRules> = fc.record({
  id: fc.integer({ min: 1, max: 9_999 }),
  config: organisationConfigArbitrary,
  areas: fc.constantFrom(
    {},
    { central: ['กรุงเทพมหานคร'] },
    { central: ['กรุงเทพมหานคร'], north: ['เชียงใหม่'] },
    { all: PROVINCES.map(({ th }) => th) },
  ),
  rescued: fc.constantFrom([], ['1'], ['1', '3']),
  followed: fc.constantFrom([], ['2'], ['1', '2']),
  documented: documentOccurrencesArbitrary(['1', '2', '3']),
  keywords: fc
    .array(ruleKeywordArbitrary, { minLength: 2, maxLength: 10 })
    .map((keywords) => keywords.map((keyword, index) => ({ id: index + 1, ...keyword }))),
})

test('evaluates many organisations at once exactly as the definition does for each', () => {
  const seen = { match: 0, excluded: 0, outside_window: 0, nothing: 0 }
  fc.assert(
    fc.property(
      fc.uniqueArray(organisation, { selector: ({ id }) => id, minLength: 1, maxLength: 12 }),
      fc.array(projectToMatchArbitrary, { minLength: 1, maxLength: 5 }),
      (organisations, projects) => {
        const rules = compileMatchRules(organisations)
        for (const row of projects) {
          const verdicts = new Map(
            evaluateProjectMatch(rules, row).map((verdict) => [verdict.organisation_id, verdict]),
          )
          for (const organisation of organisations) {
            const verdict = verdicts.get(organisation.id)
            const expected = computeReferenceVerdict(organisation, row)
            seen[expected.kind] += 1
            expect(verdict?.kind ?? 'nothing').toBe(expected.kind)
            if (verdict?.kind === 'match' && expected.kind === 'match')
              expect(verdict.reasons.map(({ keyword }) => keyword).sort((a, b) => a - b)).toEqual(expected.keywords)
            if (verdict?.kind === 'excluded' && expected.kind === 'excluded')
              expect(expected.guilty).toContain(verdict.word)
          }
        }
      },
    ),
    { numRuns: 1_000 },
  )
  // Every outcome must occur, or the comparison proves nothing.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10)
})

const project = (name: string): ProjectToMatch => ({
  project_id: '1',
  name_search: toNormalisedSearchText(name),
  name_spaced: name,
  dept_name: 'กรมทดสอบ',
  dept_sub_name: '',
  dept_province: 10,
  project_province: 10,
  budget_satang: null,
  movement_on: null,
})
const rulesOf = (keywords: readonly Omit<OrganisationMatchRules['keywords'][number], 'approved'>[]) =>
  compileMatchRules([
    {
      id: 1,
      config: { search_by_name: true, search_by_ai: true, search_by_deptsub: true },
      areas: { all: PROVINCES.map(({ th }) => th) },
      keywords: keywords.map((keyword) => ({ ...keyword, approved: true })),
      rescued: [],
    },
  ])
const term = (text: string, facet = 0, state: MatchRuleTerm['state'] = 'auto'): MatchRuleTerm => ({
  term: text,
  source: 'learned',
  state,
  facet,
})

test('gives one reason per matching entry, with the words or terms in the name', () => {
  const rules = rulesOf([
    { id: 7, list: 'include', word: 'ถนน||สะพาน' },
    {
      id: 8,
      list: 'ai_include',
      word: 'ปรับปรุงถนน',
      terms: [term('ปรับปรุงถนน'), term('ซ่อมสร้าง', 1), term('ปรับปรุง', 1), term('ผิวทาง', 2), term('ถนน', 2)],
    },
    { id: 9, list: 'deptsub_include', word: 'กรมทดสอบ' },
  ])
  expect(evaluateProjectMatch(rules, project('ซ่อมสร้างผิวทาง ถนนสาย 2'))).toMatchObject([
    {
      kind: 'match',
      matched_by: ['name', 'ai', 'deptsub'],
      matched_words: ['ซ่อมสร้าง', 'ผิวทาง', 'ถนน'],
      reasons: [
        { keyword: 8, terms: ['ซ่อมสร้าง', 'ผิวทาง', 'ถนน'] },
        { keyword: 7, terms: ['ถนน'] },
        { keyword: 9, terms: [] },
      ],
    },
  ])
})

test('never matches a side whose terms are all unticked', () => {
  const terms = [term('ปรับปรุง', 1), term('ถนน', 2, 'rejected')]
  const rules = rulesOf([{ id: 8, list: 'ai_include', word: 'ปรับปรุงถนน', terms }])
  expect(evaluateProjectMatch(rules, project('ปรับปรุงถนนสายหลัก'))).toEqual([])
})

test('ignores a word that does not parse', () => {
  const rules = rulesOf([{ id: 1, list: 'include', word: '((' }])
  expect(rules.names.invalid).toHaveLength(1)
})

test('shares one reasons list between equal matches, so comparing needs no text', () => {
  const terms = [term('ปรับปรุง'), term('ถนน')]
  const rules = rulesOf([
    { id: 1, list: 'include', word: 'ลาดยาง' },
    { id: 2, list: 'ai_include', word: 'ปรับปรุงถนน', terms },
  ])
  const reasonsIn = (name: string) => {
    const [verdict] = evaluateProjectMatch(rules, project(name))
    return verdict?.kind === 'match' ? verdict.reasons : undefined
  }
  const first = reasonsIn('ปรับปรุงถนนลาดยางสาย 1')
  expect(first).toHaveLength(2)
  expect(reasonsIn('ปรับปรุงถนนลาดยางสาย 2')).toBe(first)
  expect(reasonsIn('ปรับปรุงถนนสาย 3')).not.toBe(first)
})
