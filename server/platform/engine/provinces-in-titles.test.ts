import { readFileSync } from 'node:fs'
import path from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { addLoad, addOrganisation, putProjects } from '../../../test/world/report-world.ts'

const MIGRATION = readFileSync(path.join(import.meta.dirname, 'migrations/0105_provinces_in_titles.sql'), 'utf8')

onEachEngine('the migration of provinces in titles', (makeDb) => {
  test('corrects provinces that titles spell oddly, and keeps provinces from another source', async () => {
    const db = await makeDb()
    const load = await addLoad(db)
    await addOrganisation(db, { words: { include: ['กล้อง'] } })
    const ofUnit = { deptProvince: 62, province: 62 }
    await putProjects(db, load, [
      { id: '1', ...ofUnit, name: 'ซื้อกล้อง จังหวัดเเพร่' },
      { id: '2', ...ofUnit, name: 'ซื้อกล้อง จ. ลํา\u200bปาง' },
      { id: '3', ...ofUnit, name: 'ซื้อกล้อง จังหวัดแพร่', province: 54 },
      // Coordinates or a document located this project in another province than its title.
      { id: '4', ...ofUnit, name: 'ซื้อกล้อง จังหวัดเเพร่', province: 90 },
      // An earlier version recognised one province in this title, but there are two, so the province falls back to the
      // unit's.
      { id: '5', ...ofUnit, name: 'ซื้อกล้อง จังหวัดน่าน จังหวัดเเพร่', province: 55 },
      { id: '6', ...ofUnit, name: 'ซื้อกล้อง' },
    ])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    for (let run = 0; run < 2; run += 1) {
      await db.transaction((tx) => tx.script(MIGRATION))
      const rows = await db.query<{ id: string; province: number; filter: number }>(sql`
        select p.project_id as id, p.project_province as province, f.project_province as filter
        from projects p join project_filters f on f.project_id = p.project_id order by 1`)
      expect(rows.map(({ id, province, filter }) => [id, province, filter])).toEqual([
        ['1', 54, 54],
        ['2', 52, 52],
        ['3', 54, 54],
        ['4', 90, 90],
        ['5', 62, 62],
        ['6', 62, 62],
      ])
    }
  })
})
