import sql from 'sql-template-tag'
import { expect, test, vi } from 'vitest'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { createDemoDataLoader } from './demo-data-loader.ts'

onOneEngine('the rest of the sample', (makeDb) => {
  test('stays reported as stopped with its progress, and is logged, when it fails', async () => {
    const db = await makeDb()
    await db.execute(sql`
      insert into loads (source, origin, fingerprint, state, read_rows, staged_rows, published_at)
      values ('sample', 'sample', 'sample:1:no-day', 'publishing', 2500, 27545, now())`)
    const arrival = await createDemoDataLoader(db, { log: () => {}, error: () => {} } as never)
    expect(arrival.progress()).toMatchObject({ done: 2500, total: 27545 })
    const error = vi.fn()
    arrival.start({ error } as unknown as RouteApp['log'])
    await vi.waitFor(() => expect(error).toHaveBeenCalledOnce(), 30_000)
    expect(arrival.progress()).toMatchObject({ done: 2500, total: 27545, stopped: true })
  })
})
