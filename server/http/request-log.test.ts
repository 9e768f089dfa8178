import { expect, test } from 'vitest'
import { scrubbedUrl } from './request-log.ts'

test.each([
  ['/report?project_name__in=%E0%B8%81&page=2', '/report?project_name__in=%E0%B8%81&page=2'],
  ['/login?refkey=demo', '/login?refkey=[hidden]'],
  ['/login?x=1&REFKEY=demo', '/login?x=1&REFKEY=[hidden]'],
  ['/login?ref%6bey=demo', '/login?ref%6bey=[hidden]'],
  ['/login?%zz=1&token=abc', '/login?%zz=1&token=[hidden]'],
  ['/reset-password/abc.def', '/reset-password/[hidden]'],
  ['/api/v2/password/reset/confirm/abc/', '/api/v2/password/reset/confirm/[hidden]/'],
  ['/api/v2/mail-links/unsubscribe/abc.def', '/api/v2/mail-links/unsubscribe/[hidden]'],
  ['/api/v2/report-mail-preview/abc.def', '/api/v2/report-mail-preview/[hidden]'],
])('%s is logged as %s', (url, logged) => {
  expect(scrubbedUrl(url)).toBe(logged)
})
