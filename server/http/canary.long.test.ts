import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportJob } from '#server/jobs/export-job.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { createMailLinkTokens } from '#server/report/mail/mail-link-token.ts'
import { MATRIX } from '../../test/authorisation-matrix/matrix.ts'
import { FOREIGN_CALLS } from '../../test/canary/foreign-calls.ts'
import { type Call, PLAIN_CALLS } from '../../test/canary/plain-calls.ts'
import { runDue } from '../../test/jobs.ts'
import { readZip } from '../../test/read-zip.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../test/server/http-app.ts'
import {
  CANARY,
  type CanaryIds,
  type CanaryWorld,
  findUnmarkedTexts,
  hashOwnedRows,
  makeCanaryWorld,
} from '../../test/world/canary-world.ts'
import { buildDueReportMails, listReportMails, publish } from '../../test/world/report-mail-world.ts'

const NOW = new Date('2026-11-21T03:00:00Z')
/** Headers that differ between requests: time, request id, cookies, and the counters of rate limits. */
const OF_THE_MOMENT = /^(date|x-request-id|x-ratelimit-.*|set-cookie)$/

/**
 * Routes that return A's own text to A. After each call on B's behalf, the responses of all these routes are searched
 * for A's text.
 */
const SEEN_BY_A = [
  '/organisations/me',
  '/organisations/me/logs',
  '/organisations/me/logs/export',
  '/organisations/me/api-keys',
  '/organisations/me/line-groups',
  '/organisations/me/login-domains',
  '/organisations/me/webhooks',
  '/organisations/me/webhooks/:id/deliveries',
  '/organisations/me/webhooks/:id/deliveries/:delivery',
  '/organisations/me/keyword-terms',
  '/organisations/me/keywords/:id/lesson',
  '/organisations/me/term-advice',
  '/organisations/me/members',
  '/users/me',
  '/users/me/sessions',
  '/users/me/devices',
  '/users/me/email-change',
  '/users/me/follows',
  '/users/me/questions',
  '/calendar-feeds',
  '/users/me/report-mail-preview',
  '/projects',
  '/projects/:id',
  '/projects/:id/documents',
  '/projects/:id/word-passages',
  '/who-wins/projects',
  '/agencies/:code',
  '/agencies/:code/file',
  '/agencies/:code/projects',
  '/pursuits',
  '/pursuits/:id',
  '/pursuits/settings',
  '/team-marks',
  '/results',
  '/results/file',
  '/qualifications',
  '/report-cards',
  '/documents/:id',
  '/projects/exports/:id/file',
  '/budgets/summary',
]

type Answer = Awaited<ReturnType<RouteApp['inject']>>

