import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onOneEngine } from '../../../test/server/databases.ts'
import { appOn } from '../../../test/server/http-app.ts'
import { parseCspViolations } from './csp-reports.ts'

const DIRECTIVES = new Set(['script-src', 'img-src', 'trusted-types'])
const old = (fields: object) => ({
  'csp-report': {
    'document-uri': 'https://tamngan.example/report?q=secret-word',
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.example/x.js?token=1',
    'source-file': 'https://tamngan.example/assets/a.js?x=2',
    ...fields,
  },
})

describe('a report of a browser', () => {
  test('keeps the directive, the blocked origin and the paths, without search terms', () => {
    expect(parseCspViolations(old({}), DIRECTIVES)).toEqual([
      { directive: 'script-src', blocked: 'https://evil.example', page: '/report', source: '/assets/a.js' },
    ])
  })

  test('is read in the Reporting API format, several at once', () => {
    const body = {
      documentURL: 'https://tamngan.example/watch',
      effectiveDirective: 'img-src',
      blockedURL: 'data',
      sourceFile: '',
    }
    expect(
      parseCspViolations(
        [
          { type: 'csp-violation', body },
          { type: 'deprecation', body: { id: 'x' } },
          { type: 'csp-violation', body },
        ],
        DIRECTIVES,
      ),
    ).toHaveLength(2)
  })

  test.each([
    ['inline', 'inline'],
    ['eval', 'eval'],
    ['data:text/javascript,alert(1)', 'data'],
    ['', 'unknown'],
    ['no address at all', 'unknown'],
  ])('for %j names %s as blocked', (blocked, expected) => {
    expect(parseCspViolations(old({ 'blocked-uri': blocked }), DIRECTIVES)[0]?.blocked).toBe(expected)
  })

  test('ignores extensions and nonsense, and maps unknown directives to `other`', () => {
    expect(parseCspViolations(old({ 'source-file': 'chrome-extension://abc/x.js' }), DIRECTIVES)).toEqual([])
    expect(parseCspViolations(old({ 'effective-directive': 'x'.repeat(500) }), DIRECTIVES)[0]?.directive).toBe('other')
    for (const body of [
      undefined,
      null,
      4,
      'x',
      [],
      {},
      { 'csp-report': 3 },
      [{ type: 4 }],
      [{ type: 'csp-violation' }],
    ])
      expect(parseCspViolations(body, DIRECTIVES)).toEqual([])
    expect(
      parseCspViolations(
        Array.from({ length: 500 }, () => ({ type: 'csp-violation', body: {} })),
        DIRECTIVES,
      ),
    ).toHaveLength(20)
  })
})

onOneEngine('R37: what the policy kept out', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  const lines: string[] = []
  const send = (type: string, payload: unknown) =>
    app.inject({
      method: 'POST',
      url: '/api/v2/policy-reports',
      headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    })

  beforeAll(async () => {
    db = await makeDb()
    const logStream = { write: (line: string) => void lines.push(line) }
    app = await appOn(db, {
      now: () => new Date('2026-11-26T03:00:00Z'),
      settings: { logLevel: 'warn', logStream, metrics: 'open', limits: { perUser: 10_000 } },
    })
  })
  afterAll(() => app.close())

  test('is requested by the policy in both formats', async () => {
    const { headers } = await app.inject({ url: '/livez' })
    expect(headers['content-security-policy']).toMatch(/report-uri \/api\/v2\/policy-reports; report-to policy$/)
    expect(headers['reporting-endpoints']).toBe('policy="/api/v2/policy-reports"')
  })

  test('is counted, and logged without search terms, at most twenty lines a minute', async () => {
    for (let round = 0; round < 25; round += 1)
      expect((await send('application/csp-report', old({}))).statusCode).toBe(204)
    const reportLines = lines.filter((line) => line.includes('blocked by the content security policy'))
    expect(reportLines).toHaveLength(20)
    expect(JSON.parse(reportLines[0]!).violation).toMatchObject({ directive: 'script-src', page: '/report' })
    expect(reportLines.join('')).not.toMatch(/secret-word|token/)
    const { body } = await app.inject({ url: '/metrics' })
    expect(body).toContain('policy_violations_total{directive="script-src"} 25')
  })

  test('gets 204 for nonsense without a count, and 413 or 415 for a body too large or of another type', async () => {
    expect((await send('application/reports+json', '{"broken')).statusCode).toBe(204)
    expect((await send('application/reports+json', 'x'.repeat(70_000))).statusCode).toBe(413)
    expect((await send('text/plain', '{}')).statusCode).toBe(415)
  })
})
