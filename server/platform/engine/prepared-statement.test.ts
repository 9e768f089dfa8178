import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { onEachEngine } from '../../../test/server/databases.ts'
import { addOrganisation, addUser } from '../../../test/world/report-world.ts'
import { type OpenDb, StatementError } from './db.ts'
import { runAsTenant } from './tenant.ts'

onEachEngine('a named prepared statement', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })
  const times = Array.from({ length: 8 }, (_, i) => i)

  test('returns the right values and types for each call, and counts rows', async () => {
    for (const i of times) {
      const statement = sql`select ${i}::int8 + 1 as next, ${[`a"${i}`, 'ข']}::text[] as words, ${null}::date as day, now() < ${new Date(0)} as past`
      const rows = await db.query(statement, { name: 'forms' })
      expect(rows).toEqual([{ next: i + 1, words: [`a"${i}`, 'ข'], day: null, past: false }])
    }
    await db.script('create table kept (n int primary key)')
    for (const i of times)
      expect(await db.execute(sql`insert into kept values (${i}::int), (${-1 - i}::int)`, { name: 'put' })).toBe(2)
  })

  test('fails only for one call', async () => {
    const divide = (by: number) => db.query<{ n: number }>(sql`select 6 / ${by}::int as n`, { name: 'divide' })
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
    expect(await divide(2)).toEqual([{ n: 3 }])
    await expect(divide(0)).rejects.toBeInstanceOf(StatementError)
    expect(await divide(3)).toEqual([{ n: 2 }])
  })

  test('can be prepared first in a transaction that is rolled back', async () => {
    const count = sql`select count(*) as n from organisations where code <> ${'-'}`
    const undone = db.transaction(async (tx) => {
      await tx.query(count, { name: 'count' })
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect(await db.query(count, { name: 'count' })).toHaveLength(1)
  })

  test('is prepared again after its first preparation failed', async () => {
    const read = sql`select n from made_later where n > ${0}::int`
    await expect(db.query(read, { name: 'later' })).rejects.toMatchObject({ code: '42P01' })
    await db.script('create table made_later as select 1 as n')
    expect(await db.query(read, { name: 'later' })).toEqual([{ n: 1 }])
  })

  test('is prepared again after DISCARD ALL', async () => {
    if (db.engine !== 'pglite') return
    const read = sql`select ${1}::int as n`
    expect(await db.query(read, { name: 'forgotten' })).toEqual([{ n: 1 }])
    await db.script('discard all')
    expect(await db.query(read, { name: 'forgotten' })).toEqual([{ n: 1 }])
  })

  test('R25: returns only the rows of the current tenant on a shared connection', async () => {
    const organisations = [await addOrganisation(db), await addOrganisation(db)]
    const users = [await addUser(db, organisations[0]!), await addUser(db, organisations[1]!)]
    const seen = () => db.query<{ id: number }>(sql`select u.id from users u where u.id > ${0}::int`, { name: 'seen' })
    for (const _ of times) {
      for (const [i, organisationId] of organisations.entries()) {
        const visible = await runAsTenant({ organisationId, userId: users[i]! }, seen)
        expect(visible.map(({ id }) => id)).toEqual([users[i]])
      }
      expect((await seen()).length).toBeGreaterThanOrEqual(2)
    }
  })
})
