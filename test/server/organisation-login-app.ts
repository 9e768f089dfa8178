import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import type { MakeDb } from './databases.ts'
import { appOn, type SignedIn, signIn } from './http-app.ts'
import { OIDC_CLIENT, type OidcServer, startOidcServer } from './oidc-server.ts'
import { MEMBER_EMAIL, SUPER_USER_EMAIL } from './second-factor-app.ts'

export const DOMAIN = 'noensai.example'
export const TENANT = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490'
export const NEW_MEMBER_EMAIL = `new@${DOMAIN}`
export const LOGIN_DOMAINS_PATH = 'organisations/me/login-domains'

/**
 * Sets up an app with the demo data, two real local providers and a DNS zone that the test writes. There is one
 * database per file; before each test no domain is connected and the providers know only the member.
 */
export function organisationLoginApp(makeDb: MakeDb) {
  let db: OpenDb
  let app: RouteApp
  let google: OidcServer
  let microsoft: OidcServer
  let zone: Record<string, string[][] | Error> = {}

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    google = await startOidcServer()
    microsoft = await startOidcServer({ path: `/${TENANT}/v2.0`, alias: `/${DOMAIN}/v2.0` })
    app = await appOn(db, {
      settings: {
        publicUrl: 'http://localhost:4173',
        localWebhooks: true,
        organisationLogin: {
          google: { ...OIDC_CLIENT, issuer: google.url },
          microsoft: { ...OIDC_CLIENT, authority: microsoft.url },
        },
        resolveTxt: async (name) => {
          const records = zone[name]
          if (records instanceof Error) throw records
          if (!records) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
          return records
        },
      },
    })
  })
  afterAll(async () => {
    await app.close()
    await google.close()
    await microsoft.close()
  })
  beforeEach(async () => {
    zone = {}
    for (const server of [google, microsoft]) {
      server.people.clear()
      server.faults.clear()
      server.lie = undefined
      server.signsWithOtherKey = false
      server.requests.length = 0
    }
    google.people.set(MEMBER_EMAIL, person(MEMBER_EMAIL))
    await db.script(`delete from login_domains; delete from login_identities; delete from use_counts; delete from login_failures; delete from mails;
      delete from audit_events; delete from invitations; delete from totp_secrets; delete from known_devices; delete from sessions;
      delete from users where email_key = '${NEW_MEMBER_EMAIL}';
      update users set is_disabled = false, password_hash = (select password_hash from users where email_key = '${SUPER_USER_EMAIL}') where email_key = '${MEMBER_EMAIL}';
      update organisations set second_factor_required_at = null`)
  })

  const person = (email: string, more: object = {}) => ({
    ...{ sub: `sub of ${email}`, email, email_verified: true, hd: DOMAIN, given_name: 'สมศรี', family_name: 'ใจดี' },
    ...more,
  })
  const colleague = (more: object = {}) => ({
    ...{ sub: 'pairwise', oid: 'person of the tenant', tid: TENANT, preferred_username: MEMBER_EMAIL, ...more },
  })
  type Sent = { user?: SignedIn; body?: object; cookie?: string; method?: 'POST' | 'PATCH' | 'DELETE' | 'GET' }
  const call = (path: string, { user, body, cookie, method = 'POST' }: Sent = {}) =>
    app.inject({
      ...{ method, url: `/api/v2/${path}/`, headers: { ...user?.headers, ...(cookie && { cookie }) } },
      ...(body && { payload: body }),
    })
  const domains = async (user: SignedIn) => (await call(LOGIN_DOMAINS_PATH, { user, method: 'GET' })).json()
  const connect = async (provider: 'google' | 'microsoft' = 'google', domain = DOMAIN) => {
    const user = await signIn(app, SUPER_USER_EMAIL)
    const added = await call(LOGIN_DOMAINS_PATH, { user, body: { domain, provider } })
    expect(added.statusCode).toBe(200)
    const { id, record } = added.json().domains.find((entry: { domain: string }) => entry.domain === domain)
    zone[record.name] = [['something else'], [record.value.slice(0, 20), record.value.slice(20)]]
    const proven = await call(`${LOGIN_DOMAINS_PATH}/${id}/verify`, { user })
    expect([proven.statusCode, proven.body]).toEqual([204, ''])
    return { who: user, id: id as number }
  }
  const begin = async (email = MEMBER_EMAIL, cookie?: string) => {
    const answer = await call('auth/organisation', { body: { email }, ...(cookie && { cookie }) })
    const given = answer.cookies.find(({ name }) => name === 'tamngan-organisation-login')
    return { answer, url: answer.json().url as string, cookie: `tamngan-organisation-login=${given?.value ?? ''}` }
  }
  const finish = (back: URLSearchParams, cookie: string) =>
    call('auth/organisation/finish', { cookie, body: Object.fromEntries(back) })
  const logIn = async (email = MEMBER_EMAIL, server = google) => {
    const { url, cookie } = await begin(email)
    return finish(await server.follow(url), cookie)
  }
  const texts = (answer: { json(): { non_field_errors?: string[] } }) => answer.json().non_field_errors?.[0]
  const refusals = async () =>
    (
      await db.query<{ reason: string }>(
        sql`select detail ->> 'reason' as reason from audit_events where kind = 'organisation_login_refused' order by id`,
      )
    ).map(({ reason }) => reason)

  /**
   * Starts a second server on the same database, which has not fetched Google's settings yet. The test closes this
   * server.
   */
  const anotherServer = () =>
    appOn(db, {
      settings: {
        ...{ publicUrl: 'http://localhost:4173', localWebhooks: true },
        organisationLogin: { google: { ...OIDC_CLIENT, issuer: google.url } },
      },
    })

  return {
    get db() {
      return db
    },
    get app() {
      return app
    },
    get google() {
      return google
    },
    get microsoft() {
      return microsoft
    },
    get zone() {
      return zone
    },
    ...{ person, colleague, call, domains, connect, begin, finish, logIn, texts, refusals, anotherServer },
  }
}
