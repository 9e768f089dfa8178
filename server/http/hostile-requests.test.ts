import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { createXsrfToken } from '#server/account/session/xsrf-token.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { appOn, decodeClaims, signIn, TEST_SECRET } from '../../test/server/http-app.ts'

const LOGIN = '/api/v2/auth/login/'
const ENTRY = '/api/v2/auth/auto-login/'
/** Request body for which the handler always answers 400, so a 400 shows that the request passed the guards. */
const KNOCK = { refkey: 'unknown' }
const JSON_TYPE = { 'content-type': 'application/json' }

onOneEngine('hostile requests', (makeDb) => {
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

  describe('R38: a change request', () => {
    test.each([
      [{ 'sec-fetch-site': 'cross-site' }],
      [{ 'sec-fetch-site': 'same-site' }],
      [{ origin: 'https://evil.example' }],
      [{ origin: 'null' }],
      [{ origin: 'https://localhost.evil.example' }],
      [{ origin: 'https://evil.example', 'sec-fetch-site': 'none' }],
      [{ origin: 'https://localhost', 'sec-fetch-site': 'cross-site' }],
    ])('is refused with 403 from another site: %o', async (extra) => {
      const answer = await knock(extra as Record<string, string>)
      expect(answer.statusCode).toBe(403)
      expect(answer.json().non_field_errors).toEqual([API_PROBLEM_TEXTS.foreign_origin])
      // Cross-site reads are allowed, because the other site cannot read the response.
      expect((await app.inject({ url: '/api/v2/users/me', headers: { ...headers, ...extra } })).statusCode).toBe(200)
    })

    test.each([
      [{}],
      [{ 'sec-fetch-site': 'same-origin' }],
      [{ 'sec-fetch-site': 'none' }],
      [{ origin: 'http://localhost:80' }],
      [{ origin: 'http://localhost' }],
    ])('is accepted from our own origin: %o', async (extra) => {
      expect((await knock({ host: 'localhost', ...(extra as Record<string, string>) })).statusCode).toBe(400)
    })

    test.each([
      ['proxy.internal:4173', 'https://tamngan.example'],
      ['127.0.0.1:4173', 'https://192.0.2.7:8443'],
      ['app', 'http://localhost:8080'],
    ])('behind a proxy that sends %s as Host, trusts a browser at %s', async (host, origin) => {
      expect((await knock({ host, origin, 'sec-fetch-site': 'same-origin' })).statusCode).toBe(400)
    })

    test('without Fetch Metadata returns the reason and logs origin, Host and the setting to change', async () => {
      const lines: string[] = []
      const logStream = { write: (line: string) => void lines.push(line) }
      const proxied = await appOn(db, {
        settings: { publicUrl: 'https://tamngan.example', logLevel: 'info', logStream },
      })
      const answer = await proxied.inject({
        method: 'POST',
        url: ENTRY,
        payload: KNOCK,
        headers: { origin: 'http://192.0.2.7\u0000<b>', host: 'app:4173' },
      })
      expect([answer.statusCode, answer.json().non_field_errors]).toEqual([403, [API_PROBLEM_TEXTS.foreign_origin]])
      const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => /another origin/.test(msg))
      expect(line).toMatchObject({
        origin: 'http://192.0.2.7??b?',
        host: 'app:4173',
        publicUrl: 'https://tamngan.example',
      })
      expect(line.msg).toContain('PUBLIC_URL')
      await proxied.close()
    })

    test('accepts the public address behind a proxy', async () => {
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

    test('requires the matching XSRF token twice when a cookie is the credential', async () => {
      const token = createXsrfToken('session', TEST_SECRET)
      const withCookies = (cookie: string, header?: string) =>
        knock({ cookie, ...(header ? { 'x-xsrf-token': header } : {}) })
      expect((await withCookies('__Host-rt=x')).statusCode).toBe(403)
      expect((await withCookies(`__Host-rt=x; XSRF-TOKEN=${token}`)).statusCode).toBe(403)
      expect((await withCookies(`__Host-rt=x; XSRF-TOKEN=${token}`, `${token}x`)).statusCode).toBe(403)
      expect((await withCookies('__Host-rt=x; XSRF-TOKEN=a.b', 'a.b')).statusCode).toBe(403)
      expect((await withCookies('__Host-rt=x; XSRF-TOKEN=undefined', 'undefined')).statusCode).toBe(403)
      expect((await withCookies(`__Host-rt=x; XSRF-TOKEN=${token}`, token)).statusCode).toBe(400)
    })

    test('login sets a readable XSRF token that is bound to the session', async () => {
      const answer = await post({ email: 'sales@tharamek.example', password: SAMPLE_PASSWORD })
      const { sid } = decodeClaims(answer.json().access)
      const token = `XSRF-TOKEN=${createXsrfToken(sid, TEST_SECRET)}; Path=/; SameSite=Lax`
      const device = expect.stringMatching(
        /^tamngan-device=[\w-]{43}; Max-Age=\d+; Path=\/api\/v2\/auth; HttpOnly; SameSite=Strict$/,
      )
      expect([answer.headers['set-cookie']].flat().toSorted()).toEqual([token, device])
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

    test('time and connection limits are stricter than the defaults of Node', () => {
      expect(app.server.headersTimeout).toBeLessThanOrEqual(15_000)
      // Files may take ten minutes; every other body has thirty seconds (`abort-slow-request-bodies.test.ts`).
      expect(app.server.requestTimeout).toBeLessThanOrEqual(11 * 60_000)
      expect(app.server.maxConnections).toBeGreaterThan(0)
    })

    test('accepts only JSON', async () => {
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

  test('R42: a user over the limit gets 429 with Retry-After while another user does not', async () => {
    const limited = await appOn(db, { settings: { limits: { perUser: 5 } } })
    const otherHeaders = (await signIn(limited, 'bid@noensai.example')).headers
    const statuses: number[] = []
    for (let round = 0; round < 7; round += 1)
      statuses.push((await limited.inject({ url: '/api/v2/users/me', headers })).statusCode)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    const refused = await limited.inject({ url: '/api/v2/organisations/me', headers })
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.json().non_field_errors).toHaveLength(1)
    expect((await limited.inject({ url: '/api/v2/users/me', headers: otherHeaders })).statusCode).toBe(200)
    await limited.close()
  })
})
