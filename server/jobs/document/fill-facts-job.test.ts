import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DocumentFact, DocumentReadResult, FactValue } from '#contract/documents/document.ts'
import type { ProjectDetail } from '#contract/report/project-detail.ts'
import type { ReportPageResponse } from '#contract/report/report.ts'
import { FILL_PROJECT_FIELDS_JOB_TYPE } from '#server/documents/document-values.ts'
import { setDocumentFactDisplayed, storeFetchedDocumentFacts } from '#server/documents/fact-checks.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { jobsOf, runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser, putProjects } from '../../../test/world/report-world.ts'
import { fillProjectFieldsJob } from './fill-facts-job.ts'

const PASSWORD = 'Tamngan#2569'
const START = Date.parse('2026-11-23T03:00:00Z')
const price = (baht: number): FactValue => ({ kind: 'amount', baht })
const text = (words: string): FactValue => ({ kind: 'text', text: words })
const window = (day: string): FactValue => ({
  kind: 'window',
  from: `${day}T09:00:00+07:00`,
  to: `${day}T12:00:00+07:00`,
})

onEachEngineInTurn('facts of documents in empty fields', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let member: SignedIn
  let organisation: number
  let minute = 0
  const now = () => new Date(START + minute * 60_000)

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now })
    organisation = await addOrganisation(db)
    const id = await addUser(db, organisation)
    const [user] = await db.query<{ email: string }>(sql`
      update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${id}::int returning email`)
    member = await signIn(app, user!.email, PASSWORD)
  })
  beforeEach(async () => {
    await emptyTables(
      db,
      ...['fetched_facts', 'fact_checks', 'fact_switches', 'document_values', 'documents', 'projects', 'loads', 'jobs'],
    )
    const load = await addLoad(db)
    await putProjects(db, load, [
      { id: '1', budget: null },
      { id: '2', budget: null, submissionEndsOn: '2026-12-05' },
    ])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
  })
  afterAll(() => app.close())

  const switchOn = (...facts: readonly string[]) =>
    db.script(
      facts.map((fact) => `insert into fact_switches values ('${fact}', true, 1, now(), 'operator', 0);`).join(''),
    )
  const read = async (
    hash: string,
    facts: Readonly<Record<string, FactValue | undefined>>,
    { project = '1', link = hash }: { project?: string; link?: string | null } = {},
  ) => {
    minute += 1
    await db.execute(sql`
      insert into documents (id, organisation_id, project_id, hash, type, name, bytes, added_at, link, fetched_at)
      values (${hash}, ${organisation}::int, ${project}, ${hash}, 'pdf', 'ประกาศ.pdf', 1, ${now().toISOString()}::timestamptz, ${link}, ${now().toISOString()}::timestamptz)`)
    const documentFacts = Object.entries(facts).map(([fact, value]): DocumentFact => {
      const state = value ? 'clear' : 'unsure'
      return { fact: fact as DocumentFact['fact'], state, ...(value && { value }), sentence: 'x', page: 2, offset: 0 }
    })
    const reading: DocumentReadResult = { outcome: 'read', kind: 'invitation', pages: [], facts: documentFacts }
    await db.transaction((tx) => storeFetchedDocumentFacts(tx, hash, reading, now()))
  }
  const work = async () => {
    minute += 1
    await runDue(fillProjectFieldsJob, { db, now })
  }
  const request = async <T>(path: string): Promise<T> =>
    (await app.inject({ url: `/api/v2/${path}`, headers: member.headers })).json()
  const detail = (id = '1') => request<ProjectDetail>(`projects/${id}`)
  const rows = async () =>
    (await request<ReportPageResponse>('projects')).results.toSorted((a, b) => (a.project_id < b.project_id ? -1 : 1))

  test('fills empty fields with source and page in report and project, but not from disabled kinds', async () => {
    await switchOn('reference_price', 'bid_window', 'hearing_end')
    await rows()
    const hearing: FactValue = { kind: 'date', date: '2026-11-27' }
    const stated = { reference_price: price(500_000.5), bid_window: window('2026-12-02'), hearing_end: hearing }
    await read('a', { ...stated, budget: price(600_000) })
    await work()
    const [first, second] = await rows()
    expect(first).toMatchObject({
      estimate_budget: 500_000.5,
      budget: null,
      submission_end_date: '2026-12-02',
      submission_time: '09:00-12:00',
      draft_discussion_end_date: '2026-11-27',
      from_documents: [
        { field: 'draft_discussion_end_date', page: 2 },
        { field: 'estimate_budget', page: 2 },
        { field: 'submission_end_date', page: 2 },
      ],
    })
    expect(second).toMatchObject({ estimate_budget: null })
    expect(second).not.toHaveProperty('from_documents')
    const page = await request<ReportPageResponse>('projects?submission_end_date__range=2026-12-01,2026-12-03')
    expect(page.results.map(({ project_id }) => project_id)).toContain('1')
    expect((await detail()).fact_sources.filter(({ source }) => source === 'egp-document')).toMatchObject([
      { fact: 'estimate_budget', page: 2 },
      { fact: 'draft_discussion_end_date', page: 2 },
      { fact: 'submission_end_date', page: 2 },
    ])
  })

  test('keeps the deadline of the feed and shows a differing one as a conflict', async () => {
    await switchOn('bid_window')
    await read('a', { bid_window: window('2026-12-02') }, { project: '2' })
    await work()
    const projectDetail = await detail('2')
    expect(projectDetail.row.submission_end_date).toBe('2026-12-05')
    expect(projectDetail.deadline_conflict).toEqual({ date: '2026-12-02', page: 2, document: 'ประกาศ.pdf' })
    await db.script('truncate fetched_facts')
    await read('b', { bid_window: window('2026-12-05') }, { project: '2' })
    await work()
    expect(await detail('2')).not.toHaveProperty('deadline_conflict')
  })

  test('switching a kind off removes its values and keeps the others', async () => {
    await switchOn('reference_price', 'bid_window')
    await read('a', { reference_price: price(500), bid_window: window('2026-12-02') })
    await work()
    await db.transaction((tx) => setDocumentFactDisplayed(tx, 'bid_window', false, now()))
    await work()
    const [row] = await rows()
    expect(row).toMatchObject({ estimate_budget: 500, submission_end_date: null, submission_time: null })
    expect(row!.from_documents).toEqual([{ field: 'estimate_budget', page: 2 }])
    expect((await detail()).fact_sources.map(({ fact }) => fact)).not.toContain('submission_end_date')
    await db.script("update fact_switches set is_on = true where fact = 'bid_window'")
    await read('c', { bid_window: window('2026-12-02') })
    await work()
    expect((await rows())[0]).toMatchObject({ submission_end_date: '2026-12-02' })
  })

  test('unsure, contradictory and uploaded documents fill nothing; the newest version counts', async () => {
    await switchOn('reference_price', 'budget')
    await read('a', { reference_price: undefined })
    await read('mine', { reference_price: price(1) }, { link: null })
    await work()
    expect((await rows())[0]).toMatchObject({ estimate_budget: null })
    await read('b', { reference_price: price(500), budget: price(9) }, { link: 'same' })
    await work()
    expect((await rows())[0]).toMatchObject({ estimate_budget: 500, budget: 9 })
    await read('c', { reference_price: price(700) }, { link: 'same' })
    await work()
    expect((await rows())[0]).toMatchObject({ estimate_budget: 700, budget: null })
    await read('d', { reference_price: price(800) }, { link: 'other' })
    await work()
    expect((await rows())[0]).toMatchObject({ estimate_budget: null })
  })

  test('a document that may belong to another project fills nothing; its filled price does not confirm it', async () => {
    await switchOn('reference_price', 'bid_window')
    const mismatchedFacts = { agency: text('กรมทางหลวง'), title: text('จ้างก่อสร้างสะพานข้ามแม่น้ำยมทางหลวงหมายเลข 101') }
    await read('a', { reference_price: price(500), ...mismatchedFacts })
    await work()
    expect((await rows())[0]).toMatchObject({ estimate_budget: null })
    await read('b', { reference_price: price(500) })
    await work()
    expect((await rows())[0]).toMatchObject({ estimate_budget: 500 })
    await read(
      'c',
      { reference_price: price(500), bid_window: window('2026-12-02'), ...mismatchedFacts },
      { link: 'other' },
    )
    await work()
    expect((await rows())[0]).toMatchObject({ estimate_budget: 500, submission_end_date: null })
  })

  test('queues no job while no kind that fills is on', async () => {
    await switchOn('penalty')
    await read('a', { reference_price: price(500), penalty: { kind: 'percent', percent: 0.1 } })
    expect(await jobsOf(db, FILL_PROJECT_FIELDS_JOB_TYPE.kind)).toEqual([])
  })
})
