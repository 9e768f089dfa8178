import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Db } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { releaseAllLeases } from '#server/platform/queue/queries.ts'
import { killOnOutput } from '../../../test/server/killed-process.ts'
import { addOrganisation, addUser } from '../../../test/world/report-world.ts'
import { createClosingProjectsSource, TODAY } from './closing-projects-for-tests.ts'
import { runDataLoad, withDataLoadLease } from './run-load.ts'

const LOADER = path.join(import.meta.dirname, 'notifying-loader-for-tests.ts')

async function load(db: Db, budgetSatang: number, fingerprint: string): Promise<void> {
  await withDataLoadLease(db, (lease) =>
    runDataLoad(db, lease, createClosingProjectsSource(budgetSatang), { origin: 'list', fingerprint, today: TODAY }),
  )
}

const counted = (db: Db) => db.query(sql`select type, count(*) as n from notifications group by type order by type`)

test.each([
  ['when all is matched', /^match 1500$/m],
  ['when the notifications are written and not committed', /^notified \d+$/m],
])(
  'R52: a load killed with SIGKILL %s notifies no user; a rerun notifies once, a second not again',
  async (_, line) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'tamngan-killed-'))
    const before = await openDb({ dataDir })
    await migrateDatabase(before)
    await addUser(before, await addOrganisation(before, { words: { include: ['ถนน'] } }))
    await load(before, 100_00, 'first')
    await before.execute(sql`
    insert into bookmarks (user_id, project_id) select u.id, p.project_id from users u, projects p where p.project_id not like '%9'`)
    const [starred] = await before.query<{ all: number; due: number }>(sql`
    select count(*) as "all", count(*) filter (where p.submission_ends_on <= ${TODAY}::date + 7) as due
    from bookmarks b join projects p on p.project_id = b.project_id`)
    expect(await counted(before)).toEqual([])
    await before.close()
    // The load uses Bangkok dates whatever the machine's time zone is (R58).
    await killOnOutput(LOADER, [dataDir, String(200_00)], line, { TZ: 'America/Los_Angeles' })

    const db = await openDb({ dataDir })
    try {
      expect(await counted(db)).toEqual([])
      expect(await db.query(sql`select 1 from users where notifications_click_read`)).toEqual([])
      await releaseAllLeases(db)
      await load(db, 200_00, 'second')
      const once = [
        { type: 'Submission_date_end', n: starred!.due },
        { type: 'Updated', n: starred!.all },
      ]
      expect(starred!.due).toBeGreaterThan(1_000)
      expect(await counted(db)).toEqual(once)
      await load(db, 200_00, 'the same content again')
      expect(await counted(db)).toEqual(once)
    } finally {
      await db.close()
    }
  },
  240_000,
)
