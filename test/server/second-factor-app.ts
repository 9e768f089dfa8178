import { Secret, TOTP } from 'otpauth'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ORIGIN } from '../soft-passkey.ts'
import type { MakeDb } from './databases.ts'
import { appOn, type SignedIn } from './http-app.ts'

export const MEMBER_EMAIL = 'bid@noensai.example'
export const SUPER_USER_EMAIL = 'manager@noensai.example'
const START = new Date('2026-11-21T03:00:00Z')
export const MINUTE_MS = 60_000

/**
 * Sets up an app with the demo accounts and a clock that the test moves, and returns the calls of a two-step login.
 * There is one database per file; before each test no account has a second factor, a session or a known browser, and
 * the clock is reset.
 */
export function secondFactorApp(makeDb: MakeDb) {
  let db: OpenDb
  let app: RouteApp
  let now = START

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { now: () => now, settings: { publicUrl: ORIGIN } })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    now = START
    await db.script(`delete from totp_secrets; delete from passkeys; delete from recovery_codes; delete from known_devices; delete from login_steps;
      delete from use_counts; delete from login_failures; delete from mails; delete from audit_events; delete from not_me_links; delete from api_keys; delete from sessions;
      update users set password_hash = (select password_hash from users where email_key = '${SUPER_USER_EMAIL}'), role = 'member_user' where email_key = '${MEMBER_EMAIL}';
      update organisations set second_factor_required_at = null`)
  })

  type Sent = {
    readonly user?: SignedIn
    readonly body?: object
    readonly cookie?: string
    readonly agent?: string
    readonly method?: 'DELETE' | 'PUT'
  }
  const post = (path: string, { user, body, cookie, method, agent }: Sent = {}) =>
    app.inject({
      method: method ?? 'POST',
      url: `/api/v2/${path}`,
      headers: {
        ...user?.headers,
        ...(cookie && { cookie: `tamngan-device=${cookie}` }),
        ...(agent && { 'user-agent': agent }),
      },
      ...(body && { payload: body }),
    })
  const get = (path: string, user: SignedIn) => app.inject({ url: `/api/v2/${path}`, headers: user.headers })
  const later = (ms: number) => {
    now = new Date(now.getTime() + ms)
  }
  const codeOf = (secret: string, at = now) =>
    new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret: Secret.fromBase32(secret) }).generate({
      timestamp: at.getTime(),
    })
  const addTotp = async (user: SignedIn): Promise<{ secret: string; codes: string[] }> => {
    const { secret } = (await post('users/me/totp', { user })).json()
    const answer = await post('users/me/totp/confirm', { user, body: { otp: codeOf(secret) } })
    expect(answer.statusCode).toBe(200)
    later(MINUTE_MS)
    return { secret, codes: answer.json().recovery_codes }
  }
  const begin = async (email = MEMBER_EMAIL, cookie?: string) =>
    post('auth/login', { body: { email, password: SAMPLE_PASSWORD }, ...(cookie && { cookie }) })
  const stepOf = async (email = MEMBER_EMAIL): Promise<string> => (await begin(email)).json().second_step.token
  /** The logins run one after the other, because parallel passwords would hit the rate limit (R1). */
  const stepsOf = async (count: number) => {
    const steps: string[] = []
    while (steps.length < count) steps.push(await stepOf())
    return steps
  }
  const kinds = async () =>
    (await db.query<{ kind: string }>(sql`select kind from audit_events order by id`)).map(({ kind }) => kind)

  return {
    get db() {
      return db
    },
    get app() {
      return app
    },
    get now() {
      return now
    },
    goTo(at: Date): void {
      now = at
    },
    ...{ post, get, later, codeOf, addTotp, begin, stepOf, stepsOf, kinds },
  }
}
