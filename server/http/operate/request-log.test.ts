import { expect, test } from 'vitest'
import { REPORT_PARAMS } from '#contract/report/report-params.ts'
import { APP_SCREENS } from '#contract/screen.ts'
import { scrubUrl } from './request-log.ts'

test.each([
  ['/report?project_name__in=%E0%B8%81&page=2', undefined, '/report?project_name__in=[hidden]&page=2'],
  ['/report?ordering=-canary&page=canary', undefined, '/report?ordering=[hidden]&page=[hidden]'],
  ['/report/', undefined, '/report'],
  ['/report/67019000001', undefined, '/report/{id}'],
  ['/companies/%E0%B8%9A%E0%B8%A3/x', undefined, '/companies/{name}'],
  ['/reset-password/abc.def', undefined, '/reset-password/{token}'],
  ['/api/v2/companies?search=solar&page=2', '/api/v2/companies', '/api/v2/companies?search=[hidden]&page=2'],
  ['/api/v2/companies/x/projects', '/api/v2/companies/:name/projects', '/api/v2/companies/:name/projects'],
  ['/login?refkey=demo', undefined, '/login?refkey=[hidden]'],
  ['/login?REFKEY=demo&ref%6bey=demo&%zz=1', undefined, '/login?REFKEY=[hidden]&[hidden]&[hidden]'],
  ['/report?camera&=solar&a=b?c=d', undefined, '/report?[hidden]&[hidden]&a=[hidden]'],
  ['/assets/main-a1b2c3.js', '/*', '/assets/*'],
  ['/camera', undefined, '/[unknown]'],
  ['/api/v2/camera', undefined, '/api/[unknown]'],
])('R56: %s on %s is logged as %s', (url, route, logged) => {
  expect(scrubUrl(url, route)).toBe(logged)
})

test('R56: no part or parameter of a screen address appears in the log', () => {
  for (const { path } of APP_SCREENS) {
    const at = path.replace(/\{\w+\}/, 'canary')
    for (const name of [...REPORT_PARAMS.map((param) => param.name), 'us', 'tin', 'rows', 'refkey', 'tab', 'search']) {
      expect(scrubUrl(`${at}?${name}=canary`, undefined)).toBe(`${path}?${name}=[hidden]`)
    }
  }
})
