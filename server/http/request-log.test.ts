import { expect, test } from 'vitest'
import { scrubbedUrl } from './request-log.ts'

test.each([
  ['/report?status=active&page=2', '/report?status=active&page=2'],
  ['/report?project_name__in=%E0%B8%81&page=2', '/report?project_name__in=[hidden]&page=2'],
  ['/api/v2/companies?search=solar&page=2', '/api/v2/companies?search=[hidden]&page=2'],
  ['/login?refkey=demo', '/login?refkey=[hidden]'],
  ['/login?x=1&REFKEY=demo', '/login?x=1&REFKEY=[hidden]'],
  ['/login?ref%6bey=demo', '/login?ref%6bey=[hidden]'],
  ['/login?%zz=1&token=abc', '/login?%zz=1&token=[hidden]'],
  ['/reset-password/abc.def', '/reset-password/[hidden]'],
  ['/api/v2/password/reset/confirm/abc/', '/api/v2/password/reset/confirm/[hidden]/'],
  ['/api/v2/mail-links/unsubscribe/abc.def', '/api/v2/mail-links/unsubscribe/[hidden]'],
  ['/api/v2/report-mail-preview/abc.def', '/api/v2/report-mail-preview/[hidden]'],
])('R56: %s is logged as %s', (url, logged) => {
  expect(scrubbedUrl(url)).toBe(logged)
})
