import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { onEachEngine } from '../../../test/server/databases.ts'
import type { OpenDb } from './db.ts'
import { alignDemoSchema, createDemoSchema, hasDemoSchema } from './demo-schema.ts'
import {
  memoizePerDatabaseSchema,
  runAsTenant,
  runInCallerSchema,
  runInDemoSchema,
  runWithoutTenant,
} from './tenant.ts'

onEachEngine('tables in the demo schema', (makeDb) => {
  let db: OpenDb
  const names = () => db.query<{ name: string }>(sql`select name from keyword_things order by id`)
  const seen = async () => (await names()).map(({ name }) => name)
  const createDemoThings = () =>
    db.transaction((tx) =>
      createDemoSchema(tx, [
        { table: 'projects', rows: sql`false` },
        { table: 'keyword_things', rows: sql`name like 'made up%'` },
      ]),
    )

  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(async () => {
    const [demo] = await db.query<{ schema: string }>(sql`select current_schema() || '_sample' as schema`)
    await db.script(`drop schema if exists "${demo!.schema}" cascade; drop table if exists keyword_things;
      create table keyword_things (id int generated always as identity primary key, name text not null, size int, twice int generated always as (size * 2) stored);
      grant select on keyword_things to tamngan_tenant;
      insert into keyword_things (name, size) values ('real', 1), ('made up', 2), ('made up too', 3)`)
  })

  const someone = { organisationId: 1, userId: 1 }

  test('demo scopes see only demo rows on shared connections; all other scopes see the real tables', async () => {
    expect(await hasDemoSchema(db)).toBe(false)
    await createDemoThings()
    await db.execute(sql`delete from keyword_things where name <> 'real'`)
    expect(await hasDemoSchema(db)).toBe(true)
    const demoUser = { ...someone, isInDemoSchema: true }
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await runAsTenant(demoUser, seen)).toEqual(['made up', 'made up too'])
      expect(await runAsTenant(someone, seen)).toEqual(['real'])
      expect(await runInDemoSchema(seen)).toEqual(['made up', 'made up too'])
      expect(await runAsTenant(demoUser, () => runWithoutTenant(seen))).toEqual(['real'])
      expect(await runAsTenant(demoUser, () => runInCallerSchema(seen))).toEqual(['made up', 'made up too'])
    }
    await expect(runAsTenant(demoUser, () => db.execute(sql`delete from keyword_things`))).rejects.toThrow(
      /permission denied/,
    )
    expect(await runInDemoSchema(() => db.query(sql`select from organisations`))).toEqual([])
  })

  test('get the real columns after a migration and keep the values of shared columns', async () => {
    await createDemoThings()
    await db.script(`alter table keyword_things add column colour text not null default 'red';
      alter table keyword_things drop column size cascade; alter table keyword_things add column size bigint`)
    await db.transaction(alignDemoSchema)
    const rows = () => db.query(sql`select name, colour, size from keyword_things order by id`)
    expect(await runAsTenant({ ...someone, isInDemoSchema: true }, rows)).toEqual([
      { name: 'made up', colour: 'red', size: 2 },
      { name: 'made up too', colour: 'red', size: 3 },
    ])
    await db.script('drop table keyword_things')
    await db.transaction(alignDemoSchema)
    await expect(runInDemoSchema(seen)).rejects.toThrow(/does not exist/)
  })
})

test('caches in memory are separate for each schema', () => {
  const cached = memoizePerDatabaseSchema(() => ({ of: Math.random() }))
  expect(runInDemoSchema(cached)).not.toBe(cached())
  expect([runInDemoSchema(cached), cached()]).toEqual([runInDemoSchema(cached), cached()])
})
