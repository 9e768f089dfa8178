import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { DOCUMENT_JOB_TYPE } from '#server/documents/queries.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import { SLOW_MACHINE_OPTIONS } from '../../../test/server/database-setup.ts'
import { makeMigratedPostgres } from '../../../test/server/databases.ts'
import { killOnOutput } from '../../../test/server/killed-process.ts'
import { addLoad, addOrganisation, addUser, putProjects } from '../../../test/world/report-world.ts'

/**
 * Number of writes after which the process is killed, counted from its start: while storing text, hits and matches, or
 * while notifying.
 */
const KILLS = [2, 4, 6, 9, 3, 8, 12, 5, 7, 10, 16, 20, 13, 15]
const AT = new Date('2026-11-23T12:00:00Z')
const WORD = 'หม้อแปลงไฟฟ้า'
const PROJECTS = ['67110000001', '67110000002', '67110000003']

const WORKER = path.join(import.meta.dirname, 'document-matcher-for-tests.ts')

describe.skipIf(inject('postgres') === undefined)(
  'document matching killed with SIGKILL, on PostgreSQL (R47, R52)',
  () => {
    let db: OpenDb
    let url: string
    let drop: () => Promise<void>
    beforeAll(async () => {
      ;({ url, drop } = await makeMigratedPostgres())
      db = createDb(await openPostgres(url, SLOW_MACHINE_OPTIONS))
    })
    afterAll(async () => {
      await db.close()
      await drop()
    })

    test(`${KILLS.length} times: adds every project and notifies once for each organisation`, async () => {
      const load = await addLoad(db)
      await putProjects(
        db,
        load,
        PROJECTS.map((id) => ({ id, name: 'งานอื่น' })),
      )
      const holder = await addOrganisation(db, { words: { include: ['งานอื่น'] } })
      const watching = [await addOrganisation(db), await addOrganisation(db)]
      for (const id of watching) {
        await addUser(db, id)
        await db.execute(sql`
          insert into keywords (organisation_id, list, word, word_key, in_documents) values (${id}::int, 'include', ${WORD}, ${WORD}, true)`)
      }
      await db.transaction((tx) => matchDataLoadProjects(tx, load))
      for (const [index, project] of PROJECTS.entries()) {
        const [hash, link] = [String(index).repeat(64), `https://process5.gprocurement.go.th/${project}`]
        await db.execute(sql`
          insert into intake_links (project_id, type, link, agency, published_on, state, found_at)
          values (${project}, 'D0', ${link}, 'x', '2026-11-20', 'had', ${AT.toISOString()}::timestamptz)`)
        await db.execute(sql`
          insert into documents (id, organisation_id, project_id, hash, type, name, bytes, added_at, link, fetched_at)
          values (${project}, ${holder}::int, ${project}, ${hash}, 'pdf', 'x.pdf', 8, ${AT.toISOString()}::timestamptz, ${link}, ${AT.toISOString()}::timestamptz)`)
        await enqueueSingleJob(db, DOCUMENT_JOB_TYPE, { key: hash, payload: { hash }, at: AT })
      }
      for (const [index, writes] of [...KILLS, Number.MAX_SAFE_INTEGER].entries()) {
        const at = new Date(AT.getTime() + index * 10 * 60_000)
        await killOnOutput(WORKER, [url, at.toISOString(), String(writes), WORD], /under way|over/)
      }
      const [counts] = await db.query(sql`
        select (select count(*)::int from public_documents) as documents, (select count(*)::int from public_pages) as pages,
          (select count(*)::int from document_matches) as matches, (select count(*)::int from document_matches where told_at is null) as untold,
          (select count(*)::int from worded_matches where matched_by = '{document}') as rows,
          (select count(*)::int from notifications where type = 'Document_found') as told,
          (select count(*)::int from jobs where state <> 'done' and kind in ('document', 'document-match', 'match')) as undone`)
      expect(counts).toEqual({ documents: 3, pages: 6, matches: 6, untold: 0, rows: 6, told: 6, undone: 0 })
    }, 600_000)
  },
)
