import sql from 'sql-template-tag'
import { beforeAll, expect, test, vi } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onOneEngine } from '../../../test/server/databases.ts'
import { createRequestAwareWorkThrottle, createServedRequestRecorder } from './serving-record.ts'

onOneEngine('the pace of a load', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })

  test('is slow while users are served and full speed once idle; the embedded database has one pace', async () => {
    const pace = createRequestAwareWorkThrottle(db)
    try {
      expect(pace.isSlow()).toBe(false)
      const note = createServedRequestRecorder(db)
      note()
      note()
      if (db.engine === 'pglite') {
        expect(await db.query(sql`select from job_leases`)).toEqual([])
        return
      }
      await vi.waitFor(() => expect(pace.isSlow()).toBe(true), { timeout: 10_000 })
      await db.execute(sql`update job_leases set expires_at = now() where name = 'serving'`)
      await vi.waitFor(() => expect(pace.isSlow()).toBe(false), { timeout: 10_000 })
    } finally {
      await pace.stop()
    }
  })

  test('runs one task at a time in order while slow, and continues when one fails', async () => {
    const pace = createRequestAwareWorkThrottle(db)
    try {
      if (db.engine === 'pglite') return
      await db.execute(sql`
        insert into job_leases (name, holder, expires_at) values ('serving', 'servers', now() + interval '1 hour')
        on conflict (name) do update set expires_at = excluded.expires_at`)
      await vi.waitFor(() => expect(pace.isSlow()).toBe(true), { timeout: 10_000 })
      const events: string[] = []
      const work = (name: string) => async () => {
        events.push(`${name} begins`)
        await db.query(sql`select`)
        events.push(`${name} ends`)
        if (name === 'b') throw new Error('b failed')
      }
      const [, b] = await Promise.allSettled(['a', 'b', 'c'].map((name) => pace.run(work(name))))
      expect(b).toMatchObject({ status: 'rejected', reason: new Error('b failed') })
      expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
    } finally {
      await pace.stop()
    }
  })
})
