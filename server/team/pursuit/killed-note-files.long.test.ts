import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { unpackBundle } from '#server/documents/bundle/unpack-bundle.ts'
import { createFolderDocumentStore } from '#server/documents/store/folder-store.ts'
import { documentJob } from '#server/jobs/document/document-job.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { runDue } from '../../../test/jobs.ts'
import { SLOW_MACHINE_OPTIONS } from '../../../test/server/database-setup.ts'
import { makeMigratedPostgres } from '../../../test/server/databases.ts'
import { killOnOutput } from '../../../test/server/killed-process.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'

/**
 * Numbers of writes after which a server process dies. The writes of each file are job, row, audit event, note and
 * attachment. With 0, the process dies after half a request body.
 */
const KILLS = [0, 1, 2, 3, 4, 6, 8, 10, 14, 19, 25]

const SERVER = path.join(import.meta.dirname, 'note-file-server-for-tests.ts')

describe.skipIf(inject('postgres') === undefined)(
  'note files when the server is killed with SIGKILL (R47, R62)',
  () => {
    let db: OpenDb
    let url: string
    let drop: () => Promise<void>
    let folder: string
    beforeAll(async () => {
      ;({ url, drop } = await makeMigratedPostgres())
      db = createDb(await openPostgres(url, SLOW_MACHINE_OPTIONS))
      folder = await mkdtemp(path.join(tmpdir(), 'killed-note-files-'))
      await seedSampleOrganisations(db, '2026-11-21')
      const load = await addLoad(db)
      await putProjects(db, load, [{ id: '67110000001', name: 'ติดตั้งกล้องวงจรปิด' }])
      await db.transaction((tx) => matchDataLoadProjects(tx, load))
    })
    afterAll(async () => {
      await db.close()
      await drop()
      await rm(folder, { recursive: true })
    })

    test(`${KILLS.length} times: every note has its complete files, and the collector leaves no orphaned file`, async () => {
      const store = createFolderDocumentStore(folder)
      for (const [round, writes] of [...KILLS, 1e6].entries())
        await killOnOutput(SERVER, [url, folder, `r${round}`, String(writes)], /under way|over/)
      const rows = await db.query<{ hash: string; bytes: number; note_id: string | null }>(
        sql`select hash, bytes, note_id from note_files`,
      )
      const noted = await db.query(sql`select from pursuit_notes`)
      expect(rows.filter(({ note_id }) => note_id !== null)).toHaveLength(noted.length)
      expect(noted.length).toBeGreaterThan(4)
      for (const { hash, bytes } of rows) {
        const content = await readFile(path.join(folder, hash.slice(0, 2), hash))
        expect(content).toHaveLength(bytes)
        expect(createHash('sha256').update(content).digest('hex')).toBe(hash)
      }
      const documents = { store, read: (async () => undefined) as never, unpack: unpackBundle, quotaBytes: 1 }
      const later = new Date(Date.now() + 4 * 24 * 3_600_000)
      await documentJob.prune!(db, later, { documents })
      await runDue(documentJob, { db, now: new Date(later.getTime() + 3_600_000), parts: { documents } })
      const left = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
        (entry) => entry.isFile() && !entry.parentPath.endsWith('arriving'),
      )
      const named = await db.query<{ hash: string }>(sql`select distinct hash from note_files`)
      expect(left.map(({ name }) => name).sort()).toEqual(named.map(({ hash }) => hash).sort())
      expect(named).toHaveLength(noted.length)
    }, 300_000)
  },
)
