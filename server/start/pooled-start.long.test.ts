import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeEmptyPostgres } from '../../test/server/databases.ts'
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../../test/server/pgbouncer.ts'
import { readSettings } from './settings.ts'
import { tellDatabase } from './tell-database.ts'
import { openMigrated } from './with-database.ts'

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
      const settings = readSettings({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: direct })
      const db = await openMigrated(settings)
      const told: string[] = []
      await tellDatabase(db, settings, { log: (text) => told.push(text) })
      await db.close()
      return told
    }

    test('that has tables to make ends, and names the setting that is missing, or that leads through the pooler too', async () => {
      await expect(start()).rejects.toThrow(/^DATABASE_DIRECT_URL: must be set/)
      await expect(start(pooler.url)).rejects.toThrow(/^DATABASE_DIRECT_URL: leads through a pooler/)
    })

    test('makes them past it; later it goes on without the direct address, and says what that costs', async () => {
      const standbys = 'เครื่องสำรองที่ได้ข้อมูลก่อนตอบรับ (synchronous): ไม่มี'
      expect(await start(database.url)).toEqual([standbys])
      expect(await start()).toEqual([expect.stringMatching(/^DATABASE_URL leads through a pooler/), standbys])
    })
  },
  60_000,
)
