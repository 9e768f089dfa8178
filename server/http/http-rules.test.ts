import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { appOn, signIn } from '../../test/server/http-app.ts'

const LOGIN = '/api/v2/auth/login/'
const ENTRY = '/api/v2/auth/auto-login/'
const KNOCK = { refkey: 'unknown' }
const JSON_TYPE = { 'content-type': 'application/json' }

const WANTS_MORE = [
  '/api/v2/company-comparison/projects',
  '/api/v2/company-files/company',
  '/api/v2/documents',
  '/api/v2/project-looks',
  '/api/v2/results/rows',
]
const OF_OPERATORS = '/api/v2/operation/'
const MADE_ANEW = [
  '/api/v2/coverage',
  '/api/v2/organisations/me/logs/export',
  '/api/v2/company-comparison/file',
  '/api/v2/company-files/list',
  '/api/v2/results/file',
  '/api/v2/who-wins/file',
]

onOneEngine('HTTP rules', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let headers: { authorization: string }

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db)
    headers = (await signIn(app, 'manager@tharamek.example')).headers
  })
  afterAll(() => app.close())

  const post = (payload: string | object, extra: Record<string, string> = {}, url = LOGIN) =>
    app.inject({ method: 'POST', url, payload, headers: { ...JSON_TYPE, ...extra } })

  const knock = (extra: Record<string, string> = {}, url = ENTRY) => post(KNOCK, extra, url)

  describe('R37: every response', () => {
    const REQUESTS = {
      '200': () => app.inject({ url: '/api/v2/users/me', headers }),
      '400 by schema': () => post({}),
      '400 by address': () => app.inject({ url: '/api/v2/%zz' }),
      '401': () => app.inject({ url: '/api/v2/users/me' }),
      '403': () => knock({ origin: 'https://evil.example' }),
      '404 of the API': () => app.inject({ url: '/api/v2/nothing' }),
      '404 of a file': () => app.inject({ url: '/assets/gone.js' }),
      '405': () => app.inject({ method: 'DELETE', url: '/api/v2/users/me' }),
      '413': () => post('x'.repeat(1_048_577)),
      '415': () =>
        app.inject({ method: 'POST', url: LOGIN, payload: 'a=b', headers: { 'content-type': 'text/plain' } }),
    }
    test.each(Object.entries(REQUESTS))(
      '%s has the security headers and a request id, and is JSON with no-store',
      async (name, send) => {
        const answer = await send()
        expect(String(answer.statusCode)).toBe(name.slice(0, 3))
        expect(answer.headers).toMatchObject({
          'content-security-policy': expect.stringMatching(
            /^(?=.*script-src 'self';)(?=.*frame-ancestors 'none';).*require-trusted-types-for 'script'; trusted-types worker(;|$)/,
          ),
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'permissions-policy': expect.stringContaining('camera=()'),
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
          'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-store',
        })
        expect(answer.headers['content-security-policy']).not.toContain('unsafe')
        expect(answer.headers).not.toHaveProperty('x-powered-by')
        expect(answer.headers).not.toHaveProperty('strict-transport-security')
        expect(answer.headers).not.toHaveProperty('server')
      },
    )

    test('has HSTS and Secure cookies on https, and the error reporter as the only foreign host', async () => {
      const secure = await appOn(db, {
        settings: { publicUrl: 'https://tamngan.example', sentryDsn: 'https://key@sentry.example/4' },
      })
      const answer = await secure.inject({
        method: 'POST',
        url: '/api/v2/auth/auto-login/',
        payload: { refkey: 'demo' },
      })
      expect(answer.headers['strict-transport-security']).toMatch(/max-age=31536000/)
      expect(answer.headers['content-security-policy']).toContain("connect-src 'self' https://sentry.example;")
      expect(answer.headers['set-cookie']).toMatch(/^XSRF-TOKEN=.*; Path=\/; Secure; SameSite=Lax$/)
      await secure.close()
    })
  })

  test('R37: unknown addresses under /api are JSON 404 even for a browser, dotfiles 404, TRACE 405', async () => {
    const browser = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }
    for (const url of ['/api', '/api/', '/api/nope', '/api/v2', '/api/v1/users/me', '/api/v2/users/me/x']) {
      const answer = await app.inject({ url, headers: browser })
      expect([url, answer.statusCode, answer.json()]).toEqual([url, 404, { code: 'not_found' }])
    }
    for (const url of ['/.env', '/.git/config', '/assets/.secret', '/%2egit/config'])
      expect((await app.inject({ url, headers: browser })).statusCode).toBe(404)
    expect((await app.inject({ method: 'TRACE', url: '/api/v2/users/me' })).statusCode).toBe(405)
  })

  test('R40: both spellings of every API path answer the same without a redirect, HEAD without a body', async () => {
    for (const { url, methods } of app.listedRoutes.filter(
      ({ url, methods: taken }) =>
        url.startsWith('/api/v2/') && taken.includes('GET') && !/[:*]/.test(url) && !MADE_ANEW.includes(url),
    )) {
      expect(methods).toContain('GET')
      const [bare, slashed] = await Promise.all([app.inject({ url, headers }), app.inject({ url: `${url}/`, headers })])
      expect([url, slashed.statusCode, slashed.body]).toEqual([url, bare.statusCode, bare.body])
      expect([url, bare.statusCode]).toEqual([
        url,
        WANTS_MORE.includes(url) ? 400 : url.startsWith(OF_OPERATORS) ? 403 : 200,
      ])
      if (bare.statusCode !== 200) continue
      const head = await app.inject({ method: 'HEAD', url: `${url}/`, headers })
      expect([head.statusCode, head.body]).toEqual([200, ''])
    }
    for (const url of ['/api/v2/auth/auto-login', ENTRY]) expect((await knock({}, url)).statusCode).toBe(400)
  })

  test('R40: other methods get 405 with Allow, encoded traversals 404', async () => {
    const refused = await app.inject({ method: 'PUT', url: '/api/v2/users/me/' })
    expect([refused.statusCode, refused.headers.allow, refused.json()]).toEqual([
      405,
      'GET, HEAD, PATCH',
      { code: 'method_not_allowed' },
    ])
    expect((await app.inject({ url: LOGIN })).headers.allow).toBe('POST')
    for (const url of [
      '/api/v2/users%252fme',
      '/api/v2/%75sers%2fme',
      '/api//v2/users/me',
      '/api/v2/users/../users/nope',
    ]) {
      expect([url, (await app.inject({ url, headers })).statusCode]).toEqual([url, 404])
    }
  })

  test('R27: unknown and repeated parameters of the report never fail and never add fields', async () => {
    const plain = (await app.inject({ url: '/api/v2/projects', headers })).json()
    for (const query of [
      'nothing=1',
      'ordering=password_hash',
      'project_status__in=a&project_status__in=b',
      'project_status__in[]=a',
      'page=-1',
      '__proto__=1',
      'constructor=1',
      'a=1&a=2',
      'project_id__in=%00',
      'page=%F0%9F%98%80',
    ]) {
      const answer = await app.inject({ url: `/api/v2/projects?${query}`, headers })
      expect([query, [200, 400].includes(answer.statusCode)]).toEqual([query, true])
      if (answer.statusCode === 200) expect(Object.keys(answer.json())).toEqual(Object.keys(plain))
    }
  })

  test('reports a missing field in Thai under its name', async () => {
    expect((await post({ password: 'x' })).json()).toEqual({ non_field_errors: ['กรอกอีเมล'], email: ['กรอกอีเมล'] })
  })

  test('compresses long responses', async () => {
    const answer = await app.inject({
      url: '/api/v2/organisations/me',
      headers: { ...headers, 'accept-encoding': 'br' },
    })
    expect(answer.headers['content-encoding']).toBe('br')
    expect(answer.headers.vary).toMatch(/accept-encoding/i)
  })
})
