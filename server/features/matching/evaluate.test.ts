import fc from 'fast-check'
import { expect, test } from 'vitest'
import { acceptedNode } from '#contract/report-filter.ts'
import { matchesSearch } from '#contract/search-match.ts'
import { normaliseThai, searchForm } from '#contract/thai-text.ts'
import { evaluateProject } from './evaluate.ts'
import { compileRules, type MatchProject, type OrganisationRules } from './rules.ts'

const WORDS = [
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
const NAMES = ['ซื้อกล้อง วงจรปิด 10 ตัว พร้อมติดตั้ง', 'ซ่อมกล้องCCTV', 'ยางรถยนต์ capital', 'ระบบITกลาง', 'จ้างก่อสร้างถนน 100 เมตร']
const UNITS = ['กองช่าง', 'กองคลัง', 'สำนักปลัด']

const organisation: fc.Arbitrary<OrganisationRules> = fc.record({
  id: fc.integer({ min: 1, max: 9_999 }),
  config: fc.record({
    min_project_budget: fc.constantFrom('0', '100', '1000'),
    max_project_budget: fc.constantFrom('0', '1000', '5000'),
    search_by_name: fc.constantFrom(true, true, false),
    search_by_ai: fc.boolean(),
    search_by_deptsub: fc.boolean(),
    start_date_report: fc.constantFrom(null, '2026-01-01'),
    end_date_report: fc.constantFrom(null, '2026-12-31'),
  }),
  areas: fc.constantFrom({}, { central: ['กรุงเทพมหานคร'] }, { central: ['กรุงเทพมหานคร'], north: ['เชียงใหม่'] }),
  rescued: fc.constantFrom([], ['1']),
  keywords: fc
    .array(
      fc.oneof(
        fc.record({
          list: fc.constantFrom('include', 'exclude', 'ai_include', 'ai_exclude'),
          word: fc.constantFrom(...WORDS),
          approved: fc.boolean(),
        }),
        fc.record({ list: fc.constant('deptsub_include'), word: fc.constantFrom(...UNITS), approved: fc.boolean() }),
      ),
      { minLength: 2, maxLength: 10 },
    )
    .map((keywords) => keywords.map((keyword, index) => ({ id: index + 1, ...keyword }))),
})

const project: fc.Arbitrary<MatchProject> = fc
  .record({
    name: fc.constantFrom(...NAMES),
    dept_sub_name: fc.constantFrom(...UNITS, ''),
    dept_province: fc.constantFrom(null, 10, 50),
    project_province: fc.constantFrom(null, 10, 50, 90),
    budget_satang: fc.constantFrom(null, 0, 9_999, 10_000, 100_000, 100_001, 500_000),
    movement_on: fc.constantFrom(null, '2025-12-31', '2026-06-15', '2026-01-01', '2026-12-31', '2027-01-01'),
  })
  .map(({ name, ...rest }) => ({
    project_id: '1',
    dept_name: 'กองช่าง',
    name_search: searchForm(name),
    name_spaced: normaliseThai(name),
    ...rest,
  }))

/** D8 read word for word, for one organisation and one project. */
function formula({ config, areas, keywords }: OrganisationRules, row: MatchProject): 'match' | 'excluded' | 'nothing' {
  const finds = (word: string) => {
    try {
      return matchesSearch(acceptedNode(word), row.name_spaced)
    } catch {
      return false
    }
  }
  const of = (list: string) => keywords.filter((keyword) => keyword.list === list)
  const unit = row.dept_sub_name === '' ? row.dept_name : row.dept_sub_name
  const included =
    (config.search_by_name === true && of('include').some(({ word, approved }) => approved && finds(word))) ||
    (config.search_by_deptsub === true && of('deptsub_include').some(({ word, approved }) => approved && word === unit))
  const province = row.project_province ?? row.dept_province
  const codes: number[] = Object.values(areas)
    .flat()
    .map((name) => (name === 'กรุงเทพมหานคร' ? 10 : 50))
  const baht = row.budget_satang === null ? null : row.budget_satang / 100
  const max = Number(config.max_project_budget)
  const windowed = config.start_date_report !== null || config.end_date_report !== null
  const passes =
    included &&
    (baht === null || (baht >= Number(config.min_project_budget) && (max === 0 || baht <= max))) &&
    province !== null &&
    codes.includes(province) &&
    (!windowed ||
      (row.movement_on !== null &&
        row.movement_on >= (config.start_date_report ?? '0000') &&
        row.movement_on <= (config.end_date_report ?? '9999')))
  if (!passes) return 'nothing'
  return of('exclude').some(({ word }) => finds(word)) ? 'excluded' : 'match'
}

test('many organisations at once give what the formula gives for each', () => {
  const seen = { match: 0, excluded: 0, nothing: 0 }
  fc.assert(
    fc.property(
      fc.uniqueArray(organisation, { selector: ({ id }) => id, minLength: 1, maxLength: 12 }),
      fc.array(project, { minLength: 1, maxLength: 5 }),
      (organisations, projects) => {
        const rules = compileRules(organisations)
        for (const row of projects) {
          const verdicts = new Map(
            evaluateProject(rules, row).map((verdict) => [verdict.organisation_id, verdict.kind]),
          )
          for (const one of organisations) {
            const kind = verdicts.get(one.id)
            const expected = formula(one, row)
            seen[expected] += 1
            expect(kind === 'outside_window' || kind === undefined ? 'nothing' : kind).toBe(expected)
          }
        }
      },
    ),
    { numRuns: 1_000 },
  )
  // All three outcomes must have been met, or the comparison says nothing.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10)
})

test('a word that does not parse matches nothing and breaks nothing', () => {
  const rules = compileRules([
    {
      id: 1,
      config: { search_by_name: true },
      areas: {},
      keywords: [{ id: 1, list: 'include', word: '((', approved: true }],
      rescued: [],
    },
  ])
  expect(rules.names.invalid).toHaveLength(1)
})