onOneEngine('the canary of another organisation', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let world: CanaryWorld
  let a: SignedIn
  let b: SignedIn
  let before: Record<string, string>

  beforeAll(async () => {
    db = await makeDb()
    world = await makeCanaryWorld(db)
    app = await appOn(db, { now: () => NOW })
    a = await signIn(app, 'manager@tharamek.example')
    b = await signIn(app, 'manager@noensai.example')
    before = await hashOwnedRows(db, world.organisationId)
  })
  afterAll(() => app.close())

  const send = (route: string, { params = {}, query, body, raw }: Call, user: SignedIn): Promise<Answer> => {
    const [method, pattern] = route.split(' ') as ['GET' | 'POST' | 'PATCH' | 'DELETE', string]
    const path = pattern.replace(/:(\w+)|\*/g, (_, name = '*') => encodeURIComponent(params[name] ?? ''))
    return app.inject({
      method,
      url: query ? `${path}?${new URLSearchParams(query)}` : path,
      headers: {
        ...user.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(raw === undefined ? {} : { 'content-type': 'application/octet-stream' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      ...(raw === undefined ? {} : { payload: raw }),
    })
  }
  const bodyOf = (answer: Answer) =>
    /spreadsheetml/.test(String(answer.headers['content-type'])) && answer.rawPayload.length > 0
      ? [...readZip(answer.rawPayload).values()].join('\n')
      : answer.body
  const textOf = (answer: Answer) => `${JSON.stringify(answer.headers)} ${bodyOf(answer)}`
  const holdsCanary = (answer: Answer) => [CANARY, encodeURI(CANARY)].some((text) => textOf(answer).includes(text))

  const comparable = (answer: Answer, ids: CanaryIds) => {
    const headers = Object.entries(answer.headers).filter(([name]) => !OF_THE_MOMENT.test(name))
    const text = `${answer.statusCode} ${bodyOf(answer)} ${JSON.stringify(headers)}`
    return Object.values(ids).reduce((masked, id) => masked.replaceAll(id, '§'), text)
  }

  test('R24: covers every route, and every text that A can own contains the canary', async () => {
    const called = [...Object.keys(FOREIGN_CALLS), ...Object.keys(PLAIN_CALLS)]
    expect(new Set(called)).toEqual(new Set(Object.keys(MATRIX)))
    expect(await findUnmarkedTexts(db, world.organisationId)).toEqual([])
  })

  test('R24: ids of A give B the same bytes as unknown ids, without the canary', async () => {
    const wrong: string[] = []
    for (const [route, callsOf] of Object.entries(FOREIGN_CALLS)) {
      const existingCalls = callsOf(world.as)
      const unknownCalls = callsOf(world.nobodys)
      for (const [at, call] of existingCalls.entries()) {
        const [onExisting, onUnknown] = [await send(route, call, b), await send(route, unknownCalls[at]!, b)]
        if (holdsCanary(onExisting) || onExisting.statusCode >= 500)
          wrong.push(`${route} ${JSON.stringify(call)}: ${onExisting.statusCode} ${onExisting.body.slice(0, 300)}`)
        const [existingText, unknownText] = [comparable(onExisting, world.as), comparable(onUnknown, world.nobodys)]
        if (existingText !== unknownText)
          wrong.push(`${route} ${JSON.stringify(call)}:\n${existingText.slice(0, 700)}\n${unknownText.slice(0, 700)}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('R24: no other call of B and no file made by B contains the canary', async () => {
    const tokens = createMailLinkTokens(['another secret, long enough to be one'])
    const signed = (kind: 'preview' | 'mail_off') =>
      tokens.sign({ kind, userId: Number(world.as.user), subject: '', expiresAt: new Date('2026-12-01') })
    const things: Record<string, string> = {
      ...world.as,
      shared: world.shared.project,
      nobody: 'nobody@tharamek.example',
      previewToken: signed('preview'),
      mailToken: signed('mail_off'),
    }
    const wrong: string[] = []
    const search = (route: string, answer: Answer) => {
      if (holdsCanary(answer) || answer.statusCode >= 500)
        wrong.push(`${route}: ${answer.statusCode} ${textOf(answer).slice(0, 500)}`)
    }
    for (const [route, calls] of Object.entries(PLAIN_CALLS)) {
      for (const call of calls) {
        const filled = JSON.parse(JSON.stringify(call), (_, value) =>
          typeof value === 'string' && value.startsWith('$') ? things[value.slice(1)] : value,
        ) as Call
        search(
          route,
          await send(route, filled, /end-all|logout/.test(route) ? await signIn(app, 'manager@noensai.example') : b),
        )
        if (/end-all/.test(route)) b = await signIn(app, 'manager@noensai.example')
      }
    }
    await runDue(exportJob, { db, parts: {}, now: NOW })
    const { exports } = (await send('GET /api/v2/projects/exports', {}, b)).json()
    expect(exports.map(({ state }: { state: string }) => state)).toEqual(['done', 'done'])
    for (const { id } of exports)
      search('the file', await send('GET /api/v2/projects/exports/:id/file', { params: { id } }, b))
    expect(wrong).toEqual([])
  })

  test('R24: an API key of B reads no data of A on any route', async () => {
    const payload = { name: 'x', scopes: ['report', 'pursuits', 'companies'], days: 30 }
    const url = '/api/v2/organisations/me/api-keys'
    const { key } = (await app.inject({ method: 'POST', url, headers: b.headers, payload })).json()
    const byKey = { ...b, headers: { authorization: `Bearer ${key}` } }
    const wrong: string[] = []
    let answered = 0
    for (const [route, callsOf] of Object.entries(FOREIGN_CALLS))
      for (const call of callsOf(world.as)) {
        const answer = await send(route, call, byKey)
        if (answer.statusCode === 200) answered += 1
        if (holdsCanary(answer) || answer.statusCode >= 500)
          wrong.push(`${route} ${JSON.stringify(call)}: ${answer.statusCode} ${answer.body.slice(0, 300)}`)
      }
    expect(wrong).toEqual([])
    expect(answered).toBeGreaterThan(5)
  })

  test('R25: all calls of B leave every row of A unchanged', async () => {
    expect(await hashOwnedRows(db, world.organisationId)).toEqual(before)
  })

  test('R24: the report mail of B has no canary, that of A does', async () => {
    const fields = { movementOn: '2026-11-21', budget: 100_000_000 }
    await publish(
      db,
      [
        { ...fields, id: '67110000008', name: `คำ${CANARY}` },
        { ...fields, id: '67110000009', name: 'ก่อสร้างถนนคอนกรีต' },
      ],
      { now: NOW },
    )
    await buildDueReportMails(db, NOW)
    const mails = await listReportMails(db)
    const to = (organisation: string) => mails.filter((mail) => mail.to.endsWith(`@${organisation}.example`))
    expect([to('noensai').length > 0, to('tharamek').length > 0]).toEqual([true, true])
    expect(JSON.stringify(to('noensai'))).not.toContain(CANARY)
    expect(JSON.stringify(to('tharamek'))).toContain(CANARY)
  })

  test('R24: the same calls show A the canary, so the test would notice a leak', async () => {
    const seen: string[] = []
    for (const route of [...Object.keys(FOREIGN_CALLS), ...Object.keys(PLAIN_CALLS)].filter((name) =>
      name.startsWith('GET'),
    )) {
      const [call = {}] = FOREIGN_CALLS[route]?.(world.as) ?? PLAIN_CALLS[route]!
      const answer = await send(route, { ...call, query: {} }, a)
      expect([route, answer.statusCode]).not.toEqual([route, 500])
      if (holdsCanary(answer)) seen.push(route.slice('GET /api/v2'.length))
    }
    expect(new Set(seen)).toEqual(new Set(SEEN_BY_A))
  })
})
