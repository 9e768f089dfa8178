import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDb } from '#server/db/db.ts'
import { seedSampleOrganisations } from '#server/features/organisation/seed-sample.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { onEachEngine } from '../../test/databases.ts'
import { appOn, enterDemo, signIn } from '../../test/http-app.ts'

type Actor =
  | 'anonymous'
  | 'demo'
  | 'memberA'
  | 'superA'
  | 'memberB'
  | 'superB'
  | 'budgetOnly'
  | 'noFlags'
  | 'notReady'
  | 'disabled'
  | 'loggedOut'
/** Status by actor; `others` for everyone not named. */
type Row = Partial<Record<Actor, number>> & { others: number }

const DEAD = { anonymous: 401, disabled: 401, loggedOut: 401 } as const
const OPEN: Row = { others: 200 }
/** Organisations without the flag of the comparison. */
const NO_COMPARISON = { ...DEAD, memberB: 403, superB: 403, budgetOnly: 403, noFlags: 403 } as const

const ACCOUNTS: readonly (readonly [Actor, string])[] = [
  ['memberA', 'sales@tharamek.example'],
  ['superA', 'manager@tharamek.example'],
  ['memberB', 'bid@noensai.example'],
  ['superB', 'manager@noensai.example'],
  ['budgetOnly', 'research@fahkhram.example'],
  ['noFlags', 'shop@ruamchai.example'],
  ['notReady', 'trial@wetchapim.example'],
]

