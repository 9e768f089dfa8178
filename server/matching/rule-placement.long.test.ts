import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PROVINCES } from '#contract/thai/province.ts'
import { normaliseThai } from '#contract/thai/thai-text.ts'
import { compileMatchRules, type MatchRuleKeyword, type OrganisationMatchRules } from './compile-match-rules.ts'
import { evaluateProjectMatch } from './evaluate-project.ts'
import { RecentProject, type RecentProjects } from './recent-projects.ts'
import {
  computeProjectRuleOutcomes,
  convertExclusionKeywordsToInclusions,
  RULE_OUTCOME_EXCLUDED,
  RULE_OUTCOME_MATCHED,
  RULE_OUTCOME_NOT_MATCHED,
} from './rule-placement.ts'
import { documentOccurrencesArbitrary } from './rules-for-tests.ts'
import { TimeSlicer } from './time-slicer.ts'

const NAMES = [
  'ซื้อกล้อง วงจรปิด 10 ตัว พร้อมติดตั้ง',
  'ซ่อมกล้องCCTV',
  'ยางรถยนต์ capital',
  'ระบบITกลาง',
  'จ้างก่อสร้างถนน 100 เมตร',
  '',
]
const UNITS = ['กองช่าง', 'กองคลัง', '']
const WORDS = [
  ...['กล้อง', 'วงจรปิด', 'CCTV', 'IT', '10', 'ซ่อม', 'ยา', '"กล้อง วงจรปิด"', 'กล้อง##ติดตั้ง', '(กล้อง||CCTV)<<ซ่อม', '<<ซ่อม'],
  ...['กล้อง||<<ซ่อม', '(<<ซ่อม)##กล้อง', '((', 'ไม่มีในชื่อใด'],
]

const projects = NAMES.flatMap((name, at) =>
  UNITS.map(
    (sub_name, unit) =>
      new RecentProject(
        {
          project_id: `${at}${unit}`,
          project_province: at === 3 ? 50 : null,
          budget_satang: at * 100_000,
          movement_on: '2026-11-10',
          first_load: 1,
        },
        normaliseThai(name),
        { id: unit, name: 'เทศบาล', sub_name, province: 10 },
      ),
  ),
)
const recent: RecentProjects = {
  load: 1,
  isLatest: () => true,
  dataTime: null,
  from: '2026-10-22',
  to: '2026-11-20',
  days: 30,
  projects,
}

const terms = fc.option(
  fc.array(
    fc.record({
      term: fc.constantFrom('กล้อง', 'ถนน', 'ยา', 'ติดตั้ง'),
      source: fc.constantFrom('literal' as const, 'learned' as const, 'user' as const),
      state: fc.constantFrom('auto' as const, 'approved' as const, 'rejected' as const),
      facet: fc.constantFrom(0, 0, 1, 2),
    }),
    { maxLength: 4 },
  ),
)
const keyword: fc.Arbitrary<Omit<MatchRuleKeyword, 'id'>> = fc.oneof(
  fc.record({ list: fc.constantFrom('include', 'exclude'), word: fc.constantFrom(...WORDS), approved: fc.boolean() }),
  fc.record({
    list: fc.constantFrom('ai_include', 'ai_exclude'),
    word: fc.constantFrom('กล้อง', 'ถนน'),
    approved: fc.boolean(),
    terms,
  }),
  fc.record({
    list: fc.constant('deptsub_include'),
    word: fc.constantFrom('กองช่าง', 'เทศบาล'),
    approved: fc.boolean(),
  }),
)
const rules: fc.Arbitrary<OrganisationMatchRules> = fc
  .record({
    config: fc.record({
      min_project_budget: fc.constantFrom('0', '2000'),
      search_by_name: fc.boolean(),
      search_by_ai: fc.boolean(),
      search_by_deptsub: fc.boolean(),
    }),
    areas: fc.constantFrom({ all: PROVINCES.map(({ th }) => th) }, { central: ['กรุงเทพมหานคร'] }),
    keywords: fc.array(keyword, { maxLength: 8 }),
    rescued: fc.constantFrom([], ['00', '11']),
    documented: documentOccurrencesArbitrary(projects.map(({ project_id }) => project_id)),
  })
  .map(({ keywords, ...rest }) => ({
    id: 7,
    ...rest,
    keywords: keywords.map((entry, at) => ({ id: at + 1, ...entry })),
  }))

