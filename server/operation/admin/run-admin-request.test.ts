import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { findNewPasswordProblem, REGISTRATION_PASSWORD_RULES } from '#contract/account/new-password.ts'
import { TRIAL_PACKAGE_NAME } from '#contract/account/organisation.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { verifyPassword } from '#server/platform/route/password-hash.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { TEST_SECRET } from '../../../test/server/http-app.ts'
import type { AdminRequest } from './admin-requests.ts'
import type { AdminContext } from './admin-users.ts'
import { COMMAND_LINE_ACTOR } from './record-admin-event.ts'
import { runAdminRequest } from './run-admin-request.ts'

onEachEngineInTurn('runAdmin', (makeDb) => {
  let db: OpenDb
  let admin: AdminContext
  beforeAll(async () => {
    db = await makeDb()
    admin = {
      db,
      mails: createOutgoingMailQueue({ secrets: [TEST_SECRET], baseUrl: () => 'https://tamngan.example' }),
      by: COMMAND_LINE_ACTOR,
    }
    await db.script(`
      insert into organisations (code, name, package, customer_config, areas_with_provinces) values ('x', 'บริษัท เอ็กซ์', 'ทดลอง', '{}', '{}'), ('y', 'บริษัท วาย', 'ทดลอง', '{}', '{}');
      insert into users (organisation_id, email, email_key, password_hash, first_name, role) values (1, 'A@x.example', 'a@x.example', 'none', 'ปวีณา', 'super_user'), (2, 'b@y.example', 'b@y.example', 'none', null, 'member_user');
      insert into sessions (id, user_id, expires_at) values ('s1', 1, now() + interval '1 day'), ('s2', 2, now() + interval '1 day');
      insert into login_failures (email_key, failures, first_failed_at) values ('a@x.example', 5, now());
    `)
  })

  test('lists organisations and users', async () => {
    expect(await runAdminRequest(admin, { do: 'organisations' })).toMatchObject({
      organisations: [{ code: 'x', users: 1, matches: 0 }, { code: 'y' }],
    })
    expect(await runAdminRequest(admin, { do: 'users' })).toMatchObject({
      users: [{ email: 'A@x.example' }, { email: 'b@y.example', name: '' }],
    })
    expect(await runAdminRequest(admin, { do: 'users', organisation: 'y' })).toMatchObject({
      users: [{ email: 'b@y.example' }],
    })
  })

  test('sets a password, ends the sessions of that user only and resets failed logins', async () => {
    await runAdminRequest(admin, { do: 'set-password', email: ' a@X.example ', password: 'Better#2569' })
    const [user] = await db.query<{ password_hash: string }>(sql`select password_hash from users where id = 1`)
    expect(await verifyPassword('Better#2569', user!.password_hash)).toBe(true)
    const live = await db.query(sql`select id from sessions where revoked_at is null`)
    expect(live).toEqual([{ id: 's2' }])
    expect(await db.query(sql`select 1 from login_failures`)).toEqual([])
    expect(await db.query(sql`select kind, user_id from audit_events`)).toEqual([
      { kind: 'password_set_by_admin', user_id: 1 },
    ])
    expect(await db.query(sql`select kind, user_id from mails`)).toEqual([{ kind: 'password_changed', user_id: 1 }])
  })

  test('R68: removes a lost second factor, ends sessions and writes an audit row; fails when there is none', async () => {
    await db.script(`
      insert into totp_secrets (user_id, sealed, created_at, confirmed_at) values (1, 'x', now(), now());
      insert into passkeys (user_id, credential_id, public_key, sign_count, transports, name, created_at) values (1, 'x', 'x', 0, '{}', 'x', now());
      insert into recovery_codes values (1, 'x', now())`)
    await runAdminRequest(admin, { do: 'remove-second-factor', email: 'a@x.example' })
    const left = await db.query(sql`
      select (select count(*)::int from totp_secrets) + (select count(*)::int from passkeys) + (select count(*)::int from recovery_codes) as factors,
        (select count(*)::int from sessions where user_id = 1 and revoked_at is null) as sessions`)
    expect(left).toEqual([{ factors: 0, sessions: 0 }])
    const rows = await db.query(
      sql`select kind, user_id, detail ->> 'did' as did from audit_events where kind = 'changed_by_admin'`,
    )
    expect(rows).toEqual([{ kind: 'changed_by_admin', user_id: 1, did: 'remove-second-factor' }])
    expect(await db.query(sql`select kind, user_id from mails where kind = 'second_factor_changed'`)).toEqual([
      { kind: 'second_factor_changed', user_id: 1 },
    ])
    const again = runAdminRequest(admin, { do: 'remove-second-factor', email: 'a@x.example' })
    await expect(again).rejects.toThrow('a@x.example has no second factor')
  })

  test('changes a mail address: notifies both, ends sessions and links, and audits the operator', async () => {
    await runAdminRequest(admin, { do: 'set-email', email: 'A@X.example', to: 'Anong@New.example' })
    expect(await db.query(sql`select email, email_key from users where id = 1`)).toEqual([
      { email: 'Anong@New.example', email_key: 'anong@new.example' },
    ])
    const row = await db.query(sql`select user_id, detail from audit_events order by id desc limit 1`)
    expect(row).toEqual([
      {
        user_id: 1,
        detail: { did: 'set-email', before: expect.stringMatching(/^a••••@x/i), after: 'An••••@New.example' },
      },
    ])
    expect(await db.query(sql`select kind from mails where user_id = 1 and kind = 'email_changed'`)).toEqual([
      { kind: 'email_changed' },
      { kind: 'email_changed' },
    ])
    expect(await db.query(sql`select from sessions where user_id = 1 and revoked_at is null`)).toEqual([])
    const taken = runAdminRequest(admin, { do: 'set-email', email: 'anong@new.example', to: 'b@y.example' })
    await expect(taken).rejects.toThrow('another user already has the e-mail b@y.example')
    const bad = runAdminRequest(admin, { do: 'set-email', email: 'b@y.example', to: 'nothing' })
    await expect(bad).rejects.toThrow('nothing is not an e-mail address')
    await runAdminRequest(admin, { do: 'set-email', email: 'anong@new.example', to: 'A@X.example' })
  })

  test('refuses a weak password and an unknown e-mail', async () => {
    const weak = runAdminRequest(admin, { do: 'set-password', email: 'b@y.example', password: 'ab1' })
    await expect(weak).rejects.toThrow(
      'the password needs 8 to 50 characters, a capital letter A-Z, a special character',
    )
    const unknown = runAdminRequest(admin, { do: 'set-password', email: 'c@y.example', password: 'Better#2569' })
    await expect(unknown).rejects.toThrow('no user has the e-mail c@y.example')
  })

  test('creates a trial organisation with a user who can log in with the password shown once', async () => {
    await runAdminRequest(admin, { do: 'create-organisation', code: 'siam', name: 'บริษัท สยามโยธา จำกัด' })
    const user = { organisation: 'siam', email: 'Anong@Siam.example', firstName: 'อนงค์', lastName: 'ใจดี' }
    const answer = await runAdminRequest(admin, { do: 'create-user', ...user, role: 'super_user' })
    expect(answer).toMatchObject({ createdUser: 'Anong@Siam.example' })
    const password = 'password' in answer ? answer.password : ''
    expect(findNewPasswordProblem(password, REGISTRATION_PASSWORD_RULES)).toBeUndefined()
    const [stored] = await db.query<{ password_hash: string }>(
      sql`select password_hash from users where email_key = 'anong@siam.example'`,
    )
    expect(await verifyPassword(password, stored!.password_hash)).toBe(true)
    const [dump] = await db.query<{ text: string }>(sql`select string_agg(a::text, ' ') as text from audit_events a`)
    expect(dump!.text).not.toContain(password)
    expect(await runAdminRequest(admin, { do: 'show', organisation: 'siam' })).toMatchObject({
      details: { package: TRIAL_PACKAGE_NAME, isWatchlistCompleted: false, flags: { 'company-compare': true } },
      users: [{ email: 'Anong@Siam.example', role: 'super_user' }],
    })
  })

  test.each<[AdminRequest, string]>([
    [{ do: 'create-organisation', code: 'demo', name: 'บริษัท เดโม จำกัด' }, 'reserved'],
    [{ do: 'create-organisation', code: 'siam', name: 'บริษัท สยามสอง' }, 'already'],
    [{ do: 'create-organisation', code: 'siam2', name: 'บริษัทสยามโยธา  จำกัด' }, 'taken'],
    [{ do: 'create-organisation', code: 'A B', name: 'บริษัท เอบี จำกัด' }, 'a-z'],
    [
      {
        do: 'create-user',
        organisation: 'x',
        email: ' A@X.example',
        firstName: 'ก',
        lastName: 'ข',
        role: 'member_user',
      },
      'not an e-mail address',
    ],
    [
      {
        do: 'create-user',
        organisation: 'x',
        email: 'A@X.example',
        firstName: 'ก',
        lastName: 'ข',
        role: 'member_user',
      },
      'taken',
    ],
    [
      {
        do: 'create-user',
        organisation: 'nope',
        email: 'n@x.example',
        firstName: 'ก',
        lastName: 'ข',
        role: 'member_user',
      },
      'no organisation',
    ],
    [{ do: 'set-package', organisation: 'nope', package: 'x' }, 'no organisation'],
    [{ do: 'set-role', email: 'nobody@x.example', role: 'super_user' }, 'nobody'],
    [{ do: 'show', organisation: 'nope' }, 'no organisation'],
  ])('refuses %j', async (request, reason) => {
    await expect(runAdminRequest(admin, request)).rejects.toThrow(reason)
  })

  test('sets package, flags, limits, years, roles and account status, each with an audit row', async () => {
    await db.execute(sql`delete from audit_events`)
    await runAdminRequest(admin, { do: 'set-package', organisation: 'y', package: 'แพ็กเกจมืออาชีพ' })
    await runAdminRequest(admin, { do: 'set-flag', organisation: 'y', flag: 'company-comparison', on: true })
    await runAdminRequest(admin, { do: 'set-limit', organisation: 'y', limit: 'include', most: 100 })
    await runAdminRequest(admin, { do: 'set-budget-years', organisation: 'y', years: [2568, 2569] })
    await runAdminRequest(admin, { do: 'set-role', email: 'b@y.example', role: 'super_user' })
    await runAdminRequest(admin, { do: 'set-max-labels', email: 'b@y.example', most: 30 })
    await runAdminRequest(admin, { do: 'set-user-disabled', email: 'b@y.example', disabled: true })
    await runAdminRequest(admin, { do: 'set-organisation-disabled', organisation: 'y', disabled: true })
    expect(await runAdminRequest(admin, { do: 'show', organisation: 'y' })).toMatchObject({
      details: {
        package: 'แพ็กเกจมืออาชีพ',
        isDisabled: true,
        budgetYears: '2568,2569',
        flags: { 'company-comparison': true, 'company-compare': false },
        config: { limit_include_by_name: 100 },
      },
      users: [{ role: 'super_user', isDisabled: true }],
    })
    expect(await db.query(sql`select max_labels from users where email_key = 'b@y.example'`)).toEqual([
      { max_labels: 30 },
    ])
    expect(await db.query(sql`select id from sessions where user_id = 2 and revoked_at is null`)).toEqual([])
    const rows = await db.query<{ kind: string; did: string | null }>(
      sql`select kind, detail->>'did' as did from audit_events order by id`,
    )
    // The customer's log has rows of its own, in addition to the operator's row.
    expect(rows.filter(({ kind }) => kind === 'member_changed')).toHaveLength(2)
    expect(rows.flatMap(({ did }) => did ?? [])).toEqual([
      'set-package',
      'set-flag',
      'set-limit',
      'set-budget-years',
      'set-role',
      'set-max-labels',
      'set-user-disabled',
      'set-organisation-disabled',
    ])
    await runAdminRequest(admin, { do: 'set-organisation-disabled', organisation: 'y', disabled: false })
    await runAdminRequest(admin, { do: 'set-user-disabled', email: 'b@y.example', disabled: false })
    expect(await runAdminRequest(admin, { do: 'users', organisation: 'y' })).toMatchObject({
      users: [{ isDisabled: false }],
    })
  })

  test('lists the latest loads, and the start of each unreadable row', async () => {
    await db.script(`
      insert into loads (source, origin, state, read_rows, quarantined_rows, failure) values ('cgd-csv', 'a.csv', 'published', 3, 2, null), ('ocds', 'b.json', 'failed', 0, 0, 'broken');
      insert into quarantined_rows (load_id, line, reason, raw) values (1, 9, 'no number', 'x'), (1, 2, 'no name', repeat('ก', 5000))`)
    expect(await runAdminRequest(admin, { do: 'loads' })).toMatchObject({
      loads: [
        { id: 2, source: 'ocds', state: 'failed', failure: 'broken' },
        { id: 1, origin: 'a.csv', read: 3, quarantined: 2, publishedAt: null },
      ],
    })
    expect(await runAdminRequest(admin, { do: 'bad-rows', load: 1 })).toEqual({
      badRows: [
        { line: 2, reason: 'no name', raw: 'ก'.repeat(300) },
        { line: 9, reason: 'no number', raw: 'x' },
      ],
    })
  })

  test('sums the small loads of a night in one line, with failures separate and all on demand', async () => {
    await db.script(`
      truncate loads cascade;
      insert into loads (id, source, origin, state, night, read_rows, quarantined_rows, new_projects, failure) overriding system value values
        (1, 'egp-rss', 'e-GP RSS', 'published', '2026-11-22', 3, 0, 2, null), (2, 'egp-rss', 'e-GP RSS', 'published', '2026-11-23', 5, 1, 4, null),
        (3, 'cgd-csv', 'a.csv', 'published', '2026-11-23', 9, 0, 9, null), (4, 'egp-rss', 'e-GP RSS', 'failed', null, 1, 0, 0, 'x'),
        (5, 'egp-rss', 'e-GP RSS', 'published', '2026-11-23', 7, 0, 6, null)`)
    expect(await runAdminRequest(admin, { do: 'loads' })).toMatchObject({
      loads: [
        { id: 5, loads: 2, night: '2026-11-23', read: 12, quarantined: 1, newProjects: 10, failure: null },
        { id: 4, loads: 1, night: null, state: 'failed', failure: 'x' },
        { id: 3, loads: 1, night: null, origin: 'a.csv' },
        { id: 1, loads: 1, night: null, read: 3 },
      ],
    })
    const answer = await runAdminRequest(admin, { do: 'loads', night: '2026-11-23' })
    expect('loads' in answer && answer.loads.map(({ id }) => id)).toEqual([2, 5])
  })

  test('R52: lists undelivered mails without text or address', async () => {
    await db.execute(sql`
      insert into mails (kind, message_id, state, organisation_id, created_at)
      values ('password_reset', '<a>', 'failed', 1, now()), ('register_otp', '<b>', 'sent', null, now())`)
    await db.execute(sql`
      insert into jobs (kind, key, payload, state, attempts, last_error, requested_at, run_at)
      select 'mail', id::text, '{}', 'dead', 1, '550 RCPT TO', now(), now() from mails where message_id = '<a>'`)
    const answer = await runAdminRequest(admin, { do: 'mails' })
    const failed = 'mails' in answer ? answer.mails.filter(({ state }) => state === 'failed') : []
    expect(failed).toEqual([
      {
        id: expect.any(Number),
        canResend: false,
        kind: 'password_reset',
        organisation: 'x',
        state: 'failed',
        attempts: 1,
        failure: '550 RCPT TO',
        createdAt: expect.any(String),
      },
    ])
  })
})
