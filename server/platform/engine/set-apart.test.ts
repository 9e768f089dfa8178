import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { onEachEngine } from '../../../test/server/databases.ts'
import type { OpenDb } from './db.ts'
import { alignApart, isSetApart, setApart } from './set-apart.ts'
import { asOwner, asOwnerApart, asOwnerBeside, asTenant, inEachPlace } from './tenant.ts'

onEachEngine('tables set apart', (makeDb) => {
  let db: OpenDb
  const names = () => db.query<{ name: string }>(sql`select name from keyword_things order by id`)
  const seen = async () => (await names()).map(({ name }) => name)
  const setThingsApart = () =>
    db.transaction((tx) =>
      setApart(tx, [
        { table: 'projects', rows: sql`false` },
        { table: 'keyword_things', rows: sql`name like 'made up%'` },
      ]),
    )

  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(async () => {
    const [apart] = await db.query<{ schema: string }>(sql`select current_schema() || '_sample' as schema`)
    await db.script(`drop schema if exists "${apart!.schema}" cascade; drop table if exists keyword_things;
      create table keyword_things (id int generated always as identity primary key, name text not null, size int, twice int generated always as (size * 2) stored);
      grant select on keyword_things to tamngan_tenant;
      insert into keyword_things (name, size) values ('real', 1), ('made up', 2), ('made up too', 3)`)
  })

  const someone = { organisationId: 1, userId: 1 }

  test('who is apart sees them and nothing else by the same statement, in turns on the same connections; everybody else sees ours', async () => {
    expect(await isSetApart(db)).toBe(false)
    await setThingsApart()
    await db.execute(sql`delete from keyword_things where name <> 'real'`)
    expect(await isSetApart(db)).toBe(true)
    const apart = { ...someone, isApart: true }
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await asTenant(apart, seen)).toEqual(['made up', 'made up too'])
      expect(await asTenant(someone, seen)).toEqual(['real'])
      expect(await asOwnerApart(seen)).toEqual(['made up', 'made up too'])
      expect(await asTenant(apart, () => asOwner(seen))).toEqual(['real'])
      expect(await asTenant(apart, () => asOwnerBeside(seen))).toEqual(['made up', 'made up too'])
    }
    await expect(asTenant(apart, () => db.execute(sql`delete from keyword_things`))).rejects.toThrow(
      /permission denied/,
    )
    // Accounts exist only in the real tables.
    expect(await asOwnerApart(() => db.query(sql`select from organisations`))).toEqual([])
  })

  test('after a migration they have our columns, with the values that both know', async () => {
    await setThingsApart()
    await db.script(`alter table keyword_things add column colour text not null default 'red';
      alter table keyword_things drop column size cascade; alter table keyword_things add column size bigint`)
    await db.transaction(alignApart)
    const rows = () => db.query(sql`select name, colour, size from keyword_things order by id`)
    expect(await asTenant({ ...someone, isApart: true }, rows)).toEqual([
      { name: 'made up', colour: 'red', size: 2 },
      { name: 'made up too', colour: 'red', size: 3 },
    ])
    await db.script('drop table keyword_things')
    await db.transaction(alignApart)
    await expect(asOwnerApart(seen)).rejects.toThrow(/does not exist/)
  })
})

test('what is kept in memory is kept for each place', () => {
  const kept = inEachPlace(() => ({ of: Math.random() }))
  expect(asOwnerApart(kept)).not.toBe(kept())
  expect([asOwnerApart(kept), kept()]).toEqual([asOwnerApart(kept), kept()])
})
