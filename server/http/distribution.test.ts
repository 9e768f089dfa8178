import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { exportJob } from '#server/jobs/export-job.ts'
import { projectMatchJob } from '#server/jobs/match-job.ts'
import { enqueueProjectMatchJob } from '#server/matching/match-requests.ts'
import { countNewProjectMatches } from '#server/matching/queries.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { FOREIGN_CALLS } from '../../test/canary/foreign-calls.ts'
import { type Call, PLAIN_CALLS } from '../../test/canary/plain-calls.ts'
import { runDue } from '../../test/jobs.ts'
import { SLOW_MACHINE_OPTIONS } from '../../test/server/database-setup.ts'
import { makeMigratedPostgres } from '../../test/server/databases.ts'
import { appOn, signIn } from '../../test/server/http-app.ts'
import { makeCanaryWorld } from '../../test/world/canary-world.ts'
import { REPORT_CASES } from '../../test/world/report-cases.ts'
import { buildDueReportMails, publish } from '../../test/world/report-mail-world.ts'
import { setWords } from '../../test/world/report-world.ts'

const NOW = new Date('2026-11-21T03:00:00Z')
/** Tables that grow with organisations × projects, distributed by `organisation_id` (docs/reliability.md). */
const DISTRIBUTED = ['project_matches', 'match_words', 'match_exclusions']
const NAMES_THEM = /\b(project_matches|match_words|match_exclusions|report_matches|worded_matches)\b/
/**
 * Matches a condition in a query plan that restricts a table to one organisation, given as a number or parameter. The
 * planner propagates an equality to every table to which it applies.
 */
const ONE_ORGANISATION = /\borganisation_id = (?:\d+|\$\d+)/
const ORDERS = ['project_name', '-budget_decimal', 'submission_date', '-department']

/** Statements that may read all organisations: a substring of the statement and the reason. */
const OVER_ALL: Readonly<Record<string, string>> = {
  'insert into match_words (organisation_id, matched_by':
    'a load: the words of all its matches at once, each with its organisation, and their numbers',
  'delete from project_matches m where m.project_id = any': 'a load: a project that it changed may leave any report',
  'delete from match_exclusions m where m.project_id = any': 'a load: and any ledger',
  'select (select count(*) from project_matches m where m.project_id in (':
    'a large load: rows that it brought, in all reports',
}

/** Statements that only the embedded database runs, which has no other node. */
const EMBEDDED_ONLY = [
  'run-deep-search.ts: select n.project_id from ( select m.project_id, row_number() over (order by m.project_id) as place from project_matches ',
]

type Ran = { readonly text: string; readonly values: readonly unknown[] }
type Plan = { readonly [name: string]: unknown; readonly Plans?: readonly Plan[] }

function recording(db: OpenDb, ran: Map<string, Ran>): OpenDb {
  const note = ({ text, values }: Sql) => {
    if (!ran.has(text)) ran.set(text, { text, values })
  }
  const over = <D extends Db>(inner: D): D => ({
    ...inner,
    query(statement: Sql, options?: object) {
      note(statement)
      return inner.query(statement, options)
    },
    execute(statement: Sql, options?: object) {
      note(statement)
      return inner.execute(statement, options)
    },
    transaction: (body: (tx: Db) => Promise<unknown>, options?: object) =>
      inner.transaction((tx) => body(over(tx)), options),
  })
  return over(db)
}

const namesOrganisation = (text: string) =>
  text
    .split('insert into ')
    .slice(1)
    .some((insert) => /\borganisation_id\b/.test(insert.slice(insert.indexOf('('), insert.indexOf(')'))))

function widely(plan: Plan, text: string): string[] {
  const table = String(plan['Relation Name'] ?? '')
  const conditions = Object.entries(plan)
    .filter(([name]) => /Cond|Filter/.test(name))
    .map(([, condition]) => String(condition))
    .join(' ')
  const isDistributed = DISTRIBUTED.includes(table.replace(/_p?\d+$/, ''))
  const isWrite = plan['Node Type'] === 'ModifyTable'
  const isWide = isWrite ? plan.Operation === 'Insert' && !namesOrganisation(text) : !ONE_ORGANISATION.test(conditions)
  const violations = isDistributed && isWide ? [`${plan['Node Type']} of ${table}: ${conditions}`] : []
  return [...violations, ...(plan.Plans ?? []).flatMap((child) => widely(child, text))]
}

