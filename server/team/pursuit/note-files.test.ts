import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PursuitNote } from '#contract/team/pursuit.ts'
import type { PursuitAction } from '#contract/team/pursuit-action.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { unpackBundle } from '#server/documents/bundle/unpack-bundle.ts'
import { createFolderDocumentStore } from '#server/documents/store/folder-store.ts'
import { documentJob } from '#server/jobs/document/document-job.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'

const NOW = new Date()
const LATER = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000 + 1_000)
const P1 = '67110000001'
const P2 = '67110000002'

onEachEngineInTurn('files at notes', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let boss: SignedIn
  let seller: SignedIn
  let stranger: SignedIn
  let made = 0
  const folder = mkdtempSync(path.join(tmpdir(), 'tamngan-note-files-'))
  const store = createFolderDocumentStore(folder)

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    const load = await addLoad(db)
    const name = 'ประกวดราคาซื้อก่อสร้างกล้องวงจรปิด ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)'
    await putProjects(db, load, [
      { id: P1, name },
      { id: P2, name },
    ])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    app = await appOn(db, { now: () => NOW, settings: { documentsDir: folder, documentQuotaMb: 30 } })
    boss = await signIn(app, 'manager@tharamek.example')
    seller = await signIn(app, 'sales@tharamek.example')
    stranger = await signIn(app, 'manager@noensai.example')
  })
  afterAll(async () => {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const newId = () => {
    made += 1
    return `file-${made}`
  }
  const send = (
    content: Buffer | string,
    { id = newId(), name = 'ใบเสนอราคา.pdf', who: caller = boss, project = P1 } = {},
  ) =>
    app.inject({
      method: 'POST',
      url: `/api/v2/pursuits/${project}/files/${encodeURIComponent(id)}?${new URLSearchParams({ name })}`,
      headers: { ...caller.headers, 'content-type': 'application/octet-stream' },
      payload: content,
    })
  const sent = async (content: Buffer | string, over: Parameters<typeof send>[1] = {}): Promise<string> => {
    const answer = await send(content, over)
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json().id
  }
  const patch = (actions: readonly PursuitAction[], caller = boss, project = P1) =>
    app.inject({
      method: 'PATCH',
      url: `/api/v2/pursuits/${project}`,
      headers: caller.headers,
      payload: { actions },
    })
  const notes = async (caller = boss): Promise<PursuitNote[]> =>
    (await app.inject({ url: `/api/v2/pursuits/${P1}`, headers: caller.headers })).json().notes
  const noteOf = async (id: string) => (await notes()).find((note) => note.id === id)!
  const get = (id: string, caller = boss, project = P1) =>
    app.inject({ url: `/api/v2/pursuits/${project}/files/${id}`, headers: caller.headers })
  const stored = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length
  const collect = async (now: Date) => {
    const read = async () => ({ outcome: 'read', kind: 'other', pages: [], facts: [] }) as const
    const documents = { store, read: read as never, unpack: unpackBundle, quotaBytes: 1 }
    await documentJob.prune!(db, now, { documents })
    await runDue(documentJob, { db, now: new Date(now.getTime() + 10 * 60_000), parts: { documents } })
  }

  test('R62: colleagues download a note’s files as inert attachments; other organisations cannot', async () => {
    const pdf = await sent('%PDF-1.4 ราคา')
    const photo = await sent(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0, 0, 0, 0, 0, 0, 0]), { name: 'IMG_1.html' })
    expect((await get(pdf)).statusCode).toBe(200)
    expect((await get(pdf, seller)).statusCode).toBe(404)
    expect((await patch([{ action: 'add_note', id: 'with', text: '', files: [photo, pdf] }])).statusCode).toBe(200)
    expect((await noteOf('with')).files).toEqual([
      { id: photo, name: 'IMG_1.html.jpg', type: 'jpeg', bytes: 13 },
      { id: pdf, name: 'ใบเสนอราคา.pdf', type: 'pdf', bytes: 21 },
    ])
    const answer = await get(photo, seller)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^attachment; filename="IMG_1.html.jpg"/),
      'content-security-policy': expect.stringContaining('sandbox'),
      'cache-control': 'private, no-store',
    })
    expect(answer.rawPayload).toHaveLength(13)
    const unknown = await get('file-of-nobody', stranger)
    for (const id of [pdf, photo]) expect((await get(id, stranger)).body).toBe(unknown.body)
    expect((await get(pdf, boss, P2)).statusCode).toBe(404)
    const [trail] = await db.query<{ n: number }>(
      sql`select count(*)::int as n from audit_events where kind = 'note_file_added'`,
    )
    expect(trail!.n).toBe(2)
  })

  test('R62: detects the type from the content; stores no unsupported, empty or oversized file', async () => {
    const before = await stored()
    const kinds: readonly (readonly [string, Buffer | string, string])[] = [
      ['a.svg', '<svg onload="x"/>', 'a.svg.txt'],
      ['ราคา.csv', 'ก,1\r\nข,2\r\n', 'ราคา.csv'],
      ['งาน.xlsx', 'PK\x03\x04xl/workbook', 'งาน.xlsx'],
      ['งาน.xlsm', 'PK\x03\x04xl/vbaProject', 'งาน.xlsm.zip'],
      ['เก่า.doc', Buffer.from('d0cf11e0a1b11ae100000000', 'hex'), 'เก่า.doc'],
      ['IMG.HEIC', Buffer.concat([Buffer.alloc(4), Buffer.from('ftypheic')]), 'IMG.HEIC'],
      ['../../x', 'ข้อความ', 'x.txt'],
    ]
    for (const [name, content, storedName] of kinds)
      expect((await send(content, { name })).json().name).toBe(storedName)
    const refused: readonly (readonly [Buffer | string, number, string])[] = [
      ['', 400, 'ว่างเปล่า'],
      [Buffer.from('MZ\x90\x00\x03 program and more'), 415, 'รับเฉพาะ'],
      [Buffer.concat([Buffer.from('plain text at first'), Buffer.alloc(200_000, 1)]), 415, 'รับเฉพาะ'],
      [Buffer.concat([Buffer.from('%PDF'), Buffer.alloc(10 * 1024 * 1024)]), 413, '10 MB'],
    ]
    for (const [content, status, why] of refused) {
      const answer = await send(content, { name: 'a.pdf' })
      expect([answer.statusCode, answer.body]).toEqual([status, expect.stringContaining(why)])
    }
    expect(await stored()).toBe(before + kinds.length)
  })

  test('uploading a file again is idempotent; its id is refused for other content, projects or users', async () => {
    const id = await sent('%PDF-1.4 หนึ่ง')
    expect((await send('%PDF-1.4 หนึ่ง', { id })).statusCode).toBe(200)
    for (const over of [{}, { project: P2 }])
      expect((await send('%PDF-1.4 สอง', { id, ...over })).body).toContain('ของไฟล์อื่น')
    expect((await send('%PDF-1.4 x', { id: 'a b' })).statusCode).toBe(400)
    expect((await send('%PDF-1.4 x', { project: '67999999991' })).statusCode).toBe(404)
    expect((await send('%PDF-1.4 x', { who: stranger, id })).statusCode).not.toBe(400)
  })

  test('a note accepts only existing files of its author that no other note uses', async () => {
    const bossFile = await sent('%PDF-1.4 ของฉัน')
    const bad = async (files: string[], caller = boss, project = P1) =>
      (await patch([{ action: 'add_note', id: newId(), text: 'x', files }], caller, project)).body
    for (const body of [await bad(['file-of-nobody']), await bad([bossFile], seller), await bad([bossFile], boss, P2)])
      expect(body).toContain('แนบใหม่')
    await patch([{ action: 'add_note', id: 'first', text: 'x', files: [bossFile] }])
    expect(await bad([bossFile])).toContain('แนบใหม่')
    expect((await patch([{ action: 'add_note', id: 'first', text: 'x', files: [bossFile] }])).statusCode).toBe(200)
    expect((await patch([{ action: 'add_note', id: 'none', text: '' }])).body).toContain('เขียนโน้ตก่อนส่ง')
    expect(
      (await patch([{ action: 'add_note', id: 'many', text: 'x', files: Array(11).fill(bossFile) }])).body,
    ).toContain('10 ไฟล์')
  })

  test('R62: files removed from a note can be restored for an hour, then row and file are deleted', async () => {
    await collect(LATER(24 * 4))
    const before = await stored()
    const [remaining, removed] = [await sent('%PDF-1.4 อยู่'), await sent('%PDF-1.4 ไป')]
    const [draft] = [await sent('%PDF-1.4 ร่าง')]
    await patch([{ action: 'add_note', id: 'edited', text: 'x', files: [remaining, removed] }])
    await patch([{ action: 'edit_note', id: 'edited', text: 'ใหม่' }])
    expect((await noteOf('edited')).files).toHaveLength(2)
    await patch([{ action: 'delete_note', id: 'edited' }])
    expect(await noteOf('edited')).toMatchObject({ text: '', files: [], deleted_at: expect.any(String) })
    await collect(LATER(0.5))
    expect((await patch([{ action: 'edit_note', id: 'edited', text: 'x', files: [remaining] }])).statusCode).toBe(200)
    expect(await stored()).toBe(before + 3)
    await collect(LATER(2))
    expect([(await get(remaining)).statusCode, (await get(removed)).statusCode, (await get(draft)).statusCode]).toEqual(
      [200, 404, 200],
    )
    expect(await stored()).toBe(before + 2)
    await patch([{ action: 'delete_note', id: 'edited' }])
    await collect(LATER(24 * 4))
    expect(await stored()).toBe(before)
    expect((await noteOf('edited')).deleted_at).not.toBeNull()
  })

  test('documents and notes share one quota; a file also used by a document is kept', async () => {
    const [{ organisation_id: organisation }] = (await db.query<{ organisation_id: number }>(
      sql`select organisation_id from users where email_key = 'manager@tharamek.example'`,
    )) as [{ organisation_id: number }]
    const content = '%PDF-1.4 ร่วมกัน'
    const id = await sent(content)
    const [file] = await db.query<{ hash: string }>(sql`select hash from note_files where id = ${id}`)
    await db.execute(sql`
      insert into documents (id, organisation_id, project_id, hash, type, name, bytes, added_at, state)
      values ('shared', ${organisation}::int, ${P1}, ${file!.hash}, 'pdf', 'x.pdf', 29000000, now(), 'read')`)
    expect((await send(`%PDF-1.4 ${'x'.repeat(2_000_000)}`)).body).toContain('พื้นที่ไฟล์ขององค์กรเต็ม')
    await collect(LATER(24 * 4))
    expect((await store.read(file!.hash)).destroy().destroyed).toBe(true)
    await db.execute(sql`delete from documents where id = 'shared'`)
    await collect(LATER(24 * 4))
    await expect(store.read(file!.hash)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('deletes the files of rows that were deleted with their organisation', async () => {
    await collect(LATER(24 * 4))
    await sent('%PDF-1.4 ขององค์กรที่เลิก')
    expect(await stored()).toBeGreaterThan(0)
    await db.execute(sql`delete from note_files`)
    await collect(LATER(2))
    expect(await stored()).toBe(0)
  })
})
