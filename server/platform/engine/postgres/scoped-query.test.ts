import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeEmptyPostgres } from '../../../../test/server/databases.ts'
import { PREPARE_SET_CONNECTION_SCOPE_SQL, queryInScope } from './scoped-query.ts'

const OWNER = ['none', '', '', '5000'] as const

describe.skipIf(inject('postgres') === undefined)('a statement that enters a scope first', () => {
  let client: pg.Client
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await makeEmptyPostgres()
    drop = database.drop
    client = new pg.Client(database.url)
    await client.connect()
    await client.query(PREPARE_SET_CONNECTION_SCOPE_SQL)
    await client.query('create table noted (n int)')
  })
  afterAll(async () => {
    await client.end()
    await drop()
  })
  const settings = {
    text: `select current_setting('app.organisation') as organisation, current_setting('statement_timeout') as most`,
    values: [],
  }

  test('runs in that scope, returns only its own rows, and leaves the connection in the scope', async () => {
    const { rows } = await queryInScope(client, ['none', '7', '9', '4000'], settings)
    expect(rows).toEqual([{ organisation: '7', most: '4s' }])
    expect((await client.query(settings.text)).rows).toEqual(rows)
  })

  test('R25: does not run when entering the scope failed, and the next statement does', async () => {
    const insert = { text: 'insert into noted values ($1::int)', values: ['1'], name: 'note' }
    await expect(queryInScope(client, ['no_such_role', '1', '1', '5000'], insert)).rejects.toThrow(/no_such_role/)
    expect((await client.query('select n from noted')).rows).toEqual([])
    expect((await queryInScope(client, OWNER, insert)).rowCount).toBe(1)
    expect((await queryInScope(client, OWNER, insert)).rowCount).toBe(1)
  })

  test('restores the previous scope when it fails', async () => {
    await queryInScope(client, ['none', '3', '3', '5000'], settings)
    const failing = { text: 'select 1 / $1::int', values: ['0'] }
    await expect(queryInScope(client, ['none', '4', '4', '2000'], failing)).rejects.toThrow(/zero/)
    expect((await client.query(settings.text)).rows).toEqual([{ organisation: '3', most: '5s' }])
  })
})
