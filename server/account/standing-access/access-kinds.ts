import sql, { raw, type Sql } from 'sql-template-tag'

/**
 * Why access ends. `everything`: a new password with the request to end all other access. `demoted`: no longer a super
 * user. `address`: an operator replaced a lost mailbox.
 */
export const STANDING_ACCESS_END_REASONS = [
  'not_me',
  'password',
  'everything',
  'closed',
  'demoted',
  'address',
  'factor_removed',
] as const
export type StandingAccessEndReason = (typeof STANDING_ACCESS_END_REASONS)[number]

/**
 * Which access ends on which occasion. `since` limits the revocation to access created after that time. An occasion
 * without an entry revokes nothing.
 */
type EndRules = { readonly [O in StandingAccessEndReason]?: 'all' | 'since' }

export type StandingAccessKind = {
  readonly th: readonly [name: string, classifier: string]
  readonly table: string
  readonly owner: string
  readonly createdAt?: Sql
  isAlive(at: string): Sql
  end(at: string): Sql
  readonly ends: EndRules
  readonly session?: string
  readonly channel?: 'line' | 'push'
  readonly isListed?: true
  /** True if the access is to the organisation's data, so super users are notified when it ends. */
  readonly isOrganisations?: true
}

const deleteFrom = (table: string) => () => raw(`delete from ${table} t`)
const isOpenUntil = (at: string) => sql`t.expires_at > ${at}::timestamptz`
const always = () => sql`true`

/** Access that results from a login ends with every change of credentials. */
const LOGIN: EndRules = {
  not_me: 'all',
  password: 'all',
  everything: 'all',
  closed: 'all',
  address: 'all',
  factor_removed: 'all',
}
const PERSONAL: EndRules = { not_me: 'since', everything: 'all', closed: 'all' }
const SUPER_USER_ONLY: EndRules = { ...PERSONAL, demoted: 'all' }
/** Factors require a login anyway, so they are removed only if an intruder added them. */
const FACTOR: EndRules = { not_me: 'since' }

/**
 * Registry of standing access: everything that lets a person act later without logging in again. A missing kind would
 * survive an intruder, so standing-access.test.ts compares the registry with the database tables;
 * `access-exempt-tables.ts` lists tables that grant nothing, with the reason.
 */
