import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildTrialOrganisation } from '#server/account/organisation/build-trial-organisation.ts'
import { insertOrganisation, insertUser } from '#server/account/organisation/new-account.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { TABLES_GRANTING_NO_STANDING_ACCESS } from './access-exempt-tables.ts'
import {
  getStandingAccessKind,
  STANDING_ACCESS_END_REASONS,
  STANDING_ACCESS_KIND_NAMES,
  type StandingAccessEndReason,
  type StandingAccessKindName,
} from './access-kinds.ts'
import {
  countStandingAccess,
  endStandingAccess,
  formatStandingAccessCounts,
  pickOrganisationStandingAccessCounts,
} from './end-standing-access.ts'

const BEFORE = '2026-11-27T03:00:00Z'
const SINCE = '2026-11-27T05:00:00Z'
const AFTER = '2026-11-27T06:00:00Z'
const NOW = new Date('2026-11-27T09:00:00Z')
const SOON = '2026-11-27T09:05:00Z'

type Plant = { readonly userId: number; readonly organisationId: number; readonly at: string; readonly name: string }

/** Inserts one row of each kind in force, as the product would. A new kind does not compile without a line here. */
const PLANTS: Readonly<Record<StandingAccessKindName, (db: Db, plant: Plant) => Promise<unknown>>> = {
  session: (db, { userId, at, name }) =>
    db.execute(sql`insert into sessions (id, user_id, created_at, last_seen_at, expires_at)
      values (${name}, ${userId}::int, ${at}::timestamptz, ${at}::timestamptz, '2027-01-01')`),
  push_device: async (db, { userId, organisationId, at, name }) => {
    await PLANTS.session(db, { userId, organisationId, at, name: `push-${name}` })
    await db.execute(sql`insert into push_devices (id, user_id, organisation_id, session_id, endpoint, endpoint_hash, p256dh, auth, secret_hash, created_at)
      values (${name}, ${userId}::int, ${organisationId}::int, ${`push-${name}`}, 'https://push.example', ${name}, 'x', 'x', ${name}, ${at}::timestamptz)`)
  },
  remembered_browser: (db, { userId, at, name }) =>
    db.execute(sql`insert into known_devices (user_id, token_hash, created_at, used_at, trusted_until)
      values (${userId}::int, ${name}, ${at}::timestamptz, ${at}::timestamptz, '2026-12-20')`),
  login_step: (db, { userId, name }) =>
    db.execute(sql`insert into login_steps values (${name}, ${userId}::int, ${SOON}::timestamptz)`),
  registration: (db, { userId, name }) =>
    db.execute(sql`insert into registrations (code_hash, terms_version, terms_accepted_at, created_at, expires_at, completed_at, idempotency_hash, user_id)
      select ${name}, '1', now, now, ${SOON}::timestamptz, now, ${name}, ${userId}::int from (select ${NOW.toISOString()}::timestamptz as now) n`),
  password_reset: (db, { userId, at, name }) =>
    db.execute(sql`insert into password_resets (token_hash, user_id, created_at, expires_at)
      values (${name}, ${userId}::int, ${at}::timestamptz, ${SOON}::timestamptz)`),
  email_change: async (db, { userId, at, name }) => {
    await db.execute(sql`insert into email_changes (user_id, old_email, new_email, new_email_key, old_token_hash, new_token_hash, created_at, expires_at)
      values (${userId}::int, 'a@b.example', 'c@d.example', 'c@d.example', ${`${name}1`}, ${`${name}2`}, ${at}::timestamptz, ${SOON}::timestamptz)
      on conflict do nothing`)
  },
  not_me_link: (db, { userId, at, name }) =>
    db.execute(sql`insert into not_me_links (token_hash, user_id, kind, since, created_at, expires_at)
      values (${name}, ${userId}::int, 'x', ${at}::timestamptz, ${at}::timestamptz, ${SOON}::timestamptz)`),
  mail_link: (db, { userId }) => db.execute(sql`update users set mail_links_from = null where id = ${userId}::int`),
  calendar_feed: (db, { userId, organisationId, at, name }) =>
    db.execute(sql`insert into calendar_feeds (organisation_id, user_id, source, format, token_hash, created_at)
      values (${organisationId}::int, ${userId}::int, 'starred', 'ics', ${name}, ${at}::timestamptz)`),
  line_code: (db, { userId, organisationId, name }) =>
    db.execute(sql`insert into line_connects (user_id, organisation_id, code_hash, expires_at)
      values (${userId}::int, ${organisationId}::int, ${name}, ${SOON}::timestamptz) on conflict do nothing`),
  line_link: (db, { userId, organisationId, at, name }) =>
    db.execute(sql`insert into line_links (user_id, organisation_id, line_hash, line_sealed, connected_at)
      values (${userId}::int, ${organisationId}::int, ${name}, 'x', ${at}::timestamptz)
      on conflict (user_id) do update set connected_at = excluded.connected_at`),
  line_group_code: (db, { userId, organisationId, name }) =>
    db.execute(sql`insert into line_group_codes (organisation_id, made_by, code_hash, expires_at)
      values (${organisationId}::int, ${userId}::int, ${name}, ${SOON}::timestamptz) on conflict do nothing`),
  line_group: (db, { userId, organisationId, at, name }) =>
    db.execute(sql`insert into line_groups (organisation_id, group_hash, connected_by, connected_at)
      values (${organisationId}::int, ${name}, ${userId}::int, ${at}::timestamptz)`),
  api_key: (db, { userId, organisationId, at, name }) =>
    db.execute(sql`insert into api_keys (organisation_id, made_by, name, scopes, key_hash, ending, created_at)
      values (${organisationId}::int, ${userId}::int, 'x', '{report}', ${name}, 'abcd', ${at}::timestamptz)`),
  webhook: (db, { userId, organisationId, at }) =>
    db.execute(sql`insert into webhooks (organisation_id, made_by, name, url, events, secret, created_at)
      values (${organisationId}::int, ${userId}::int, 'x', 'https://x.example', '{match.new}', 'x', ${at}::timestamptz)`),
  invitation: (db, { userId, organisationId, at, name }) =>
    db.execute(sql`insert into invitations (organisation_id, email, email_key, role, token_hash, invited_by, sent_at, expires_at)
      values (${organisationId}::int, ${name}, ${name}, 'super_user', ${name}, ${userId}::int, ${at}::timestamptz, '2026-12-20')`),
  login_identity: (db, { userId, at, name }) =>
    db.execute(sql`insert into login_identities (user_id, issuer, subject, created_at, used_at)
      values (${userId}::int, ${name}, ${name}, ${at}::timestamptz, ${at}::timestamptz)`),
  login_domain: (db, { userId, organisationId, at, name }) =>
    db.execute(sql`insert into login_domains (organisation_id, domain, provider, token, created_by, created_at)
      values (${organisationId}::int, ${`${name.toLowerCase().replaceAll(':', '-')}.example`}, 'google', 'x', ${userId}::int, ${at}::timestamptz)`),
  passkey: (db, { userId, at, name }) =>
    db.execute(sql`insert into passkeys (user_id, credential_id, public_key, sign_count, transports, name, created_at)
      values (${userId}::int, ${name}, 'x', 0, '{}', 'x', ${at}::timestamptz)`),
  totp: (db, { userId, at }) =>
    db.execute(sql`insert into totp_secrets (user_id, sealed, created_at, confirmed_at)
      values (${userId}::int, 'x', ${at}::timestamptz, ${at}::timestamptz) on conflict (user_id) do update set confirmed_at = excluded.confirmed_at`),
  recovery_code: (db, { userId, at, name }) =>
    db.execute(
      sql`insert into recovery_codes (user_id, code_hash, created_at) values (${userId}::int, ${name}, ${at}::timestamptz)`,
    ),
}