function tablesOf(plan: Plan): string[] {
  const names = plan['Relation Name'] === undefined ? [] : [String(plan['Relation Name']).replace(/_p?\d+$/, '')]
  return [...names, ...(plan.Plans ?? []).flatMap(tablesOf)]
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

describe.skipIf(inject('postgres') === undefined)('statements over the tables that grow with organisations', () => {
  const ran = new Map<string, Ran>()
  const explained: { readonly text: string; readonly plan: Plan }[] = []
  let db: OpenDb
  let apps: RouteApp[]
  let drop: () => Promise<void>

  beforeAll(async () => {
    const made = await makeMigratedPostgres()
    drop = made.drop
    db = createDb(await openPostgres(made.url, SLOW_MACHINE_OPTIONS))
    const world = await makeCanaryWorld(db)
    const recordingDb = recording(db, ran)
    apps = [
      await appOn(recordingDb, { now: () => NOW, settings: { reportMemoryMb: 0 } }),
      await appOn(recordingDb, { now: () => NOW }),
    ]
    const user = await signIn(apps[0]!, 'manager@tharamek.example')
    const send = (route: string, { params = {}, query, body, raw }: Call, on = apps[0]!) => {
      const [method, pattern] = route.split(' ') as ['GET' | 'POST', string]
      const address = pattern.replace(/:(\w+)|\*/g, (_, name = '*') => encodeURIComponent(params[name] ?? ''))
      const type = raw === undefined ? 'application/json' : 'application/octet-stream'
      return on.inject({
        method,
        url: query ? `${address}?${new URLSearchParams(query)}` : address,
        headers: { ...user.headers, ...(body === undefined && raw === undefined ? {} : { 'content-type': type }) },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
        ...(raw === undefined ? {} : { payload: raw }),
      })
    }
    const queries: Readonly<Record<string, string>>[] = [...REPORT_CASES, ...ORDERS.map((ordering) => ({ ordering }))]
    // The text of a statement depends on the values of filters, but what memory loads only on which filters there are.
    const byFilters = [...Map.groupBy(queries, (query) => Object.keys(query).join()).values()].map(([first]) => first!)
    for (const [on, asked] of [[apps[0]!, queries] as const, [apps[1]!, byFilters] as const])
      for (const query of asked) {
        await send('GET /api/v2/projects', { query }, on)
        await send('GET /api/v2/projects/facets', { query }, on)
      }
    await send('POST /api/v2/projects/exports', {
      body: { format: 'csv', query: {}, columns: ['project_id', 'name', 'match_reasons'] },
    })
    await runDue(exportJob, { db: recordingDb, parts: {}, now: NOW })
    const things: Record<string, string> = { ...world.as, shared: world.shared.project }
    const filled = (call: Call): Call =>
      JSON.parse(JSON.stringify(call), (_, value) =>
        typeof value === 'string' ? value.replace(/^\$(\w+)$/, (match, name) => things[name] ?? match) : value,
      )
    const calls = [
      ...Object.entries(FOREIGN_CALLS).flatMap(([route, callsOf]) =>
        callsOf(world.as).map((call) => [route, call] as const),
      ),
      ...Object.entries(PLAIN_CALLS).flatMap(([route, all]) => all.map((call) => [route, filled(call)] as const)),
    ]
    // Call read routes first, because the other routes remove what these would read, and the routes that end the
    // session last.
    const rank = (route: string) =>
      /logout|sessions|email-change|password/.test(route) ? 2 : Number(!route.startsWith('GET'))
    for (const [route, call] of calls.toSorted(([a], [b]) => rank(a) - rank(b))) await send(route, call)
    await setWords(db, world.organisationId, { include: ['กล้อง'], exclude: ['ซ่อม'] })
    const rules = { expressions: ['กล้อง'], terms: ['กล้อง'], units: ['เทศบาล'], projects: [world.shared.project] }
    for (const scope of [{ all: true } as const, rules]) {
      await recordingDb.transaction((tx) => enqueueProjectMatchJob(tx, world.organisationId, scope, NOW))
      await runDue(projectMatchJob, { db: recordingDb, now: NOW })
    }
    for (const name of ['ซื้อกล้องใหม่', 'ซ่อมกล้อง']) await publish(recordingDb, [{ id: '69000000001', name }], { now: NOW })
    await buildDueReportMails(recordingDb, NOW)
    await countNewProjectMatches(recordingDb, 1, ['69000000001'])
    for (const { text, values } of ran.values()) {
      if (!NAMES_THEM.test(text)) continue
      const [row] = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
        text: `explain (format json, verbose, costs off) ${text}`,
        values,
      } as unknown as Sql)
      explained.push({ text, plan: row!['QUERY PLAN'][0].Plan })
    }
  }, 240_000)
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()))
    await db.close()
    await drop()
  })

  test('each filter every such table by one organisation, so a single node can answer', () => {
    expect(explained.length).toBeGreaterThan(200)
    const wide = explained
      .map(({ text, plan }) => ({ text: oneLine(text), scans: widely(plan, text) }))
      .filter(({ text, scans }) => scans.length > 0 && !Object.keys(OVER_ALL).some((piece) => text.includes(piece)))
    expect(wide.map(({ text, scans }) => `${text.slice(0, 400)}\n  ${scans.join('\n  ')}`)).toEqual([])
    for (const piece of Object.keys(OVER_ALL))
      expect(
        explained.some(({ text, plan }) => oneLine(text).includes(piece) && widely(plan, text).length > 0),
        piece,
      ).toBe(true)
  })

  test('join them only with tables that docs/reliability.md makes reference tables', () => {
    const document = readFileSync(path.join(import.meta.dirname, '../../docs/reliability.md'), 'utf8')
    const list = /create_reference_table\(t::regclass\) from unnest\(array\[([^\][]+)\]\)/.exec(document)?.[1] ?? ''
    const reference = [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name!)
    expect(reference.length).toBeGreaterThan(0)
    const distributed = [...document.matchAll(/create_distributed_table\('(\w+)', 'organisation_id'/g)].map(
      ([, name]) => name!,
    )
    const joinedTables = new Set(
      explained
        .filter(({ plan }) => tablesOf(plan).some((table) => DISTRIBUTED.includes(table)))
        .flatMap(({ plan }) => tablesOf(plan)),
    )
    expect([...joinedTables].filter((table) => ![...reference, ...DISTRIBUTED].includes(table)).toSorted()).toEqual([])
    expect(distributed.toSorted()).toEqual(DISTRIBUTED.toSorted())
  })

  test('are all covered here: no report or matching statement over these tables is missing', () => {
    const sent = [...ran.keys()].map(oneLine)
    const unseen = STATEMENTS_OF.flatMap((folder) =>
      sourcesIn(path.join(import.meta.dirname, '..', folder)).flatMap((file) =>
        templatesOf(readFileSync(file, 'utf8'))
          .filter(
            (pieces) =>
              NAMES_THEM.test(pieces.join(' ')) && !pieces.some((piece) => sent.some((text) => text.includes(piece))),
          )
          .map((pieces) => `${path.basename(file)}: ${pieces[0]!.slice(0, 120)}`),
      ),
    )
    expect(unseen).toEqual(EMBEDDED_ONLY)
  })
})

const STATEMENTS_OF = [
  ...['report', 'report/deep', 'report/engine', 'report/sql'],
  ...['matching', 'matching/documents', 'matching/queries'],
]

const sourcesIn = (folder: string) =>
  readdirSync(folder, { encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$/.test(file))
    .map((file) => path.join(folder, file))

const templatesOf = (source: string) =>
  [...source.matchAll(/sql`((?:[^`$\\]|\\.|\$(?!\{)|\$\{(?:[^{}`]|`(?:[^`])*`|\{[^{}]*\})*\})*)`/g)]
    .map(([, text]) =>
      text!
        .split(/\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}/)
        .map(oneLine)
        .filter((piece) => NAMES_THEM.test(piece)),
    )
    .filter((pieces) => pieces.length > 0)
