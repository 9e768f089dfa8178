import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { runAsTenant } from '#server/platform/engine/tenant.ts'
import { getDatabaseUrl, SLOW_MACHINE_OPTIONS, withDatabase } from '../../test/server/database-setup.ts'
import { appOn, signIn } from '../../test/server/http-app.ts'

const server = inject('postgres')

/** The user of DATABASE_URL owns the database but is not a superuser, because a superuser would bypass every policy. */
describe.skipIf(server === undefined)('a database with an unprivileged user', () => {
  const name = `tamngan_test_${randomBytes(6).toString('hex')}`
  const asAdmin = (text: string) => withDatabase(server!.url, (admin) => admin.script(text))
  let db: OpenDb

  beforeAll(async () => {
    await asAdmin(`create role ${name} login`)
    await asAdmin(`create database ${name} owner ${name}`)
    const url = new URL(getDatabaseUrl(server!.url, name))
    url.username = name
    db = createDb(await openPostgres(url.href, SLOW_MACHINE_OPTIONS))
  })
  afterAll(async () => {
    await db.close()
    await asAdmin(`drop database ${name} with (force)`)
    await asAdmin(`drop role ${name}`)
  })

  test('reports what an administrator must run when the user lacks the tenant role, then continues', async () => {
    await expect(migrateDatabase(db)).rejects.toThrow(
      `create role tamngan_tenant nologin;  and  grant tamngan_tenant to ${name};`,
    )
    await asAdmin(`grant tamngan_tenant to ${name}`)
    await migrateDatabase(db)
    const [user] = await db.query(
      sql`select rolname as name, rolsuper as "isSuper", rolcreaterole as "isMaker" from pg_roles where rolname = current_user`,
    )
    expect(user).toEqual({ name, isSuper: false, isMaker: false })
  })

  test('serves the report and isolates tenants (R25)', async () => {
    await seedSampleOrganisations(db, '2026-11-21')
    const app = await appOn(db)
    try {
      const { headers } = await signIn(app, 'sales@tharamek.example')
      expect((await app.inject({ url: '/api/v2/projects', headers })).statusCode).toBe(200)
      const renamed = await app.inject({
        method: 'PATCH',
        url: '/api/v2/users/me',
        payload: { first_name: 'มาลี' },
        headers,
      })
      expect(renamed.statusCode).toBe(200)
    } finally {
      await app.close()
    }
    const [tenant] = await db.query<{ organisationId: number; userId: number }>(sql`
      select organisation_id as "organisationId", id as "userId" from users where email_key = 'sales@tharamek.example'`)
    const owners = sql`select distinct organisation_id as id from keywords`
    expect((await db.query(owners)).length).toBeGreaterThan(1)
    expect(await runAsTenant(tenant!, () => db.query(owners))).toEqual([{ id: tenant!.organisationId }])
  })
})