/** Access that an occasion leaves in force by design; everything else must be 0. */
const LEFT: Readonly<Record<StandingAccessEndReason, readonly StandingAccessKindName[]>> = {
  not_me: [],
  password: [
    ...['not_me_link', 'mail_link', 'calendar_feed', 'line_link', 'line_group', 'api_key', 'webhook'],
    ...['invitation', 'login_identity', 'login_domain', 'passkey', 'totp', 'recovery_code'],
  ] as StandingAccessKindName[],
  everything: ['not_me_link', 'login_domain', 'passkey', 'totp', 'recovery_code'],
  closed: ['login_domain', 'passkey', 'totp', 'recovery_code'],
  demoted: STANDING_ACCESS_KIND_NAMES.filter(
    (name) => !['line_group_code', 'line_group', 'api_key', 'webhook', 'invitation'].includes(name),
  ),
  address: [
    ...['calendar_feed', 'line_link', 'line_group', 'api_key', 'webhook', 'invitation'],
    ...['login_identity', 'login_domain', 'passkey', 'totp', 'recovery_code'],
  ] as StandingAccessKindName[],
  factor_removed: [
    ...['not_me_link', 'mail_link', 'calendar_feed', 'line_link', 'line_group', 'api_key', 'webhook'],
    ...['invitation', 'login_identity', 'login_domain', 'passkey', 'totp', 'recovery_code'],
  ] as StandingAccessKindName[],
}

