import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../test/server/http-app.ts'

/** Search terms in both scripts; one looks like a tax id. */
const CANARIES = ['นกขมิ้น', 'canary', '0105599000017'] as const
const ENDS_SESSION = /\/(auth|password|sessions)(\/|$)/
const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const

type Described = { parameters?: { name: string; in: string }[] }

onOneEngine('the log', (makeDb) => {
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

  test('R56: names no value of any parameter of any route', { timeout: 180_000 }, async () => {
    const { paths } = app.swagger() as { paths: Record<string, Partial<Record<string, Described>>> }
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      METHODS.flatMap((method) => {
        const described = methods[method]
        return described === undefined ? [] : [{ path, method, parameters: described.parameters ?? [] }]
      }),
    )
    const everyName = [
      ...new Set(
        routes.flatMap(({ parameters }) =>
          parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name),
        ),
      ),
    ]
    // Add parameters that routes read without declaring them, and parameters of page URLs.
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
    let requestCount = 0
    const send = (method: (typeof METHODS)[number], path: string, query: readonly string[], canary: string) => {
      requestCount += 1
      const value = encodeURIComponent(canary)
      return app.inject({
        method,
        url: `${path.replaceAll(/\{\w+\}/g, value)}?${query.map((name) => `${name}=${value}`).join('&')}&${value}`,
        headers: ENDS_SESSION.test(path) && method !== 'get' ? {} : session.headers,
        ...(method === 'get' ? {} : { payload: { search: canary, name: canary, email: `${canary}@x.example` } }),
      })
    }
    for (const { path, method, parameters } of routes) {
      for (const canary of CANARIES) await send(method, path, names, canary)
      // Send each parameter alone too, because a refusal of the first one would hide the others.
      const queryNames = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
      if (method === 'get') for (const name of queryNames) await send(method, path, [name], CANARIES[0])
    }
    for (const path of ['/companies/{x}', '/report/{x}', '/{x}', '/api/v2/{x}', '/assets/{x}', '/reset-password/{x}'])
      for (const canary of CANARIES) await send('get', path, names, canary)
    expect(requestCount).toBeGreaterThan(200)
    expect(leaks()).toEqual([])
  })
})
