import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Notification } from '#contract/account/notification.ts'
import type { DocumentFact, DocumentReadResult } from '#contract/documents/document.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { toFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { saveDocumentReadResult } from '#server/documents/queries.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { jobsOf, runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser, putProjects } from '../../../test/world/report-world.ts'
import { savedFilterMatchJob } from './document-job.ts'

const PASSWORD = 'Tamngan#2569'
const NOW = new Date('2026-11-23T03:00:00Z')

onEachEngineInTurn('a document in which a saved filter finds its words', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let member: SignedIn
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
  const put = async (
    id: string,
    text: string,
    { project = '1', organisationId = ownOrganisation, facts = [] as DocumentFact[] } = {},
  ) => {
    await db.execute(sql`
      insert into documents (id, organisation_id, project_id, hash, type, name, bytes, added_at)
      values (${id}, ${organisationId}::int, ${project}, ${id}, 'pdf', ${`${id}.pdf`}, 8, ${NOW.toISOString()}::timestamptz)
      on conflict (id) do nothing`)
    const reading: DocumentReadResult = { outcome: 'read', kind: 'tor', pages: [{ text: 'หน้าแรก' }, { text }], facts }
    await db.transaction((tx) => saveDocumentReadResult(tx, { id, organisationId }, reading, NOW))
  }
  const save = (userId: number, name: string, search: ReportSearch, isSend = true) =>
    db.execute(sql`
      insert into saved_filters (user_id, id, name, filter_data, is_send, created_at)
      values (${userId}::int, ${name}, ${name}, ${JSON.stringify(toFilterCriteria(search))}::jsonb, ${isSend}::boolean, ${NOW.toISOString()}::timestamptz)`)
  const fetchNotifications = async (user: SignedIn): Promise<Notification[]> => {
    const answer = await app.inject({ url: '/api/v2/users/me', headers: user.headers })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().notification_updated_status.notifications
  }
  const work = () => runDue(savedFilterMatchJob, { db, now: NOW })

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => NOW })
    const load = await addLoad(db)
    await putProjects(db, load, [{ id: '1' }, { id: '2' }, { id: '3', name: 'ถนน' }])
    ownOrganisation = await addOrganisation(db)
    otherOrganisation = await addOrganisation(db)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    member = await account(ownOrganisation, 'member')
    stranger = await account(otherOrganisation, 'stranger')
  })
  beforeEach(() =>
    db.script('delete from documents; delete from jobs; delete from saved_filters; delete from notifications'),
  )
  afterAll(() => app.close())

  test('notifies the owner of the filter once per project, with its name and words', async () => {
    await save(ids.member!, 'มาตรฐาน', { document_text__in: 'ISO 9001<<ยกเลิก', project_name__in: 'กล้อง' })
    await save(ids.stranger!, 'ของเขา', { document_text__in: 'ISO 9001' })
    await put('one', 'ต้องมี ISO\n๙๐๐๑')
    await work()
    expect(await fetchNotifications(member)).toMatchObject([
      {
        type: 'Document_found',
        project_id: '1',
        read: false,
        filter: { id: 'มาตรฐาน', name: 'มาตรฐาน', words: 'ISO 9001<<ยกเลิก' },
      },
    ])
    expect(await fetchNotifications(stranger)).toEqual([])
    await put('one', 'ต้องมี ISO ๙๐๐๑')
    await put('two', 'ISO 9001')
    await work()
    expect(await fetchNotifications(member)).toHaveLength(1)
    await put('three', 'ISO 9001', { project: '2' })
    await work()
    expect((await fetchNotifications(member)).map(({ project_id }) => project_id)).toEqual(['2', '1'])
    expect((await jobsOf(db, 'document-found')).every(({ state }) => state === 'done')).toBe(true)
    await db.execute(sql`delete from saved_filters where user_id = ${ids.member!}::int`)
    expect((await fetchNotifications(member))[0]).not.toHaveProperty('filter')
  })

  test('a document that may belong to another project notifies no user', async () => {
    await save(ids.member!, 'มาตรฐาน', { document_text__in: 'ISO 9001' })
    const value = { kind: 'amount', baht: 25_000_000 } as const
    await put('one', 'ISO 9001', {
      facts: [{ fact: 'budget', state: 'clear', value, sentence: 'x', page: 1, offset: 0 }],
    })
    await work()
    expect(await fetchNotifications(member)).toEqual([])
  })

  test.each<[string, ReportSearch, string, string, boolean]>([
    ['the filter is not switched on for mails', { document_text__in: 'ISO 9001' }, 'ISO 9001', '1', false],
    [
      'another filter of it keeps the project out',
      { document_text__in: 'ISO 9001', check_sme: true },
      'ISO 9001',
      '1',
      true,
    ],
    ['an excluded word stands in it too', { document_text__in: 'ISO 9001<<ยกเลิก' }, 'ISO 9001 ยกเลิก', '1', true],
    ['it holds none of the words', { document_text__in: 'ISO 9001' }, 'ISO 14001', '1', true],
    ['it only excludes', { document_text__in: '<<ISO 9001' }, 'อื่น', '1', true],
    ['the report does not hold the project', { document_text__in: 'ISO 9001' }, 'ISO 9001', '3', true],
  ])('does not notify when %s', async (_, search, text, project, isSend) => {
    await save(ids.member!, 'กรอง', search, isSend)
    await put('one', text, { project })
    await work()
    expect(await fetchNotifications(member)).toEqual([])
  })

  test('a match in an older document is not reported when a new one arrives', async () => {
    await put('one', 'ISO 9001')
    await save(ids.member!, 'กรอง', { document_text__in: 'ISO 9001' })
    await work()
    await db.script('delete from notifications')
    await put('two', 'ไม่มีอะไร')
    await work()
    expect(await fetchNotifications(member)).toEqual([])
  })

  test('words spread over two documents are reported when the second one completes them', async () => {
    await save(ids.member!, 'กรอง', { document_text__in: 'ISO 9001##หลักประกัน' })
    await put('one', 'ISO 9001')
    await work()
    expect(await fetchNotifications(member)).toEqual([])
    await put('two', 'หลักประกันสัญญา')
    await work()
    expect(await fetchNotifications(member)).toHaveLength(1)
  })

  test('finishes the job when the document was deleted meanwhile or a filter is unreadable', async () => {
    await save(ids.member!, 'กรอง', { document_text__in: 'ISO 9001' })
    await db.execute(sql`
      insert into saved_filters (user_id, id, name, filter_data, is_send)
      values (${ids.member!}::int, 'x', 'x', '{"filter":{},"search":[{"key":"document_text__in","value":"ก","negation":false}]}', true)`)
    await put('one', 'ISO 9001')
    await db.script("delete from documents where id = 'one'")
    await put('two', 'ISO 9001')
    await work()
    expect(await fetchNotifications(member)).toHaveLength(1)
    expect((await jobsOf(db, 'document-found')).map(({ state }) => state)).toEqual(['done', 'done'])
  })
})
