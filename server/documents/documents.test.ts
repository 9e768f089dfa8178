import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DocumentReadResult } from '#contract/documents/document.ts'
import type { DocumentMatches, DocumentSearchResponse } from '#contract/documents/document-search.ts'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import { documentJob, HOURLY_DOCUMENT_READING_BUDGET_SECONDS } from '#server/jobs/document/document-job.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { runAsTenant } from '#server/platform/engine/tenant.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { jobsOf, runDue } from '../../test/jobs.ts'
import { makePdf } from '../../test/make-pdf.ts'
import { onEachEngineInTurn } from '../../test/server/databases.ts'
import { appOn, decodeClaims, type SignedIn, signIn } from '../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser, putProjects } from '../../test/world/report-world.ts'
import { unpackBundle } from './bundle/unpack-bundle.ts'
import { readDocument } from './read-document.ts'
import { createFolderDocumentStore } from './store/folder-store.ts'

const PASSWORD = 'Tamngan#2569'
const NOW = new Date('2026-11-23T03:00:00Z')
const PDF = makePdf([['ประกาศประกวดราคา', 'หลักประกันการเสนอราคา'], ['ราคากลาง']])

const READING: DocumentReadResult = {
  outcome: 'read',
  kind: 'invitation',
  pages: [{ text: 'ประกาศประกวดราคา\nหลักประกัน การเสนอราคา ๑๐,๐๐๐ บาท' }, { text: 'ราคากลาง CCTV ๑๒๓ หลักประกันสัญญา\0' }],
  facts: [
    {
      fact: 'reference_price',
      state: 'clear',
      value: { kind: 'amount', baht: 123 },
      sentence: 'ราคากลาง CCTV ๑๒๓',
      page: 2,
      offset: 0,
    },
    {
      fact: 'bid_bond',
      state: 'clear',
      value: { kind: 'amount', baht: 10_000 },
      sentence: 'หลักประกัน การเสนอราคา ๑๐,๐๐๐ บาท',
      page: 1,
      offset: 17,
    },
  ],
}
const PRESENTED_FACTS = READING.facts.map(({ value, ...fact }) =>
  fact.fact === 'bid_bond' ? { ...fact, state: 'unsure', is_unchecked: true } : { ...fact, value },
)

