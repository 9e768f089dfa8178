import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { addOrganisation, addUser } from '../../../test/world/report-world.ts'
import { type ReportViewer, readReportSnapshot } from './report-snapshot.ts'

/** More than five, because PostgreSQL compares a generic plan only after five executions. */
const TIMES = 8

onEachEngine('the snapshot version', (makeDb) => {
  let db: OpenDb
  let viewer: ReportViewer
  beforeAll(async () => {
    db = await makeDb()
    const organisationId = await addOrganisation(db)
    viewer = { organisationId, userId: await addUser(db, organisationId) }
    await db.execute(
      sql`insert into bookmarks (user_id, project_id) select ${viewer.userId}::int, n::text from generate_series(1, 2000) n`,
    )
    await db.script('analyze bookmarks')
  })

  test('is read with a prepared plan that the connection reuses', async () => {
    await db.transaction(async (tx) => {
      for (let i = 0; i < TIMES; i += 1) {
        await readReportSnapshot(tx, viewer)
      }
      const statements = await tx.query<{ name: string; generic: number }>(sql`
        select name, generic_plans as generic from pg_prepared_statements where name like '%report_standing'`)
      expect(statements.map(({ name }) => name)).toHaveLength(1)
      for (const { name, generic } of statements) expect(generic, name).toBeGreaterThan(0)
    })
  })
})
