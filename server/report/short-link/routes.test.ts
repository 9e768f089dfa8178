import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, signIn } from '../../../test/server/http-app.ts'
import { addOrganisation, addUser } from '../../../test/world/report-world.ts'
import { pruneShortLinks } from './queries.ts'

const PASSWORD = 'Tamngan#2569'

onEachEngineInTurn('short links', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let now = new Date('2026-11-22T10:00:00+07:00')
  let emails: string[]

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => now })
    const hash = await hashPassword(PASSWORD)
    emails = []
    for (const code of ['one', 'two']) {
      const userId = await addUser(db, await addOrganisation(db, { code }))
      const [user] = await db.query<{ email: string }>(
        sql`update users set password_hash = ${hash} where id = ${userId}::int returning email`,
      )
      emails.push(user!.email)
    }
  })
  afterAll(() => app.close())

  /** Signs in again, because the clock moves by years and every session would have expired. */
  const headersOf = async (userIndex = 0) => (await signIn(app, emails[userIndex]!, PASSWORD)).headers
  const copy = async (search: Record<string, string>, userIndex = 0) =>
    app.inject({ method: 'POST', url: '/api/v2/short-links', headers: await headersOf(userIndex), payload: { search } })
  const codeOf = async (search: Record<string, string>, userIndex = 0) => {
    const answer = await copy(search, userIndex)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<{ code: string }>().code
  }
  const open = async (code: string, userIndex = 0) =>
    app.inject({ url: `/api/v2/short-links/${code}`, headers: await headersOf(userIndex) })
  const rows = () => db.query<{ address: string }>(sql`select address from short_links order by address`)

  test('a link stores the search and opens it for any signed-in user', async () => {
    const search = { project_name__in: 'กล้อง##วงจรปิด', project_province__in: 'northeast', ordering: '-project_budget' }
    const code = await codeOf(search)
    expect(code).toMatch(/^[0-9a-z]{10}$/)
    expect((await open(code, 1)).json()).toEqual({ search })
  })

  test('the same content yields the same code, whatever the order and user', async () => {
    const before = (await rows()).length
    const code = await codeOf({ check_sme: 'true', project_status__in: 'in_progress' })
    expect(await codeOf({ project_status__in: 'in_progress', check_sme: 'true' }, 1)).toBe(code)
    expect((await rows()).length).toBe(before + 1)
  })

  test('omits personal and temporary parameters, and does not store who copied the link', async () => {
    const code = await codeOf({ saved: 'f1', queue: 'true', page: '3', project_bookmark: 'true' })
    expect((await open(code)).json()).toEqual({ search: { project_bookmark: 'true' } })
    const columns = await db.query<{ name: string }>(sql`
      select column_name::text as name from information_schema.columns where table_name = 'short_links' order by 1`)
    expect(columns.map(({ name }) => name)).toEqual(['address', 'address_hash', 'code', 'copied_at'])
  })

  test.each([
    ['labels, whose ids hold names', { project_label__in: 'l1' }],
    ['what the catalogue does not know', { utm_source: 'line' }],
    ['a filter that cannot be read', { project_budget__range: '9,1' }],
    [
      'more than an address should be',
      { project_name__in: Array.from({ length: 40 }, (_, n) => `${'ก'.repeat(150)}${n}`).join('||') },
    ],
  ])('refuses and does not store %s', async (_what, search) => {
    const before = await rows()
    expect((await copy(search as Record<string, string>)).statusCode).toBe(400)
    expect(await rows()).toEqual(before)
  })

  test.each(['0000000000', 'unknown', 'ABCDEFGHJK', '%2e%2e'])('an unknown code is answered 404: %s', async (code) => {
    const answer = await open(code)
    expect([answer.statusCode, answer.json()]).toEqual([404, { code: 'not_found' }])
  })

  test('a link expires two years after it was last copied, and the nightly job deletes it', async () => {
    const [early, late] = [await codeOf({ project_id__in: '1' }), await codeOf({ project_id__in: '2' })]
    now = new Date('2028-11-01T10:00:00+07:00')
    expect(await codeOf({ project_id__in: '2' })).toBe(late)
    expect((await open(early)).statusCode).toBe(200)
    now = new Date('2028-11-23T10:00:00+07:00')
    expect((await open(early)).statusCode).toBe(404)
    expect((await open(late)).statusCode).toBe(200)
    await pruneShortLinks(db, now)
    expect((await rows()).map(({ address }) => address)).toEqual(['/report?project_id__in=2'])
  })
})
