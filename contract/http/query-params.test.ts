import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BUDGET_PARAMS } from '../market/budget-params.ts'
import { COMPANY_PARAMS, formatCompanySearch, parseCompanySearch } from '../market/company-params.ts'
import { formatQueryParams, parseQueryParams, type QueryParam } from './query-params.ts'

const CATALOGUES: readonly (readonly [string, readonly QueryParam[]])[] = [
  ['companies', COMPANY_PARAMS],
  ['budget', BUDGET_PARAMS],
]
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  list: ['กรมทางหลวง', 'a||b', 'a||a', '||', 'กรุงเทพมหานคร', 'draft||awarded'],
  money: ['1,2', ',5', '5,', ',', '9,1', '1.25,3', 'x,1'],
  dates: ['2026-01-01,2026-02-01', '2026-02-01,2026-01-01', '2026-02-30,'],
  year: ['2568', '2026', '25680'],
  percent: ['10', '12.5', '51'],
  count: ['1', '2', '0', '-1', '99999999999'],
  size: ['20', '50', '33'],
  flag: ['true', '1', 'false'],
}

describe.each(CATALOGUES)('the parameters of %s', (_, params) => {
  const anyFlat = fc.dictionary(
    fc.constantFrom(...params.map(({ name }) => name), 'utm_source'),
    fc.oneof(fc.constantFrom(...Object.values(TEXTS).flat(), 'all', '-value', 'watch'), fc.string()),
  )

  test('parsing and printing round-trip', () => {
    fc.assert(
      fc.property(anyFlat, (flat) => {
        const { search } = parseQueryParams(params, flat)
        const printed = formatQueryParams(params, search)
        expect(parseQueryParams(params, printed)).toEqual({ search, ignored: [] })
        expect(formatQueryParams(params, parseQueryParams(params, printed).search)).toEqual(printed)
      }),
    )
  })

  test('every pair is read, a default, empty, or reported as ignored', () => {
    fc.assert(
      fc.property(anyFlat, (flat) => {
        const { search, ignored } = parseQueryParams(params, flat)
        for (const [name, value] of Object.entries(flat)) {
          const isUsual = params.some((param) => param.name === name && [param.usual, param.of?.[0]].includes(value))
          expect(value === '' || isUsual || name in search || ignored.some((param) => param.name === name)).toBe(true)
        }
      }),
    )
  })
})

test('defaults are omitted from the address; ranges and lists keep their form', () => {
  const flat = { page: '1', page_size: '50', scope: 'all', ordering: '-value', sme_band: '10' }
  expect(parseCompanySearch(flat)).toEqual({ search: {}, ignored: [] })
  const search = { company_value__range: { min: null, max: 5 }, project_dept_sub__in: ['ก', 'ข'], page: 2 }
  expect(formatCompanySearch(search)).toEqual({ company_value__range: ',5', project_dept_sub__in: 'ก||ข', page: '2' })
})

test('a reversed year range is reported, not swapped', () => {
  expect(parseCompanySearch({ year_from: '2569', year_to: '2567' })).toEqual({
    search: { year_from: 2569 },
    ignored: [{ name: 'year_to', value: '2567', reason: 'invalid' }],
  })
})
