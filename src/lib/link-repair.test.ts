import { describe, expect, test } from 'vitest'
import { parseReportSearch } from '#contract/report/report-params.ts'
import { parseQueryString } from './flat-search-params.ts'
import { protectTrailingPunctuation, repairUrl } from './link-repair.ts'

const repaired = (text: string) => {
  const { pathname, search, hash } = repairUrl(new URL(text, 'http://localhost:4173'))
  return decodeURIComponent(pathname + search + hash)
}

describe('a link mangled by a chat', () => {
  test.each([
    ['/report/69119902001ครับ', '/report/69119902001'],
    ['/report/69119902001)', '/report/69119902001'],
    ['/report/69119902001%20', '/report/69119902001'],
    ['/report/"69119902001"', '/report/69119902001'],
    ['/report/“69119902001”.', '/report/69119902001'],
    ['/report/691199%E2%80%8B02001', '/report/69119902001'],
    ['/report/๖๙๑๑๙๙๐๒๐๐๑', '/report/69119902001'],
    ['/report/69119902001ค่ะ?tab=files', '/report/69119902001?tab=files'],
    ['/s/0123456789ครับ', '/s/0123456789'],
    ['/s/"0123456789",', '/s/0123456789'],
    ['/s/ABCDEFGHJK', '/s/abcdefghjk'],
    ['/report?srsltid=x&li_fat_id=y&project_name__in=CCTV', '/report?project_name__in=CCTV'],
    ['/reportครับ', '/report'],
    ['/watch)', '/watch'],
    ['/watch%E2%80%8B', '/watch'],
    ['/mail-link%E2%81%A0#token.', '/mail-link#token.'],
    ['/report/*69119902001*', '/report/69119902001'],
    ['/report/69119902001%0A', '/report/69119902001'],
    ['/calendar?x=1&amp;amp;y=2', '/calendar?x=1&y=2'],
    ['/companies.', '/companies'],
    ['/report?utm_source=line&fbclid=x&openExternalBrowser=1&project_name__in=CCTV', '/report?project_name__in=CCTV'],
    ['/report?project_name__in=CCTV&amp;page=2', '/report?project_name__in=CCTV&page=2'],
    [
      '/report?project_name__in=%25E0%25B8%2581%25E0%25B8%25A5%25E0%25B9%2589%25E0%25B8%25AD%25E0%25B8%2587%2523%2523CCTV',
      '/report?project_name__in=กล้อง##CCTV',
    ],
    ['/report?project_name__in%3DCCTV%26page%3D2', '/report?project_name__in=CCTV&page=2'],
  ])('%s opens %s', (link, meant) => {
    expect(repaired(link)).toBe(meant)
  })

  test.each([
    '/report/69119902001',
    '/report/69119902001/documents/1',
    '/report/6911990200',
    '/report/6911990200169119902002',
    '/report/69119902001,69119902002',
    '/report?project_winner_name__in=หจก.',
    '/report?project_name__in=ลด 50%25',
    '/companies/ก(มหาชน)',
    '/companies/บริษัท ก.',
    '/s/012345678',
    '/s/01234567890',
    '/mail-link#token.',
    '/',
  ])('%s stays as it is', (link) => {
    const address = new URL(link, 'http://localhost:4173')
    expect(repairUrl(address)).toBe(address)
  })

  test('that was cut inside a character is reported as ignored with the rest of its text', () => {
    const cut = '?project_name__in=%E0%B8%81%E0%B8%A5%E0%B9%89%E0%B8%AD%E0%B8&page=2'
    const { search, ignored } = parseReportSearch(parseQueryString(cut))
    expect(search).toEqual({ page: 2 })
    expect(ignored).toEqual([{ name: 'project_name__in', value: 'กล้อ\ufffd', reason: 'invalid' }])
  })
})

test.each([
  ['http://x/report?project_winner_name__in=%E0%B8%81.', 'http://x/report?project_winner_name__in=%E0%B8%81%2E'],
  ['http://x/report?a=(b)', 'http://x/report?a=(b%29'],
  ['http://x/report', 'http://x/report'],
])('%s is shared as %s', (url, sent) => {
  expect(protectTrailingPunctuation(url)).toBe(sent)
  expect(new URL(sent).searchParams.get('a')).toBe(new URL(url).searchParams.get('a'))
})
