import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import type { OpenDb } from '#server/db/db.ts'
import { passwordFits } from '#server/route/password-hash.ts'
import { onEachEngine } from '../../../test/databases.ts'
import { runAdmin } from './admin-commands.ts'

onEachEngine('the operator', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
    await db.script(`
      insert into organisations (code, name, package, customer_config, areas_with_provinces) values ('x', 'บริษัท เอ็กซ์', 'ทดลอง', '{}', '{}'), ('y', 'บริษัท วาย', 'ทดลอง', '{}', '{}');
      insert into users (organisation_id, email, email_key, password_hash, first_name, role) values (1, 'A@x.example', 'a@x.example', 'none', 'ปวีณา', 'super_user'), (2, 'b@y.example', 'b@y.example', 'none', null, 'member_user');
      insert into sessions (id, user_id, expires_at) values ('s1', 1, now() + interval '1 day'), ('s2', 2, now() + interval '1 day');
      insert into login_failures (email_key, failures, first_failed_at) values ('a@x.example', 5, now());
    `)
  })

  test('lists organisations and users', async () => {
    expect(await runAdmin(db, { do: 'organisations' })).toMatchObject({
      organisations: [{ code: 'x', users: 1, matches: 0 }, { code: 'y' }],
    })
    expect(await runAdmin(db, { do: 'users' })).toMatchObject({
      users: [{ email: 'A@x.example' }, { email: 'b@y.example', name: '' }],
    })
    expect(await runAdmin(db, { do: 'users', organisation: 'y' })).toMatchObject({ users: [{ email: 'b@y.example' }] })
  })

  test('sets a password: it fits, every session of that user has ended, failed logins are forgiven, and nobody else is touched', async () => {
    await runAdmin(db, { do: 'set-password', email: ' a@X.example ', password: 'Better#2569' })
    const [user] = await db.query<{ password_hash: string }>(sql`select password_hash from users where id = 1`)
    expect(await passwordFits('Better#2569', user!.password_hash)).toBe(true)
    const live = await db.query(sql`select id from sessions where revoked_at is null`)
    expect(live).toEqual([{ id: 's2' }])
    expect(await db.query(sql`select 1 from login_failures`)).toEqual([])
    expect(await db.query(sql`select kind, user_id from audit_events`)).toEqual([
      { kind: 'password_set_by_admin', user_id: 1 },
    ])
  })

  test('is refused a weak password and an unknown e-mail', async () => {
    const weak = runAdmin(db, { do: 'set-password', email: 'b@y.example', password: 'ab1' })
    await expect(weak).rejects.toThrow('the password needs 8 to 50 characters, a capital letter A-Z, one of')
    const unknown = runAdmin(db, { do: 'set-password', email: 'c@y.example', password: 'Better#2569' })
    await expect(unknown).rejects.toThrow('nobody has the e-mail c@y.example')
  })
})
