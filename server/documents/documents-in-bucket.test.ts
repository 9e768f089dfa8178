import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DocumentReadResult } from '#contract/documents/document.ts'
import { documentJob } from '#server/jobs/document/document-job.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { jobsOf, runDue } from '../../test/jobs.ts'
import { makePdf } from '../../test/make-pdf.ts'
import { onEachEngineInTurn } from '../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../test/server/http-app.ts'
import { S3Server } from '../../test/server/s3-server.ts'
import { addLoad, addOrganisation, addUser, putProjects } from '../../test/world/report-world.ts'
import { createS3DocumentStore } from './store/s3-document-store.ts'

const PASSWORD = 'Tamngan#2569'
const NOW = new Date()
const PDF = makePdf([['ประกาศ']])
const READING: DocumentReadResult = { outcome: 'read', kind: 'other', pages: [{ text: 'ประกาศ' }], facts: [] }

onEachEngineInTurn('documents in a bucket', (makeDb) => {
  const server = new S3Server()
  const folder = mkdtempSync(path.join(tmpdir(), 'tamngan-bucket-'))
  let db: OpenDb
  let app: RouteApp
  let member: SignedIn
  let parts: Parameters<typeof runDue>[1]['parts']
  const log: string[] = []

  beforeAll(async () => {
    await server.start()
    const store = createS3DocumentStore(server.settings(), { folder, scale: 0.02 })
    parts = {
      documents: {
        ...{ store, quotaBytes: 1_000_000, read: async () => READING },
        unpack: () => Promise.reject(new Error('no bundle')),
      },
    }
    db = await makeDb()
    const settings = {
      documentStore: store,
      logLevel: 'warn',
      logStream: { write: (line: string) => log.push(line) },
    } as const
    app = await appOn(db, { now: () => NOW, settings })
    await putProjects(db, await addLoad(db), [{ id: '1' }])
    const organisation = await addOrganisation(db)
    await db.transaction((tx) => matchDataLoadProjects(tx, 1))
    const id = await addUser(db, organisation)
    const [user] = await db.query<{ email: string }>(
      sql`update users set password_hash = ${await hashPassword(PASSWORD)}, role = 'super_user' where id = ${id}::int returning email`,
    )
    member = await signIn(app, user!.email, PASSWORD)
  })
  afterAll(async () => {
    await app.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const add = (content: Buffer) =>
    app.inject({
      ...{ method: 'POST', url: '/api/v2/projects/1/documents?name=a.pdf', payload: content },
      headers: { ...member.headers, 'content-type': 'application/octet-stream' },
    })
  const get = (url: string, headers = {}) =>
    app.inject({ url: `/api/v2/${url}`, headers: { ...member.headers, ...headers } })
  const work = (afterMs: number) =>
    runDue(documentJob, { db, now: new Date(NOW.getTime() + afterMs), parts: parts as never })
  const idOf = async () => (await get('projects/1/documents')).json().documents[0].id as string

  test('stores a file, reads it in the job, serves it whole and in part, and deletes it', async () => {
    expect((await add(PDF)).statusCode).toBe(201)
    expect([server.files.size, await readdir(path.join(folder, 'arriving'))]).toEqual([1, []])
    await work(1_000)
    const id = await idOf()
    expect((await get(`documents/${id}`)).json()).toMatchObject({ state: 'read', page_count: 1 })
    const file = await get(`documents/${id}/file`)
    expect([file.statusCode, file.rawPayload]).toEqual([200, PDF])
    const part = await get(`documents/${id}/file`, { range: 'bytes=0-3' })
    expect([part.statusCode, part.body]).toEqual([206, '%PDF'])
    await app.inject({ method: 'DELETE', url: `/api/v2/documents/${id}`, headers: member.headers })
    await work(2_000)
    expect(server.files.size).toBe(0)
  })

  test('while the bucket is down users get a Thai message, no partial data remains, and jobs wait until it returns', async () => {
    await add(PDF)
    const id = await idOf()
    await server.close()
    expect((await app.inject({ url: '/readyz' })).json()).toMatchObject({ status: 'ok' })
    for (const answer of [await get(`documents/${id}/file`), await add(makePdf([['อีกไฟล์']]))]) {
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '15'])
      expect(answer.json().non_field_errors[0]).toMatch(/^ที่เก็บเอกสารไม่ตอบ/)
    }
    expect((await get('projects/1/documents')).json().documents).toHaveLength(1)
    expect(await readdir(path.join(folder, 'arriving'))).toEqual([])
    const hours = Array.from({ length: 12 }, (_, hour) => (hour + 1) * 3_600_000)
    for (const after of hours) await work(after)
    const waiting = (await jobsOf(db, 'document')).find(({ attempts }) => attempts > 8)
    expect(waiting).toMatchObject({ state: 'waiting', last_error: expect.stringContaining('ECONNREFUSED') })
    await documentJob.prune!(db, NOW, parts as never)
    expect((await get(`documents/${id}`)).json()).toMatchObject({ state: 'waiting' })
    await server.start()
    await work(24 * 3_600_000)
    expect((await get(`documents/${id}`)).json()).toMatchObject({ state: 'read' })
  })

  test('the next cleanup deletes unreferenced files from the bucket', async () => {
    const before = new Set(server.files.keys())
    const hash = 'ab'.repeat(32)
    server.files.set(`of/us/ab/${hash}`, { content: PDF, changedAt: new Date(0) })
    await documentJob.prune!(db, NOW, parts as never)
    expect(new Set(server.files.keys())).toEqual(before)
  })
})
