import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MailLink, MailLinkKind, MailLinkResult } from '#contract/report/report-mail.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { TEST_SECRET } from '../../../test/server/http-app.ts'
import { saveFilter } from '../../../test/world/report-mail-world.ts'
import { makeUserWorld, projectId } from '../../../test/world/user-world.ts'
import { createMailLinkTokens, type MailTokenKind } from './mail-link-token.ts'
import { pruneReportMails } from './mail-schedule-queries.ts'

const NOW = new Date('2026-11-21T03:00:00Z')
const DAY_MS = 86_400_000
const EMAIL = 'sales@tharamek.example'
const tokens = createMailLinkTokens([TEST_SECRET])

onEachEngineInTurn('links of report mails', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let userId: number
  let clock = NOW

  beforeAll(async () => {
    db = await makeDb()
    app = (await makeUserWorld(db, { projects: 3, now: () => clock })).app
    userId = (await db.query<{ id: number }>(sql`select id from users where email = ${EMAIL}`))[0]!.id
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    clock = NOW
    await emptyTables(db, 'bookmarks', 'hidden_projects', 'project_feedback', 'saved_filters', 'used_mail_links')
    await db.execute(sql`update users set is_send_report_email = true, is_disabled = false`)
  })

  const token = (kind: MailTokenKind, subject = '', days = 14, user = userId) =>
    tokens.sign({ kind, userId: user, subject, expiresAt: new Date(NOW.getTime() + days * DAY_MS) })
  const post = (path: string, text: string) =>
    app.inject({ method: 'POST', url: `/api/v2/mail-links${path}`, payload: { token: text } })
  const preview = (text: string) => post('/look', text)
  const use = async (text: string): Promise<MailLinkResult> => {
    const answer = await post('', text)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return answer.json()
  }
  const problemOf = async (path: string, text: string) => {
    const answer = await post(path, text)
    return [answer.statusCode, (answer.json() as { link?: string }).link]
  }
  const marks = async (table: 'bookmarks' | 'hidden_projects') =>
    (
      await db.query<{ project_id: string }>(
        table === 'bookmarks'
          ? sql`select project_id from bookmarks where user_id = ${userId}::int`
          : sql`select project_id from hidden_projects where user_id = ${userId}::int`,
      )
    ).map(({ project_id }) => project_id)
  const wantsMail = async () =>
    (await db.query<{ on: boolean }>(sql`select is_send_report_email as on from users where id = ${userId}::int`))[0]!
      .on

  test('a preview changes nothing, and masks the address', async () => {
    const link = token('bookmark', projectId(1))
    for (let i = 0; i < 3; i += 1) {
      const answer = (await preview(link)).json() as MailLink
      expect(answer).toMatchObject({
        kind: 'bookmark',
        done: false,
        project: { project_id: projectId(1) },
        filter: null,
      })
      expect(answer.account).toBe('sa••••@tharamek.example')
    }
    expect(await marks('bookmarks')).toEqual([])
  })

  test.each<[MailLinkKind, 'bookmarks' | 'hidden_projects']>([
    ['bookmark', 'bookmarks'],
    ['hide', 'hidden_projects'],
  ])('%s works once and can be undone; a second use reports that it was used', async (kind, table) => {
    const link = token(kind, projectId(1))
    const done = await use(link)
    expect(done.done).toBe(true)
    expect(await marks(table)).toEqual([projectId(1)])
    expect(await problemOf('', link)).toEqual([400, 'used'])
    expect(await problemOf('/look', link)).toEqual([400, 'used'])
    const undone = await use(done.undo!)
    expect(await marks(table)).toEqual([])
    expect(await problemOf('', done.undo!)).toEqual([400, 'used'])
    await use(undone.undo!)
    expect(await marks(table)).toEqual([projectId(1)])
  })

  test('an answer about a project may be repeated, previews change nothing, and its undo restores the answer before', async () => {
    const answer = async () =>
      (
        await db.query<{ verdict: string }>(sql`select verdict from project_feedback where user_id = ${userId}::int`)
      ).map(({ verdict }) => verdict)
    const [relevant, irrelevant] = [token('relevant', projectId(1)), token('irrelevant', projectId(1))]
    for (const link of [relevant, irrelevant])
      expect((await preview(link)).json()).toMatchObject({ done: false, project: { project_id: projectId(1) } })
    expect(await answer()).toEqual([])
    await use(relevant)
    expect(await use(relevant)).toMatchObject({ done: true, undo: null })
    expect(await answer()).toEqual(['relevant'])
    const done = await use(irrelevant)
    expect([await answer(), await marks('hidden_projects')]).toEqual([['irrelevant'], [projectId(1)]])
    await use(done.undo!)
    expect([await answer(), await marks('hidden_projects')]).toEqual([['relevant'], []])
    const seen = await use(token('seen', projectId(1)))
    await use(seen.undo!)
    await use(token('no_feedback', projectId(1)))
    expect(await answer()).toEqual([])
  })

  test('removing an answer leaves a project hidden that the user had hidden before', async () => {
    await db.execute(sql`insert into hidden_projects (user_id, project_id) values (${userId}::int, ${projectId(1)})`)
    const done = await use(token('irrelevant', projectId(1)))
    await use(done.undo!)
    expect(await marks('hidden_projects')).toEqual([projectId(1)])
  })

  test('only one of several parallel requests takes effect', async () => {
    const link = token('hide', projectId(2))
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('', link)))
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([200, ...Array(7).fill(400)])
    expect(await marks('hidden_projects')).toEqual([projectId(2)])
  })

  test('reports an action that is already done, and its undo keeps the user’s own star', async () => {
    await db.execute(sql`insert into bookmarks (user_id, project_id) values (${userId}::int, ${projectId(1)})`)
    const link = token('bookmark', projectId(1))
    expect((await preview(link)).json()).toMatchObject({ done: true })
    expect(await use(link)).toMatchObject({ done: true, undo: null })
    expect(await marks('bookmarks')).toEqual([projectId(1)])
  })

  test('switches mails off and on any number of times, for all filters or one', async () => {
    const off = token('mail_off')
    for (let i = 0; i < 2; i += 1) {
      const done = await use(off)
      expect(await wantsMail()).toBe(false)
      await use(done.undo!)
      expect(await wantsMail()).toBe(true)
    }
    await saveFilter(db, userId, { id: 'กล้อง ๑', name: 'กล้อง', address: { project_name__in: 'กล้อง' } })
    await saveFilter(db, userId, { id: 'ถนน-2', name: 'ถนน', address: { project_name__in: 'ถนน' } })
    const sends = () => db.query(sql`select id, is_send from saved_filters order by id`)
    expect((await preview(token('filter_off', 'ถนน-2'))).json()).toMatchObject({
      filter: { name: 'ถนน', is_last: false },
    })
    const done = await use(token('filter_off', 'ถนน-2'))
    expect(await sends()).toContainEqual({ id: 'ถนน-2', is_send: false })
    await use(done.undo!)
    expect(await sends()).toContainEqual({ id: 'ถนน-2', is_send: true })
    await db.execute(sql`delete from saved_filters where id = 'กล้อง ๑'`)
    await use(token('filter_on', 'ถนน-2'))
    expect((await preview(token('filter_off', 'ถนน-2'))).json()).toMatchObject({ filter: { is_last: true } })
  })

  test('RFC 8058: one form POST unsubscribes without a session; GET only redirects to the page', async () => {
    const off = token('mail_off')
    const url = `/api/v2/mail-links/unsubscribe/${off}`
    const page = await app.inject({ url })
    expect([page.statusCode, page.headers.location]).toEqual([303, `/mail-link#${off}`])
    expect(await wantsMail()).toBe(true)
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      await db.execute(sql`update users set is_send_report_email = true`)
      const answer = await app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': type },
        payload: 'List-Unsubscribe=One-Click',
      })
      expect(answer.statusCode).toBe(204)
      expect(await wantsMail()).toBe(false)
    }
    const form = await app.inject({
      method: 'POST',
      url: '/api/v2/mail-links',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `token=${off}`,
    })
    expect(form.statusCode).toBe(415)
    const wrongKind = await app.inject({
      method: 'POST',
      url: `/api/v2/mail-links/unsubscribe/${token('hide', projectId(3))}`,
    })
    expect(wrongKind.statusCode).toBe(400)
    expect(await marks('hidden_projects')).toEqual([])
  })

  test('distinguishes expired, foreign and malformed links, which change nothing', async () => {
    const strange = createMailLinkTokens(['another installation’s secret, long enough'])
    const good = token('bookmark', projectId(1))
    const cases: readonly (readonly [string, string])[] = [
      ['expired', token('bookmark', projectId(1), -1)],
      [
        'foreign',
        strange.sign({ kind: 'bookmark', userId, subject: projectId(1), expiresAt: new Date(NOW.getTime() + DAY_MS) }),
      ],
      ['foreign', token('bookmark', 'no-such-project')],
      ['foreign', token('filter_off', 'no-such-filter')],
      ['foreign', token('mail_off', '', 14, 999_999)],
      ['foreign', token('preview')],
      ['broken', good.slice(0, -4)],
      ['broken', 'ลิงก์'],
      ['broken', ''],
    ]
    for (const [problem, text] of cases) {
      for (const path of ['', '/look']) expect([text, ...(await problemOf(path, text))]).toEqual([text, 400, problem])
    }
    expect(await marks('bookmarks')).toEqual([])
    expect(await wantsMail()).toBe(true)
  })

  test('refuses the links of a closed account', async () => {
    await db.execute(sql`update users set is_disabled = true where id = ${userId}::int`)
    expect(await problemOf('', token('mail_off'))).toEqual([400, 'foreign'])
  })

  test('cannot reach another user’s filter with the same id', async () => {
    const [otherUser] = await db.query<{ id: number }>(sql`select id from users where id <> ${userId}::int limit 1`)
    await saveFilter(db, otherUser!.id, { id: 'shared-1', name: 'ของคนอื่น', address: {} })
    const answer = await preview(token('filter_off', 'shared-1'))
    expect(answer.body).not.toContain('ของคนอื่น')
    expect((answer.json() as { link: string }).link).toBe('foreign')
  })

  test('remembers used links until their expiry', async () => {
    await use(token('hide', projectId(1)))
    const usedLinkCount = async () => (await db.query(sql`select 1 from used_mail_links`)).length
    await pruneReportMails(db, new Date(NOW.getTime() + 13 * DAY_MS))
    expect(await usedLinkCount()).toBe(1)
    await pruneReportMails(db, new Date(NOW.getTime() + 15 * DAY_MS))
    expect(await usedLinkCount()).toBe(0)
  })
})
