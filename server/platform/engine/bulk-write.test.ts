import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { addLoad, addOrganisation, putProjects } from '../../../test/world/report-world.ts'
import { skipForeignKeyChecks } from './bulk-write.ts'
import type { Db } from './db.ts'

onEachEngine('a transaction without foreign key checks', (makeDb) => {
  const versionsIn = async (db: Db) => ({
    projects: await db.query(sql`select version, writes from project_version`),
    matches: await db.query(sql`select organisation_id, version from match_versions`),
  })

  test('still bumps the versions that invalidate caches of projects and matches', async () => {
    const db = await makeDb()
    const organisation = await addOrganisation(db, { words: { include: ['ยา'] } })
    await db.transaction(async (tx) => {
      const load = await addLoad(tx)
      await putProjects(tx, load, [{ id: '67000000001', name: 'ซื้อยา' }])
    })
    const before = await versionsIn(db)
    await db.transaction(async (tx) => {
      const load = await addLoad(tx)
      await skipForeignKeyChecks(tx)
      await putProjects(tx, load, [{ id: '67000000002', name: 'ซื้อยาสามัญ' }])
      await matchDataLoadProjects(tx, load)
    })
    const after = await versionsIn(db)
    expect(after.projects).not.toEqual(before.projects)
    expect(after.matches).toEqual([{ organisation_id: organisation, version: expect.any(String) }])
    expect(after.matches).not.toEqual(before.matches)
  })
})
