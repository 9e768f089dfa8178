import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Notification } from '#contract/account/notification.ts'
import type { DocumentFact, DocumentKind, DocumentReadResult } from '#contract/documents/document.ts'
import type { DocumentComparison } from '#contract/documents/document-comparison.ts'
import { saveDocumentReadResult } from '#server/documents/queries.ts'
import { documentComparisonJob } from '#server/jobs/document/document-job.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { jobsOf, runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser, putProjects } from '../../../test/world/report-world.ts'
import { DRAFT_TERMS_OF_REFERENCE_PAGES, FINAL_TERMS_OF_REFERENCE_PAGES } from './tor-for-tests.ts'

const PASSWORD = 'Tamngan#2569'
const NOW = new Date('2026-11-23T03:00:00Z')

const penalty = (percent: number, over: Partial<DocumentFact> = {}): DocumentFact => ({
  fact: 'penalty',
  state: 'clear',
  value: { kind: 'percent', percent },
  sentence: `ร้อยละ ${percent}`,
  page: 3,
  offset: 0,
  ...over,
})

onEachEngineInTurn('a document beside the one before it', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let member: SignedIn
  let colleague: SignedIn
  let stranger: SignedIn
  let ownOrganisation: number
  let otherOrganisation: number
  const ids: Record<string, number> = {}

  const account = async (organisationId: number, name: string) => {
    const id = await addUser(db, organisationId)
    ids[name] = id
    const [user] = await db.query<{ email: string }>(sql`
      update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${id}::int returning email`)
    return signIn(app, user!.email, PASSWORD)
  }
  type Put = {
    project?: string
    kind?: DocumentKind
    facts?: DocumentFact[]
    outcome?: DocumentReadResult['outcome']
    day?: number
  }
  const put = async (id: string, pages: readonly string[], over: Put = {}, organisationId = ownOrganisation) => {
    const { project = '1', kind = 'tor', facts = [], outcome = 'read', day = 1 } = over
    const at = new Date(NOW.getTime() + day * 86_400_000).toISOString()
    await db.execute(sql`
      insert into documents (id, organisation_id, project_id, hash, type, name, bytes, added_at)
      values (${id}, ${organisationId}::int, ${project}, ${id}, 'pdf', ${`${id}.pdf`}, 8, ${at}::timestamptz)`)
    const reading = { outcome, kind, pages: pages.map((text) => ({ text })), facts }
    await db.transaction((tx) => saveDocumentReadResult(tx, { id, organisationId }, reading, NOW))
  }
  const compare = (after: string, before: string, user = member) =>
    app.inject({ url: `/api/v2/documents/${after}/comparison?before=${before}`, headers: user.headers })
  const star = (user: number, project = '1') =>
    db.execute(
      sql`insert into bookmarks (user_id, project_id, created_at) values (${user}::int, ${project}, ${NOW.toISOString()}::timestamptz)`,
    )
  const fetchNotifications = async (user: SignedIn): Promise<Notification[]> => {
    const answer = await app.inject({ url: '/api/v2/users/me', headers: user.headers })
    return answer.json().notification_updated_status.notifications
  }
  const work = () => runDue(documentComparisonJob, { db, now: NOW })

  beforeAll(async () => {
    db = await makeDb()
    await db.script("insert into fact_switches values ('penalty', true, 1, now(), 'operator', 0)")
    app = await appOn(db, { now: () => NOW })
    const load = await addLoad(db)
    await putProjects(db, load, [{ id: '1' }, { id: '2' }])
    ownOrganisation = await addOrganisation(db)
    otherOrganisation = await addOrganisation(db)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    member = await account(ownOrganisation, 'member')
    colleague = await account(ownOrganisation, 'colleague')
    stranger = await account(otherOrganisation, 'stranger')
  })
  beforeEach(() =>
    db.script('delete from documents; delete from jobs; delete from bookmarks; delete from notifications'),
  )
  afterAll(() => app.close())

  test('lists facts first, then changed, moved, new and removed clauses, each with its page', async () => {
    await put('draft', DRAFT_TERMS_OF_REFERENCE_PAGES, { facts: [penalty(0.1)] })
    await put('final', FINAL_TERMS_OF_REFERENCE_PAGES, { facts: [penalty(0.2)], day: 2 })
    const answer = (await compare('final', 'draft')).json() as DocumentComparison
    expect(answer).toMatchObject({
      before: { id: 'draft', kind: 'tor' },
      after: { id: 'final' },
      outcome: 'compared',
      total: 12,
      facts: [
        {
          fact: 'penalty',
          before: { value: { kind: 'percent', percent: 0.1 }, page: 3 },
          after: { value: { kind: 'percent', percent: 0.2 } },
        },
      ],
    })
    expect(
      Object.entries(Object.groupBy(answer.differences, ({ kind }) => kind)).map(([kind, list]) => [
        kind,
        list!.length,
      ]),
    ).toEqual([
      ['changed', 9],
      ['moved', 1],
      ['new', 1],
      ['gone', 1],
    ])
  })

  test('ignores a fact that either document does not state for certain', async () => {
    const { value: _, ...unsure } = penalty(0.2, { state: 'unsure' })
    await put('draft', DRAFT_TERMS_OF_REFERENCE_PAGES, { facts: [penalty(0.1)] })
    await put('final', FINAL_TERMS_OF_REFERENCE_PAGES, { facts: [unsure], day: 2 })
    await put('nothing', FINAL_TERMS_OF_REFERENCE_PAGES, { day: 3 })
    expect((await compare('final', 'draft')).json().facts).toEqual([])
    expect((await compare('nothing', 'draft')).json().facts).toEqual([])
  })

  test('rejects scans, because their letters are uncertain', async () => {
    await put('draft', DRAFT_TERMS_OF_REFERENCE_PAGES)
    await put('scan', ['ข้อความจากภาพ'], { outcome: 'scan', day: 2 })
    for (const [after, before] of [
      ['scan', 'draft'],
      ['draft', 'scan'],
    ] as const) {
      const answer = await compare(after, before)
      expect([answer.statusCode, answer.json().non_field_errors[0]]).toEqual([400, expect.stringContaining('สแกน')])
    }
  })

  test("another organisation's document is not found on either side", async () => {
    await put('draft', DRAFT_TERMS_OF_REFERENCE_PAGES)
    await put('final', FINAL_TERMS_OF_REFERENCE_PAGES, { day: 2 })
    await put('theirs', DRAFT_TERMS_OF_REFERENCE_PAGES, {}, otherOrganisation)
    expect((await compare('final', 'theirs')).statusCode).toBe(404)
    expect((await compare('theirs', 'draft', stranger)).statusCode).toBe(404)
    expect((await compare('final', 'draft', stranger)).statusCode).toBe(404)
  })

  test('notifies users who starred the project once of how many clauses a newer document changed', async () => {
    await star(ids.member!)
    await star(ids.colleague!, '2')
    await star(ids.stranger!)
    await put('draft', DRAFT_TERMS_OF_REFERENCE_PAGES)
    await work()
    expect(await fetchNotifications(member)).toEqual([])
    await put('final', FINAL_TERMS_OF_REFERENCE_PAGES, { day: 2 })
    await work()
    const expected = {
      type: 'Document_compared',
      project_id: '1',
      document_id: 'final',
      document_kind: 'tor',
      change_count: 12,
    }
    expect(await fetchNotifications(member)).toMatchObject([expected])
    expect([await fetchNotifications(colleague), await fetchNotifications(stranger)]).toEqual([[], []])
    await db.transaction((tx) =>
      saveDocumentReadResult(
        tx,
        { id: 'final', organisationId: ownOrganisation },
        { outcome: 'read', kind: 'tor', pages: FINAL_TERMS_OF_REFERENCE_PAGES.map((text) => ({ text })), facts: [] },
        NOW,
      ),
    )
    await work()
    expect(await fetchNotifications(member)).toHaveLength(1)
    await put('third', DRAFT_TERMS_OF_REFERENCE_PAGES, { day: 3 })
    await work()
    expect(await fetchNotifications(member)).toHaveLength(2)
    await db.execute(sql`delete from documents where id = 'third'`)
    expect((await fetchNotifications(member))[0]).not.toHaveProperty('document_id')
  })

  test('does not notify for the older document, the same text, another kind, or a deleted one', async () => {
    await star(ids.member!)
    await put('final', FINAL_TERMS_OF_REFERENCE_PAGES, { day: 2 })
    await put('draft', DRAFT_TERMS_OF_REFERENCE_PAGES)
    await put('same', FINAL_TERMS_OF_REFERENCE_PAGES, { day: 3 })
    await put('prices', ['ตารางราคากลาง'], { kind: 'price-table', day: 4 })
    await put('gone', DRAFT_TERMS_OF_REFERENCE_PAGES, { day: 5 })
    await db.execute(sql`delete from documents where id in ('gone', 'draft')`)
    await work()
    expect(await fetchNotifications(member)).toEqual([])
    expect((await jobsOf(db, 'document-compare')).every(({ state }) => state === 'done')).toBe(true)
  })

  test('compares an invitation with its draft in either order of arrival', async () => {
    await star(ids.member!)
    await put('draft', DRAFT_TERMS_OF_REFERENCE_PAGES, { kind: 'draft', day: 2 })
    await put('invitation', FINAL_TERMS_OF_REFERENCE_PAGES, { kind: 'invitation' })
    await work()
    expect(await fetchNotifications(member)).toMatchObject([{ document_id: 'invitation', document_kind: 'invitation' }])
  })
})