export const STANDING_ACCESS_KINDS = {
  // These rows reference sessions, so they must be ended before the sessions.
  push_device: {
    th: ['อุปกรณ์ที่รับการแจ้งเตือน', 'เครื่อง'],
    table: 'push_devices',
    owner: 'user_id',
    createdAt: sql`t.created_at`,
    isAlive: () => sql`exists (select from sessions s where s.id = t.session_id and s.revoked_at is null)`,
    end: deleteFrom('push_devices'),
    ends: LOGIN,
    session: 'session_id',
    channel: 'push',
  },
  session: {
    th: ['การเข้าใช้งานที่ค้างอยู่', 'อุปกรณ์'],
    table: 'sessions',
    owner: 'user_id',
    createdAt: sql`t.created_at`,
    isAlive: (at) => sql`t.revoked_at is null and ${isOpenUntil(at)}`,
    end: (at) => sql`update sessions t set revoked_at = ${at}::timestamptz`,
    ends: LOGIN,
    session: 'id',
  },
  remembered_browser: {
    th: ['อุปกรณ์ที่ไม่ถามยืนยันสองขั้น', 'เครื่อง'],
    table: 'known_devices',
    owner: 'user_id',
    createdAt: sql`t.created_at`,
    isAlive: (at) => sql`t.trusted_until > ${at}::timestamptz`,
    end: () => raw('update known_devices t set trusted_until = null'),
    ends: LOGIN,
  },
  login_step: {
    th: ['การเข้าสู่ระบบที่รอขั้นที่สอง', 'ครั้ง'],
    table: 'login_steps',
    owner: 'user_id',
    isAlive: isOpenUntil,
    end: deleteFrom('login_steps'),
    ends: LOGIN,
  },
  // Repeating the last registration step opens a session, even if the first response was lost (R46).
  registration: {
    th: ['การสมัครที่ทำซ้ำได้', 'ครั้ง'],
    table: 'registrations',
    owner: 'user_id',
    isAlive: (at) =>
      sql`t.idempotency_hash is not null and t.completed_at > ${at}::timestamptz - interval '10 minutes'`,
    end: () => raw('update registrations t set idempotency_hash = null'),
    ends: LOGIN,
  },
  password_reset: {
    th: ['ลิงก์ตั้งรหัสผ่านใหม่', 'ลิงก์'],
    table: 'password_resets',
    owner: 'user_id',
    createdAt: sql`t.created_at`,
    isAlive: (at) => sql`t.used_at is null and t.replaced_at is null and ${isOpenUntil(at)}`,
    end: (at) => sql`update password_resets t set replaced_at = ${at}::timestamptz`,
    ends: LOGIN,
  },
  email_change: {
    th: ['คำขอเปลี่ยนอีเมล', 'คำขอ'],
    table: 'email_changes',
    owner: 'user_id',
    createdAt: sql`t.created_at`,
    isAlive: (at) => sql`t.done_at is null and t.stopped_at is null and ${isOpenUntil(at)}`,
    end: (at) => sql`update email_changes t set stopped_at = ${at}::timestamptz`,
    ends: LOGIN,
  },
  // Leads to a new password, so a copy with an intruder must end. An intruder's password change must not end it.
  not_me_link: {
    th: ['ลิงก์ “ไม่ใช่ฉัน”', 'ลิงก์'],
    table: 'not_me_links',
    owner: 'user_id',
    createdAt: sql`t.since`,
    isAlive: (at) => sql`t.used_at is null and ${isOpenUntil(at)}`,
    end: (at) => sql`update not_me_links t set used_at = ${at}::timestamptz`,
    ends: { not_me: 'since', closed: 'all', address: 'all' },
  },
  // These links are signed but not stored: links and buttons that star or hide projects (report emails, push).
  mail_link: {
    th: ['ลิงก์ในอีเมลรายงาน', 'ชุด'],
    table: 'users',
    owner: 'id',
    isAlive: (at) => sql`coalesce(t.mail_links_from < ${at}::timestamptz, true)`,
    end: (at) => sql`update users t set mail_links_from = ${at}::timestamptz`,
    ends: { not_me: 'all', everything: 'all', closed: 'all', address: 'all' },
  },
  calendar_feed: {
    th: ['ลิงก์ลับของปฏิทินและตัวกรอง', 'ลิงก์'],
    table: 'calendar_feeds',
    owner: 'user_id',
    createdAt: sql`t.created_at`,
    isAlive: always,
    end: deleteFrom('calendar_feeds'),
    ends: PERSONAL,
    isListed: true,
  },
  line_code: {
    th: ['รหัสเชื่อม LINE', 'รหัส'],
    table: 'line_connects',
    owner: 'user_id',
    isAlive: isOpenUntil,
    end: deleteFrom('line_connects'),
    ends: LOGIN,
  },
  line_link: {
    th: ['LINE ที่เชื่อมกับบัญชี', 'บัญชี'],
    table: 'line_links',
    owner: 'user_id',
    createdAt: sql`t.connected_at`,
    isAlive: always,
    end: deleteFrom('line_links'),
    ends: PERSONAL,
    channel: 'line',
    isListed: true,
  },
  line_group_code: {
    th: ['รหัสเชื่อมกลุ่ม LINE', 'รหัส'],
    table: 'line_group_codes',
    owner: 'made_by',
    isAlive: isOpenUntil,
    end: deleteFrom('line_group_codes'),
    ends: { ...LOGIN, demoted: 'all' },
  },
  line_group: {
    th: ['กลุ่ม LINE', 'กลุ่ม'],
    table: 'line_groups',
    owner: 'connected_by',
    createdAt: sql`t.connected_at`,
    isAlive: always,
    end: deleteFrom('line_groups'),
    ends: SUPER_USER_ONLY,
    isListed: true,
    isOrganisations: true,
  },
  api_key: {
    th: ['คีย์ API', 'คีย์'],
    table: 'api_keys',
    owner: 'made_by',
    createdAt: sql`t.created_at`,
    isAlive: (at) => sql`coalesce(${isOpenUntil(at)}, true)`,
    end: deleteFrom('api_keys'),
    ends: SUPER_USER_ONLY,
    isListed: true,
    isOrganisations: true,
  },
  // Disabled, not deleted, so that a colleague can take it over and see where an intruder pointed it.
  webhook: {
    th: ['เว็บฮุก', 'รายการ'],
    table: 'webhooks',
    owner: 'made_by',
    createdAt: sql`coalesce(t.aimed_at, t.created_at)`,
    isAlive: () => sql`t.is_on`,
    end: () => raw('update webhooks t set is_on = false'),
    ends: SUPER_USER_ONLY,
    isListed: true,
    isOrganisations: true,
  },
  invitation: {
    th: ['คำเชิญที่รอตอบรับ', 'ฉบับ'],
    table: 'invitations',
    owner: 'invited_by',
    createdAt: sql`t.sent_at`,
    isAlive: (at) => sql`t.accepted_at is null and t.revoked_at is null and ${isOpenUntil(at)}`,
    end: (at) => sql`update invitations t set revoked_at = ${at}::timestamptz`,
    ends: SUPER_USER_ONLY,
    isListed: true,
    isOrganisations: true,
  },
  login_identity: {
    th: ['บัญชีองค์กรที่ผูกไว้', 'บัญชี'],
    table: 'login_identities',
    owner: 'user_id',
    createdAt: sql`t.created_at`,
    isAlive: always,
    end: deleteFrom('login_identities'),
    ends: PERSONAL,
  },
  // Colleagues also log in with this setting of the organisation, so it survives the account that created it.
  login_domain: {
    th: ['โดเมนของบัญชีองค์กร', 'โดเมน'],
    table: 'login_domains',
    owner: 'created_by',
    createdAt: sql`t.created_at`,
    isAlive: always,
    end: deleteFrom('login_domains'),
    ends: FACTOR,
    isOrganisations: true,
  },
  passkey: {
    th: ['พาสคีย์', 'รายการ'],
    table: 'passkeys',
    owner: 'user_id',
    createdAt: sql`t.created_at`,
    isAlive: always,
    end: deleteFrom('passkeys'),
    ends: FACTOR,
  },
  totp: {
    th: ['แอปยืนยันตัวตน', 'รายการ'],
    table: 'totp_secrets',
    owner: 'user_id',
    createdAt: sql`coalesce(t.confirmed_at, t.created_at)`,
    isAlive: always,
    end: deleteFrom('totp_secrets'),
    ends: FACTOR,
  },
  recovery_code: {
    th: ['รหัสกู้คืน', 'รหัส'],
    table: 'recovery_codes',
    owner: 'user_id',
    createdAt: sql`t.created_at`,
    isAlive: always,
    end: deleteFrom('recovery_codes'),
    ends: FACTOR,
  },
} as const satisfies Readonly<Record<string, StandingAccessKind>>

export type StandingAccessKindName = keyof typeof STANDING_ACCESS_KINDS
export const STANDING_ACCESS_KIND_NAMES = Object.keys(STANDING_ACCESS_KINDS) as StandingAccessKindName[]
export const getStandingAccessKind = (name: StandingAccessKindName): StandingAccessKind => STANDING_ACCESS_KINDS[name]
