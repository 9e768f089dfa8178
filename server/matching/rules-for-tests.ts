import fc from 'fast-check'
import { isKeywordTermActive, type KeywordTerm } from '#contract/matching/keyword-term.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { compileSearchPredicate } from '#contract/search/search-match.ts'
import { findSearchTerm, toNormalisedSearchTerm } from '#contract/search/search-term.ts'
import { findProvinceByName } from '#contract/thai/province.ts'
import { normaliseThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { isWholeWord, requiresWordBoundaries } from '#server/matching/meaning/word-borders.ts'
import type {
  DocumentOccurrence,
  MatchRuleKeyword,
  OrganisationMatchRules,
  ProjectToMatch,
} from './compile-match-rules.ts'

/**
 * Verdict of the reference implementation for matching tests, which applies D8 verbatim to one keyword and one project
 * at a time, without a trie.
 */
export type ReferenceVerdict =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'excluded' | 'outside_window'; readonly guilty: readonly string[] }
  | { readonly kind: 'match'; readonly keywords: readonly number[] }

type Name = Pick<ProjectToMatch, 'name_search' | 'name_spaced'>

function containsTerm({ name_search: name }: Name, text: string): boolean {
  const term = toNormalisedSearchTerm({ text, quoted: false })
  for (let at = findSearchTerm(term, name); at !== -1; at = findSearchTerm(term, name, at + 1)) {
    if (!requiresWordBoundaries(term.form) || isWholeWord(name, at, at + term.form.length)) return true
  }
  return false
}

function findsByTerms(list: 'ai_include' | 'ai_exclude', { word, terms }: MatchRuleKeyword, name: Name): boolean {
  if (!terms) return containsTerm(name, word)
  const matches = (facet: number) =>
    terms.some((term) => term.facet === facet && isKeywordTermActive(list, term) && containsTerm(name, term.term))
  const sides = terms.filter(({ facet }) => facet > 0)
  return matches(0) || (sides.length > 0 && sides.every(({ facet }) => matches(facet)))
}

/** True if the entry matches the project, ignoring switches. */
export function matchesByReferenceRules(keyword: MatchRuleKeyword, project: ProjectToMatch): boolean {
  const { list, word } = keyword
  if (list === 'deptsub_include') {
    const unit = project.dept_sub_name === '' ? project.dept_name : project.dept_sub_name
    return [unit, project.dept_name].some((name) => toNormalisedSearchText(name) === toNormalisedSearchText(word))
  }
  if (list === 'ai_include' || list === 'ai_exclude') return findsByTerms(list, keyword, project)
  const parsed = parseSearchExpression(word)
  return parsed.ok && compileSearchPredicate(parsed.node)(project.name_search, project.name_spaced)
}

export function computeReferenceVerdict(
  organisation: OrganisationMatchRules,
  project: ProjectToMatch,
): ReferenceVerdict {
  const { config, areas, rescued, followed = [], documented = [] } = organisation
  const switches: Readonly<Record<string, boolean | undefined>> = {
    include: config.search_by_name,
    ai_include: config.search_by_ai,
    deptsub_include: config.search_by_deptsub,
  }
  const occursInDocument = ({ id, list }: MatchRuleKeyword) =>
    list === 'include' && documented.some(([at, keyword]) => at === project.project_id && keyword === id)
  const finding = organisation.keywords.filter(
    (keyword) => matchesByReferenceRules(keyword, project) || occursInDocument(keyword),
  )
  const letting = finding.filter(({ list, approved }) => approved && switches[list] === true)
  const guilty = finding.filter(({ list }) => list === 'exclude' || list === 'ai_exclude').map(({ word }) => word)
  const baht = project.budget_satang === null ? null : project.budget_satang / 100
  const max = Number(config.max_project_budget ?? '0')
  const province = project.project_province ?? project.dept_province
  const codes = Object.values(areas)
    .flat()
    .map((name) => findProvinceByName(name)!.code)
  const passes =
    (baht === null || (baht >= Number(config.min_project_budget ?? '0') && (max === 0 || baht <= max))) &&
    (codes.length === 77 || (province !== null && codes.includes(province)))
  if (letting.length === 0 || !passes) return { kind: 'nothing' }
  const from = config.start_date_report ?? config.report_start_date ?? '0000'
  const to = config.end_date_report ?? '9999'
  const isInside =
    (from === '0000' && to === '9999') ||
    followed.includes(project.project_id) ||
    (project.movement_on !== null && project.movement_on >= from && project.movement_on <= to)
  if (guilty.length > 0 && !rescued.includes(project.project_id))
    return isInside ? { kind: 'excluded', guilty } : { kind: 'nothing' }
  if (!isInside) return { kind: 'outside_window', guilty: [] }
  return { kind: 'match', keywords: letting.map(({ id }) => id) }
}

