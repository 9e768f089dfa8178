import { expect, test } from 'vitest'
import { toSafeHref } from '#contract/safe-href.ts'

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '//no-scheme', 'ไม่ใช่ลิงก์'])(
  'rejects %s',
  (url) => {
    expect(toSafeHref(url)).toBeUndefined()
  },
)

test('accepts http and https', () => {
  expect(toSafeHref('https://process.gprocurement.go.th/a b.pdf')).toBe('https://process.gprocurement.go.th/a%20b.pdf')
  expect(toSafeHref('http://example.go.th/ร่าง.pdf')).toMatch(/^http:\/\/example\.go\.th\//)
})
