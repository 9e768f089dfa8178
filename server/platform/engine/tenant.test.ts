import { setTimeout as sleep } from 'node:timers/promises'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { onEachEngine } from '../../../test/server/databases.ts'
import { getTenantKey, SERVER_ONLY_TABLES, SHARED_TABLES, TENANT_ROWS } from '../../../test/server/tenant-tables.ts'
import { DbUnavailableError, type OpenDb } from './db.ts'
import { runAsTenant, runWithoutTenant, type Tenant } from './tenant.ts'

const A: Tenant = { organisationId: 101, userId: 201 }
const B: Tenant = { organisationId: 102, userId: 202 }
const NEW_KEY = 'k999'
/** PostgreSQL's error for a missing grant or for a row that no policy allows (insufficient_privilege). */
const REFUSED = { code: '42501' }
const TABLES = Object.keys(TENANT_ROWS)

type Catalogued = { name: string; hasRls: boolean; mayRead: boolean; mayWrite: boolean }

onEachEngine('a tenant', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
    await db.script(`
      insert into loads (source, origin, state) values ('x', '${getTenantKey(A)}', 'published'), ('x', '${getTenantKey(B)}', 'published'), ('x', '${NEW_KEY}', 'published');
      insert into budget_items (fiscal_year, ministry, unit, plan, project, category, categories, is_multi_year, is_cross_function)
      values (2569, 1, 1, 1, 1, 1, '{1}', false, false)`)
    for (const tenant of [A, B])
      for (const insert of Object.values(TENANT_ROWS)) await db.execute(insert(tenant, getTenantKey(tenant)))
  })

  const as = <T>(tenant: Tenant, statement: Sql) => runAsTenant(tenant, () => db.query<T>(statement))
  const touched = (tenant: Tenant, statement: Sql) => runAsTenant(tenant, () => db.execute(statement))
  const named = (name: string) => raw(`"${name}"`)

  test('sees nothing when unnamed: the statement fails', async () => {
    const unnamed = db.transaction(async (tx) => {
      await tx.script(`set local role tamngan_tenant; set local app.organisation = ''; set local app."user" = ''`)
      return await tx.query(sql`select word from keywords`)
    })
    await expect(unnamed).rejects.toMatchObject({ code: '22P02' })
  })

  test('R25: every table is classified as tenant-owned, shared read-only or closed to tenants', async () => {
    const tables = await db.query<Catalogued>(sql`
      select c.relname as name, c.relrowsecurity as "hasRls",
        has_any_column_privilege('tamngan_tenant', c.oid, 'select') as "mayRead",
        has_any_column_privilege('tamngan_tenant', c.oid, 'insert, update')
          or has_table_privilege('tamngan_tenant', c.oid, 'delete, truncate, trigger, references') as "mayWrite"
      from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
      order by name`)
    const names = (some: readonly Catalogued[]) => some.map(({ name }) => name)
    expect(new Set(names(tables.filter(({ hasRls }) => hasRls)))).toEqual(new Set(TABLES))
    const open = tables.filter(({ hasRls }) => !hasRls)
    expect(names(open.filter(({ mayWrite }) => mayWrite))).toEqual([])
    expect(names(open.filter(({ mayRead }) => mayRead))).toEqual(SHARED_TABLES)
    expect(names(open.filter(({ mayRead }) => !mayRead))).toEqual(SERVER_ONLY_TABLES)
    // A partition would expose all rows, so tenants only get access through its parent.
    const partitions = await db.query(sql`
      select relname from pg_class where relispartition and relkind = 'r' and has_any_column_privilege('tamngan_tenant', oid, 'select')`)
    expect(partitions).toEqual([])
  })

  test.each(TABLES)('R25: reads only its own rows of %s without naming itself in the statement', async (table) => {
    const readable = await db.query<{ name: string }>(sql`
      select attname as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
        and has_column_privilege('tamngan_tenant', attrelid, attnum, 'select')`)
    if (table === 'audit_events') {
      expect(readable).toEqual([])
      return
    }
    const columns = join(readable.map(({ name }) => named(name)))
    const ownRows = await as(A, sql`select ${columns} from ${named(table)}`)
    const all = await db.query(sql`select ${columns} from ${named(table)}`)
    expect(all).toHaveLength(2)
    expect(ownRows).toHaveLength(1)
    expect(await as(B, sql`select ${columns} from ${named(table)}`)).toHaveLength(1)
    expect(ownRows).not.toEqual(await as(B, sql`select ${columns} from ${named(table)}`))
  })

  test.each(TABLES)('R25: cannot change, delete or add another tenant’s rows of %s', async (table) => {
    const writable = await db.query<{ name: string }>(sql`
      select attname as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and attgenerated = '' and attidentity = ''
        and has_column_privilege('tamngan_tenant', attrelid, attnum, 'update') order by attnum`)
    const column = writable[0] ? named(writable[0].name) : undefined
    const allRows = () => db.query(sql`select t::text from ${named(table)} t order by 1`)
    const before = await allRows()
    const rolledBack = async (statement: Sql) => {
      let rows = 0
      const work = runAsTenant(A, () =>
        db.transaction(async (tx) => {
          rows = await tx.execute(statement)
          throw new Error('rolled back')
        }),
      )
      const why = await work.catch((error: unknown) => error)
      return (why as Error).message === 'rolled back' ? rows : (why as { code: string }).code
    }
    expect([1, REFUSED.code]).toContain(await rolledBack(sql`delete from ${named(table)}`))
    if (column) expect(await rolledBack(sql`update ${named(table)} set ${column} = ${column}`)).toBe(1)
    await expect(touched(A, TENANT_ROWS[table]!(B, NEW_KEY))).rejects.toMatchObject(REFUSED)
    expect(await allRows()).toEqual(before)
  })

  test('R25: cannot assign its own rows to another user or organisation', async () => {
    await expect(touched(A, sql`update bookmarks set user_id = ${B.userId}::int`)).rejects.toMatchObject(REFUSED)
    await expect(touched(A, sql`update keywords set organisation_id = ${B.organisationId}::int`)).rejects.toMatchObject(
      REFUSED,
    )
    await expect(touched(A, sql`update users set organisation_id = ${B.organisationId}::int`)).rejects.toMatchObject(
      REFUSED,
    )
    await expect(touched(A, sql`update organisations set is_disabled = false`)).rejects.toMatchObject(REFUSED)
  })

  test('cannot become the superuser by a second statement in the same text', async () => {
    await expect(as(A, sql`select ${1}::int; reset role`)).rejects.toMatchObject({ code: '42601' })
    await expect(as(A, sql`select 1; reset role`)).rejects.toMatchObject({ code: '42601' })
    expect(await as(A, sql`select current_user::text as role`)).toEqual([{ role: 'tamngan_tenant' }])
  })

  test('is isolated on every connection, whatever ran on it before', async () => {
    const words = async () =>
      (await db.query<{ word: string }>(sql`select word from keywords order by id`)).map(({ word }) => word)
    const failing = () => db.query(sql`select 1 / ${0}::int`)
    const takenBack = () =>
      db.transaction(async (tx) => {
        await tx.query(sql`select word from keywords`, { timeoutMs: 4_000 })
        await tx.transaction((inner) => inner.query(sql`select no_such_column`)).catch(() => undefined)
        throw new Error('rolled back')
      })
    const inTransaction = () =>
      db.transaction(async (tx) => {
        await sleep(2)
        return (await tx.query<{ word: string }>(sql`select word from keywords order by id`)).map(({ word }) => word)
      })
    const slow = () => db.query(sql`select pg_sleep(5)`, { timeoutMs: 30 })
    const broken = () => db.query(sql`select pg_terminate_backend(pg_backend_pid())`)
    // Cancel statements and break connections on PostgreSQL only, because either would destroy an in-memory database.
    const mishaps = [failing, takenBack, ...(db.engine === 'postgres' ? [slow, broken] : [])]
    const scopes = [
      { enter: <T>(work: () => T) => runAsTenant(A, work), sees: [getTenantKey(A)] },
      { enter: <T>(work: () => T) => runAsTenant(B, work), sees: [getTenantKey(B)] },
      { enter: runWithoutTenant, sees: [getTenantKey(A), getTenantKey(B)] },
    ]
    const calls = Array.from({ length: 120 }, (_, i) =>
      scopes[i % scopes.length]!.enter(async () => {
        await sleep(i % 7)
        if (i % 4 === 0) await mishaps[(i / 4) % mishaps.length]!().catch(() => undefined)
        const query = i % 2 === 0 ? words : inTransaction
        // A caller may get the connection that another one has just broken and receive an error, so try again.
        for (;;) {
          try {
            return await query()
          } catch (error) {
            if (!(error instanceof DbUnavailableError)) throw error
          }
        }
      }),
    )
    expect(await Promise.all(calls)).toEqual(calls.map((_, i) => scopes[i % scopes.length]!.sees))
  })

  test('keeps its own scope while part of its work runs as the superuser', async () => {
    const seen = runAsTenant(A, async () => {
      const later = runWithoutTenant(async () => {
        await sleep(1)
        return await db.query(sql`select word from keywords order by id`)
      })
      return [await db.query(sql`select word from keywords`), await later]
    })
    const [a, b] = [{ word: getTenantKey(A) }, { word: getTenantKey(B) }]
    expect(await seen).toEqual([[a], [a, b]])
  })
})
