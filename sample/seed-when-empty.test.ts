import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { CommandLineOutput } from '#server/cli/terminal.ts'
import { onOneEngine } from '../test/server/databases.ts'
import { finishDatabaseSeed, seedRecentDataWhenEmpty } from './seed-when-empty.ts'

const terminal = { log: () => undefined, error: () => undefined } as unknown as CommandLineOutput

onOneEngine('the demo data', (makeDb) => {
  test.each([
    [
      'real projects',
      `insert into loads (source, origin, state, new_projects) values ('cgd', 'a file', 'published', 1)`,
    ],
    [
      'a real budget',
      `insert into budget_loads (fiscal_year, origin, loaded_at, read_rows, items, quarantined_rows) values (2570, 'act 2570', now(), 1, 1, 0)`,
    ],
    [
      'a source that is on',
      `insert into intake_sources (source, is_on, address, opens_at, closes_at, pace_ms) values ('egp-rss', true, 'https://egp.example', '21:00', '06:00', 1000)`,
    ],
  ])('is never added beside %s, although the start asks for it', async (_what, statement) => {
    const db = await makeDb()
    await db.script(statement)
    await seedRecentDataWhenEmpty(db, terminal)
    await finishDatabaseSeed(db, {})
    expect(
      await db.query(sql`
        select (select count(*)::int from organisations) as organisations, (select count(*)::int from projects) as projects,
          (select count(*)::int from budget_items) as items`),
    ).toEqual([{ organisations: 0, projects: 0, items: 0 }])
  })
})
