import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeEmptyPostgres } from '../../test/server/databases.ts'
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../../test/server/pgbouncer.ts'
import { logDatabaseWarnings } from './log-database-warnings.ts'
import { parseSettings } from './settings.ts'
import { openMigratedDatabase } from './with-database.ts'

describe.skipIf(inject('postgres') === undefined || !hasPgBouncer())(
  'a start through PgBouncer',
  () => {
    let database: Awaited<ReturnType<typeof makeEmptyPostgres>>
    let pooler: PgBouncer
    beforeAll(async () => {
      database = await makeEmptyPostgres()
      pooler = await startPgBouncer(database.url)
    })
    afterAll(async () => {
      await pooler.stop()
      await database.drop()
    })
    const start = async (direct?: string) => {
      const settings = parseSettings({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: direct })
      const db = await openMigratedDatabase(settings)
      const logLines: string[] = []
      await logDatabaseWarnings(db, settings, { log: (text) => logLines.push(text) })
      await db.close()
      return logLines
    }

    test('fails without tables, and names DATABASE_DIRECT_URL when it is missing or pooled too', async () => {
      await expect(start()).rejects.toThrow(/^DATABASE_DIRECT_URL: must be set/)
      await expect(start(pooler.url)).rejects.toThrow(/^DATABASE_DIRECT_URL: points to a pooler/)
    })

    test('creates tables over the direct address; later starts without it and warns', async () => {
      const standbys = 'เครื่องสำรองที่ได้ข้อมูลก่อนตอบรับ (synchronous): ไม่มี'
      expect(await start(database.url)).toEqual([standbys])
      expect(await start()).toEqual([expect.stringMatching(/^DATABASE_URL points to a pooler/), standbys])
    })
  },
  60_000,
)
