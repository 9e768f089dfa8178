import { describe, expect, test } from 'vitest'
import { formatQueryString, parseQueryString } from './flat-search-params.ts'
import {
  applyReportUrlPatch,
  formatReportUrlSearch,
  parseReportUrlSearch,
  pickReportFilters,
  pickReportListSearch,
  pickReportRowsSearch,
  reportSearchOptions,
  toReportUrlSearch,
} from './report-url.ts'
import { pickSearch } from './typed-search.ts'

const rewrite = (address: string) =>
  formatQueryString(formatReportUrlSearch(parseReportUrlSearch(parseQueryString(address))))
const encode = (flat: Record<string, string>) => `?${new URLSearchParams(flat)}`

describe('the address of the report', () => {
  test.each([
    { project_name__in: 'กล้อง##วงจรปิด<<ซ่อม' },
    { project_id__in: '69119284417||00119271820' },
    { project_budget__range: '1000000,50000000', project_province__in: 'เชียงใหม่||ขอนแก่น' },
    { submission_end_date__range: '@0,@7', ordering: '-project_budget', page: '3', page_size: '100' },
    { project_status__in: '<<project_cancelled', utm_source: 'line' },
    {
      is_archived: 'true',
      project_name__in: '(กล้อง||CCTV)##ติดตั้ง',
      project_dept_sub__in: 'เทศบาล',
      project_label__in: 'none',
      saved: 'f1',
    },
  ])('round-trips: %o', (flat) => {
    expect(rewrite(encode(flat))).toBe(encode(flat))
    // The router validates typed searches too, such as that of a link.
    const search = reportSearchOptions.validateSearch(flat as never)
    expect(reportSearchOptions.validateSearch(search as never)).toEqual(search)
    expect(formatReportUrlSearch({ ...pickSearch(search), ignored: search.ignored ?? [] })).toEqual(flat)
  })

  test('omits defaults', () => {
    expect(rewrite('?page=1&page_size=50&is_archived=false')).toBe('')
  })

  test('is printed in catalogue order, so equal filters give equal links', () => {
    expect(rewrite('?page=2&ordering=-project_budget&project_name__in=ถนน&is_archived=true')).toBe(
      encode({ is_archived: 'true', project_name__in: 'ถนน', ordering: '-project_budget', page: '2' }),
    )
  })

  test('keeps and reports unreadable parameters, and is stable when read again', () => {
    const address = parseReportUrlSearch({ project_budget__range: 'ห้าล้าน', utm_source: 'line', page: '2' })
    expect(address.ignored).toEqual([
      { name: 'project_budget__range', value: 'ห้าล้าน', reason: 'invalid' },
      { name: 'utm_source', value: 'line', reason: 'unknown' },
    ])
    expect(pickSearch(address)).toEqual({ page: 2 })
    expect(parseReportUrlSearch(formatReportUrlSearch(address))).toEqual(address)
  })

  test('treats a parameter named ignored like any unknown one', () => {
    const address = parseReportUrlSearch({ ignored: 'x' })
    expect(address.ignored).toEqual([{ name: 'ignored', value: 'x', reason: 'unknown' }])
    expect(formatReportUrlSearch(address)).toEqual({ ignored: 'x' })
  })

  test('changing a filter resets to page 1 and removes undefined and ignored parameters', () => {
    const address = parseReportUrlSearch({
      project_budget__range: 'x',
      check_sme: 'true',
      project_bookmark: 'true',
      page: '4',
    })
    const next = applyReportUrlPatch(address, { check_sme: undefined, project_name__in: 'ถนน' })
    expect(formatReportUrlSearch(next)).toEqual({ project_name__in: 'ถนน', project_bookmark: 'true' })
  })

  test('changing the page keeps the new page', () => {
    expect(applyReportUrlPatch(parseReportUrlSearch({ page: '4' }), { page: 5 })).toEqual({ page: 5 })
  })

  test('peeking at a project leaves page and notices as they are', () => {
    const address = parseReportUrlSearch({ project_budget__range: 'x', ordering: '-project_budget', page: '3' })
    const peeking = applyReportUrlPatch(address, { peek: '69119284417' })
    expect(formatReportUrlSearch(peeking)).toEqual({
      ordering: '-project_budget',
      page: '3',
      peek: '69119284417',
      project_budget__range: 'x',
    })
    expect(applyReportUrlPatch(peeking, { peek: undefined })).toEqual(address)
  })

  test('separates filters from view parameters', () => {
    const search = {
      is_archived: true,
      check_sme: true,
      ordering: 'project_budget',
      page: 2,
      page_size: 20,
      peek: '1',
    } as const
    const filters = { is_archived: true, check_sme: true } as const
    expect(pickReportFilters(search)).toEqual(filters)
    expect(pickReportListSearch(search)).toStrictEqual({ ...filters, ordering: 'project_budget' })
    expect(pickReportListSearch(filters)).toStrictEqual(filters)
    const rows = { ...filters, ordering: 'project_budget', page: 2, page_size: 20 } as const
    expect(pickReportRowsSearch(search)).toStrictEqual(rows)
    expect(
      pickReportRowsSearch(toReportUrlSearch({ search, ignored: [{ name: 'x', value: '', reason: 'unknown' }] })),
    ).toStrictEqual(rows)
  })
})
