import { expect, test } from 'vitest'
import { safeHref } from '#contract/safe-href.ts'

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '//no-scheme', 'ไม่ใช่ลิงก์'])(
  '%s is no link',
  (url) => {
    expect(safeHref(url)).toBeUndefined()
  },
)

test('http and https are links', () => {
  expect(safeHref('https://process.gprocurement.go.th/a b.pdf')).toBe('https://process.gprocurement.go.th/a%20b.pdf')
  expect(safeHref('http://example.go.th/ร่าง.pdf')).toMatch(/^http:\/\/example\.go\.th\//)
})