onEachEngineInTurn('standing access', (makeDb) => {
  let db: OpenDb
  let serial = 0

  beforeAll(async () => {
    db = await makeDb()
  })
  afterAll(() => db.close())

  async function person(): Promise<{ userId: number; organisationId: number }> {
    serial += 1
    const code = `org-${serial}`
    const row = buildTrialOrganisation({ code, name: `บริษัทที่ ${serial}` }, '2026-11-27')
    const organisationId = (await insertOrganisation(db, row))!
    const email = `a${serial}@b.example`
    const names = { firstName: 'ก', lastName: 'ข', role: 'super_user', passwordHash: 'x' }
    return { userId: await insertUser(db, { organisationId, email, emailKey: email, ...names }), organisationId }
  }

  async function plantAll(owner: { userId: number; organisationId: number }, at: string): Promise<void> {
    for (const name of STANDING_ACCESS_KIND_NAMES)
      await PLANTS[name](db, { ...owner, at, name: `${name}-${owner.userId}-${at}` })
  }

  const kindsOf = async (userId: number) => Object.keys(await countStandingAccess(db, userId, NOW))

  const EXEMPT = Object.values(TABLES_GRANTING_NO_STANDING_ACCESS).flat()
  const KNOWN = [...STANDING_ACCESS_KIND_NAMES.map((name) => getStandingAccessKind(name).table), ...EXEMPT]

  async function unknownTables(): Promise<string[]> {
    const tables = await db.query<{ name: string }>(sql`
      select distinct t.relname as name from pg_class t join pg_namespace n on n.oid = t.relnamespace and n.nspname = 'public'
      join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      where t.relkind in ('r', 'p') and not t.relispartition and (
        a.attname ~ '(token|secret|hash|code|sealed|(^|_)key|password|challenge|nonce|endpoint|subject|otp)'
        or exists (select from pg_constraint c where c.conrelid = t.oid and c.confrelid = 'users'::regclass))`)
    return tables.map(({ name }) => name).filter((name) => !KNOWN.includes(name))
  }

  test('R12: every table with a user or a secret is registered, or exempt because it grants no access', async () => {
    expect(await unknownTables()).toEqual([])
    // Every listed table exists and is in only one list, except `users`, which is in both because of the links in
    // mails.
    const tables = await db.query<{ name: string }>(
      sql`select tablename as name from pg_tables where schemaname = 'public'`,
    )
    expect(KNOWN.filter((name) => !tables.some((table) => table.name === name))).toEqual([])
    expect(EXEMPT.filter((name, i) => EXEMPT.indexOf(name) !== i)).toEqual([])
    expect(
      STANDING_ACCESS_KIND_NAMES.map((name) => getStandingAccessKind(name).table).filter((table) =>
        EXEMPT.includes(table),
      ),
    ).toEqual(['users'])
  })

  test('R12: detects a new table by its user or its secret', async () => {
    await db.script(`create table back_doors (id int primary key, made_by int references users (id));
      create table side_doors (id int primary key, token_hash text)`)
    const detected = await unknownTables()
    await db.script('drop table back_doors; drop table side_doors')
    expect(new Set(detected)).toEqual(new Set(['back_doors', 'side_doors']))
  })

  describe.each(STANDING_ACCESS_END_REASONS)('R12: %s', (occasion) => {
    test('revokes the configured access and nothing of other users', async () => {
      const [target, bystander] = [await person(), await person()]
      for (const owner of [target, bystander]) await plantAll(owner, AFTER)
      expect(await kindsOf(target.userId)).toEqual(STANDING_ACCESS_KIND_NAMES)
      const ended = await endStandingAccess(db, target.userId, { occasion, at: NOW, since: SINCE })
      expect(await kindsOf(target.userId)).toEqual(
        STANDING_ACCESS_KIND_NAMES.filter((name) => LEFT[occasion].includes(name)),
      )
      expect(Object.keys(ended)).toEqual(STANDING_ACCESS_KIND_NAMES.filter((name) => !LEFT[occasion].includes(name)))
      expect(await kindsOf(bystander.userId)).toEqual(STANDING_ACCESS_KIND_NAMES)
      expect(await endStandingAccess(db, target.userId, { occasion, at: NOW, since: SINCE })).toEqual({})
    })
  })

  test('R69: "this was not me" keeps what was made before the intruder', async () => {
    const owner = await person()
    await plantAll(owner, BEFORE)
    await endStandingAccess(db, owner.userId, { occasion: 'not_me', at: NOW, since: SINCE })
    expect(await kindsOf(owner.userId)).toEqual(
      STANDING_ACCESS_KIND_NAMES.filter((name) => getStandingAccessKind(name).ends.not_me === 'since'),
    )
  })

  test('R12: a new password keeps the current session and its device', async () => {
    const owner = await person()
    await plantAll(owner, AFTER)
    const keepSession = `push-push_device-${owner.userId}-${AFTER}`
    await endStandingAccess(db, owner.userId, { occasion: 'password', at: NOW, keepSession })
    const counts = await countStandingAccess(db, owner.userId, NOW)
    expect([counts.session, counts.push_device]).toEqual([1, 1])
  })

  test('a channel closes with its last connection', async () => {
    const owner = await person()
    await plantAll(owner, AFTER)
    for (const channel of ['line', 'push'])
      await db.execute(sql`insert into channel_settings (user_id, organisation_id, channel, is_on, kinds, quiet_from, quiet_until, working_days_only)
        values (${owner.userId}::int, ${owner.organisationId}::int, ${channel}, true, '{}', '20:00', '07:00', false)`)
    await endStandingAccess(db, owner.userId, { occasion: 'closed', at: NOW })
    expect(await db.query(sql`select from channel_settings where user_id = ${owner.userId}::int and is_on`)).toEqual([])
  })

  test('lists access in words, and the part of the organisation separately', () => {
    const counts = { session: 3, calendar_feed: 2, api_key: 1, line_link: 1 }
    expect(formatStandingAccessCounts(counts)).toEqual([
      'ลิงก์ลับของปฏิทินและตัวกรอง 2 ลิงก์',
      'LINE ที่เชื่อมกับบัญชี 1 บัญชี',
      'คีย์ API 1 คีย์',
    ])
    expect(formatStandingAccessCounts(counts, { all: true })).toHaveLength(4)
    expect(pickOrganisationStandingAccessCounts(counts)).toEqual({ api_key: 1 })
  })
})
