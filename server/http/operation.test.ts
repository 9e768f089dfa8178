import { afterAll, beforeAll, expect, test } from 'vitest'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../test/server/databases.ts'
import { appOn, signIn } from '../../test/server/http-app.ts'
import type { HttpSettings } from './http-settings.ts'

const LOGIN = '/api/v2/auth/login/'
const JSON_TYPE = { 'content-type': 'application/json' }

onEachEngineInTurn('operation', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  const log: string[] = []

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { settings: { logLevel: 'info', logStream: { write: (line) => log.push(line) } } })
  })
  afterAll(() => app.close())

  const post = (payload: string | object, extra: Record<string, string> = {}, url = LOGIN) =>
    app.inject({ method: 'POST', url, payload, headers: { ...JSON_TYPE, ...extra } })

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
    const patch = document.paths['/api/v2/users/me'].patch.requestBody.content['application/json'].schema
    expect(Object.keys(patch.properties)).toEqual(
      expect.arrayContaining(['bookmark_action', 'label_action', 'filter_action']),
    )
    const page = await app.inject({ url: '/api/docs' })
    expect(page.headers['content-security-policy']).toMatch(/script-src 'self'; style-src 'self' 'unsafe-inline'/)
  })

  test('security.txt names the contact for half a year, and is 404 without one', async () => {
    const url = '/.well-known/security.txt'
    expect((await app.inject({ url })).statusCode).toBe(404)
    const configured = await appOn(db, {
      now: () => new Date('2026-11-26T03:00:00Z'),
      settings: { contactUrl: 'mailto:team@tamngan.example', publicUrl: 'https://tamngan.example' },
    })
    const answer = await configured.inject({ url })
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.body.split('\n')).toEqual([
      'Contact: mailto:team@tamngan.example',
      'Expires: 2027-05-25T00:00:00Z',
      'Preferred-Languages: th, en',
      'Canonical: https://tamngan.example/.well-known/security.txt',
      '',
    ])
    await configured.close()
  })

  test('R14: the log has request, user and response, but no token, password or refkey', async () => {
    log.length = 0
    const session = await signIn(app, 'sales@tharamek.example')
    await app.inject({ url: '/api/v2/users/me', headers: session.headers })
    await app.inject({ url: '/login?refkey=topsecret1&page=2&x=topsecret4' })
    await app.inject({ url: '/reset-password/topsecret2' })
    await app.inject({
      url: '/api/v2/nothing%0d%0a{"level":30}%1b[31m?page=1%0a2',
      headers: { 'x-request-id': 'a\u001b[2J' },
    })
    await post('{"password":"topsecret3"')
    const text = log.join('')
    expect(text).toContain('"url":"/api/v2/users/me","status":200')
    expect(text).toMatch(/"user":"\d+","organisation":"\d+"/)
    expect(text).toContain('/login?refkey=[hidden]&page=2&x=[hidden]')
    expect(text).toContain('/reset-password/{token}')
    expect(text).not.toContain('topsecret')
    for (const secret of [session.access, session.refresh, SAMPLE_PASSWORD, 'sales@tharamek.example'])
      expect(text).not.toContain(secret)
    // R35: whatever a request contains, a log event is one line of JSON without terminal control characters.
    expect(log.length).toBeGreaterThan(4)
    for (const line of log) {
      expect(JSON.parse(line)).toHaveProperty('level')
      expect(line).toMatch(/^[\P{Cc}\u0080-\u009f]+\n$/u)
    }
  })

  test('/livez, /readyz and /metrics return their documented content', async () => {
    expect((await app.inject({ url: '/livez' })).json()).toEqual({ status: 'ok' })
    expect((await app.inject({ url: '/readyz' })).statusCode).toBe(200)
    const metrics = (await app.inject({ url: '/metrics' })).body
    expect(metrics).toMatch(/^db_up 1$/m)
    expect(metrics).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/api\/v2\/users\/me",status="200"\} \d+/,
    )
    expect(metrics).toContain('process_resident_memory_bytes')
    expect(metrics).toMatch(/^webhook_deliveries\{state="waiting"\} \d+$/m)
  })
})

onEachEngineInTurn('what is open to whoever asks', (makeDb) => {
  test('hides metrics and API docs unless a setting opens them', async () => {
    const db = await makeDb()
    const statusesOf = async (settings: Partial<HttpSettings>, authorization?: string) => {
      const app = await appOn(db, { settings })
      const headers = authorization === undefined ? {} : { authorization }
      const answers = ['/metrics', '/api/docs', '/api/docs/json', '/api/docs/yaml'].map((url) =>
        app.inject({ url, headers }),
      )
      const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode)
      await app.close()
      return statuses
    }
    const token = 'a token of the scraper'
    expect(await statusesOf({ metrics: 'closed', apiDocs: false })).toEqual([404, 404, 404, 404])
    expect(await statusesOf({ metrics: 'open', apiDocs: true })).toEqual([200, 200, 200, 200])
    expect(await statusesOf({ metrics: { token }, apiDocs: false })).toEqual([401, 404, 404, 404])
    for (const wrong of ['', 'Bearer', 'Bearer ', token, `Bearer ${token}x`, `Basic ${token}`])
      expect((await statusesOf({ metrics: { token }, apiDocs: false }, wrong))[0]).toBe(401)
    expect(await statusesOf({ metrics: { token }, apiDocs: false }, `Bearer ${token}`)).toEqual([200, 404, 404, 404])
    await db.close()
  })
})

onEachEngineInTurn('without a database', (makeDb) => {
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
    // R48 guarantees two seconds on a dedicated machine; this machine runs other tests in parallel.
    expect(performance.now() - started).toBeLessThan(5_000)
    expect([me.statusCode, login.statusCode, ready.statusCode, live.statusCode]).toEqual([503, 503, 503, 200])
    expect(me.headers['retry-after']).toBe('2')
    expect(me.json().non_field_errors).toHaveLength(1)
    expect((await app.inject({ url: '/metrics' })).body).toMatch(/^db_up 0$/m)
    await app.close()
  })
})
