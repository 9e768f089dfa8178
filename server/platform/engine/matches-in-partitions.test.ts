import { readFileSync } from 'node:fs'
import path from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { addLoad, addOrganisation, putProjects } from '../../../test/world/report-world.ts'

const MIGRATION = readFileSync(path.join(import.meta.dirname, 'migrations/0126_matches_in_64_partitions.sql'), 'utf8')
const SIXTEEN = `
  create table kept as select * from project_matches;
  do $$ begin
    for i in 0..63 loop execute format('drop table project_matches_%s', i); end loop;
    for i in 0..15 loop
      execute format('create table project_matches_%s partition of project_matches for values with (modulus 16, remainder %s)', i, i);
    end loop;
  end $$;
  insert into project_matches select * from kept;
  drop table kept;`

onEachEngine('the migration to 64 partitions', (makeDb) => {
  test('moves every match, records no change, and is a no-op the second time', async () => {
    const db = await makeDb()
    const load = await addLoad(db)
    for (let n = 0; n < 5; n += 1) await addOrganisation(db, { words: { include: ['กล้อง'] } })
    await putProjects(
      db,
      load,
      Array.from({ length: 20 }, (_, at) => ({ id: String(at), name: `ซื้อกล้อง ${at}` })),
    )
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    await db.transaction((tx) => tx.script(SIXTEEN))
    const state = async () => ({
      matches: await db.query(sql`select * from project_matches order by organisation_id, project_id`),
      versions: await db.query(sql`select * from match_versions order by 1`),
      triggers: await db.query(
        sql`select tgname, tgenabled from pg_trigger where tgrelid = 'project_matches'::regclass order by 1`,
      ),
    })
    const before = await state()
    expect(before.matches).toHaveLength(100)
    for (let run = 0; run < 2; run += 1) {
      await db.transaction((tx) => tx.script(MIGRATION))
      expect(await state()).toEqual(before)
      const [partitions] = await db.query<{ n: number }>(
        sql`select count(*)::int as n from pg_inherits where inhparent = 'project_matches'::regclass`,
      )
      expect(partitions!.n).toBe(64)
    }
    await db.execute(sql`delete from project_matches where project_id = '1'`)
    expect((await state()).versions).not.toEqual(before.versions)
  })
})
