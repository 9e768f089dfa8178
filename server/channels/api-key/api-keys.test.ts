import { crc32 } from 'node:zlib'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MAX_API_KEYS } from '#contract/account/api-key.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { hashSecret } from '#server/platform/route/secret-token.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser, putProjects } from '../../../test/world/report-world.ts'
import { generateApiKeyText, isWellFormedApiKey } from './api-key-text.ts'

const PASSWORD = 'Tamngan#2569'
const KEYS = '/api/v2/organisations/me/api-keys'
const ID = '67110000001'

test('a key has the form and checksum documented in docs/api.md', () => {
  const key = generateApiKeyText()
  expect(key).toMatch(/^tng_[0-9A-Za-z]{46}$/)
  expect([
    isWellFormedApiKey(key),
    isWellFormedApiKey(`${key}x`),
    isWellFormedApiKey(key.slice(0, -1)),
    isWellFormedApiKey('tng_'),
  ]).toEqual([true, false, false, false])
  const replacement = key.at(10) === 'a' ? 'b' : 'a'
  expect(isWellFormedApiKey(key.slice(0, 10) + replacement + key.slice(11))).toBe(false)
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const checked = [...key.slice(-6)].reduce((sum, sign) => sum * 62 + digits.indexOf(sign), 0)
  expect(checked).toBe(crc32(key.slice(4, 44)))
})