/** R23: every registered route has a row here, or the first test fails. Bodies are what a stranger would send: none. */
const MATRIX: Readonly<Record<string, Row>> = {
  'GET /api/v2/users/me': { ...DEAD, others: 200 },
  'GET /api/v2/users/me/pulse': { ...DEAD, others: 200 },
  // Without a body there is nothing to change: who gets past the guard is refused for that.
  'PATCH /api/v2/users/me': { ...DEAD, others: 400 },
  'GET /api/v2/organisations/me': { ...DEAD, others: 200 },
  // Super users alone, and nobody of the demo (C6).
  'GET /api/v2/organisations/me/logs': {
    ...DEAD,
    demo: 403,
    memberA: 403,
    memberB: 403,
    budgetOnly: 403,
    noFlags: 403,
    others: 200,
  },
  'GET /api/v2/organisations/me/logs/export': {
    ...DEAD,
    demo: 403,
    memberA: 403,
    memberB: 403,
    budgetOnly: 403,
    noFlags: 403,
    others: 200,
  },
  'POST /api/v2/organisations/me': { ...DEAD, budgetOnly: 403, others: 400 },
  'PATCH /api/v2/organisations/me': { ...DEAD, budgetOnly: 403, others: 400 },
  'DELETE /api/v2/organisations/me': { ...DEAD, budgetOnly: 403, others: 400 },
  'POST /api/v2/organisations/me/keywords/remove': { ...DEAD, budgetOnly: 403, others: 400 },
  'POST /api/v2/organisations/me/keywords/restore': { ...DEAD, budgetOnly: 403, others: 400 },
  'POST /api/v2/organisations/me/keywords/check': { ...DEAD, budgetOnly: 403, others: 400 },
  'POST /api/v2/organisations/me/keywords/expand': { ...DEAD, budgetOnly: 403, others: 400 },
  'GET /api/v2/organisations/me/keyword-terms': { ...DEAD, budgetOnly: 403, others: 200 },
  'PATCH /api/v2/organisations/me/keywords/:id/terms': { ...DEAD, budgetOnly: 403, others: 400 },
  'POST /api/v2/organisations/me/keywords/preview': { ...DEAD, budgetOnly: 403, others: 400 },
  'GET /api/v2/organisations/me/matching': { ...DEAD, budgetOnly: 403, others: 200 },
  'GET /api/v2/organisations/me/keyword-stats': { ...DEAD, budgetOnly: 403, others: 200 },
  'GET /api/v2/organisations/me/hidden': { ...DEAD, budgetOnly: 403, others: 200 },
  'POST /api/v2/organisations/me/hidden/rescue': { ...DEAD, budgetOnly: 403, others: 400 },
  'POST /api/v2/organisations/me/hidden/unrescue': { ...DEAD, budgetOnly: 403, others: 400 },
  'GET /api/v2/projects/:id/why': { ...DEAD, budgetOnly: 403, others: 200 },
  'GET /api/v2/organisations/starter-words': { ...DEAD, others: 200 },
  'GET /api/v2/departments': { ...DEAD, others: 200 },
  'GET /api/v2/projects': { ...DEAD, budgetOnly: 403, others: 200 },
  'GET /api/v2/projects/facets': { ...DEAD, budgetOnly: 403, others: 200 },
  'GET /api/v2/projects/ids': { ...DEAD, budgetOnly: 403, others: 200 },
  'POST /api/v2/projects/exports': { ...DEAD, demo: 403, budgetOnly: 403, others: 400 },
  'GET /api/v2/projects/exports': { ...DEAD, demo: 403, budgetOnly: 403, others: 200 },
  'GET /api/v2/projects/exports/:id': { ...DEAD, demo: 403, budgetOnly: 403, others: 404 },
  'POST /api/v2/projects/exports/:id/cancel': { ...DEAD, demo: 403, budgetOnly: 403, others: 404 },
  'GET /api/v2/projects/exports/:id/file': { ...DEAD, demo: 403, budgetOnly: 403, others: 404 },
  'GET /api/v2/projects/saved-filter-counts': { ...DEAD, budgetOnly: 403, others: 200 },
  'GET /api/v2/projects/queue': { ...DEAD, budgetOnly: 403, others: 200 },
  'POST /api/v2/projects/queue/decisions': { ...DEAD, budgetOnly: 403, others: 400 },
  'GET /api/v2/companies': { ...DEAD, noFlags: 403, budgetOnly: 403, others: 200 },
  'GET /api/v2/companies/:name': { ...DEAD, noFlags: 403, budgetOnly: 403, others: 404 },
  'GET /api/v2/companies/:name/projects': { ...DEAD, noFlags: 403, budgetOnly: 403, others: 404 },
  'GET /api/v2/companies/:name/timeline': { ...DEAD, noFlags: 403, budgetOnly: 403, others: 404 },
  'GET /api/v2/companies/*': { ...DEAD, noFlags: 403, budgetOnly: 403, others: 404 },
  'GET /api/v2/company-suggestions': { ...DEAD, noFlags: 403, budgetOnly: 403, others: 200 },
  'GET /api/v2/company-winners': { ...DEAD, noFlags: 403, budgetOnly: 403, others: 200 },
  'GET /api/v2/projects/:id': { ...DEAD, budgetOnly: 403, others: 404 },
  'GET /api/v2/projects/:id/similar-prices': { ...DEAD, budgetOnly: 403, others: 404 },
  'GET /api/v2/projects/:id/linked': { ...DEAD, budgetOnly: 403, others: 404 },
  'GET /api/v2/company-comparison': { ...NO_COMPARISON, others: 200 },
  'GET /api/v2/company-comparison/projects': { ...NO_COMPARISON, others: 400 },
  'GET /api/v2/company-comparison/pairs': { ...NO_COMPARISON, others: 200 },
  'GET /api/v2/company-comparison/likely/:projectId': { ...NO_COMPARISON, others: 404 },
  'GET /api/v2/company-comparison/file': { ...NO_COMPARISON, demo: 403, others: 200 },
  'GET /api/v2/budgets': { ...DEAD, memberB: 403, superB: 403, noFlags: 403, others: 200 },
  'GET /api/v2/budgets/years': { ...DEAD, memberB: 403, superB: 403, noFlags: 403, others: 200 },
  'GET /api/v2/budgets/summary': { ...DEAD, memberB: 403, superB: 403, noFlags: 403, others: 200 },
  'GET /api/v2/budgets/:id': { ...DEAD, memberB: 403, superB: 403, noFlags: 403, others: 404 },
  'POST /api/v2/budgets/:id/links/:projectId': { ...DEAD, memberB: 403, superB: 403, noFlags: 403, others: 400 },
  'GET /api/v2/users/me/report-mail-preview': { ...DEAD, demo: 403, budgetOnly: 403, others: 200 },
  'GET /api/v2/report-mail-preview/:token': { others: 404 },
  'POST /api/v2/mail-links/look': { others: 400 },
  'POST /api/v2/mail-links': { others: 400 },
  'POST /api/v2/mail-links/unsubscribe/:token': { others: 400 },
  'GET /api/v2/mail-links/unsubscribe/:token': { others: 303 },
  'POST /api/v2/auth/login': { others: 400 },
  'POST /api/v2/auth/auto-login': { others: 400 },
  'POST /api/v2/auth/token/refresh': { others: 400 },
  'POST /api/v2/auth/logout': { others: 204 },
  'GET /api/v2/users/me/sessions': { ...DEAD, demo: 403, others: 200 },
  'DELETE /api/v2/users/me/sessions/:id': { ...DEAD, demo: 403, others: 404 },
  'POST /api/v2/users/me/sessions/end-all': { ...DEAD, demo: 403, others: 204 },
  'POST /api/v2/password/change': { ...DEAD, others: 400 },
  'POST /api/v2/password/reset': { others: 400 },
  'GET /api/v2/password/reset/verify/:token': { others: 400 },
  'POST /api/v2/password/reset/confirm/:token': { others: 400 },
  'POST /api/v2/auth/check-email-exist/forgot-password': { others: 400 },
  'POST /api/v2/auth/check-email-exist': { others: 400 },
  'POST /api/v2/auth/check-phone-exist': { others: 400 },
  'POST /api/v2/auth/check-organization-exist': { others: 400 },
  'POST /api/v2/auth/register-step-one': { others: 400 },
  'POST /api/v2/auth/register-step-two': { others: 400 },
  'POST /api/v2/auth/create-register-otp': { others: 400 },
  'POST /api/v2/auth/register-step-final': { others: 400 },
  'GET /api/v2/organisations/business-types': OPEN,
  'GET /api/docs': OPEN,
  'GET /api/docs/json': OPEN,
  'GET /api/docs/yaml': OPEN,
  'GET /api/docs/static/*': { others: 404 },
  'GET /api/docs/static/index.html': { others: 302 },
  'GET /api/docs/static/swagger-initializer.js': OPEN,
  'GET /livez': OPEN,
  'GET /readyz': OPEN,
  'GET /metrics': OPEN,
}

