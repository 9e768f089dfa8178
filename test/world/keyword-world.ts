import sql from 'sql-template-tag'
import { KEYWORD_LIST_CODES, type Organisation, organisationSchema } from '#contract/account/organisation.ts'
import { type KeywordErrors, keywordErrorsSchema } from '#contract/matching/keyword.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { RematchScope } from '#server/matching/match-requests.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { appOn, type SignedIn } from '../server/http-app.ts'

/** 10:00 in Bangkok, outside the closed hours of the watch lists. */
export const MORNING = new Date('2026-11-21T03:00:00Z')
const LISTS_PATH = '/api/v2/organisations/me'

type Method = 'PUT' | 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Answer = { readonly status: number; readonly body: Record<string, unknown> }

export type KeywordWorld = {
  readonly app: RouteApp
  readonly clock: { now: Date }
  /** Sends a request to `/organisations/me`; `path` is the rest of the URL. */
  send(user: SignedIn, method: Method, path: string, body?: unknown): Promise<Answer>
  changed(user: SignedIn, method: Method, path: string, body: unknown): Promise<Organisation>
  refused(user: SignedIn, method: Method, path: string, body: unknown): Promise<KeywordErrors>
  organisation(user: SignedIn): Promise<Organisation>
  clear(code?: string): Promise<void>
  scopes(): Promise<RematchScope[]>
}

/** Creates the demo organisations, departments to watch, and a server with a fixed clock. The caller closes `app`. */
export async function makeKeywordWorld(db: Db): Promise<KeywordWorld> {
  const clock = { now: MORNING }
  await seedSampleOrganisations(db, '2026-11-21')
  await db.script(`
    insert into departments (name, sub_name, province) values
      ('กรุงเทพมหานคร', 'สำนักการโยธา', 10), ('กรุงเทพมหานคร', 'สำนัก ดิจิทัล', 10), ('เทศบาลตำบลบ้านแก้ว', '', 25)`)
  const app = await appOn(db, { now: () => clock.now })

  async function send(user: SignedIn, method: Method, path: string, body?: unknown): Promise<Answer> {
    const answer = await app.inject({
      method,
      url: `${LISTS_PATH}${path}`,
      headers: { ...user.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }
  }
  async function sendFor<T>(status: number, read: (body: unknown) => T, ...call: Parameters<typeof send>): Promise<T> {
    const answer = await send(...call)
    if (answer.status !== status) throw new Error(`${answer.status}, not ${status}: ${JSON.stringify(answer.body)}`)
    return read(answer.body)
  }
  return {
    app,
    clock,
    send,
    changed: (...call) => sendFor(200, (body) => organisationSchema.parse(body), ...call),
    refused: (...call) => sendFor(400, (body) => keywordErrorsSchema.parse(body), ...call),
    organisation: (user) => sendFor(200, (body) => organisationSchema.parse(body), user, 'GET', ''),
    async clear(code = 'tharamek') {
      await db.execute(
        sql`delete from keywords where organisation_id = (select id from organisations where code = ${code})`,
      )
      await db.execute(sql`
        update organisations set is_watchlist_completed = true,
          customer_config = customer_config || '{"search_by_name": true, "search_by_ai": false, "search_by_deptsub": true}'
        where code = ${code}`)
      await db.script(
        'delete from keyword_groups; delete from deleted_keywords; delete from jobs; delete from audit_events',
      )
    },
    async scopes() {
      const rows = await db.query<{ scope: RematchScope }>(sql`
        select payload as scope from jobs where kind = 'match' order by id`)
      return rows.map(({ scope }) => scope)
    },
  }
}

export function getWordsByList(organisation: Organisation): Record<string, string[]> {
  const lists = KEYWORD_LIST_CODES.map((list) => [list, organisation[list].map(({ word }) => word)] as const)
  return Object.fromEntries(lists.filter(([, words]) => words.length > 0))
}
