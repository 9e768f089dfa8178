import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { DocumentReadResult } from '#contract/documents/document.ts'
import type { DocumentSearchResponse } from '#contract/documents/document-search.ts'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import { OPERATOR_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { loadComparablePages } from '#server/documents/comparison/compare-documents.ts'
import { saveDocumentReadResult } from '#server/documents/queries.ts'
import type { DocumentStore } from '#server/documents/store/document-store.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { jobsOf, runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser, putProjects, setConfig } from '../../../test/world/report-world.ts'
import { findOcrFacts } from './find-ocr-facts.ts'
import { imageOcrJob, requestImageOcrForTrackedProjects } from './image-ocr-job.ts'

const PASSWORD = 'Tamngan#2569'
const NOW = new Date('2026-11-23T03:00:00Z')
const TOMORROW = new Date('2026-11-24T03:00:00Z')
const SCAN: DocumentReadResult = {
  outcome: 'scan',
  kind: 'other',
  pages: [{ text: '' }, { text: '' }, { text: '' }],
  facts: [],
}
const PRICE =
  'ประกาศเทศบาล\nเรื่อง ประกวดราคาจ้างก่อสร้าง\nราคากลางของงานก่อสร้างในการประกวดราคาครั้งนี้ เป็นเงินทั้งสิ้น 500.00 บาท (ห้าร้อยบาทถ้วน)'

onEachEngineInTurn('text from pictures', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let off: RouteApp
  let [ownOrganisation, otherOrganisation, operators, mineUser] = [0, 0, 0, 0]
  let member: SignedIn
  let stranger: SignedIn
  /** `processedPages`: pages that OCR has read so far. `says`: returns the text of a page, by default its number. */
  let processedPages: number[] = []
  let says: (page: number) => { text: string } | { reason: 'time' } = (page) => ({ text: `สายไฟหน้า ${page}` })

  const work = (now = NOW, parts: object = {}) =>
    runDue(imageOcrJob, {
      db,
      now,
      parts: {
        pictures: {
          store: { withFile: (_hash, work) => work('/a file') } as Pick<DocumentStore, 'withFile'> as DocumentStore,
          read: async ({ page }) => {
            processedPages.push(page)
            return says(page)
          },
          facts: async (pages) => findOcrFacts(pages),
        },
        ...parts,
      },
    })
  const add = async (
    id: string,
    { organisation = ownOrganisation, project = '1', reading = SCAN, link = '', hash = id } = {},
  ) => {
    await db.execute(sql`
      insert into documents (id, organisation_id, project_id, hash, type, name, bytes, added_at, link)
      values (${id}, ${organisation}::int, ${project}, ${hash}, 'pdf', 'x.pdf', 8, ${NOW.toISOString()}::timestamptz, nullif(${link}, ''))`)
    await saveDocumentReadResult(db, { id, organisationId: organisation }, reading, NOW)
  }
  const requestPictures = (id: string, user = member, on = app) =>
    on.inject({ method: 'POST', url: `/api/v2/documents/${id}/pictures`, headers: user.headers })
  const fetchDocument = async (id: string): Promise<ProjectDocument> =>
    (await app.inject({ url: `/api/v2/documents/${id}`, headers: member.headers })).json()
  const pictures = async (id: string) => (await fetchDocument(id)).pictures
  const search = async (q: string, user = member): Promise<DocumentSearchResponse> =>
    (await app.inject({ url: `/api/v2/documents?${new URLSearchParams({ q })}`, headers: user.headers })).json()

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => NOW, settings: { readsPictures: true } })
    off = await appOn(db, { now: () => NOW })
    const load = await addLoad(db)
    await putProjects(db, load, [{ id: '1' }, { id: '2' }])
    ;[ownOrganisation, otherOrganisation, operators] = [
      await addOrganisation(db),
      await addOrganisation(db),
      await addOrganisation(db, { code: OPERATOR_ORGANISATION_CODE }),
    ]
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    const account = async (organisation: number) => {
      const id = await addUser(db, organisation)
      const [user] = await db.query<{ email: string }>(
        sql`update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${id}::int returning email`,
      )
      if (organisation === ownOrganisation) mineUser = id
      return await signIn(app, user!.email, PASSWORD)
    }
    member = await account(ownOrganisation)
    stranger = await account(otherOrganisation)
  })
  beforeEach(async () => {
    await db.script('delete from documents; delete from jobs; delete from picture_days; delete from bookmarks')
    for (const id of [ownOrganisation, otherOrganisation, operators]) await setConfig(db, id, {})
    processedPages = []
    says = (page) => ({ text: `สายไฟหน้า ${page}` })
  })

  test('is read page by page, searchable with a mark, and neither compared nor trusted', async () => {
    await add('a')
    expect(await pictures('a')).toEqual({ state: 'askable', reason: null, total: 3, done: 0, failed: 0 })
    expect((await requestPictures('a')).statusCode).toBe(202)
    expect((await requestPictures('a')).json().pictures).toMatchObject({ state: 'waiting', done: 0 })
    expect(await jobsOf(db, 'document-picture')).toHaveLength(1)
    says = (page) => ({ text: page === 1 ? PRICE : `สายไฟหน้า ${page}` })
    await work()
    expect(processedPages).toEqual([1, 2, 3])
    expect(await pictures('a')).toEqual({ state: 'done', reason: null, total: 3, done: 3, failed: 0 })
    const document = await fetchDocument('a')
    expect([document.state, document.kind]).toEqual(['scan', 'invitation'])
    expect(document.facts.find(({ fact }) => fact === 'reference_price')).toMatchObject({ state: 'unsure', page: 1 })
    const { results } = await search('สายไฟ')
    expect(results.map(({ page, is_from_picture }) => [page, is_from_picture])).toEqual([
      [2, true],
      [3, true],
    ])
    // Digits are searched, but only the typed ones are shown.
    expect(results.map(({ excerpt }) => excerpt.text)).toEqual(['สายไฟหน้า •', 'สายไฟหน้า •'])
    expect((await search('หน้า 2')).results.map(({ excerpt }) => excerpt.text)).toEqual(['สายไฟหน้า 2'])
    expect((await search('สายไฟ', stranger)).total).toBe(0)
    expect((await loadComparablePages(db, ownOrganisation, 'a')).join('')).toBe('')
    expect(await jobsOf(db, 'document-compare')).toEqual([])
    expect(await jobsOf(db, 'document-found')).toHaveLength(1)
  })

  test('is read only for pages without text; the old text stays when the picture yields less', async () => {
    const reading: DocumentReadResult = {
      ...{ outcome: 'read', kind: 'tor', facts: [] },
      pages: [{ text: 'ข้อความของหน้าที่มีตัวหนังสืออยู่แล้วและยาวพอที่จะไม่ใช่ภาพแน่นอน' }, { text: 'ภาคผนวก ก' }],
    }
    await add('b', { reading })
    expect((await pictures('b')).total).toBe(1)
    await requestPictures('b')
    says = () => ({ text: 'ภ' })
    await work()
    expect(processedPages).toEqual([2])
    const document = await fetchDocument('b')
    expect([document.state, document.kind, document.pictures.state]).toEqual(['read', 'tor', 'done'])
    expect((await search('ภาคผนวก')).results).toMatchObject([{ page: 2, is_from_picture: true }])
  })

  test('counts unreadable pages; a document with only such pages fails and can be requested again', async () => {
    await add('c')
    await requestPictures('c')
    says = (page) => (page === 2 ? { reason: 'time' } : { text: `หน้า ${page}` })
    await work()
    expect(await pictures('c')).toEqual({ state: 'done', reason: 'time', total: 3, done: 3, failed: 1 })
    await add('d', { project: '2' })
    await requestPictures('d')
    says = () => ({ reason: 'time' })
    await work()
    expect(await pictures('d')).toMatchObject({ state: 'failed', reason: 'time' })
    processedPages = []
    says = (page) => ({ text: `หน้า ${page}` })
    await requestPictures('d')
    await work()
    expect(processedPages).toEqual([1, 2, 3])
    expect(await pictures('d')).toMatchObject({ state: 'done', failed: 0 })
  })

  test('enforces the daily page limit per organisation and overall, and continues the next day', async () => {
    await setConfig(db, ownOrganisation, { limit_picture_pages: 2 } as never)
    await add('e')
    await requestPictures('e')
    await work()
    expect(processedPages).toEqual([1, 2])
    expect(await pictures('e')).toMatchObject({ state: 'waiting', reason: 'day-limit', done: 2 })
    await work(new Date('2026-11-23T16:59:00Z'))
    expect(processedPages).toEqual([1, 2])
    await work(TOMORROW)
    expect(processedPages).toEqual([1, 2, 3])
    expect(await pictures('e')).toMatchObject({ state: 'done', reason: null })
    await setConfig(db, operators, { limit_picture_pages: 0 } as never)
    await add('f', { organisation: otherOrganisation })
    await requestPictures('f', stranger)
    await work(TOMORROW)
    expect(processedPages).toEqual([1, 2, 3])
  })

  test('reads an e-GP document once for all organisations, but an upload once per organisation', async () => {
    for (const [organisation, id] of [
      [ownOrganisation, 'g'],
      [otherOrganisation, 'h'],
    ] as const) {
      await add(id, { organisation, hash: 'fetched', link: 'https://process5.gprocurement.go.th/x' })
      await add(`${id}2`, { organisation, hash: 'own', project: '2' })
    }
    for (const [id, user] of [
      ['g', member],
      ['g2', member],
      ['h', stranger],
      ['h2', stranger],
    ] as const)
      await requestPictures(id, user)
    await work()
    expect(processedPages).toHaveLength(9)
    expect((await search('สายไฟ', stranger)).total).toBe(6)
  })

  test('requests documents of tracked projects automatically', async () => {
    await add('i', { link: 'x' })
    await add('j', { link: 'x', project: '2' })
    await add('k', { link: 'x', project: '2', organisation: otherOrganisation })
    expect(await requestImageOcrForTrackedProjects(db, NOW)).toBe(0)
    await db.execute(sql`insert into bookmarks values (${mineUser}::int, '2', now())`)
    expect(await requestImageOcrForTrackedProjects(db, NOW)).toBe(1)
    await work()
    expect((await pictures('j')).state).toBe('done')
    expect((await pictures('i')).state).toBe('askable')
    await add('l')
    expect(await requestImageOcrForTrackedProjects(db, NOW, 'l')).toBe(1)
  })

  test('reports in the document and the refusal that no picture reader is installed', async () => {
    await add('m')
    const refused = await requestPictures('m', member, off)
    expect([refused.statusCode, refused.json().non_field_errors]).toEqual([400, ['ระบบนี้ไม่ได้ติดตั้งการอ่านจากภาพ']])
    const answer = await off.inject({ url: '/api/v2/documents/m', headers: member.headers })
    expect(answer.json().pictures.state).toBe('off')
    expect((await requestPictures('m', stranger)).statusCode).toBe(404)
    await requestPictures('m')
    await work(NOW, { pictures: undefined })
    expect(await pictures('m')).toMatchObject({ state: 'failed', reason: 'not-set-up' })
  })
})
