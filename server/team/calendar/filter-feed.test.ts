import { createRequire } from 'node:module'
import { parse } from 'csv-parse/sync'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { OPTIONAL_REPORT_COLUMNS, REPORT_COLUMNS, type ReportColumnField } from '#contract/catalogue/report-columns.ts'
import { MAX_FEED_PROJECTS } from '#contract/team/calendar-feed.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import {
  addLoad,
  addOrganisation,
  addUser,
  copyProject,
  type ProjectInput,
  putProjects,
} from '../../../test/world/report-world.ts'

type XmlElement = {
  readonly textContent: string
  readonly namespaceURI: string
  getAttribute(name: string): string | null
  getElementsByTagName(name: string): Iterable<XmlElement> & { readonly 0?: XmlElement }
}
type Dom = {
  readonly window: { readonly document: XmlElement & { readonly documentElement: XmlElement } }
}
const { JSDOM } = createRequire(import.meta.url)('jsdom') as {
  JSDOM: new (text: string, options: { contentType: string }) => Dom
}

const PASSWORD = 'Tamngan#2569'
const OWN = '/api/v2/calendar-feeds'
const titleOf = (field: ReportColumnField) => REPORT_COLUMNS.find((column) => column.field === field)!.title
const FORMULA = '=HYPERLINK("http://x.example","ซื้อกล้อง") & <b>"ก"</b>'

