import sql from 'sql-template-tag'
import { beforeAll, expect, test, vi } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { addOrganisation, addUser } from '../../../test/world/report-world.ts'
import { createMarkCache } from './match-cache.ts'
import { type ReportViewer, readReportSnapshot } from './report-snapshot.ts'

/** More than five, because PostgreSQL compares a generic plan only after five executions. */
const TIMES = 8

onEachEngine('the snapshot version', (makeDb) => {
  let db: OpenDb
  let viewer: ReportViewer
  let otherUserId: number
  beforeAll(async () => {
    db = await makeDb()
    const organisationId = await addOrganisation(db)
    viewer = { organisationId, userId: await addUser(db, organisationId) }
    await db.execute(
      sql`insert into bookmarks (user_id, project_id) select ${viewer.userId}::int, n::text from generate_series(1, 2000) n`,
    )
    await db.execute(
      sql`insert into labels (user_id, id, name, color) values (${viewer.userId}::int, 'l', 'l', 'blue')`,
    )
    otherUserId = await addUser(db, organisationId)
    await db.script('analyze bookmarks')
  })

  test('is read with a prepared plan that the connection reuses', async () => {
    await db.transaction(async (tx) => {
      for (let i = 0; i < TIMES; i += 1) {
        const { marks } = await readReportSnapshot(tx, viewer)
        await createMarkCache(tx).find(viewer.userId, marks)
      }
      const statements = await tx.query<{ name: string; generic: number }>(sql`
        select name, generic_plans as generic from pg_prepared_statements
        where name like '%report_standing' or name like '%report_marks'`)
      expect(statements.map(({ name }) => name)).toHaveLength(2)
      for (const { name, generic } of statements) expect(generic, name).toBeGreaterThan(0)
    })
  })

  test('has another version of the marks after each change, and only then are they read again', async () => {
    const user = sql`${viewer.userId}::int`
    const cache = createMarkCache(db)
    const reads = vi.spyOn(db, 'query')
    const readMarks = async () => {
      const { marks } = await readReportSnapshot(db, viewer)
      reads.mockClear()
      expect(await cache.find(viewer.userId, marks)).toBeDefined()
      return { version: marks, wasRead: reads.mock.calls.length > 0 }
    }
    let { version } = await readMarks()
    for (const change of [
      sql`insert into hidden_projects (user_id, project_id) values (${user}, '1')`,
      sql`delete from hidden_projects where user_id = ${user}`,
      sql`delete from bookmarks where user_id = ${user} and project_id = '1'`,
      sql`insert into bookmarks (user_id, project_id) values (${user}, '1')`,
      sql`insert into label_assignments (user_id, label_id, project_id) values (${user}, 'l', '1'), (${user}, 'l', '2')`,
      sql`delete from label_assignments where user_id = ${user} and project_id = '1'`,
      sql`delete from labels where user_id = ${user}`,
    ]) {
      await db.execute(change)
      const changed = await readMarks()
      expect([changed.wasRead, changed.version === version], change.sql).toEqual([true, false])
      expect(await readMarks()).toEqual({ version: changed.version, wasRead: false })
      version = changed.version
    }
    await db.execute(sql`insert into bookmarks (user_id, project_id) values (${otherUserId}::int, '1')`)
    expect((await readMarks()).version).toBe(version)
  })
})
