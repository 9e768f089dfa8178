import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DocumentFact, DocumentFactName, DocumentReadResult, FactValue } from '#contract/documents/document.ts'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser, putProjects } from '../../test/world/report-world.ts'
import { selectAnswerPages } from './answer/answer-question.ts'
import { findDocumentChanges } from './comparison/compare-documents.ts'
import { saveDocumentReadResult } from './queries.ts'

const PASSWORD = 'Tamngan#2569'
const NOW = new Date('2026-11-23T03:00:00Z')
const TEXT =
  'ประกวดราคาจ้างก่อสร้างถนนคอนกรีตเสริมเหล็กบ้านหนองบัว\nขององค์การบริหารส่วนตำบลบ้านนา ราคากลาง 25 ล้านบาท\n๒. คุณสมบัติของผู้ยื่นข้อเสนอ\n๒.๑ ผู้ยื่นข้อเสนอต้องได้รับมาตรฐาน ISO 9001'
const fact = (name: DocumentFactName, value: FactValue): DocumentFact => ({
  fact: name,
  state: 'clear',
  value,
  sentence: 'x',
  page: 1,
  offset: 0,
})
const FACTS = [
  fact('agency', { kind: 'text', text: 'องค์การบริหารส่วนตำบลบ้านนา' }),
  fact('title', { kind: 'text', text: 'ประกวดราคาจ้างก่อสร้างถนนคอนกรีตเสริมเหล็กบ้านหนองบัว' }),
  fact('reference_price', { kind: 'amount', baht: 25_000_000 }),
]

onEachEngineInTurn('a document of another agency, title and price', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let member: SignedIn
  let organisation: number

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => NOW })
    const load = await addLoad(db)
    await putProjects(db, load, [{ id: '1' }])
    await db.script("insert into fact_switches values ('reference_price', true, 1, now(), 'operator', 0)")
    organisation = await addOrganisation(db)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    const id = await addUser(db, organisation)
    const [user] = await db.query<{ email: string }>(sql`
      update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${id}::int returning email`)
    member = await signIn(app, user!.email, PASSWORD)
    await put('ours', [], '2026-11-20T03:00:00Z')
    await put('other', FACTS, '2026-11-21T03:00:00Z')
  })
  afterAll(() => app.close())

  const put = async (id: string, facts: DocumentFact[], addedAt: string) => {
    await db.execute(sql`
      insert into documents (id, organisation_id, project_id, hash, type, name, bytes, added_at)
      values (${id}, ${organisation}::int, '1', ${id}, 'pdf', ${`${id}.pdf`}, 8, ${addedAt}::timestamptz)`)
    const text = id === 'other' ? TEXT : 'หน้าแรก'
    const reading: DocumentReadResult = { outcome: 'read', kind: 'invitation', pages: [{ text }], facts }
    await db.transaction((tx) => saveDocumentReadResult(tx, { id, organisationId: organisation }, reading, NOW))
  }
  const get = async (url: string) => (await app.inject({ url: `/api/v2/${url}`, headers: member.headers })).json()

  test('has its reasons but no fact values, in the list and on its own page', async () => {
    const { documents } = (await get('projects/1/documents')) as { documents: ProjectDocument[] }
    const [otherDocument, ownDocument] = documents
    expect(ownDocument).toMatchObject({ id: 'ours', mismatch: null })
    expect(otherDocument!.mismatch?.reasons.map(({ fact: name, ratio }) => [name, ratio])).toEqual([
      ['agency', undefined],
      ['title', undefined],
      ['price', 25],
    ])
    expect(otherDocument!.facts.map(({ state, value }) => [state, value])).toEqual(Array(3).fill(['unsure', undefined]))
    expect(await get('documents/other')).toEqual(otherDocument)
  })

  test('judges no requirement, answers no question and is not compared with other documents', async () => {
    const { requirements } = await get('documents/other/requirements')
    expect(requirements).toMatchObject([{ answer: { can: 'ask', missing: null } }])
    expect(requirements[0].answer.reason).toContain('อาจไม่ใช่เอกสารของโครงการนี้')
    const { sent } = await selectAnswerPages(db, organisation, '1', 'ISO 9001')
    expect(sent.map(({ document_id }) => document_id)).not.toContain('other')
    expect(await findDocumentChanges(db, { id: 'other', organisationId: organisation })).toBeUndefined()
  })
})
