import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { encodeProjectKey } from '#server/platform/text/project-key.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { addLoad, copyProject, putProjects } from '../../../test/world/report-world.ts'
import { loadProjectsIntoColumns as readProjects } from './project-cache.ts'
import { ProjectColumns } from './project-columns.ts'

/** Four and a half pages of 2,000, because the second test inserts rows before the fourth page. */
const PROJECTS = 9_000
const FIRST = 67_000_000_001
const rowOf = (columns: ProjectColumns, id: number) => columns.rowOf(encodeProjectKey(String(id))!)
const signal = new AbortController().signal

onEachEngine('reading all projects', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
    await putProjects(db, await addLoad(db), [{ id: '67000000000', province: 10 }])
    await copyProject(db, '67000000000', PROJECTS - 1, FIRST)
    // Update the planner's statistics, as an import does at its end.
    await db.script('analyze projects')
  })

  async function read(from: Db): Promise<{ readonly put: number | undefined; readonly columns: ProjectColumns }> {
    const columns = new ProjectColumns()
    const put = await readProjects(from, columns, { signal, maxBytes: 2 ** 30 })
    return { put, columns }
  }

  test('returns each project once, ordered by id', async () => {
    const { put, columns } = await read(db)
    expect([put, columns.size]).toEqual([PROJECTS, PROJECTS])
    const keys = [...columns.keys.subarray(0, PROJECTS)]
    expect(keys.every((key, row) => row === 0 || key > keys[row - 1]!)).toBe(true)
    expect(rowOf(columns, FIRST + PROJECTS - 2)).toBe(PROJECTS - 1)
  })

  test('includes rows inserted between two statements, and loses no others', async () => {
    let pages = 0
    const meanwhile: Db = {
      ...db,
      async query(statement, options) {
        // Before the fourth page is read, insert one row before everything read so far, one among the unread rows and
        // one after all rows.
        if (options?.name === 'projects_page' && ++pages === 4)
          for (const id of ['66999999999', '670000150005', '67900000000'])
            await db.execute(sql`
              insert into projects select (jsonb_populate_record(p, jsonb_build_object('project_id', ${id}::text))).* from projects p where project_id = '67000000000'`)
        return await db.query(statement, options)
      },
    }
    const { columns } = await read(meanwhile)
    for (const id of [670_000_150_005, 67_900_000_000]) expect(rowOf(columns, id), String(id)).toBeDefined()
    const missing = Array.from({ length: PROJECTS - 1 }, (_, i) => FIRST + i).filter(
      (id) => rowOf(columns, id) === undefined,
    )
    expect(missing).toEqual([])
  })
})
