import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FilterCriteria, filterCriteriaSchema } from './account/filter-criteria.ts'
import { type SavedFilter, savedFilterSchema } from './account/saved-filter.ts'
import {
  formatReportSearch,
  parseReportSearch,
  REPORT_PARAMS,
  REPORT_VIEW_PARAMS,
  type ReportSearch,
  UNASSIGNED_FILTER_VALUE,
} from './report/report-params.ts'
import {
  buildSavedFilterUrlParams,
  hasSameFilters,
  parseFilterCriteria,
  toFilterCriteria,
} from './report/saved-filter-search.ts'
import { SEARCH_LIMITS } from './search/search-grammar.ts'
import { PROVINCES } from './thai/province.ts'

const some = (values: readonly string[]) =>
  fc.record({
    values: fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 6 }),
    negated: fc.boolean(),
  })
const baht = fc.integer({ min: 0, max: 1_000_000_000_00 }).map((satang) => satang / 100)
const money = fc.tuple(baht, baht, fc.constantFrom('both', 'min', 'max')).map(([a, b, side]) => ({
  min: side === 'max' ? null : Math.min(a, b),
  max: side === 'min' ? null : Math.max(a, b),
}))
const days = fc.constantFrom(
  { from: '@0', to: '@7' },
  { from: '@-30', to: '@0' },
  { from: null, to: '2028-02-29' },
  { from: '2026-10-01', to: '2027-09-30' },
  { from: '@-9999', to: null },
)
/** Generates texts of grammar characters, percent signs and Thai in any order. Invalid expressions are excluded. */
const typed = fc
  .string({
    unit: fc.constantFrom(
      '##',
      '||',
      '<<',
      '(',
      ')',
      '"',
      '\\',
      ' ',
      '#',
      '%',
      '%23',
      '%25',
      'E0',
      'ถนน',
      'กล้อง',
      'aa',
    ),
    maxLength: 16,
  })
  .filter((text) => parseReportSearch({ project_name__in: text }).search.project_name__in !== undefined)
const provinces = some(PROVINCES.map(({ th }) => th))

const values = {
  is_archived: fc.constant(true as const),
  project_search__in: typed,
  project_name__in: typed,
  project_id__in: fc.uniqueArray(fc.constantFrom('69119284417', '01234567890', 'D69-1'), { minLength: 1 }),
  project_dept_sub__in: typed,
  project_winner_name__in: typed,
  document_text__in: typed.filter(
    (text) => parseReportSearch({ document_text__in: text }).search.document_text__in !== undefined,
  ),
  ai_deep_search__in: fc.uniqueArray(fc.constantFrom('ถนนในหมู่บ้าน', 'ลด 50%25', '<<ไม่ใช่', 'a,b & c=d #1'), {
    minLength: 1,
  }),
  ai_deep_from: fc.constantFrom(1, 55, 100),
  project_change_status__in: some(['new', 'updated', 'no_change']),
  project_bidding__in: some(['open', 'closed', 'awarded']),
  project_eligibility__in: some(['eligible', 'unknown']),
  project_status__in: some(['in_progress', 'project_cancelled']),
  project_movement__in: some(['invited', 'ประกาศอื่น ๆ', 'a,b & c=d #1', '100%25']),
  project_budget__range: money,
  project_estimate_budget__range: money,
  project_winner_budget__range: money,
  project_province__in: provinces,
  project_province_dept_sub__in: provinces,
  project_package_province: fc.constant(true as const),
  project_agency__in: some(['กรมทางหลวง', 'เทศบาลตำบลบ้านกลาง จ.ลำพูน › กองช่าง', 'a,b & c=d #1']),
  draft_published_date__range: days,
  draft_discussion_end_date__range: days,
  bidding_invite_date__range: days,
  submission_end_date__range: days,
  winner_announce_date__range: days,
  project_method__in: some(['e_bidding', 'วิธีคัดเลือก']),
  project_method_type__in: some(['buy', 'จ้างเหมา']),
  project_criteria_for_consideration: some(['price', 'price_and_other']),
  check_sme: fc.constant(true as const),
  project_bookmark: fc.constant(true as const),
  project_label__in: some(['งานถนน-1763700000000', UNASSIGNED_FILTER_VALUE]),
  project_hidden: fc.constant(true as const),
  project_since_visit: fc.constant(true as const),
  pursuit_stage__in: some(['screened', 'won', 'none', 'x-1']),
  team_label__in: some(['ด่วน-1', 'none', 'งาน-ถนน-22']),
  pursuit_owner__in: some(['1', '27', 'none']),
  pursuit_has_notes: fc.constant(true as const),
  ends_within: fc.constantFrom(1, 90, 730),
  ordering: fc.constant('-project_budget'),
  page: fc.integer({ min: 2, max: 9 }),
  page_size: fc.constantFrom(20, 100),
  saved: fc.constant('x-1'),
  peek: fc.constant('69119284417'),
  queue: fc.constant(true as const),
  view: fc.constant('who_wins'),
  market: fc.constant(true as const),
  rank: fc.constant('wins'),
  rows: fc.constant('year:2568'),
}
const searches: fc.Arbitrary<ReportSearch> = fc.record(values, { requiredKeys: [] })

