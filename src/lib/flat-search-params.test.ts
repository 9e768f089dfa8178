import { describe, expect, test } from 'vitest'
import { formatQueryString, getRelativeUrl, parseQueryString, toFlatSearchParams } from './flat-search-params.ts'

describe('the query string of an address', () => {
  test.each([
    ['', {}],
    ['?project_name__in=%E0%B8%81%E0%B8%A5%E0%B9%89%E0%B8%AD%E0%B8%87%23%23CCTV', { project_name__in: 'กล้อง##CCTV' }],
    ['?project_id__in=69119284417%7C%7C69119271820', { project_id__in: '69119284417||69119271820' }],
    ['?project_id__in=00119284417', { project_id__in: '00119284417' }],
    ['?q=true&n=1e5&z=null', { q: 'true', n: '1e5', z: 'null' }],
    ['?a=1%2B1+2', { a: '1+1 2' }],
  ])('%s is decoded once as text and prints unchanged', (text, flat) => {
    expect(parseQueryString(text)).toEqual(flat)
    expect(formatQueryString(flat)).toBe(text)
  })

  test('a typed percent sign round-trips', () => {
    const flat = { project_name__in: '100%23 ลด 50%' }
    expect(parseQueryString(formatQueryString(flat))).toEqual(flat)
  })

  test('a repeated name keeps its last value', () => {
    expect(parseQueryString('?page=1&page=2')).toEqual({ page: '2' })
  })

  test('broken percent-encoding does not throw', () => {
    expect(parseQueryString('?q=%E0%B8&r=%zz')).toEqual({ q: '\uFFFD', r: '%zz' })
  })

  test('prints numbers and flags, and omits objects and empty values', () => {
    expect(toFlatSearchParams({ page: 2, all: true, none: undefined, nil: null, box: {}, text: '' })).toEqual({
      page: '2',
      all: 'true',
      text: '',
    })
  })
})

describe('getRelativeUrl', () => {
  const read = (text: string) => getRelativeUrl(new URL(text, 'http://localhost') as unknown as Location)

  test('treats a raw ## and the rest as part of the search', () => {
    const address = read('/report?project_name__in=กล้อง##วงจรปิด##IP&page=2')
    expect(parseQueryString(new URL(address, 'http://localhost').search)).toEqual({
      project_name__in: 'กล้อง##วงจรปิด##IP',
      page: '2',
    })
    expect(address).not.toContain('#')
  })

  test('treats a single # and the rest as part of the search', () => {
    const address = read('/report?project_name__in=กล้อง#2&page=2')
    expect(parseQueryString(new URL(address, 'http://localhost').search)).toEqual({
      project_name__in: 'กล้อง#2',
      page: '2',
    })
  })

  test.each([
    '/report?page=2#main',
    '/mail-link?utm_source=mail#token',
    '/report#main',
    '/mail/off##token',
    '/report?project_name__in=a%23%23b',
    '/report',
  ])('%s stays unchanged', (address) => {
    expect(read(address)).toBe(address)
  })
})
