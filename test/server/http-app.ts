import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { DOMAIN_VERIFICATION_PREFIX } from '#contract/account/organisation-login.ts'
import type { AccessTokenClaims } from '#contract/account/session.ts'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { buildApp } from '#server/http/app.ts'
import type { HttpSettings } from '#server/http/http-settings.ts'
import { JOB_KINDS, RESTARTABLE_JOB_KINDS } from '#server/jobs/job-kinds.ts'
import type { DatabaseReplicas } from '#server/platform/engine/database-replicas.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { TEST_PUSH } from './push-server.ts'

/** Token in the TXT record of every domain in the tests. */
export const TEST_DOMAIN_TOKEN = 'the token of a domain of the tests'
export const TEST_SECRET = 'a secret of the tests, long enough to be one'

/** Rate limits are off unless a test sets them. */
const NO_LIMITS = {
  perUser: 1e6,
  report: 1e6,
  patch: 1e6,
  changePoll: 1e6,
  perOrganisation: 1e6,
  organisationCostly: 1e6,
  organisationWaiting: 1e6,
  exportsHourly: 1e6,
  login: 1e6,
  autoLogin: 1e6,
  check: 1e6,
  checkHourly: 1e6,
  checkUnproved: 1e6,
  checkUnprovedAll: 1e6,
  account: 1e6,
}

type AppOptions = { settings?: Partial<HttpSettings>; now?: () => Date; replicas?: DatabaseReplicas }

export function appOn(db: Db, options: AppOptions = {}): Promise<RouteApp> {
  const settings: HttpSettings = {
    authSecrets: [TEST_SECRET],
    logLevel: 'silent',
    limits: NO_LIMITS,
    jobKinds: JOB_KINDS.map(({ kind }) => kind),
    restartableJobs: RESTARTABLE_JOB_KINDS,
    metrics: 'open',
    reportMemoryMb: 64,
    apiDocs: true,
    documentsDir: path.join(tmpdir(), `tamngan-test-documents-${process.pid}`),
    channels: ['push', 'line'],
    // Routes never call LINE, so nothing needs to listen here.
    line: { channelId: '1650000000', channelSecret: 'x', accessToken: 'x', apiUrl: 'http://127.0.0.1:1' },
    push: TEST_PUSH,
    // Nothing listens at this address, because Google's settings are fetched only on login.
    organisationLogin: { google: { clientId: 'x', clientSecret: 'x', issuer: 'http://127.0.0.1:1' } },
    resolveTxt: async () => [[`${DOMAIN_VERIFICATION_PREFIX}${TEST_DOMAIN_TOKEN}`]],
    ...options.settings,
  }
  const { now, replicas } = options
  return buildApp({ db, settings, replicas, ...(now ? { now } : {}) })
}

export type SignedIn = { access: string; refresh: string; headers: { authorization: string } }

export async function signIn(app: RouteApp, email: string, password = SAMPLE_PASSWORD): Promise<SignedIn> {
  return signedIn(await app.inject({ method: 'POST', url: '/api/v2/auth/login/', payload: { email, password } }))
}

/** Gives a user a passkey that no device owns, so that the account has a second factor. */
export async function addSecondFactor(db: Db, email: string): Promise<void> {
  await db.execute(sql`
    insert into passkeys (user_id, credential_id, public_key, sign_count, transports, name, created_at)
    select id, 'passkey of ' || email_key, 'x', 0, '{}', 'x', now() from users where email_key = ${email}
    on conflict do nothing`)
}

/** Logs in as an operator, with the second factor that all operator routes require (R61). */
export async function signInOperator(app: RouteApp, db: Db, email: string, password: string): Promise<SignedIn> {
  await db.execute(sql`delete from passkeys where user_id in (select id from users where email_key = ${email})`)
  const operator = await signIn(app, email, password)
  await addSecondFactor(db, email)
  return operator
}

export const decodeClaims = (access: string): AccessTokenClaims =>
  JSON.parse(Buffer.from(access.split('.')[1]!, 'base64url').toString()) as AccessTokenClaims

export async function enterDemo(app: RouteApp): Promise<SignedIn> {
  return signedIn(await app.inject({ method: 'POST', url: '/api/v2/auth/auto-login/', payload: { refkey: 'demo' } }))
}

function signedIn(answer: { statusCode: number; body: string; json(): { access: string; refresh: string } }): SignedIn {
  if (answer.statusCode !== 200) throw new Error(`not signed in: ${answer.statusCode} ${answer.body}`)
  const { access, refresh } = answer.json()
  return { access, refresh, headers: { authorization: `Bearer ${access}` } }
}
