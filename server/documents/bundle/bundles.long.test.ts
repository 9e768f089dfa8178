import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import { readDocument } from '#server/documents/read-document.ts'
import { createFolderDocumentStore } from '#server/documents/store/folder-store.ts'
import { documentJob } from '#server/jobs/document/document-job.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { runDue } from '../../../test/jobs.ts'
import { makePdf } from '../../../test/make-pdf.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser, putProjects } from '../../../test/world/report-world.ts'
import { unpackBundle } from './unpack-bundle.ts'
import { buildTestZip, type ZipEntry } from './zip-for-tests.ts'

const PASSWORD = 'Tamngan#2569'
const NOW = new Date('2026-11-23T03:00:00Z')
const TOR = makePdf([['ขอบเขตของงาน จัดซื้อกล้องโทรทัศน์วงจรปิดพร้อมติดตั้งในเขตเทศบาล']])
const DRAFT = makePdf([['ร่างประกาศประกวดราคาอิเล็กทรอนิกส์ ซื้อกล้องโทรทัศน์วงจรปิด']])
const BUNDLE: readonly ZipEntry[] = [
  { name: 'annoudoc_1.pdf', content: DRAFT },
  { name: 'Attach_TOR_1.pdf', content: TOR },
  { name: 'copy/TOR_again.pdf', content: TOR },
  { name: 'quotation.pdf', content: DRAFT },
  { name: 'page.pdf', content: '<html>not here</html>' },
  { name: 'cut.pdf', content: TOR.subarray(0, 400) },
  { name: 'list.docx', content: 'x' },
]

onEachEngine('project bundles', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let member: SignedIn
  let stranger: SignedIn
  const folder = mkdtempSync(path.join(tmpdir(), 'tamngan-bundles-'))
  const store = createFolderDocumentStore(folder)

  const account = async (organisationId: number) => {
    const id = await addUser(db, organisationId)
    const [user] = await db.query<{ email: string }>(sql`
      update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${id}::int returning email`)
    return signIn(app, user!.email, PASSWORD)
  }
  const add = (content: Buffer, name = 'draft.zip', user = member) =>
    app.inject({
      method: 'POST',
      url: `/api/v2/projects/1/documents?${new URLSearchParams({ name })}`,
      headers: { ...user.headers, 'content-type': 'application/octet-stream' },
      payload: content,
    })
  const list = async (user = member): Promise<ProjectDocument[]> =>
    (await app.inject({ url: '/api/v2/projects/1/documents', headers: user.headers })).json().documents
  const work = (quotaBytes = 50_000_000) =>
    runDue(documentJob, {
      db,
      now: new Date(NOW.getTime() + 600_000),
      parts: { documents: { store, read: readDocument, unpack: unpackBundle, quotaBytes } },
    })
  const files = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => NOW, settings: { documentsDir: folder, documentQuotaMb: 50 } })
    const load = await addLoad(db)
    await putProjects(db, load, [{ id: '1' }])
    const [ownOrganisation, otherOrganisation] = [await addOrganisation(db), await addOrganisation(db)]
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    member = await account(ownOrganisation)
    stranger = await account(otherOrganisation)
  })
  beforeEach(async () => {
    await db.script('delete from documents; delete from jobs')
  })
  afterAll(async () => {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a dropped bundle yields a document for each PDF and a reason for each other file', async () => {
    expect((await add(buildTestZip(BUNDLE))).statusCode).toBe(201)
    await work()
    const [bundle, ...members] = await list()
    expect(bundle).toMatchObject({ name: 'draft.zip', type: 'zip', state: 'read', member_count: 3, link: null })
    expect(bundle!.left_out.map(({ name, reason }) => [name, reason])).toEqual([
      ['TOR_again.pdf', 'same'],
      ['quotation.pdf', 'template'],
      ['page.pdf', 'not_a_document'],
      ['list.docx', 'not_a_document'],
    ])
    expect(members.map(({ name, kind, state, reason }) => [name, kind, state, reason])).toEqual([
      ['Attach_TOR_1.pdf', 'tor', 'read', null],
      ['annoudoc_1.pdf', 'other', 'read', null],
      ['cut.pdf', 'other', 'unreadable', 'broken'],
    ])
    expect(members.every(({ bundle_id }) => bundle_id === bundle!.id)).toBe(true)
    expect(await list(stranger)).toEqual([])
    expect(await files()).toHaveLength(4)
  })

  test('deleting a bundle deletes its documents and files', async () => {
    await add(buildTestZip(BUNDLE))
    await work()
    const [bundle] = await list()
    const gone = await app.inject({
      method: 'DELETE',
      url: `/api/v2/documents/${bundle!.id}`,
      headers: member.headers,
    })
    expect(gone.statusCode).toBe(204)
    expect(await list()).toEqual([])
    await work()
    expect(await files()).toEqual([])
    expect(await db.query(sql`select from document_pages`)).toEqual([])
  })

  test('unpacks the same bundle for each of two organisations and stores each file once', async () => {
    await add(buildTestZip(BUNDLE))
    await add(buildTestZip(BUNDLE), 'ours.zip', stranger)
    await work()
    expect((await list()).map(({ name }) => name)).toHaveLength(4)
    expect((await list(stranger)).map(({ name }) => name)).toEqual([
      'ours.zip',
      ...(await list()).slice(1).map(({ name }) => name),
    ])
    expect(await files()).toHaveLength(4)
  })

  test('a hostile, locked, truncated or PDF-less bundle shows its reason once', async () => {
    await add(buildTestZip([{ name: '../../etc/cron.d/x.pdf', content: TOR }]), 'traversal.zip')
    await add(buildTestZip([{ name: 'a.pdf', content: TOR, flags: 1 }]), 'locked.zip')
    await add(buildTestZip(BUNDLE).subarray(0, 900), 'cut.zip')
    await add(buildTestZip([{ name: 'bomb.pdf', content: Buffer.alloc(30_000_000) }]), 'bomb.zip')
    await add(buildTestZip([{ name: 'word/document.xml', content: 'x' }]), 'letter.docx')
    await work()
    expect((await list()).map(({ name, state, reason }) => [name, state, reason]).toSorted()).toEqual([
      ['bomb.zip', 'unreadable', 'too-compressed'],
      ['cut.zip', 'unreadable', 'broken'],
      ['letter.docx', 'unreadable', 'no-documents'],
      ['locked.zip', 'unreadable', 'encrypted'],
      ['traversal.zip', 'unreadable', 'unsafe-name'],
    ])
  })

  test('leaves out what exceeds the quota of the organisation, with the reason', async () => {
    const bundle = buildTestZip(BUNDLE)
    await add(bundle)
    await work(bundle.length + DRAFT.length + 10)
    const [row] = await list()
    expect(row!.left_out.filter(({ reason }) => reason === 'no_room').length).toBeGreaterThan(0)
    expect(row!.member_count).toBeLessThan(3)
  })
})
