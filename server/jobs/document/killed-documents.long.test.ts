import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { buildTestZip } from '#server/documents/bundle/zip-for-tests.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { makePdf } from '../../../test/make-pdf.ts'
import { SLOW_MACHINE_OPTIONS } from '../../../test/server/database-setup.ts'
import { makeMigratedPostgres } from '../../../test/server/databases.ts'
import { killOnOutput } from '../../../test/server/killed-process.ts'
import { makeDocumentsWorld } from '../../../test/world/documents-world.ts'

/**
 * Number of writes after which the process is killed, counted from its start: recording expected links, between two
 * links, while storing a file, in a bundle.
 */
const KILLS = [1, 2, 3, 5, 6, 7, 9, 11, 14, 18, 23]
const EVENING = new Date('2026-11-23T17:31:00+07:00')

const WORKER = path.join(import.meta.dirname, 'document-fetcher-for-tests.ts')

describe.skipIf(inject('postgres') === undefined)(
  'document fetching killed with SIGKILL, on PostgreSQL (R47, R52)',
  () => {
    let db: OpenDb
    let url: string
    let drop: () => Promise<void>
    let dataDir: string
    beforeAll(async () => {
      ;({ url, drop } = await makeMigratedPostgres())
      db = createDb(await openPostgres(url, SLOW_MACHINE_OPTIONS))
      dataDir = await mkdtemp(path.join(tmpdir(), 'killed-documents-'))
    })
    afterAll(async () => {
      await db.close()
      await drop()
      await rm(dataDir, { recursive: true })
    })

    test(`${KILLS.length} times: stores, reads and reports each once per organisation, without orphaned files`, async () => {
      const world = await makeDocumentsWorld(db, EVENING.toISOString())
      const invitation = (project: number, text = 'ประกาศ') =>
        world.server.put(`/${project}`, makePdf([[`${text} ${project}`]]))
      for (const project of [1, 2, 3, 4, 5, 6]) await world.announce(String(project), invitation(project))
      for (const project of [7, 8])
        await world.announce(
          String(project),
          world.server.put(
            `/${project}`,
            buildTestZip([1, 2].map((n) => ({ name: `TOR_${n}.pdf`, content: makePdf([[`TOR ${project} ${n}`]]) }))),
          ),
          { type: 'B0' },
        )
      for (const project of ['1', '7', '8']) await world.star(project, world.users[0])
      const runTo = async (writes: number, at: Date) => {
        await killOnOutput(WORKER, [url, dataDir, at.toISOString(), String(writes)], /under way|over/)
        await db.execute(sql`update job_leases set expires_at = now() - interval '1 second'`)
      }
      for (const [index, writes] of KILLS.entries())
        await runTo(writes, new Date(EVENING.getTime() + index * 10 * 60_000))
      await runTo(Number.MAX_SAFE_INTEGER, new Date(EVENING.getTime() + 3 * 60 * 60_000))
      // The content changes three nights later, and the process is killed while downloading it.
      invitation(1, 'ฉบับแก้ไข')
      const later = EVENING.getTime() + 3 * 24 * 60 * 60_000
      for (const [index, writes] of [3, 5, 6].entries()) await runTo(writes, new Date(later + index * 10 * 60_000))
      await runTo(Number.MAX_SAFE_INTEGER, new Date(later + 60 * 60_000))

      const count = async (query: ReturnType<typeof sql>) => (await db.query<{ n: number }>(query))[0]!.n
      const [follower, nonFollower] = world.organisations
      // Expected are six invitations, one new version, and two bundles with two documents each. The other organisation
      // follows nothing, so it has no bundles.
      const of = (organisation: number) =>
        count(
          sql`select count(*)::int as n from documents where organisation_id = ${organisation}::int and state = 'read'`,
        )
      expect([await of(follower), await of(nonFollower)]).toEqual([6 + 1 + 2 * 3, 6 + 1])
      expect(await count(sql`select count(*)::int as n from documents where state <> 'read'`)).toBe(0)
      expect(await count(sql`select count(*)::int as n from intake_versions`)).toBe(9)
      expect(await count(sql`select count(*)::int as n from notifications where type = 'Document_changed'`)).toBe(1)
      expect(await count(sql`select count(*)::int as n from jobs where state = 'dead'`)).toBe(0)
      const stored = (await readdir(path.join(dataDir, 'documents'), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('arriving'))
        .map(({ name }) => name)
      const named = await db.query<{ hash: string }>(
        sql`select hash from documents union select hash from intake_versions`,
      )
      expect(new Set(stored)).toEqual(new Set(named.map(({ hash }) => hash)))
      await world.close()
    }, 300_000)
  },
)
