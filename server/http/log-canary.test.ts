import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDb } from '#server/db/db.ts'
import { seedSampleOrganisations } from '#server/features/organisation/seed-sample.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { onEachEngine } from '../../test/databases.ts'
import { appOn, type SignedIn, signIn } from '../../test/http-app.ts'

/** What somebody looks for, in letters of both kinds; one begins as a tax id does. */
const CANARIES = ['นกขมิ้น', 'canary', '0105599000017']
/** Calls that would end the session of the walk. */
const ENDS_SESSION = /\/(auth|password|sessions)(\/|$)/
const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const

type Described = { parameters?: { name: string; in: string }[] }

onEachEngine('the log', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let session: SignedIn
  const log: string[] = []

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { settings: { logLevel: 'trace', logStream: { write: (line) => log.push(line) } } })
    session = await signIn(app, 'manager@tharamek.example')
  })
  afterAll(() => app.close())

  /** Every line since the last look that holds a canary, in whatever writing. */
  function leaks(): string[] {
    const lines = log.splice(0)
    expect(lines.length).toBeGreaterThan(0)
    return lines.filter((line) =>
      CANARIES.some((canary) =>
        [canary, encodeURIComponent(canary), encodeURIComponent(canary).toLowerCase()].some((text) =>
          line.toLowerCase().includes(text.toLowerCase()),
        ),
      ),
    )
  }

  test.each(CANARIES)('R56: names no value of any parameter of any route: %s', async (canary) => {
    const { paths } = app.swagger() as { paths: Record<string, Partial<Record<string, Described>>> }
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      METHODS.flatMap((method) => {
        const described = methods[method]
        return described === undefined ? [] : [{ path, method, parameters: described.parameters ?? [] }]
      }),
    )
    const everyName = [
      ...new Set(
        routes.flatMap(({ parameters }) => parameters.filter((one) => one.in === 'query').map((one) => one.name)),
      ),
    ]
    // What routes read without describing it, and what pages have in their addresses.
    const names = [
      ...new Set([
        ...everyName,
        'search',
        'us',
        'tin',
        'rows',
        'ministry',
        'unit',
        'plan',
        'project',
        'tab',
        'peek',
        'x',
      ]),
    ]
    expect(names).toEqual(
      expect.arrayContaining(['project_dept_sub__in', 'project_name__in', 'search', 'page', 'ordering']),
    )
    const value = encodeURIComponent(canary)
    let asked = 0
    for (const { path, method, parameters } of routes) {
      const at = path.replaceAll(/\{\w+\}/g, value)
      const own = parameters.filter((one) => one.in === 'query').map(({ name }) => name)
      const queries = method === 'get' ? [...own.map((name) => [name]), names] : [names]
      for (const query of queries) {
        await app.inject({
          method,
          url: `${at}?${query.map((name) => `${name}=${value}`).join('&')}`,
          headers: ENDS_SESSION.test(path) && method !== 'get' ? {} : session.headers,
          ...(method === 'get' ? {} : { payload: { search: canary, name: canary, email: `${canary}@x.example` } }),
        })
        asked += 1
      }
    }
    expect(asked).toBeGreaterThan(150)
    for (const at of ['/companies/', '/report/', '/', '/api/v2/', '/assets/', '/reset-password/'])
      await app.inject({
        url: `${at}${value}?${names.map((name) => `${name}=${value}`).join('&')}&${value}`,
      })
    expect(leaks()).toEqual([])
  })
})
