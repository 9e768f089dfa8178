import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { organisationSchema } from '#contract/account/organisation.ts'
import { userSchema } from '#contract/account/user.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../test/server/http-app.ts'

/**
 * A word that occurs in texts of organisation A. `canary.long.test.ts` searches the responses of every route for it (R24).
 */
const CANARY = 'นกขมิ้นเหลืองอ่อน'

onOneEngine('tenants', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let a: SignedIn
  let colleague: SignedIn
  let b: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    await plantCanary(db)
    app = await appOn(db)
    a = await signIn(app, 'manager@tharamek.example')
    colleague = await signIn(app, 'sales@tharamek.example')
    b = await signIn(app, 'manager@noensai.example')
  })
  afterAll(() => app.close())

  const get = (url: string, user: SignedIn) => app.inject({ url, headers: user.headers })

  test('GET /organisations/me answers the specified shape with all five lists', async () => {
    const answer = (await get('/api/v2/organisations/me', b)).json()
    expect(organisationSchema.parse(answer)).toEqual(answer)
    expect(answer).toMatchObject({
      code: 'noensai',
      customer_use_package: 'แพ็กเกจมาตรฐาน',
      is_company_compare: true,
      is_access_budget_year: false,
    })
    expect(answer.include.map((keyword: { word: string }) => keyword.word)).toContain('ก่อสร้างถนน')
    expect(answer.exclude.length + answer.deptsub_include.length).toBeGreaterThan(2)
    expect(answer.ai_include).toEqual([])
    expect(answer.areasWithProvinces.northeast).toHaveLength(20)
    expect(Object.keys(answer.areasFilterReport)).toEqual(['northeast'])
  })

  test('GET /users/me returns only the marks of this user, in creation order', async () => {
    const answer = (await get('/api/v2/users/me', a)).json()
    expect(userSchema.parse(answer)).toEqual(answer)
    expect(answer).toMatchObject({
      role: 'super_user',
      project_bookmark: [`${CANARY}-2`, `${CANARY}-1`],
      project_labels: [
        { id: `${CANARY}-b`, name: CANARY, color: 'sky' },
        { id: `${CANARY}-a`, name: CANARY, color: 'rose' },
      ],
      project_label_assignments: { [`${CANARY}-1`]: [`${CANARY}-b`, `${CANARY}-a`] },
      project_save_filter_profile: [{ id: 'f1', filterName: CANARY, isSend: true }],
      label_metadata: { maxLabels: 20, currentCount: 2, canCreateMore: true, remainingSlots: 18 },
      notification_updated_status: {
        clickRead: false,
        notifications: [{ type: 'Export_ready', detail: CANARY, export_id: CANARY }],
      },
    })
    const colleagueSettings = (await get('/api/v2/users/me', colleague)).json()
    expect(colleagueSettings).toMatchObject({
      project_bookmark: [],
      project_labels: [],
      project_label_assignments: {},
      project_save_filter_profile: [],
      notification_updated_status: { clickRead: false, notifications: [] },
    })
  })

  test('a user at the label limit may create no more', async () => {
    await db.execute(sql`update users set max_labels = 1 where email_key = 'manager@tharamek.example'`)
    expect((await get('/api/v2/users/me', a)).json().label_metadata).toEqual({
      maxLabels: 1,
      currentCount: 2,
      canCreateMore: false,
      remainingSlots: 0,
    })
  })

  test('R25: B can use the same filter id, group and word as A without touching those of A', async () => {
    // Watch lists are locked at night unless their setup is incomplete. This test is about ownership, so avoid the
    // lock.
    await db.script(`update organisations set is_watchlist_completed = false`)
    const ofA = async () => [
      (await get('/api/v2/users/me', a)).json(),
      (await get('/api/v2/organisations/me', a)).json(),
    ]
    const before = await ofA()
    const send = async (method: 'POST' | 'PATCH', url: string, payload: object) =>
      (await app.inject({ method, url: `/api/v2${url}`, headers: b.headers, payload })).statusCode
    const add = { action: 'add', filter_id: 'f1', filterName: 'x', filterData: { filter: {}, search: [] } }
    expect(await send('PATCH', '/users/me', { filter_action: add })).toBe(200)
    expect(await send('PATCH', '/users/me', { filter_action: { action: 'remove', filter_id: 'f1' } })).toBe(200)
    const { include, keyword_groups: groups } = before[1]
    const twin = { word: include[0].word.replaceAll(CANARY, ''), group: groups[0].name }
    expect(await send('POST', '/organisations/me', { include_keywords: [twin] })).toBe(200)
    expect(await ofA()).toEqual(before)
    await db.script(`update organisations set is_watchlist_completed = true`)
  })

  test('R26: no response has a column outside the contract', async () => {
    for (const url of ['/api/v2/users/me', '/api/v2/organisations/me']) {
      const { body } = await get(url, a)
      for (const hidden of ['password', 'email_key', 'is_disabled', 'max_labels', 'organisation_id', 'created_at'])
        expect(body).not.toContain(hidden)
    }
  })
})

async function plantCanary(db: OpenDb): Promise<void> {
  const at = (minute: number) => sql`${`2026-11-20T00:0${minute}:00Z`}::timestamptz`
  await db.execute(
    sql`update organisations set name = name || ${CANARY}, package = package || ${CANARY}, allow_access_budget_year = ${CANARY} where code = 'tharamek'`,
  )
  await db.execute(
    sql`update keywords set word = word || ${CANARY} where organisation_id = (select id from organisations where code = 'tharamek')`,
  )
  const [row] = await db.query<{ id: number }>(sql`
    update users set first_name = ${CANARY}, last_name = ${CANARY},
      customize_report_table = ${JSON.stringify([{ id: CANARY, field: 'name', title: CANARY, showHideColumn: true, currentPosition: 0, defaultPosition: 0 }])}::jsonb
    where email_key = 'manager@tharamek.example' returning id`)
  const { id } = row!
  await db.execute(
    sql`insert into bookmarks values (${id}, ${`${CANARY}-1`}, ${at(2)}), (${id}, ${`${CANARY}-2`}, ${at(1)})`,
  )
  await db.execute(
    sql`insert into labels values (${id}, ${`${CANARY}-a`}, ${CANARY}, 'rose', ${at(2)}), (${id}, ${`${CANARY}-b`}, ${CANARY}, 'sky', ${at(1)})`,
  )
  await db.execute(sql`
    insert into label_assignments values (${id}, ${`${CANARY}-1`}, ${`${CANARY}-a`}, ${at(2)}), (${id}, ${`${CANARY}-1`}, ${`${CANARY}-b`}, ${at(1)})`)
  await db.execute(
    sql`insert into saved_filters (user_id, id, name, filter_data, is_send) values (${id}, 'f1', ${CANARY}, ${JSON.stringify({ filter: {}, search: [{ key: 'project_name__in', value: CANARY, negation: false }] })}::jsonb, true)`,
  )
  await db.execute(sql`
    insert into notifications (user_id, organisation_id, type, export_id, file_name, created_at)
    values (${id}, 1, 'Export_ready', ${CANARY}, ${CANARY}, now())`)
}