const NAMES = [
  'ซื้อกล้อง วงจรปิด 10 ตัว พร้อมติดตั้ง',
  'ซ่อมกล้องCCTV',
  'ยางรถยนต์ capital',
  'ระบบITกลาง และยารักษาโรค',
  'จ้างก่อสร้างถนน 100 เมตร',
  'ปรับปรุงถนนลาดยางพร้อมกล้องวงจรปิด',
]
export const TEST_UNITS = ['กองช่าง', 'กองคลัง', 'สำนักปลัด']
export const TEST_EXPRESSIONS = [
  'กล้อง',
  'วงจรปิด',
  'CCTV',
  'IT',
  '10',
  'ซ่อม',
  'ยา',
  'ยาง',
  '"กล้อง วงจรปิด"',
  'กล้อง##ติดตั้ง',
  '(กล้อง||CCTV)<<ซ่อม',
  '<<ซ่อม',
  'ไม่มีในชื่อใด',
  '((',
]
export const TEST_TERMS = ['กล้องวงจรปิด', 'กล้อง', 'ยา', 'ถนน', 'ปรับปรุง', 'cctv', 'ลาดยาง', 'วงจรปิด 10']

const term: fc.Arbitrary<Pick<KeywordTerm, 'term' | 'source' | 'state' | 'facet'>> = fc.record({
  term: fc.constantFrom(...TEST_TERMS),
  source: fc.constantFrom('literal', 'learned', 'dictionary', 'user'),
  state: fc.constantFrom('auto', 'auto', 'approved', 'suggested', 'rejected'),
  facet: fc.constantFrom(0, 0, 1, 2),
})
const approved = fc.constantFrom(true, true, false)

export const ruleKeywordArbitrary: fc.Arbitrary<Omit<MatchRuleKeyword, 'id'>> = fc.oneof(
  fc.record({ list: fc.constantFrom('include', 'exclude'), word: fc.constantFrom(...TEST_EXPRESSIONS), approved }),
  fc.record({ list: fc.constantFrom('include', 'exclude'), word: fc.constantFrom(...TEST_EXPRESSIONS), approved }),
  fc.record({
    list: fc.constantFrom('ai_include', 'ai_exclude'),
    word: fc.constantFrom(...TEST_TERMS),
    approved,
    terms: fc.option(fc.uniqueArray(term, { maxLength: 4, selector: ({ term: text, facet }) => text + facet })),
  }),
  fc.record({ list: fc.constant('deptsub_include'), word: fc.constantFrom(...TEST_UNITS, 'เทศบาลตัวอย่าง'), approved }),
)

export const documentOccurrencesArbitrary = (
  projectIds: readonly string[],
): fc.Arbitrary<readonly DocumentOccurrence[]> =>
  fc.uniqueArray(fc.tuple(fc.constantFrom(...projectIds), fc.integer({ min: 1, max: 9 }), fc.constantFrom(1, 2)), {
    maxLength: 4,
    selector: ([project, keyword]) => `${project} ${keyword}`,
  })

export const organisationConfigArbitrary: fc.Arbitrary<OrganisationMatchRules['config']> = fc.record({
  min_project_budget: fc.constantFrom('0', '100', '1000'),
  max_project_budget: fc.constantFrom('0', '1000', '5000'),
  search_by_name: fc.constantFrom(true, true, false),
  search_by_ai: fc.constantFrom(true, true, false),
  search_by_deptsub: fc.boolean(),
  start_date_report: fc.constantFrom(null, '2026-01-01'),
  end_date_report: fc.constantFrom(null, '2026-12-31'),
})

export const projectToMatchArbitrary: fc.Arbitrary<ProjectToMatch & { readonly name: string }> = fc
  .record({
    project_id: fc.constantFrom('1', '2', '3'),
    name: fc.constantFrom(...NAMES),
    dept_sub_name: fc.constantFrom(...TEST_UNITS, ''),
    dept_province: fc.constantFrom(null, 10, 50),
    project_province: fc.constantFrom(null, 10, 50, 90),
    budget_satang: fc.constantFrom(null, 0, 9_999, 10_000, 100_000, 100_001, 500_000),
    movement_on: fc.constantFrom(null, '2025-12-31', '2026-06-15', '2026-01-01', '2026-12-31', '2027-01-01'),
  })
  .map(({ name, ...rest }) => ({
    name,
    dept_name: 'เทศบาล ตัวอย่าง',
    name_search: toNormalisedSearchText(name),
    name_spaced: normaliseThai(name),
    ...rest,
  }))
