import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PROJECT_STATUSES } from '../catalogue/project.ts'
import { REPORT_SORT_FIELDS } from '../catalogue/report-columns.ts'
import { FIT_ORDERING } from '../matching/fit.ts'
import { getProvincesInRegion, PROVINCES, REGIONS } from '../thai/province.ts'
import {
  formatReportSearch,
  getActiveReportFilters,
  parseReportSearch,
  REPORT_PARAMS,
  type ReportSearch,
} from './report-params.ts'

const toAddress = (search: ReportSearch) => new URLSearchParams(formatReportSearch(search)).toString()
const fromAddress = (address: string) => parseReportSearch(Object.fromEntries(new URLSearchParams(address)))

describe('the report address', () => {
  test('omits defaults', () => {
    const { search, ignored } = parseReportSearch({
      page: '1',
      page_size: '50',
      is_archived: 'false',
      project_name__in: '',
    })
    expect(search).toEqual({})
    expect(ignored).toEqual([])
    expect(formatReportSearch({ page: 1, page_size: 50 })).toEqual({})
  })

  test('encodes ## and Thai only once', () => {
    const search: ReportSearch = { project_name__in: 'กล้อง##วงจรปิด<<ซ่อม' }
    expect(toAddress(search)).toContain('%23%23')
    expect(fromAddress(toAddress(search)).search).toEqual(search)
  })

  test('keeps project numbers as text', () => {
    expect(fromAddress('project_id__in=69119284417||01234567890').search.project_id__in).toEqual([
      '69119284417',
      '01234567890',
    ])
  })

  test('prints equal filters identically in any order', () => {
    const search = fromAddress('page=2&project_status__in=in_progress&project_name__in=ถนน').search
    const reordered = fromAddress('project_name__in=ถนน&project_status__in=in_progress&page=2').search
    expect(toAddress(search)).toBe(toAddress(reordered))
  })

  test('reads one leading << of a list as "is not"', () => {
    expect(fromAddress('project_status__in=<<project_cancelled||in_progress').search.project_status__in).toEqual({
      values: ['project_cancelled', 'in_progress'],
      negated: true,
    })
  })

  test.each([
    ['project_status__in', 'sold'],
    ['project_status__in', 'in_progress||sold'],
    ['project_province__in', 'ลอนดอน'],
    ['project_budget__range', '5'],
    ['project_budget__range', ','],
    ['project_budget__range', '10,5'],
    ['project_budget__range', '-5,10'],
    ['project_budget__range', '1e3,'],
    ['submission_end_date__range', '2026-02-30,'],
    ['submission_end_date__range', '2569-01-01,'],
    ['submission_end_date__range', '2026-03-01,2026-02-01'],
    ['submission_end_date__range', '@x,'],
    ['ordering', 'name'],
    ['ordering', '--project_budget'],
    ['page', '0'],
    ['page', 'abc'],
    ['page_size', '51'],
    ['is_archived', 'yes'],
    ['project_name__in', '(กล้อง'],
    ['project_id__in', "1' or 1=1"],
    ['ai_deep_search__in', 'กล้อง||ถนน||ยา||ลิฟต์||ประปา||โซลาร์'],
    ['ai_deep_search__in', 'ถ'.repeat(101)],
  ])('reports %s=%s as ignored instead of guessing', (name, value) => {
    const { search, ignored } = parseReportSearch({ [name]: value })
    expect(search).toEqual({})
    expect(ignored).toEqual([{ name, value, reason: 'invalid' }])
  })

  test('reports unknown parameters, including prototype names', () => {
    const { search, ignored } = parseReportSearch(JSON.parse('{"utm_source":"line","__proto__":"x","constructor":"y"}'))
    expect(search).toEqual({})
    expect(ignored.map(({ name, reason }) => `${name} ${reason}`)).toEqual([
      'utm_source unknown',
      '__proto__ unknown',
      'constructor unknown',
    ])
  })

  test('drops the similarity threshold without a semantic search', () => {
    expect(parseReportSearch({ ai_deep_from: '70' })).toEqual({ search: {}, ignored: [] })
    expect(formatReportSearch({ ai_deep_from: 70 })).toEqual({})
    const flat = { ai_deep_search__in: 'กล้อง', ai_deep_from: '70' }
    const { search } = parseReportSearch(flat)
    expect(formatReportSearch(search)).toEqual(flat)
    expect(getActiveReportFilters(search)).toEqual(['ai_deep_search__in'])
    expect(parseReportSearch({ ...flat, ai_deep_from: '101' }).ignored).toMatchObject([{ name: 'ai_deep_from' }])
  })

  test('counts neither scope nor view as a filter', () => {
    expect(
      getActiveReportFilters({ is_archived: true, page: 3, ordering: '-project_budget', check_sme: true }),
    ).toEqual(['check_sme'])
  })

  test('writes all provinces of a region as its code, and reads code, names and both mixed', () => {
    const values = ['ภูเก็ต', ...getProvincesInRegion('northeast').toReversed(), 'ตราด']
    const search: ReportSearch = { project_province__in: { values, negated: true } }
    expect(formatReportSearch(search)).toEqual({ project_province__in: '<<ภูเก็ต||northeast||ตราด' })
    const read = (text: string) => parseReportSearch({ project_province__in: text }).search.project_province__in?.values
    expect(read('<<ภูเก็ต||northeast||ตราด')).toEqual(['ภูเก็ต', ...getProvincesInRegion('northeast'), 'ตราด'])
    expect(read(values.join('||'))).toEqual(values)
    expect(read('ขอนแก่น||northeast||west')).toHaveLength(20 + 5)
    expect(read('northeast||nowhere')).toBeUndefined()
  })

  test('keeps an incomplete region as a list of names', () => {
    const values = getProvincesInRegion('west').slice(1)
    expect(formatReportSearch({ project_province_dept_sub__in: { values, negated: false } })).toEqual({
      project_province_dept_sub__in: values.join('||'),
    })
  })

  test('restores any set of provinces from the address, and prints the same address again', () => {
    const some = fc.tuple(
      fc.subarray(PROVINCES.map(({ th }) => th)),
      fc.subarray(REGIONS.map(({ code }) => code)),
      fc.boolean(),
    )
    fc.assert(
      fc.property(some, ([names, regions, negated]) => {
        const values = [...new Set([...names, ...regions.flatMap(getProvincesInRegion)])]
        fc.pre(values.length > 0)
        const address = toAddress({ project_province__in: { values, negated } })
        const { search, ignored } = fromAddress(address)
        expect(ignored).toEqual([])
        expect(search.project_province__in?.values.toSorted()).toEqual(values.toSorted())
        expect(search.project_province__in?.negated).toBe(negated)
        expect(toAddress(search)).toBe(address)
      }),
    )
  })

  test('any search survives address and back', () => {
    const list = (values: readonly string[], maxLength = 5) =>
      fc.record({
        values: fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength }),
        negated: fc.boolean(),
      })
    const baht = fc.integer({ min: 0, max: 2_000_000_000 })
    const range = fc.tuple(baht, baht, fc.constantFrom('both', 'min', 'max')).map(([a, b, side]) => ({
      min: side === 'max' ? null : Math.min(a, b),
      max: side === 'min' ? null : Math.max(a, b),
    }))
    const searches = fc.record(
      {
        is_archived: fc.constant(true as const),
        project_status__in: list(PROJECT_STATUSES.map(({ code }) => code)),
        // The list has one province fewer than the smallest region, because formatting may reorder the provinces of a
        // complete region.
        project_province__in: list(
          PROVINCES.map(({ th }) => th),
          4,
        ),
        project_movement__in: list(['invited', 'ประกาศอื่น ๆ', 'a,b & c=d #1']),
        project_budget__range: range,
        submission_end_date__range: fc.constantFrom({ from: '@0', to: '@7' }, { from: null, to: '2026-12-31' }),
        project_name__in: fc.constantFrom('กล้อง||CCTV<<ซ่อม', 'C# 100%', '"ถนน คสล."', 'a\\|b'),
        ordering: fc.constantFrom(FIT_ORDERING, ...REPORT_SORT_FIELDS.flatMap((field) => [field, `-${field}`])),
        page: fc.integer({ min: 2, max: 900 }),
        page_size: fc.constantFrom(20, 100),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(searches, (search) => {
        const parsed = fromAddress(toAddress(search))
        expect(parsed.ignored).toEqual([])
        expect(parsed.search).toEqual(search)
      }),
    )
  })

  test('any text in any parameter is either parsed or reported', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...REPORT_PARAMS.map(({ name }) => name)),
        fc.string({ unit: 'binary', maxLength: 60 }),
        (name, value) => {
          const { search, ignored } = parseReportSearch({ [name]: value })
          expect(Object.keys(search).length + ignored.length).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})
