import { expect, test } from 'vitest'
import { resolveReturnPath } from '#src/account/pages/login/login-page.tsx'

const isKnown = (pathname: string) => pathname === '/report' || pathname.startsWith('/report/') || pathname === '/watch'

test.each([
  [
    '/report?project_name__in=%E0%B8%96%E0%B8%99%E0%B8%99%23%23x',
    '/report?project_name__in=%E0%B8%96%E0%B8%99%E0%B8%99%23%23x',
  ],
  ['/report/69119284417', '/report/69119284417'],
  ['/watch#list', '/watch#list'],
])('returns to %s', (requested, path) => {
  expect(resolveReturnPath(requested, isKnown)).toBe(path)
})

test.each([
  undefined,
  '',
  'report',
  '//evil.example/report',
  '/\\evil.example',
  '\\/evil.example',
  'https:evil.example',
  'https://evil.example/report',
  'http://localhost:4173/report',
  'javascript:alert(1)',
  '/\t/evil.example',
  '\t//evil.example',
  '%09//evil.example',
  '/report\n',
  '/ /evil.example',
  '/./\u0000/evil',
  '/.//evil.example',
  '/login',
  '/unknown',
  '/logout',
  `/report?x=${'y'.repeat(5000)}`,
])('R41: replaces %j with the report', (requested) => {
  expect(resolveReturnPath(requested, isKnown)).toBeUndefined()
})
