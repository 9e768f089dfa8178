import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { normaliseThai, removeSpacesNextToThai } from '#contract/thai/thai-text.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../test/server/databases.ts'
import { emptyTables } from '../../test/server/empty-tables.ts'
import { addLoad, putProjects } from '../../test/world/report-world.ts'
import { createRecentProjectsCache, RecentProject } from './recent-projects.ts'

const NOW = () => new Date('2026-11-21T05:00:00Z')
const row = {
  project_id: '1',
  project_province: null,
  budget_satang: null,
  movement_on: '2026-11-20',
  first_load: 1,
}
const department = { id: 1, name: '', sub_name: '', province: null }

test('packing both spellings of a name is lossless for any name', () => {
  const piece = fc.constantFrom('กล้อง', ' ', 'CCTV', '10', 'ก', '(', 'น้ำ', 'é', 'ที่', `ก${'ข'.repeat(300)}`)
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece).map((pieces) => pieces.join('')),
        fc.string({ unit: 'grapheme' }),
      ),
      (name) => {
        const spaced = normaliseThai(name)
        const project = new RecentProject(row, spaced, department)
        expect(project.name_spaced).toBe(spaced)
        expect(project.name_search).toBe(removeSpacesNextToThai(spaced))
      },
    ),
  )
})

onEachEngine('recent projects', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(() => emptyTables(db, 'departments', 'loads', 'projects'))

  test('cover the 30 days up to the newest, newest first, with all fields for matching', async () => {
    await putProjects(db, await addLoad(db), [
      { id: '1', movementOn: '2026-11-20', name: 'ซื้อกล้อง วงจรปิด 10 ตัว', unit: '', budget: null, province: null },
      { id: '2', movementOn: '2026-10-22' },
      { id: '3', movementOn: '2026-10-21' },
      { id: '4', movementOn: null },
      { id: '5', movementOn: '2026-11-20' },
      { id: '6', movementOn: '2026-12-24' },
    ])
    const recent = await createRecentProjectsCache(db, NOW)()
    expect(recent).toMatchObject({ from: '2026-10-22', to: '2026-11-20', days: 30 })
    expect(recent.projects.map((project) => project.project_id)).toEqual(['5', '1', '2'])
    expect(recent.projects[1]).toMatchObject({
      name_search: 'ซื้อกล้องวงจรปิด10ตัว',
      name_spaced: 'ซื้อกล้อง วงจรปิด 10 ตัว',
      dept_name: 'เทศบาลเมืองตัวอย่าง',
      dept_sub_name: '',
      dept_province: 10,
      project_province: null,
      budget_satang: null,
      movement_on: '2026-11-20',
    })
  })

  test('are cached until a load is published, and read once for concurrent callers', async () => {
    const recent = createRecentProjectsCache(db, NOW)
    expect((await recent()).projects).toEqual([])
    await putProjects(db, await addLoad(db), [{ id: '1' }])
    const [first, second] = await Promise.all([recent(), recent()])
    expect(first.projects).toHaveLength(1)
    expect(second).toBe(first)
    expect(await recent()).toBe(first)
    const next = await addLoad(db)
    await putProjects(db, next, [{ id: '1', name: 'ชื่อใหม่' }, { id: '2' }])
    const later = await recent()
    expect(later.load).toBe(next)
    expect(later.projects.map((project) => project.name_search).toSorted()).toContain('ชื่อใหม่')
    expect(later.projects).toHaveLength(2)
  })

  test('a failed read is retried', async () => {
    await putProjects(db, await addLoad(db), [{ id: '1' }])
    let fails = true
    const flaky: OpenDb = {
      ...db,
      query: (statement, options) => {
        if (fails && statement.sql.includes('from departments')) return Promise.reject(new Error('away'))
        return db.query(statement, options)
      },
    }
    const recent = createRecentProjectsCache(flaky, NOW)
    await expect(recent()).rejects.toThrow('away')
    fails = false
    expect((await recent()).projects).toHaveLength(1)
  })

  test('cover fewer whole days when there are too many', async () => {
    await putProjects(db, await addLoad(db), [{ id: '1', movementOn: '2026-11-20' }])
    await db.execute(sql`
      insert into projects
      select (jsonb_populate_record(p, jsonb_build_object('project_id', n::text, 'movement_on', date '2026-11-20' - n / 1000))).*
      from projects p, generate_series(2, 4999) n where p.project_id = '1'`)
    const recent = await createRecentProjectsCache(db, NOW, 3_000)()
    // Two batches of 2,000 rows exceed the limit of 3,000. They cover four whole days and none of the fifth.
    expect(recent).toMatchObject({ from: '2026-11-17', to: '2026-11-20', days: 4 })
    expect(recent.projects).toHaveLength(3_999)
  })
})
