import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import sql from 'sql-template-tag'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { DocumentReadResult } from '#contract/documents/document.ts'
import { OPERATOR_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { storeFetchedDocumentFacts } from '#server/documents/fact-checks.ts'
import { saveDocumentReadResult } from '#server/documents/queries.ts'
import { createFolderDocumentStore } from '#server/documents/store/folder-store.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { runDue } from '../../../test/jobs.ts'
import { makePdf } from '../../../test/make-pdf.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { addLoad, addOrganisation, putProjects, setConfig } from '../../../test/world/report-world.ts'
import { documentJob } from './document-job.ts'

const ADDED = '2026-01-10T05:00:00Z'
/** 31 days and a minute after `ADDED`. */
const LATER = new Date('2026-02-10T05:01:00Z')
const reading = (text: string): DocumentReadResult => ({
  outcome: 'read',
  kind: 'invitation',
  pages: [{ text }, { text: 'หน้าสอง' }],
  facts: [
    {
      fact: 'reference_price',
      state: 'clear',
      value: { kind: 'amount', baht: 5 },
      sentence: text,
      page: 1,
      offset: 0,
    },
  ],
})

onEachEngineInTurn('documents that are kept no longer', (makeDb) => {
  let db: OpenDb
  let [keeps, forgets, operators] = [0, 0, 0]
  const folder = mkdtempSync(path.join(tmpdir(), 'tamngan-retention-'))
  const store = createFolderDocumentStore(folder)
  afterAll(() => rmSync(folder, { recursive: true }))

  beforeEach(async () => {
    for (const name of await readdir(folder)) rmSync(path.join(folder, name), { recursive: true })
    db = await makeDb()
    const load = await addLoad(db)
    await putProjects(db, load, [{ id: '1' }, { id: '2', submissionEndsOn: '2026-02-10' }])
    keeps = await addOrganisation(db)
    forgets = await addOrganisation(db, { config: { limit_document_days: 31 } as never })
    operators = await addOrganisation(db, { code: OPERATOR_ORGANISATION_CODE })
  })

  async function add(organisationId: number, text: string, { at = ADDED, project = '1', bundle = '', link = '' } = {}) {
    const file = await store.receive(Readable.from([makePdf([[text]])]))
    await file.persist()
    const id = `${organisationId}-${project}-${text}`
    await db.execute(sql`
      insert into documents (id, organisation_id, project_id, hash, type, name, bytes, added_at, bundle_id, link)
      values (${id}, ${organisationId}::int, ${project}, ${file.hash}, 'pdf', 'x.pdf', ${file.bytes}::bigint, ${at}::timestamptz,
        nullif(${bundle}, ''), nullif(${link}, ''))`)
    await saveDocumentReadResult(db, { id, organisationId }, reading(text), new Date(at))
    return { id, hash: file.hash }
  }
  const files = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
  const rows = async () => {
    const [counts] = await db.query<Record<string, number>>(sql`
      select (select count(*)::int from documents) as documents, (select count(*)::int from document_pages) as pages,
        (select count(*)::int from intake_versions) as versions, (select count(*)::int from fetched_facts) as facts`)
    return counts!
  }
  const expire = async (at = LATER) => {
    const documents = { store, read: async () => reading('x'), unpack: async () => [] as never, quotaBytes: 1 }
    await documentJob.prune!(db, at, { documents })
    await runDue(documentJob, { db, now: new Date(at.getTime() + 1_000), parts: { documents } })
  }
  const trail = () =>
    db.query<{ organisation_id: number | null; detail: object }>(
      sql`select organisation_id, detail from audit_events where kind = 'documents_expired' order by id`,
    )

  test('deletes file, pages, trigrams and facts, and writes one audit row', async () => {
    const bundle = await add(forgets, 'ชุด')
    // This document was extracted slightly later than its bundle was added, but expires together with it.
    await add(forgets, 'จากชุด', { at: '2026-01-10T05:05:00Z', bundle: bundle.id })
    await add(forgets, 'หนึ่ง')
    expect(await rows()).toEqual({ documents: 3, pages: 6, versions: 0, facts: 0 })
    await expire(new Date('2026-02-10T04:59:00Z'))
    expect((await rows()).documents).toBe(3)
    await expire()
    expect(await rows()).toEqual({ documents: 0, pages: 0, versions: 0, facts: 0 })
    expect(await files()).toEqual([])
    const [event, ...moreEvents] = await trail()
    expect(moreEvents).toEqual([])
    expect(event).toEqual({
      organisation_id: forgets,
      detail: { documents: 3, bytes: expect.any(Number), kept_days: 31 },
    })
    expect(JSON.stringify(event)).not.toMatch(/ชุด|หนึ่ง|x\.pdf/)
    await expire()
    expect(await trail()).toHaveLength(1)
  })

  test('keeps everything without a setting, including a file that another organisation deletes', async () => {
    const storedDocument = await add(keeps, 'เดียวกัน')
    await add(forgets, 'เดียวกัน')
    await setConfig(db, keeps, { limit_document_days: 0 })
    await expire()
    expect(await rows()).toMatchObject({ documents: 1, pages: 2 })
    expect(await files()).toEqual([storedDocument.hash])
    expect((await db.query(sql`select organisation_id as o from documents`))[0]).toEqual({ o: keeps })
  })

  test('keeps a document of an open tender until its last day ends in Bangkok', async () => {
    await add(forgets, 'ยังเปิด', { project: '2' })
    await expire(new Date('2026-02-10T16:59:00Z'))
    expect((await rows()).documents).toBe(1)
    await expire(new Date('2026-02-10T17:00:00Z'))
    expect(await rows()).toMatchObject({ documents: 0, pages: 0 })
    expect(await files()).toEqual([])
  })

  test('keeps fetched evidence until operators expire it too, and for at least 180 days', async () => {
    const { hash } = await add(forgets, 'ประกาศ', { link: 'https://x' })
    const [link] = await db.query<{ id: number }>(sql`
      insert into intake_links (project_id, type, link, agency, published_on, state, found_at)
      values ('1', 'D0', 'https://x', '0304', '2026-01-10', 'had', ${ADDED}::timestamptz) returning id`)
    await db.execute(sql`
      insert into intake_versions (link_id, version, hash, type, bytes, fetched_at)
      values (${link!.id}::bigint, 1, ${hash}, 'pdf', 8, ${ADDED}::timestamptz)`)
    await storeFetchedDocumentFacts(db, hash, reading('ประกาศ'), new Date(ADDED))
    await expire()
    expect(await rows()).toEqual({ documents: 0, pages: 0, versions: 1, facts: 1 })
    expect(await files()).toEqual([hash])
    await setConfig(db, operators, { limit_document_days: 31 })
    await expire(new Date('2026-07-08T00:00:00Z'))
    expect((await rows()).versions).toBe(1)
    await expire(new Date('2026-07-10T00:00:00Z'))
    expect(await rows()).toEqual({ documents: 0, pages: 0, versions: 0, facts: 0 })
    expect(await files()).toEqual([])
    expect((await trail()).at(-1)).toEqual({ organisation_id: null, detail: { fetched_files: 1, kept_days: 180 } })
  })
})
