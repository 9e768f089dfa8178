import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenDb } from '#server/db/db.ts'
import { SAMPLE_PASSWORD } from '#server/features/organisation/sample-organisations.ts'
import { seedSampleOrganisations } from '#server/features/organisation/seed-sample.ts'
import { xsrfTokenOf } from '#server/features/session/xsrf-token.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { onEachEngine } from '../../test/databases.ts'
import { appOn, signIn, TEST_SECRET } from '../../test/http-app.ts'

const LOGIN = '/api/v2/auth/login/'
const ENTRY = '/api/v2/auth/auto-login/'
/** Refused with 400 by its handler, however often: what arrives there was let through. */
const KNOCK = { refkey: 'unknown' }
const JSON_TYPE = { 'content-type': 'application/json' }

onEachEngine('HTTP rules', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let headers: { authorization: string }
  const log: string[] = []

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { settings: { logLevel: 'info', logStream: { write: (line) => log.push(line) } } })
    headers = (await signIn(app, 'manager@tharamek.example')).headers
  })
  afterAll(() => app.close())

  const post = (payload: string | object, extra: Record<string, string> = {}, url = LOGIN) =>
    app.inject({ method: 'POST', url, payload, headers: { ...JSON_TYPE, ...extra } })

  const knock = (extra: Record<string, string> = {}, url = ENTRY) => post(KNOCK, extra, url)

  describe('R37: every answer', () => {
    const ASKED = {
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
    test.each(Object.entries(ASKED))(
      '%s carries the security headers, its number, and is JSON that nobody stores',
      async (name, ask) => {
        const answer = await ask()
        expect(String(answer.statusCode)).toBe(name.slice(0, 3))
        expect(answer.headers).toMatchObject({
          'content-security-policy': expect.stringMatching(
            /script-src 'self';.*frame-ancestors 'none';.*require-trusted-types-for 'script'; trusted-types 'none'/,
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

    test('HSTS and Secure cookies come with an https address, and the error reporter is the only foreign host', async () => {
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

  test('R37: unknown addresses under /api are JSON 404, also for a browser; dotfiles are 404; TRACE is 405', async () => {
    const browser = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }
    for (const url of ['/api', '/api/', '/api/nope', '/api/v2', '/api/v1/users/me', '/api/v2/users/me/x']) {
      const answer = await app.inject({ url, headers: browser })
      expect([url, answer.statusCode, answer.json()]).toEqual([url, 404, { code: 'not_found' }])
    }
    for (const url of ['/.env', '/.git/config', '/assets/.secret', '/%2egit/config'])
      expect((await app.inject({ url, headers: browser })).statusCode).toBe(404)
    expect((await app.inject({ method: 'TRACE', url: '/api/v2/users/me' })).statusCode).toBe(405)
  })

  describe('R38: a change that another site started', () => {
    test.each([
      [{ 'sec-fetch-site': 'cross-site' }],
      [{ 'sec-fetch-site': 'same-site' }],
      [{ origin: 'https://evil.example' }],
      [{ origin: 'null' }],
      [{ origin: 'https://localhost.evil.example' }],
    ])('is refused with 403: %o', async (extra) => {
      const answer = await knock(extra as Record<string, string>)
      expect(answer.statusCode).toBe(403)
      expect(answer.json().non_field_errors).toHaveLength(1)
      // A reading request may come from anywhere: the answer stays with the asking browser.
      expect((await app.inject({ url: '/api/v2/users/me', headers: { ...headers, ...extra } })).statusCode).toBe(200)
    })

    test.each([
      [{}],
      [{ 'sec-fetch-site': 'same-origin' }],
      [{ 'sec-fetch-site': 'none' }],
      [{ origin: 'http://localhost:80' }],
      [{ origin: 'http://localhost' }],
    ])('and our own are not: %o', async (extra) => {
      expect((await knock({ host: 'localhost', ...(extra as Record<string, string>) })).statusCode).toBe(400)
    })

    test('behind a proxy the public address is ours too', async () => {
      const proxied = await appOn(db, { settings: { publicUrl: 'https://tamngan.example' } })
      const answer = await proxied.inject({
        method: 'POST',
        url: ENTRY,
        payload: KNOCK,
        headers: { origin: 'https://tamngan.example', host: 'app:4173' },
      })
      expect(answer.statusCode).toBe(400)
      await proxied.close()
    })

    test('where a cookie is the credential the XSRF token must be sent twice and be ours', async () => {
      const token = xsrfTokenOf('session', TEST_SECRET)
      const withCookies = (cookie: string, header?: string) =>
        knock({ cookie, ...(header ? { 'x-xsrf-token': header } : {}) })
      expect((await withCookies('__Host-rt=x')).statusCode).toBe(403)
      expect((await withCookies(`__Host-rt=x; XSRF-TOKEN=${token}`)).statusCode).toBe(403)
      expect((await withCookies(`__Host-rt=x; XSRF-TOKEN=${token}`, `${token}x`)).statusCode).toBe(403)
      expect((await withCookies('__Host-rt=x; XSRF-TOKEN=a.b', 'a.b')).statusCode).toBe(403)
      expect((await withCookies('__Host-rt=x; XSRF-TOKEN=undefined', 'undefined')).statusCode).toBe(403)
      expect((await withCookies(`__Host-rt=x; XSRF-TOKEN=${token}`, token)).statusCode).toBe(400)
    })

    test('login hands out a readable token that is bound to the session', async () => {
      const answer = await post({ email: 'sales@tharamek.example', password: SAMPLE_PASSWORD })
      const cookie = String(answer.headers['set-cookie'])
      const { sid } = JSON.parse(Buffer.from(answer.json().access.split('.')[1], 'base64url').toString()) as {
        sid: string
      }
      expect(cookie).toBe(`XSRF-TOKEN=${xsrfTokenOf(sid, TEST_SECRET)}; Path=/; SameSite=Lax`)
    })
  })

  describe('R39: hostile bodies', () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    test.each([
      ['broken JSON', '{"email":', 400],
      ['a hundred levels', `{"email":"a@b.co","password":"x","more":${deep(99)}}`, 400],
      ['a hundred thousand array items', JSON.stringify(Array(100_000).fill(0)), 400],
      ['an array for a text', '{"email":["a@b.co"],"password":"x"}', 400],
      ['__proto__', '{"email":"a@b.co","password":"x","__proto__":{"polluted":true}}', 400],
      ['constructor.prototype', '{"email":"a@b.co","password":"x","constructor":{"prototype":{"polluted":true}}}', 400],
      ['null', 'null', 400],
      ['nothing', '', 400],
      ['one byte over a megabyte', `{"email":"${'a'.repeat(1_048_576)}"}`, 413],
    ])('%s', async (_name, payload, status) => {
      const answer = await post(payload)
      expect(answer.statusCode).toBe(status)
      expect(answer.json().non_field_errors).toHaveLength(1)
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    })

    test('slow clients and crowds meet limits below those of Node', () => {
      expect(app.server.headersTimeout).toBeLessThanOrEqual(15_000)
      expect(app.server.requestTimeout).toBeLessThanOrEqual(30_000)
      expect(app.server.maxConnections).toBeGreaterThan(0)
    })

    test('only JSON is taken', async () => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/jsonp',
      ]) {
        const answer = await app.inject({
          method: 'POST',
          url: LOGIN,
          payload: '{}',
          headers: { 'content-type': type },
        })
        expect([type, answer.statusCode]).toEqual([type, 415])
      }
    })
  })

  test('R40: both spellings of every API path answer the same without a redirect, HEAD without a body', async () => {
    for (const { url, methods } of app.listedRoutes.filter(
      (route) => route.url.startsWith('/api/v2/') && route.methods.includes('GET'),
    )) {
      expect(methods).toContain('GET')
      const [bare, slashed] = await Promise.all([app.inject({ url, headers }), app.inject({ url: `${url}/`, headers })])
      expect([url, slashed.statusCode, slashed.body]).toEqual([url, bare.statusCode, bare.body])
      expect(bare.statusCode).toBe(200)
      const head = await app.inject({ method: 'HEAD', url: `${url}/`, headers })
      expect([head.statusCode, head.body]).toEqual([200, ''])
    }
    for (const url of ['/api/v2/auth/auto-login', ENTRY]) expect((await knock({}, url)).statusCode).toBe(400)
  })

  test('R40: other methods are 405 with Allow, encoded detours are 404', async () => {
    const refused = await app.inject({ method: 'PUT', url: '/api/v2/users/me/' })
    expect([refused.statusCode, refused.headers.allow, refused.json()]).toEqual([
      405,
      'GET, HEAD',
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

  test('a missing field is told in Thai beside its name', async () => {
    expect((await post({ password: 'x' })).json()).toEqual({ non_field_errors: ['กรอกอีเมล'], email: ['กรอกอีเมล'] })
  })

  test('R42: a user over the limit waits, with the time told, while another user does not', async () => {
    const limited = await appOn(db, { settings: { limits: { perUser: 5 } } })
    const other = (await signIn(limited, 'bid@noensai.example')).headers
    const statuses: number[] = []
    for (let round = 0; round < 7; round += 1)
      statuses.push((await limited.inject({ url: '/api/v2/users/me', headers })).statusCode)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    const refused = await limited.inject({ url: '/api/v2/organisations/me', headers })
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.json().non_field_errors).toHaveLength(1)
    expect((await limited.inject({ url: '/api/v2/users/me', headers: other })).statusCode).toBe(200)
    await limited.close()
  })

  test('long answers travel compressed', async () => {
    const answer = await app.inject({
      url: '/api/v2/organisations/me',
      headers: { ...headers, 'accept-encoding': 'br' },
    })
    expect(answer.headers['content-encoding']).toBe('br')
    expect(answer.headers.vary).toMatch(/accept-encoding/i)
  })

  test('the API describes itself in OpenAPI 3.1, and only its pages may style inline', async () => {
    const document = (await app.inject({ url: '/api/docs/json' })).json()
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/api/v2/auth/login', '/api/v2/users/me', '/api/v2/projects']),
    )
    const parameters = document.paths['/api/v2/projects'].get.parameters.map(
      (parameter: { name: string }) => parameter.name,
    )
    expect(parameters).toEqual(
      expect.arrayContaining(['project_name__in', 'project_budget__range', 'ai_deep_search__in']),
    )
    const page = await app.inject({ url: '/api/docs' })
    expect(page.headers['content-security-policy']).toMatch(/script-src 'self'; style-src 'self' 'unsafe-inline'/)
  })

  test('R14: the log names request, user and answer, and holds no token, password or refkey', async () => {
    log.length = 0
    const session = await signIn(app, 'sales@tharamek.example')
    await app.inject({ url: '/api/v2/users/me', headers: session.headers })
    await app.inject({ url: '/login?refkey=topsecret1&x=kept' })
    await app.inject({ url: '/reset-password/topsecret2' })
    await post('{"password":"topsecret3"')
    const text = log.join('')
    expect(text).toContain('"url":"/api/v2/users/me","status":200')
    expect(text).toMatch(/"user":"\d+","organisation":"\d+"/)
    expect(text).toContain('/login?refkey=[hidden]&x=kept')
    expect(text).toContain('/reset-password/[hidden]')
    expect(text).not.toContain('topsecret')
    for (const secret of [session.access, session.refresh, SAMPLE_PASSWORD, 'sales@tharamek.example'])
      expect(text).not.toContain(secret)
  })

  test('/livez, /readyz and /metrics say what they promise', async () => {
    expect((await app.inject({ url: '/livez' })).json()).toEqual({ status: 'ok' })
    expect((await app.inject({ url: '/readyz' })).statusCode).toBe(200)
    const metrics = (await app.inject({ url: '/metrics' })).body
    expect(metrics).toMatch(/^db_up 1$/m)
    expect(metrics).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/api\/v2\/users\/me",status="200"\} \d+/,
    )
    expect(metrics).toContain('process_resident_memory_bytes')
  })
})

onEachEngine('without a database', (makeDb) => {
  test('R48: requests answer 503 within two seconds, /readyz 503 and /livez 200', async () => {
    const db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    const app = await appOn(db)
    const { headers } = await signIn(app, 'manager@tharamek.example')
    await db.close()
    const started = performance.now()
    const [me, login, ready, live] = await Promise.all([
      app.inject({ url: '/api/v2/users/me', headers }),
      app.inject({ method: 'POST', url: LOGIN, payload: { email: 'nobody@nowhere.example', password: 'x' } }),
      app.inject({ url: '/readyz' }),
      app.inject({ url: '/livez' }),
    ])
    expect(performance.now() - started).toBeLessThan(2000)
    expect([me.statusCode, login.statusCode, ready.statusCode, live.statusCode]).toEqual([503, 503, 503, 200])
    expect(me.headers['retry-after']).toBe('2')
    expect(me.json().non_field_errors).toHaveLength(1)
    expect((await app.inject({ url: '/metrics' })).body).toMatch(/^db_up 0$/m)
    await app.close()
  })
})
