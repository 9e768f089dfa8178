import { expect, test } from 'vitest'
import { scrubSensitiveText, scrubSensitiveTextDeep } from './scrub.ts'

test.each([
  ['https://x.th/login?refkey=demo-secret&a=1', 'https://x.th/login?[hidden]'],
  ['/login?redirect=%2Freport%3Fproject_name__in%3Dx', '/login?[hidden]'],
  ['/reset-password/8f1c-token?x=1', '/reset-password/[hidden]?[hidden]'],
  ['/api/v2/password/reset/confirm/tok/', '/api/v2/password/reset/confirm/[hidden]/'],
  ['Bearer eyJhbGciOi.eyJzdWIi.sig-nature', 'Bearer [hidden]'],
  ['mail pim.w@example.co.th failed', 'mail [hidden] failed'],
  ['?email=pim%40example.co.th&x=1', '?email=[hidden]&x=1'],
  ['ผู้ใช้ สมชาย@ตัวอย่าง.ไทย', 'ผู้ใช้ [hidden]'],
  [
    'GET https://x.th/api/v2/projects?project_name__in=%E0%B8%96&page=2 200',
    'GET https://x.th/api/v2/projects?[hidden] 200',
  ],
  ['opened with ?refkey=demo&x=1', 'opened with ?refkey=[hidden]&x=1'],
  ['https://x.th/mail-link#YiAzIA.bnR6h and on', 'https://x.th/mail-link#[hidden] and on'],
  ['GET /api/v2/report-mail-preview/abc.def', 'GET /api/v2/report-mail-preview/[hidden]'],
  ['li > button.p-1[aria-label="ลบ "กล้อง" ออก"][type="button"]', 'li > button.p-1[aria-label][type="button"]'],
  ['tamngan@0.1.0+DdLSZjdr', 'tamngan@0.1.0+DdLSZjdr'],
  ['nothing secret: 12@ 3.4', 'nothing secret: 12@ 3.4'],
])('%s becomes %s', (text, scrubbed) => {
  expect(scrubSensitiveText(text)).toBe(scrubbed)
})

test('scrubs every text inside a value, and keeps cycles and foreign objects', () => {
  const date = new Date(0)
  const value: Record<string, unknown> = { request: { url: '/login?refkey=k' }, list: ['a@b.co', 1, null], date }
  value.self = value
  const copy = scrubSensitiveTextDeep(value)
  expect(copy).toMatchObject({ request: { url: '/login?[hidden]' }, list: ['[hidden]', 1, null] })
  expect(copy.self).toBe(copy)
  expect(copy.date).toBe(date)
  expect(value.list).toEqual(['a@b.co', 1, null])
})

test('removes entries with secret names', () => {
  const attributes = {
    'url.path.parameter.token': { value: 'abc' },
    'params.token': 'abc',
    Authorization: 'x',
    token: 'x',
    step: 'x',
  }
  expect(scrubSensitiveTextDeep({ attributes })).toEqual({ attributes: { step: 'x' } })
})

test('scrubs a long text without blanks in linear time', () => {
  const long = `${'a'.repeat(100_000)}${'/b'.repeat(50_000)}@?%40`
  const started = performance.now()
  expect(scrubSensitiveText(long)).toMatch(/@\?\[hidden\]$/)
  // The linear pattern takes 0.1 s; quadratic backtracking would take minutes.
  expect(performance.now() - started).toBeLessThan(10_000)
})