/** Orders the keys like PostgreSQL's jsonb: by length, then by bytes. */
function asStored(data: FilterCriteria): FilterCriteria {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted)
    if (typeof value !== 'object' || value === null) return value
    const keys = Object.keys(value).toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    return Object.fromEntries(keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]))
  }
  return filterCriteriaSchema.parse(sorted(JSON.parse(JSON.stringify(data))))
}

test('the saved form stores exactly the filters of the address', () => {
  expect(new Set(Object.keys(values))).toEqual(new Set(REPORT_PARAMS.map(({ name }) => name)))
  const views: readonly string[] = REPORT_VIEW_PARAMS
  fc.assert(
    fc.property(fc.record(values), (search) => {
      const back = parseFilterCriteria(toFilterCriteria(search)).search
      expect(new Set(Object.keys(back))).toEqual(new Set(Object.keys(search).filter((name) => !views.includes(name))))
    }),
  )
})

test('a saved search round-trips with the same filters and none ignored', () => {
  fc.assert(
    fc.property(searches, (search) => {
      const { search: back, ignored } = parseFilterCriteria(asStored(toFilterCriteria(search)))
      expect(ignored).toEqual([])
      expect(hasSameFilters(back, search)).toBe(true)
    }),
    { numRuns: 600 },
  )
})

test('saving a loaded filter again changes nothing', () => {
  fc.assert(
    fc.property(searches, (search) => {
      const once = parseFilterCriteria(toFilterCriteria(search)).search
      expect(parseFilterCriteria(toFilterCriteria(once)).search).toEqual(once)
    }),
    { numRuns: 300 },
  )
})

test('the address of a saved filter parses back to the filter and its id', () => {
  fc.assert(
    fc.property(searches, (search) => {
      const address = buildSavedFilterUrlParams({ id: 'ถนน-1', filterData: toFilterCriteria(search) })
      const read = parseReportSearch(Object.fromEntries(new URLSearchParams(new URLSearchParams(address).toString())))
      expect(read.ignored).toEqual([])
      expect(read.search.saved).toBe('ถนน-1')
      expect(hasSameFilters(read.search, search)).toBe(true)
      expect(read.search).not.toHaveProperty('ordering')
      expect(read.search).not.toHaveProperty('page')
    }),
    { numRuns: 300 },
  )
})

describe('hasSameFilters', () => {
  const alike = (a: ReportSearch, b: ReportSearch) => hasSameFilters(a, b)
  test('ignores the order of values', () => {
    expect(
      alike(
        { project_province__in: { values: ['ระยอง', 'กรุงเทพมหานคร', 'นนทบุรี'], negated: false } },
        { project_province__in: { values: ['กรุงเทพมหานคร', 'นนทบุรี', 'ระยอง'], negated: false } },
      ),
    ).toBe(true)
    expect(alike({ project_id__in: ['2', '1'] }, { project_id__in: ['1', '2'] })).toBe(true)
  })
  test('ignores blanks around the operators of an expression', () => {
    expect(alike({ project_name__in: 'กล้อง || CCTV << ซ่อม' }, { project_name__in: 'กล้อง||CCTV<<ซ่อม' })).toBe(true)
  })
  test('ignores ordering, page and the source of the view', () => {
    expect(alike({ check_sme: true, page: 3, ordering: '-project_budget', saved: 'x' }, { check_sme: true })).toBe(true)
  })
  test.each<[string, ReportSearch, ReportSearch]>([
    [
      'negation',
      { project_status__in: { values: ['in_progress'], negated: true } },
      { project_status__in: { values: ['in_progress'], negated: false } },
    ],
    ['the tab', { is_archived: true }, {}],
    [
      'an open side',
      { project_budget__range: { min: 0, max: null } },
      { project_budget__range: { min: null, max: 0 } },
    ],
    [
      'a relative day',
      { submission_end_date__range: { from: '@0', to: null } },
      { submission_end_date__range: { from: '2026-11-21', to: null } },
    ],
    ['a word more', { project_name__in: 'กล้อง' }, { project_name__in: 'กล้อง||CCTV' }],
    ['quotes', { project_name__in: '"aa bb"' }, { project_name__in: 'aa bb' }],
    ['hidden projects', { project_hidden: true }, {}],
  ])('differs by %s', (_, search, otherSearch) => {
    expect(alike(search, otherSearch)).toBe(false)
    expect(alike(otherSearch, search)).toBe(false)
  })
})