onEachEngineInTurn('a saved filter that programs fetch', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let organisationId: number
  let userId: number
  let owner: SignedIn
  const now = () => new Date('2026-11-23T02:00:00Z')

  const publish = async (projects: readonly Partial<ProjectInput>[]) => {
    const load = await addLoad(db)
    await putProjects(db, load, projects)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
  }
  const make = (payload: object) => app.inject({ method: 'POST', url: OWN, headers: owner.headers, payload })
  const addressOf = async (format: string) => {
    const answer = await make({ source: 'filter', filter_id: 'mine', format })
    expect(answer.statusCode, answer.body).toBe(200)
    return new URL(answer.json<{ url: string }>().url).pathname
  }
  const fetched = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  const rowsOf = (body: string) => parse(body, { bom: true, columns: true }) as Record<string, string>[]
  /** Returns the entries of the feed, parsed by a browser's XML parser, which rejects malformed input. */
  const entriesOf = (body: string) => {
    const { document } = new JSDOM(body, { contentType: 'application/xml' }).window
    expect(document.documentElement.namespaceURI).toBe('http://www.w3.org/2005/Atom')
    const childText = (of: XmlElement, name: string) => of.getElementsByTagName(name)[0]?.textContent
    return [...document.getElementsByTagName('entry')].map((entry) => ({
      id: childText(entry, 'id')!,
      title: childText(entry, 'title'),
      updated: childText(entry, 'updated')!,
      link: entry.getElementsByTagName('link')[0]?.getAttribute('href'),
    }))
  }

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now })
    organisationId = await addOrganisation(db)
    userId = await addUser(db, organisationId)
    const [user] = await db.query<{ email: string }>(sql`
      update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${userId}::int returning email`)
    owner = await signIn(app, user!.email, PASSWORD)
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    await emptyTables(db, 'loads', 'projects', 'project_matches', 'calendar_feeds', 'saved_filters', 'use_counts')
    await publish([
      { id: '1', submissionEndsOn: '2026-12-09', name: FORMULA },
      { id: '2', submissionEndsOn: '2026-12-20' },
      { id: '3', submissionEndsOn: '2026-12-20' },
    ])
    const filterData = { filter: {}, search: [{ key: 'project_id__in', value: ['1', '2'], negation: false }] }
    await db.execute(sql`insert into saved_filters (user_id, id, name, filter_data)
      values (${userId}::int, 'mine', 'กล้อง & "ไฟ"', ${JSON.stringify(filterData)}::jsonb)`)
  })

  test('R34: CSV contains what the filter finds, and no formula cells', async () => {
    const answer = await fetched(await addressOf('csv'))
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    const rows = rowsOf(answer.body)
    expect(rows.map((row) => row[titleOf('project_id')]).sort()).toEqual(['1', '2'])
    expect(rows.map((row) => row[titleOf('name')])).toContain(`'${FORMULA}`)
    expect(rows.map((row) => row[titleOf('submission_end_date')]).sort()).toEqual(['2026-12-09', '2026-12-20'])
  })

  test('Atom has one entry per project with a stable id, updated when the project changes', async () => {
    const url = await addressOf('atom')
    const answer = await fetched(url)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8'])
    const before = entriesOf(answer.body)
    expect(before.map(({ id }) => id).sort()).toEqual(['urn:x-tamngan:project:1', 'urn:x-tamngan:project:2'])
    const first = before.find(({ id }) => id.endsWith(':1'))!
    expect([first.title, new URL(first.link!).pathname]).toEqual([FORMULA, '/report/1'])
    expect(answer.body).toContain('กล้อง &amp; ')
    await publish([{ id: '1', submissionEndsOn: '2026-12-16', name: FORMULA }])
    const [{ at }] = (await db.query<{ at: string }>(sql`select max(published_at) as at from loads`)) as [
      { at: string },
    ]
    const after = entriesOf((await fetched(url)).body)
    expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort())
    expect(after.find(({ id }) => id.endsWith(':1'))!.updated).toBe(new Date(at).toISOString())
    expect(after.find(({ id }) => id.endsWith(':2'))!.updated).toBe(before.find(({ id }) => id.endsWith(':2'))!.updated)
  })

  test('Atom marks a cancelled project under the same entry id', async () => {
    const url = await addressOf('atom')
    const before = entriesOf((await fetched(url)).body)
    await publish([{ id: '2', submissionEndsOn: '2026-12-20', status: 'project_cancelled', isArchived: true }])
    const after = entriesOf((await fetched(url)).body)
    expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort())
    const entry = after.find(({ id }) => id.endsWith(':2'))!
    expect(entry.title).toMatch(/^ยกเลิก: /)
    expect(entry.updated > before.find(({ id }) => id.endsWith(':2'))!.updated).toBe(true)
  })

  test.each(['atom', 'csv'])('%s: answers 304 until a project changes', async (format) => {
    const url = await addressOf(format)
    const first = await fetched(url)
    const again = await fetched(url, { 'if-none-match': String(first.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    if (format === 'atom') {
      // A change to another project leaves the Atom feed as it was. That is not true of CSV, where each row depends on
      // the latest load.
      await publish([{ id: '3', submissionEndsOn: '2026-12-22' }])
      expect((await fetched(url, { 'if-none-match': String(first.headers.etag) })).statusCode).toBe(304)
    }
    await publish([{ id: '2', submissionEndsOn: '2026-12-21' }])
    expect((await fetched(url, { 'if-none-match': String(first.headers.etag) })).statusCode).toBe(200)
  })

  test.each(['atom', 'csv'])('%s contains no user-written text about a project', async (format) => {
    await db.execute(sql`insert into labels (user_id, id, name, color) values (${userId}::int, 'l', 'ลับเฉพาะ', 'sky')`)
    await db.execute(
      sql`insert into label_assignments (user_id, project_id, label_id) values (${userId}::int, '1', 'l')`,
    )
    await db.execute(sql`insert into pursuits (organisation_id, project_id, stage, stage_since, owner_id, reason, price_satang, created_at, changed_at)
      values (${organisationId}::int, '1', 'screened', now(), ${userId}::int, 'ลับเฉพาะ', 12345600, now(), now())`)
    const { body } = await fetched(await addressOf(format))
    const [user] = await db.query<{ email: string }>(sql`select email from users where id = ${userId}::int`)
    for (const secret of ['ลับเฉพาะ', '123456', user!.email]) expect(body).not.toContain(secret)
    for (const column of OPTIONAL_REPORT_COLUMNS) expect(body).not.toContain(titleOf(column))
    await db.script('delete from pursuits; delete from label_assignments; delete from labels')
  })

  test('serves only its own extension, until revoked, its filter deleted or its owner disabled', async () => {
    const [atom, csv] = [await addressOf('atom'), await addressOf('csv')]
    const invalidUrls = [
      csv.replace('.csv', '.atom'),
      csv.replace('.csv', ''),
      csv.replace('filter-feeds', 'calendars'),
      csv.replace('filter-feeds', 'calendars').replace('.csv', '.ics'),
    ]
    for (const url of invalidUrls) expect((await fetched(url)).statusCode, url).toBe(404)
    const { feeds } = (await app.inject({ url: OWN, headers: owner.headers })).json()
    expect(feeds.map(({ format, name }: { format: string; name: string }) => [format, name])).toEqual([
      ['csv', 'กล้อง & "ไฟ"'],
      ['atom', 'กล้อง & "ไฟ"'],
    ])
    await app.inject({ method: 'DELETE', url: `${OWN}/${feeds[0].id}`, headers: owner.headers })
    expect([(await fetched(csv)).statusCode, (await fetched(atom)).statusCode]).toEqual([404, 200])
    await db.execute(sql`update users set is_disabled = true where id = ${userId}::int`)
    expect((await fetched(atom)).statusCode).toBe(404)
    await db.execute(sql`update users set is_disabled = false where id = ${userId}::int`)
    await db.execute(sql`delete from saved_filters`)
    expect((await fetched(atom)).statusCode).toBe(404)
  })

  test('offers Atom and CSV only for saved filters', async () => {
    expect((await make({ source: 'starred', format: 'csv' })).statusCode).toBe(400)
    expect((await make({ source: 'filter', filter_id: 'other', format: 'csv' })).statusCode).toBe(404)
    expect((await make({ source: 'filter', filter_id: 'mine', format: 'pdf' })).statusCode).toBe(400)
  })

  test('Atom contains the newest hundred', async () => {
    const ids = Array.from({ length: MAX_FEED_PROJECTS.atom + 5 }, (_, i) => `${100 + i}`)
    await publish(ids.map((id) => ({ id, submissionEndsOn: '2026-12-20' })))
    const filterData = { filter: {}, search: [{ key: 'project_id__in', value: ids, negation: false }] }
    await db.execute(sql`update saved_filters set filter_data = ${JSON.stringify(filterData)}::jsonb`)
    expect(entriesOf((await fetched(await addressOf('atom'))).body)).toHaveLength(MAX_FEED_PROJECTS.atom)
    expect(rowsOf((await fetched(await addressOf('csv'))).body)).toHaveLength(ids.length)
  })

  test('CSV ends after five thousand rows with a line that says so', async () => {
    const load = await addLoad(db)
    await putProjects(db, load, [{ id: '10000', submissionEndsOn: '2026-12-20' }])
    await copyProject(db, '10000', MAX_FEED_PROJECTS.csv, 10_001)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    const filterData = { filter: {}, search: [] }
    await db.execute(sql`update saved_filters set filter_data = ${JSON.stringify(filterData)}::jsonb`)
    const url = await addressOf('csv')
    const { body } = await fetched(url)
    const lines = body.trimEnd().split('\r\n')
    expect(lines).toHaveLength(1 + MAX_FEED_PROJECTS.csv + 1)
    expect(lines.at(-1)).toContain('5,000 โครงการแรกจากทั้งหมด 5,004 โครงการ')
  })
})