function placesByEngine(of: OrganisationMatchRules): number[] {
  const compiled = compileMatchRules([of])
  return projects.map((project) => {
    const [verdict] = evaluateProjectMatch(compiled, project)
    return verdict?.kind === 'match'
      ? RULE_OUTCOME_MATCHED
      : verdict?.kind === 'excluded'
        ? RULE_OUTCOME_EXCLUDED
        : RULE_OUTCOME_NOT_MATCHED
  })
}

test('a placement, from scratch or from other rules, equals the engine for every project', async () => {
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(rules, rules, async (first, second) => {
      const initial = await computeProjectRuleOutcomes(recent, first, new TimeSlicer())
      expect([...initial.states]).toEqual(placesByEngine(first))
      const changed = await computeProjectRuleOutcomes(recent, second, new TimeSlicer(), { from: initial })
      expect([...changed.states]).toEqual(placesByEngine(second))
      const back = await computeProjectRuleOutcomes(recent, first, new TimeSlicer(), { from: changed })
      expect(back.states).toEqual(initial.states)
      for (const state of changed.states) seen.add(state)
    }),
    { numRuns: 1_000 },
  )
  expect(seen).toEqual(new Set([RULE_OUTCOME_NOT_MATCHED, RULE_OUTCOME_MATCHED, RULE_OUTCOME_EXCLUDED]))
})

test('a small change evaluates only the projects that it can affect', async () => {
  const base: OrganisationMatchRules = {
    id: 7,
    config: { search_by_name: true, search_by_deptsub: true },
    areas: { all: PROVINCES.map(({ th }) => th) },
    keywords: [{ id: 1, list: 'include', word: 'กล้อง', approved: true }],
    rescued: [],
  }
  let readIds: string[] = []
  /**
   * Records which projects are evaluated: the engine reads both spellings of a name and the candidate search only one,
   * so reading `name_spaced` means that the project is evaluated.
   */
  class Watched extends RecentProject {
    override get name_spaced() {
      readIds.push(this.project_id)
      return super.name_spaced
    }
  }
  const spied = projects.map((project) => new Watched({ ...project }, project.name_spaced, project.department))
  const from = await computeProjectRuleOutcomes({ ...recent, projects: spied }, base, new TimeSlicer())
  const readIdsFor = async (added: Omit<MatchRuleKeyword, 'id' | 'approved'>) => {
    readIds = []
    const after = { ...base, keywords: [...base.keywords, { id: 2, approved: true, ...added }] }
    await computeProjectRuleOutcomes({ ...recent, projects: spied }, after, new TimeSlicer(), { from })
    return readIds
  }
  expect(await readIdsFor({ list: 'include', word: 'ถนน' })).toEqual(['40', '41', '42'])
  expect(await readIdsFor({ list: 'include', word: 'วงจรปิด' })).toEqual([])
  // The report contains only matches of กล้อง, so an exclusion can remove only those projects.
  expect(await readIdsFor({ list: 'exclude', word: '10' })).toEqual(['00', '01', '02'])
  expect(await readIdsFor({ list: 'deptsub_include', word: 'กองคลัง' })).toEqual(['21', '31', '41', '51'])
  expect(await readIdsFor({ list: 'ai_include', word: 'ถนน' })).toEqual([])
})

test('exclusions turned into inclusions find what they removed', () => {
  fc.assert(
    fc.property(rules, (of) => {
      const open = { ...of, rescued: [] }
      const asInclusions = compileMatchRules([
        { ...convertExclusionKeywordsToInclusions(open), config: { search_by_name: true, search_by_ai: true } },
      ])
      const states = placesByEngine(open)
      projects.forEach((project, at) => {
        const [verdict] = evaluateProjectMatch(asInclusions, project)
        if (states[at] === RULE_OUTCOME_EXCLUDED) expect(verdict?.kind).toBe('match')
        if (states[at] === RULE_OUTCOME_MATCHED) expect(verdict?.kind).not.toBe('match')
      })
    }),
    { numRuns: 500 },
  )
})