describe('unreadable filter parts', () => {
  const saved = (data: unknown): SavedFilter =>
    savedFilterSchema.parse({ id: 'เก่า-1', filterName: 'เก่า', isSend: false, isStart: false, filterData: data })
  const reasons = (data: unknown) =>
    parseFilterCriteria(saved(data).filterData).ignored.map(({ name, reason }) => `${name} ${reason}`)

  test.each<[string, unknown, string[]]>([
    [
      'a province that is gone',
      { filter: { provinces: { central: ['พระนคร', 'นนทบุรี'] } }, search: [] },
      ['project_province__in invalid'],
    ],
    ['a status that is gone', { filter: { status: ['sold'] }, search: [] }, ['project_status__in invalid']],
    [
      'a day that does not exist',
      { filter: { submissionEndedDate: ['2569-02-30', null] }, search: [] },
      ['submission_end_date__range invalid'],
    ],
    [
      'an expression that does not parse',
      { filter: {}, search: [{ key: 'project_name__in', value: '(กล้อง', negation: false, isIgnoreEncode: true }] },
      ['project_name__in invalid'],
    ],
    [
      'a search field that is unknown',
      { filter: {}, search: [{ key: 'remark__in', value: 'x', negation: false }] },
      ['remark__in unknown'],
    ],
    [
      '"is not" of project numbers',
      { filter: {}, search: [{ key: 'project_id__in', value: ['1'], negation: true }] },
      ['project_id__in invalid'],
    ],
    [
      '"is not" of a sentence',
      { filter: {}, search: [{ key: 'ai_deep_search__in', value: 'ถนน', negation: true }] },
      ['ai_deep_search__in invalid'],
    ],
    [
      'a filter of a newer version',
      { filter: { attachments: ['tor'], bookmark: true }, search: [] },
      ['attachments unknown'],
    ],
  ])('%s', (_, data, named) => {
    expect(reasons(data)).toEqual(named)
    const read = parseReportSearch(buildSavedFilterUrlParams(saved(data)))
    expect(read.ignored.map(({ name, reason }) => `${name} ${reason}`)).toEqual(named)
  })

  test('do not stop the readable rest from filtering', () => {
    const { search } = parseFilterCriteria(
      saved({ filter: { status: ['sold'], checkSME: true }, search: [] }).filterData,
    )
    expect(search).toEqual({ check_sme: true })
  })

  test('do not include the empty parts of old filters', () => {
    const empty = {
      filter: {
        isArchived: false,
        provinces: {},
        status: [],
        budget: [null, null],
        submissionEndedDate: [null, null],
        bookmark: false,
        negated: [],
      },
      search: [
        { key: 'project_name__in', value: '', negation: false },
        { key: 'project_id__in', value: [], negation: false },
      ],
    }
    expect(parseFilterCriteria(saved(empty).filterData)).toEqual({ search: {}, ignored: [] })
  })

  test('include names of Object.prototype like any unknown name', () => {
    const odd = JSON.parse('{"filter":{"constructor":1},"search":[{"key":"__proto__","value":"x","negation":false}]}')
    expect(reasons(odd).toSorted()).toEqual(['__proto__ unknown', 'constructor unknown'])
  })
})

describe('words with percent signs', () => {
  const name = (value: string | string[], isIgnoreEncode = false) => ({
    filter: {},
    search: [{ key: 'project_name__in', value, negation: false, isIgnoreEncode }],
  })
  test('decodes percent-encoded values of older versions', () => {
    expect(parseFilterCriteria(name(['%E0%B8%96%E0%B8%99%E0%B8%99', 'CCTV'])).search.project_name__in).toBe('ถนน||CCTV')
    expect(parseFilterCriteria(name('aa%23%23bb', true)).search.project_name__in).toBe('aa##bb')
  })
  test('a typed percent sign survives saving', () => {
    for (const text of ['ลด 50%', '100%25', 'a%20b', '%E0%B8']) {
      expect(parseFilterCriteria(toFilterCriteria({ project_name__in: text })).search).toEqual({
        project_name__in: text,
      })
    }
  })
})

test('an expression of maximum length can be saved although escaping lengthens its chips', () => {
  const word = 'c#'.repeat(SEARCH_LIMITS.characters / 2)
  const { search, ignored } = parseFilterCriteria(toFilterCriteria({ project_name__in: word }))
  expect(ignored).toEqual([])
  expect(hasSameFilters(search, { project_name__in: word })).toBe(true)
  expect(formatReportSearch(search).project_name__in).toBe(word)
})