onEachEngine('authorisation', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  const headers = new Map<Actor, Record<string, string>>()

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db)
    headers.set('anonymous', {})
    headers.set('demo', (await enterDemo(app)).headers)
    for (const [actor, email] of ACCOUNTS) headers.set(actor, (await signIn(app, email)).headers)
    await db.execute(sql`update organisations set is_watchlist_completed = false where code = 'wetchapim'`)
    await db.execute(sql`
      insert into users (organisation_id, email, email_key, password_hash, role)
      select organisation_id, 'gone@tharamek.example', 'gone@tharamek.example', password_hash, 'super_user'
      from users where email_key = 'manager@tharamek.example'`)
    headers.set('disabled', (await signIn(app, 'gone@tharamek.example')).headers)
    await db.execute(sql`update users set is_disabled = true where email_key = 'gone@tharamek.example'`)
  })
  afterAll(() => app.close())

  test('R23: every registered route has a row in the matrix, and every row a route', () => {
    const registered = app.listedRoutes.flatMap(({ url, methods }) =>
      methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${url}`),
    )
    expect(new Set(registered)).toEqual(new Set(Object.keys(MATRIX)))
  })

  test('R23: each route answers each actor as the matrix says, HEAD like GET', async () => {
    const wrong: string[] = []
    for (const [route, row] of Object.entries(MATRIX)) {
      const [method, url] = route.split(' ') as ['GET' | 'POST' | 'PATCH' | 'DELETE', string]
      for (const [actor, auth] of headers) {
        if (actor === 'loggedOut') continue
        // Logging out would end the session that the next rows need.
        const sent = url.endsWith('/logout') ? {} : auth
        const expected = row[actor] ?? row.others
        const path = url.replace('*', 'nothing-here.js')
        const answers = [await app.inject({ method, url: path, headers: sent })]
        if (method === 'GET') answers.push(await app.inject({ method: 'HEAD', url: path, headers: sent }))
        for (const { statusCode } of answers) {
          if (statusCode !== expected) wrong.push(`${route} as ${actor}: ${statusCode} instead of ${expected}`)
        }
        // Logged out everywhere: the next rows need a new session.
        const email = ACCOUNTS.find(([name]) => name === actor)?.[1]
        if (email && url.endsWith('/end-all')) headers.set(actor, (await signIn(app, email)).headers)
      }
    }
    expect(wrong).toEqual([])
  })

  test('R23: after logout every protected route is closed to the old token', async () => {
    const { headers: old, refresh } = await signIn(app, 'sales@tharamek.example')
    await app.inject({ method: 'POST', url: '/api/v2/auth/logout/', payload: { refresh } })
    for (const [route, row] of Object.entries(MATRIX)) {
      if (row.loggedOut === undefined) continue
      const [method, url] = route.split(' ') as ['GET' | 'PATCH', string]
      const answer = await app.inject({ method, url, headers: old })
      expect([route, answer.statusCode, answer.json()]).toEqual([route, 401, { code: 'session_invalid' }])
    }
  })

  test('companies to compare can be chosen with either flag, their pages be opened with their own alone', async () => {
    await db.execute(
      sql`update organisations set is_company_compare = false, is_access_company_comparison = true where code = 'raanruamchai'`,
    )
    const noFlags = headers.get('noFlags')!
    const answers = ['company-suggestions?q=ก', 'company-comparison', 'companies'].map((path) =>
      app.inject({ url: `/api/v2/${encodeURI(path)}`, headers: noFlags }),
    )
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 403])
  })

  test('R59: a refusal by flag leaves an audit row that names the user', async () => {
    await db.execute(sql`delete from audit_events`)
    await app.inject({ url: '/api/v2/projects?page=2', headers: headers.get('budgetOnly')! })
    const rows = await db.query(sql`
      select a.kind, u.email, a.detail from audit_events a join users u on u.id = a.user_id`)
    expect(rows).toEqual([
      {
        kind: 'refused',
        email: 'research@fahkhram.example',
        detail: { method: 'GET', url: '/api/v2/projects?page=2' },
      },
    ])
  })
})