onEachEngineInTurn('documents of a project', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let owner: SignedIn
  let member: SignedIn
  let colleague: SignedIn
  let stranger: SignedIn
  const folder = mkdtempSync(path.join(tmpdir(), 'tamngan-documents-'))
  const store = createFolderDocumentStore(folder)
  const read = async (): Promise<DocumentReadResult> => READING

  const account = async (organisationId: number, role: string) => {
    const id = await addUser(db, organisationId)
    const [user] = await db.query<{ email: string }>(sql`
      update users set password_hash = ${await hashPassword(PASSWORD)}, role = ${role} where id = ${id}::int returning email`)
    return signIn(app, user!.email, PASSWORD)
  }
  const add = (content: Buffer, { who: user = member, project = '1', name = 'ประกาศ.pdf' } = {}) =>
    app.inject({
      method: 'POST',
      url: `/api/v2/projects/${project}/documents?${new URLSearchParams({ name })}`,
      headers: { ...user.headers, 'content-type': 'application/octet-stream' },
      payload: content,
    })
  const added = async (content = PDF, over: Parameters<typeof add>[1] = {}): Promise<ProjectDocument> => {
    const answer = await add(content, over)
    expect([200, 201], answer.body).toContain(answer.statusCode)
    return answer.json()
  }
  const get = (url: string, user = member, headers = {}) =>
    app.inject({ url: `/api/v2/${url}`, headers: { ...user.headers, ...headers } })
  const list = async (user = member): Promise<ProjectDocument[]> =>
    (await get('projects/1/documents', user)).json().documents
  const remove = (id: string, user = member) =>
    app.inject({ method: 'DELETE', url: `/api/v2/documents/${id}`, headers: user.headers })
  const work = (reader: typeof readDocument = read, now = new Date(NOW.getTime() + 1_000)) =>
    runDue(documentJob, {
      db,
      now,
      parts: { documents: { store, read: reader, unpack: unpackBundle, quotaBytes: 1_000_000 } },
    })
  const files = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => NOW, settings: { documentsDir: folder, documentQuotaMb: 1 } })
    const load = await addLoad(db)
    // The budget equals the 123 baht stated in `READING`.
    await putProjects(db, load, [{ id: '1', budget: 12_300 }, { id: '2' }])
    await db.script("insert into fact_switches values ('reference_price', true, 1, now(), 'operator', 0)")
    const [ownOrganisation, otherOrganisation] = [await addOrganisation(db), await addOrganisation(db)]
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    owner = await account(ownOrganisation, 'super_user')
    member = await account(ownOrganisation, 'member_user')
    colleague = await account(ownOrganisation, 'member_user')
    stranger = await account(otherOrganisation, 'super_user')
  })
  beforeEach(async () => {
    await db.script('delete from documents; delete from jobs')
    for (const name of await files()) await store.remove(name)
  })
  afterAll(async () => {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('an upload waits, is read by a job and then lists its facts', async () => {
    const document = await added()
    expect(document).toMatchObject({
      state: 'waiting',
      kind: null,
      type: 'pdf',
      bytes: PDF.length,
      name: 'ประกาศ.pdf',
      facts: [],
    })
    expect(await list()).toEqual([document])
    await work()
    expect(await list(colleague)).toMatchObject([
      {
        id: document.id,
        state: 'read',
        kind: 'invitation',
        page_count: 2,
        facts: PRESENTED_FACTS,
        is_removable: false,
      },
    ])
    expect(await jobsOf(db, 'document')).toMatchObject([{ state: 'waiting' }, { state: 'done' }])
    await work(() => Promise.reject(new Error('read twice')), new Date(NOW.getTime() + 600_000))
    expect(await files()).toHaveLength(1)
  })

  test('reads a real file in a separate process', async () => {
    await added(
      makePdf([
        ['ประกาศประกวดราคาอิเล็กทรอนิกส์ ซื้อกล้องโทรทัศน์วงจรปิดพร้อมติดตั้ง', 'หลักประกันการเสนอราคา 10,000 บาท ให้ยื่นพร้อมข้อเสนอ'],
      ]),
    )
    await work(readDocument)
    const [document] = await list()
    expect(document).toMatchObject({ state: 'read', page_count: 1 })
    expect((await get(`documents/${document!.id}/hits?q=${encodeURIComponent('วงจรปิด')}`)).json()).toMatchObject({
      count: 1,
    })
  })

  test('stores a duplicate upload once per project and its file once overall', async () => {
    const first = await added()
    expect((await add(PDF, { who: colleague, name: 'อีกชื่อ.pdf' })).statusCode).toBe(200)
    const otherDocument = await added(PDF, { project: '2' })
    expect(await list()).toMatchObject([{ id: first.id, name: 'ประกาศ.pdf' }])
    expect(otherDocument.id).not.toBe(first.id)
    expect(await files()).toHaveLength(1)
  })

  test('R62: accepts a file by its first bytes, not its name, and refuses others with a Thai reason', async () => {
    expect(await added(PDF, { name: '../../ภาพ\u202e.exe' })).toMatchObject({ type: 'pdf', name: 'ภาพ .exe' })
    const html = await add(Buffer.from('<html></html>'), { name: 'a.pdf' })
    expect([html.statusCode, html.json().non_field_errors]).toEqual([
      415,
      ['รับเฉพาะไฟล์ PDF, ZIP และรูปภาพ JPEG หรือ PNG'],
    ])
    const empty = await add(Buffer.alloc(0))
    expect([empty.statusCode, empty.json().non_field_errors]).toEqual([400, ['ไฟล์นี้ว่างเปล่า']])
    const large = await add(Buffer.concat([PDF, Buffer.alloc(50 * 1024 * 1024)]))
    expect([large.statusCode, large.json().non_field_errors]).toEqual([413, ['ไฟล์ใหญ่เกิน 50 MB']])
    expect(await list()).toHaveLength(1)
  })

  test('R62: refuses an upload beyond the storage quota of the organisation', async () => {
    await added(Buffer.concat([PDF, Buffer.alloc(900_000)]))
    const refused = await add(Buffer.concat([PDF, Buffer.alloc(100_000)]))
    expect([refused.statusCode, refused.json().non_field_errors[0]]).toEqual([400, expect.stringContaining('เต็มแล้ว')])
    await added(Buffer.concat([PDF, Buffer.alloc(900_000)]), { who: stranger })
  })

  test('R42: an organisation over its reading budget waits at most an hour while others are read', async () => {
    const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
    const spent = async (seconds: number) =>
      db.execute(sql`
        insert into jobs (kind, key, payload, organisation_id, state, requested_at, run_at, started_at, finished_at)
        values ('document', 'before', '{"hash": "x"}', ${Number(decodeClaims(member.access).org)}::int, 'done', now(), now(),
          ${at(-30).toISOString()}::timestamptz, ${new Date(at(-30).getTime() + seconds * 1000).toISOString()}::timestamptz)`)
    await spent(HOURLY_DOCUMENT_READING_BUDGET_SECONDS - 10)
    await added()
    await work(read, at(1))
    expect(await list()).toMatchObject([{ state: 'read' }])
    await spent(20)
    await added(Buffer.concat([PDF, Buffer.from('%')]))
    await added(PDF, { who: stranger })
    await work(read, at(2))
    expect((await list()).map(({ state }) => state).toSorted((a, b) => a.localeCompare(b))).toEqual(['read', 'waiting'])
    expect(await list(stranger)).toMatchObject([{ state: 'read' }])
    await work(read, at(20))
    expect((await list()).some(({ state }) => state === 'waiting')).toBe(true)
    await work(read, at(31))
    expect((await list()).every(({ state }) => state === 'read')).toBe(true)
  })

  test('stores pictures as scans without reading them and reports why a file is unreadable', async () => {
    await added(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4, 5]), { name: 'page.jpg' })
    await work(() => Promise.reject(new Error('a picture is not read')))
    expect(await list()).toMatchObject([{ type: 'jpeg', state: 'scan', page_count: 1 }])
    await added()
    await work(async () => ({ outcome: 'unreadable', reason: 'encrypted', kind: 'other', pages: [], facts: [] }))
    expect((await list()).find(({ type }) => type === 'pdf')).toMatchObject({
      state: 'unreadable',
      reason: 'encrypted',
    })
  })

  test('retries a killed reading once and then marks the document unreadable', async () => {
    await added()
    let readings = 0
    const killed = async (): Promise<DocumentReadResult> => {
      readings += 1
      return { outcome: 'unreadable', reason: 'memory', kind: 'other', pages: [], facts: [] }
    }
    for (const minutes of [0, 1, 2, 3]) await work(killed, new Date(NOW.getTime() + minutes * 60_000 + 1_000))
    expect(readings).toBe(2)
    expect(await list()).toMatchObject([{ state: 'unreadable', reason: 'memory' }])
  })

  test('marks a document unreadable when every reading attempt fails', async () => {
    await added()
    for (let hour = 0; hour < 9; hour += 1)
      await work(() => Promise.reject(new Error('no disk')), new Date(NOW.getTime() + hour * 3_600_000 + 1_000))
    expect(await list()).toMatchObject([{ state: 'unreadable', reason: 'crashed' }])
  })

  test('R62: the uploader or a super user can delete a document with its file, text, index and facts', async () => {
    const { id } = await added()
    await work()
    expect((await remove(id, colleague)).statusCode).toBe(403)
    expect((await remove(id, stranger)).statusCode).toBe(404)
    expect((await remove(id)).statusCode).toBe(204)
    await work()
    const [left] = await db.query(sql`
      select (select count(*)::int from documents) as documents, (select count(*)::int from document_pages) as pages`)
    expect([left, await files(), (await get(`documents/${id}`)).statusCode]).toEqual([
      { documents: 0, pages: 0 },
      [],
      404,
    ])
    expect((await remove((await added()).id, owner)).statusCode).toBe(204)
  })

  test('R62: keeps a file while another organisation still has it', async () => {
    const ownDocument = await added()
    const otherDocument = await added(PDF, { who: stranger })
    await work()
    await remove(ownDocument.id)
    await work()
    expect((await get(`documents/${otherDocument.id}/file`, stranger)).rawPayload).toEqual(PDF)
    await remove(otherDocument.id, stranger)
    await work()
    expect(await files()).toEqual([])
  })

  test('the job queued before the upload deletes a file whose row was never written', async () => {
    const file = await store.receive(
      (async function* () {
        yield PDF
      })(),
    )
    await file.persist()
    const hash = createHash('sha256').update(PDF).digest('hex')
    await db.execute(sql`
      insert into jobs (kind, key, payload, requested_at, run_at) values ('document', ${hash}, ${JSON.stringify({ hash })}::jsonb, ${NOW.toISOString()}::timestamptz, ${NOW.toISOString()}::timestamptz)`)
    await work()
    expect(await files()).toEqual([])
  })

  test('R62: serves the file as an inert attachment, whole or by range, only to its organisation', async () => {
    const { id } = await added(PDF, { name: 'ประกาศ "1".pdf' })
    const fullFile = await get(`documents/${id}/file`)
    expect(fullFile.rawPayload).toEqual(PDF)
    expect(fullFile.headers).toMatchObject({
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="______ _1_.pdf"; filename*=UTF-8''${encodeURIComponent('ประกาศ "1".pdf')}`,
      'content-security-policy': expect.stringContaining('sandbox'),
      'content-length': String(PDF.length),
    })
    const part = await get(`documents/${id}/file`, member, { range: 'bytes=5-8' })
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([
      206,
      PDF.toString('latin1', 5, 9),
      `bytes 5-8/${PDF.length}`,
    ])
    expect((await get(`documents/${id}/file`, member, { range: 'bytes=-4' })).rawPayload).toEqual(PDF.subarray(-4))
    expect((await get(`documents/${id}/file`, member, { range: 'bytes=99999999-' })).statusCode).toBe(416)
    expect((await get(`documents/${id}/file`, stranger)).statusCode).toBe(404)
  })

  test('finds a phrase across line ends and in Thai or Arabic digits, only on its pages', async () => {
    const { id } = await added()
    await added(PDF, { who: stranger })
    await work()
    const hits = async (q: string): Promise<DocumentMatches> =>
      (await get(`documents/${id}/hits?${new URLSearchParams({ q })}`)).json()
    expect(await hits('ราคาหลักประกัน')).toMatchObject({ count: 1, pages: [{ page: 1 }] })
    expect(await hits('10,000')).toMatchObject({ count: 1, pages: [{ page: 1 }] })
    expect((await hits('หลักประกัน')).pages.map(({ page, count }) => [page, count])).toEqual([
      [1, 1],
      [2, 1],
    ])
    expect((await hits('หลักประกัน ## cctv')).pages.map(({ page }) => page)).toEqual([2])
    expect((await hits('หลักประกัน << cctv')).pages.map(({ page }) => page)).toEqual([1])
    expect((await hits('ไม่มีคำนี้ || ราคากลาง')).pages.map(({ page }) => page)).toEqual([2])
    const [hit] = (await hits('หลักประกันการเสนอ')).pages
    const [mark] = hit!.excerpt.marks
    expect(hit!.excerpt.text.slice(mark!.from, mark!.to)).toBe('หลักประกัน การเสนอ')
    const search = async (user: SignedIn, query: Record<string, string>): Promise<DocumentSearchResponse> =>
      (await get(`documents?${new URLSearchParams(query)}`, user)).json()
    expect(await search(member, { q: 'หลักประกัน' })).toMatchObject({
      total: 2,
      results: [
        { document_id: id, page: 1 },
        { document_id: id, page: 2 },
      ],
    })
    expect(await search(member, { q: 'หลักประกัน', project: '2' })).toMatchObject({ total: 0, results: [] })
    expect((await search(stranger, { q: 'หลักประกัน' })).results.map(({ document_id }) => document_id)).not.toContain(id)
  })

  test.each([['กล'], [''], ['กลาง ## ab'], ['<< กลาง'], ['(กลาง']])(
    'refuses an invalid query with a sentence: %s',
    async (q) => {
      const answer = await get(`documents?${new URLSearchParams({ q })}`)
      expect([answer.statusCode, answer.json().non_field_errors.length]).toEqual([400, 1])
    },
  )

  test('R25: row-level security covers documents, their pages and the index function', async () => {
    await added()
    await work()
    const seen = (user: SignedIn) => {
      const { sub, org } = decodeClaims(user.access)
      return runAsTenant({ organisationId: Number(org), userId: Number(sub) }, () =>
        db.query(sql`
          select (select count(*)::int from documents) as documents, (select count(*)::int from document_pages) as pages,
            (select count(*)::int from document_page_candidates('{}')) as candidates`),
      )
    }
    expect(await seen(member)).toEqual([{ documents: 1, pages: 2, candidates: 2 }])
    expect(await seen(stranger)).toEqual([{ documents: 0, pages: 0, candidates: 0 }])
  })
})