onEachEngineInTurn('API keys', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let organisationId: number
  let userId: number
  let colleagueId: number
  let owner: SignedIn
  let now = new Date('2026-11-23T02:00:00Z')

  beforeAll(async () => {
    db = await makeDb()
    organisationId = await addOrganisation(db)
    userId = await addUser(db, organisationId)
    const hash = await hashPassword(PASSWORD)
    const [user] = await db.query<{ email: string }>(sql`
      update users set password_hash = ${hash}, role = 'super_user' where id = ${userId}::int returning email`)
    colleagueId = await addUser(db, organisationId)
    await db.execute(sql`update users set role = 'super_user' where id = ${colleagueId}::int`)
    const load = await addLoad(db)
    await putProjects(db, load, [{ id: ID }])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    await db.execute(sql`insert into bookmarks values (${userId}::int, ${ID}, now())`)
    app = await appOn(db, { now: () => now })
    owner = await signIn(app, user!.email, PASSWORD)
  })
  afterAll(() => app.close())
  beforeEach(() =>
    db.script('delete from api_keys; delete from use_counts; delete from mails; delete from audit_events'),
  )

  const make = (body: object = {}) =>
    app.inject({
      method: 'POST',
      url: KEYS,
      headers: owner.headers,
      payload: { name: 'Power BI', scopes: ['report'], days: 30, ...body },
    })
  const newKey = async (body: object = {}): Promise<{ id: number; key: string }> => (await make(body)).json()
  const read = (key: string, url = '/api/v2/projects', method: 'GET' | 'HEAD' | 'POST' | 'PATCH' = 'GET') =>
    app.inject({ method, url, headers: { authorization: `Bearer ${key}` } })
  const list = async () => (await app.inject({ url: KEYS, headers: owner.headers })).json()

  test('R14: shows a key once, stores it as SHA-256, and reads what its organisation sees', async () => {
    const { key } = await newKey()
    expect(isWellFormedApiKey(key)).toBe(true)
    const [stored] = await db.query<Record<string, unknown>>(sql`select * from api_keys`)
    expect([stored!.key_hash, JSON.stringify(stored).includes(key)]).toEqual([hashSecret(key), false])
    expect((await read(key)).json().results.map(({ project_id: id }: { project_id: string }) => id)).toEqual([ID])
    expect(JSON.stringify(await list())).not.toContain(key)
  })

  test('acts as no user: it neither sees nor writes the creator’s marks, views or log entries', async () => {
    const { key } = await newKey()
    expect((await read(key, `/api/v2/projects?project_bookmark=true`)).json().results).toEqual([])
    expect((await read(key, `/api/v2/projects/${ID}`)).statusCode).toBe(200)
    const [seen] = await db.query(sql`
      select (select count(*)::int from project_views) as views, (select count(*)::int from usage_events where type <> 'settings' and type <> 'session') as lines`)
    expect(seen).toEqual({ views: 0, lines: 0 })
  })

  test('R23: allows only the routes of its scopes and no changes', async () => {
    const { key } = await newKey()
    const statuses = async (calls: readonly (readonly [string, ('GET' | 'PATCH' | 'POST')?])[]) =>
      Promise.all(calls.map(async ([url, method]) => (await read(key, url, method)).statusCode))
    expect(await statuses([['/api/v2/projects/facets'], [`/api/v2/projects/${ID}`]])).toEqual([200, 200])
    expect(
      await statuses([
        ['/api/v2/pursuits'],
        ['/api/v2/companies'],
        [KEYS],
        ['/api/v2/users/me'],
        ['/api/v2/users/me', 'PATCH'],
      ]),
    ).toEqual([403, 403, 403, 403, 403])
    const { key: otherKey } = await newKey({ scopes: ['pursuits'] })
    expect((await read(otherKey, '/api/v2/pursuits')).statusCode).toBe(200)
    expect((await read(otherKey)).statusCode).toBe(403)
  })

  test('R23: the scope report neither reads nor filters team data; with pursuits, or a session, it does', async () => {
    const [report, both] = [await newKey({ scopes: ['report'] }), await newKey({ scopes: ['report', 'pursuits'] })]
    const moved = await app.inject({
      method: 'PATCH',
      url: `/api/v2/pursuits/${ID}`,
      headers: owner.headers,
      payload: {
        actions: [
          { action: 'decide', decision: 'bid' },
          { action: 'set_owner', owner: userId },
        ],
      },
    })
    expect(moved.statusCode).toBe(200)
    const headers = { authorization: `Bearer ${report.key}` }
    for (const url of [
      '/api/v2/projects',
      `/api/v2/projects/${ID}`,
      '/api/v2/projects/facets',
      '/api/v2/projects?page=1',
    ]) {
      const answer = await app.inject({ url, headers })
      expect([url, answer.statusCode]).toEqual([url, 200])
      expect(answer.body, url).not.toMatch(/pursuit|owner_name|stage_name|team_label/)
    }
    for (const [name, value] of [
      ['pursuit_stage__in', 'none'],
      ['pursuit_owner__in', String(userId)],
      ['pursuit_has_notes', 'true'],
      ['project_eligibility__in', 'eligible'],
      ['team_label__in', 'none'],
      ['ordering', 'pursuit_stage'],
      ['ordering', '-pursuit_notes'],
      ['ordering', 'fit'],
    ])
      for (const path of ['projects', 'projects/facets']) {
        const url = `/api/v2/${path}?${new URLSearchParams({ [name!]: value! })}`
        const refused = await app.inject({ url, headers })
        expect([url, refused.statusCode]).toEqual([url, 403])
        expect(refused.json().non_field_errors[0]).toContain('scope "pursuits"')
      }
    const open = [{ authorization: `Bearer ${both.key}` }, owner.headers]
    for (const sent of open) {
      const page = await app.inject({ url: `/api/v2/projects?pursuit_owner__in=${userId}`, headers: sent })
      expect([page.statusCode, page.json().results[0]?.pursuit?.owner]).toEqual([200, userId])
      const facets = await app.inject({ url: '/api/v2/projects/facets', headers: sent })
      expect(facets.json().options).toHaveProperty('pursuit_owner__in')
    }
  })

  test('every route open to keys is a GET, except the one for assistants, which only calls those', () => {
    const open = Object.entries(app.swagger().paths ?? {}).flatMap(([url, path]) =>
      Object.entries(path as Record<string, { security?: object[] }>)
        .filter(([, { security }]) => security?.some((scheme) => 'apiKey' in scheme))
        .map(([method]) => (url.replace(/\/$/, '') === '/api/mcp' ? `${method} ${url}` : method)),
    )
    expect([open.length >= 12, new Set(open)]).toEqual([true, new Set(['get', 'post /api/mcp'])])
  })

  test('rejects at once when revoked, expired, or when its creator or organisation is disabled', async () => {
    const { id, key } = await newKey()
    expect((await read(key)).statusCode).toBe(200)
    await db.execute(sql`update users set is_disabled = true where id = ${userId}::int`)
    expect((await read(key)).statusCode).toBe(401)
    await db.execute(sql`update users set is_disabled = false where id = ${userId}::int`)
    await db.execute(sql`update organisations set is_disabled = true where id = ${organisationId}::int`)
    expect((await read(key)).statusCode).toBe(401)
    await db.execute(sql`update organisations set is_disabled = false where id = ${organisationId}::int`)
    const before = now
    now = new Date(before.getTime() + 30 * 86_400_000)
    expect((await read(key)).json()).toEqual({ code: 'session_invalid' })
    now = before
    const url = `${KEYS}/${id}`
    expect((await app.inject({ method: 'DELETE', url, headers: owner.headers })).statusCode).toBe(204)
    expect((await app.inject({ method: 'DELETE', url, headers: owner.headers })).statusCode).toBe(404)
    expect((await read(key)).statusCode).toBe(401)
    expect((await read(generateApiKeyText())).statusCode).toBe(401)
  })

  test('stores its last use to the minute, once a minute', async () => {
    const { key } = await newKey({ days: null })
    expect((await list()).keys[0]).toMatchObject({ used_at: null, expires_at: null, ending: key.slice(-4) })
    const before = now
    const used = async (seconds: number) => {
      now = new Date(before.getTime() + seconds * 1000)
      await read(key)
      now = before
      return (await list()).keys[0].used_at
    }
    expect([await used(0), await used(59), await used(60)]).toEqual([
      '2026-11-23T02:00:00.000Z',
      '2026-11-23T02:00:00.000Z',
      '2026-11-23T02:01:00.000Z',
    ])
  })

  test('R64: creating one needs a proof within ten minutes, and the response lists the methods', async () => {
    const before = now
    now = new Date(before.getTime() + 10 * 60_000)
    const stale = await make()
    expect([stale.statusCode, stale.json().code, stale.json().ways]).toEqual([403, 'proof_needed', ['password']])
    now = before
    expect((await list()).keys).toEqual([])
  })

  test('R59: creating and revoking write audit rows, and every super user gets a mail', async () => {
    const { id } = await newKey()
    await app.inject({ method: 'DELETE', url: `${KEYS}/${id}`, headers: owner.headers })
    expect(await db.query(sql`select kind, detail->>'name' as name from audit_events order by id`)).toEqual([
      { kind: 'api_key_made', name: 'Power BI' },
      { kind: 'api_key_revoked', name: 'Power BI' },
    ])
    expect(await db.query(sql`select kind, user_id from mails order by user_id`)).toEqual([
      { kind: 'api_key_made', user_id: userId },
      { kind: 'api_key_made', user_id: colleagueId },
    ])
  })

  test('R45: one of five parallel requests gets the last free slot', async () => {
    await db.execute(sql`
      insert into api_keys (organisation_id, made_by, name, scopes, key_hash, ending, created_at)
      select ${organisationId}::int, ${userId}::int, 'x', '{report}', n::text, 'x', now() from generate_series(2, ${MAX_API_KEYS}::int) n`)
    const answers = await Promise.all(Array.from({ length: 5 }, () => make()))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400, 400, 400])
    expect((await list()).keys).toHaveLength(MAX_API_KEYS)
  })

  test('R42: each key has its own limit and returns when to retry', async () => {
    const limited = await appOn(db, { now: () => now, settings: { limits: { report: 2 } } })
    const [first, second] = [await newKey(), await newKey()]
    const fetchReport = async (key: string) =>
      limited.inject({ url: '/api/v2/projects', headers: { authorization: `Bearer ${key}` } })
    // The first request with an unknown key counts against its IP address.
    const statuses: number[] = []
    for (const key of [first.key, first.key, first.key, first.key, second.key])
      statuses.push((await fetchReport(key)).statusCode)
    expect(statuses).toEqual([200, 200, 200, 429, 200])
    expect(Number((await fetchReport(first.key)).headers['retry-after'])).toBeGreaterThan(0)
    await limited.close()
  })
})
