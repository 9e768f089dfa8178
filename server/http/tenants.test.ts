import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { organisationSchema } from '#contract/organisation.ts'
import { userSchema } from '#contract/user.ts'
import type { OpenDb } from '#server/db/db.ts'
import { seedSampleOrganisations } from '#server/features/organisation/seed-sample.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { onEachEngine } from '../../test/databases.ts'
import { appOn, type SignedIn, signIn } from '../../test/http-app.ts'

/** Stands in every text that organisation A owns; no answer to B may hold it (R24). */
const CANARY = 'นกขมิ้นเหลืองอ่อน'

onEachEngine('tenants', (makeDb) => {
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

  const get = (url: string, who: SignedIn) => app.inject({ url, headers: who.headers })

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

  test('GET /users/me answers the marks of exactly this user, in the order in which they were made', async () => {
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
    const other = (await get('/api/v2/users/me', colleague)).json()
    expect(other).toMatchObject({
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

  test("R24: no answer to B holds A's canary, while A's own answers do", async () => {
    const urls = [
      '/api/v2/users/me',
      '/api/v2/users/me/pulse',
      '/api/v2/organisations/me',
      '/api/v2/organisations/me/keyword-terms',
      '/api/v2/projects',
      '/api/v2/projects/facets',
      '/api/v2/projects/ids',
      '/api/v2/projects/saved-filter-counts',
      '/api/v2/companies?scope=watch',
      '/api/v2/company-winners',
      '/api/v2/company-suggestions?q=%E0%B8%81',
      '/api/v2/users/me/sessions',
      '/api/v2/organisations/business-types',
      '/api/v2/nothing',
      '/metrics',
      '/api/docs/json',
    ]
    expect((await get('/api/v2/users/me', a)).body).toContain(CANARY)
    expect((await get('/api/v2/organisations/me', a)).body).toContain(CANARY)
    for (const url of urls) expect((await get(url, b)).body).not.toContain(CANARY)
  })

  test("R25: A's label and filter ids in B's changes are B's own or unknown, and A's marks stay", async () => {
    const before = (await get('/api/v2/users/me', a)).json()
    const patch = async (body: object) => {
      const answer = await app.inject({ method: 'PATCH', url: '/api/v2/users/me', headers: b.headers, payload: body })
      expect(answer.body).not.toContain(CANARY)
      return { status: answer.statusCode, body: answer.body }
    }
    const label_id = `${CANARY}-a`
    const filterData = { filter: {}, search: [] }
    const labels = [
      { action: 'delete_label', label_id },
      { action: 'unassign_label', label_id, project_id: '99' },
      { action: 'remove_assignment', project_id: '99' },
      { action: 'assign_label', label_id, project_id: '99' },
      { action: 'rename_label', label_id, label_name: 'x' },
      { action: 'recolor_label', label_id, label_color: 'red' },
    ]
    const filters = [
      { action: 'remove', filter_id: 'f1' },
      { action: 'email_toggle', filter_id: 'f1' },
      { action: 'rename', filter_id: 'f1', filterName: 'x' },
      { action: 'update', filter_id: 'f1', filterData },
    ]
    // The same bytes as for an id that nobody has.
    for (const action of labels)
      expect(await patch({ label_action: action })).toEqual(
        await patch({ label_action: { ...action, label_id: 'nobodys' } }),
      )
    for (const action of filters)
      expect(await patch({ filter_action: action })).toEqual(
        await patch({ filter_action: { ...action, filter_id: 'nobodys' } }),
      )
    expect((await patch({ project_label_assignments: { 99: [label_id] } })).status).toBe(400)
    // B may use the same id for a filter of their own, and remove it.
    const add = { action: 'add', filter_id: 'f1', filterName: 'x', filterData }
    expect((await patch({ filter_action: add })).status).toBe(200)
    expect((await patch({ filter_action: { action: 'remove', filter_id: 'f1' } })).status).toBe(200)
    expect((await get('/api/v2/users/me', a)).json()).toEqual(before)
  })

  test("R25: A's keyword, group and term ids in B's changes are unknown to B, as an id that nobody has, and A's lists stay", async () => {
    // Lists are closed at night; this test is about whose they are.
    await db.script(`update organisations set is_watchlist_completed = false`)
    const before = (await get('/api/v2/organisations/me', a)).json()
    const own = (await get('/api/v2/organisations/me', b)).json()
    const { id } = before.include[0]
    const ai = before.ai_include[0].id
    const group = before.keyword_groups[0].id
    await db.execute(sql`
      insert into deleted_keywords (id, organisation_id, keyword, terms, deleted_at)
      select 900001, k.organisation_id, to_jsonb(k) || jsonb_build_object('id', 900001), '[]', now() from keywords k where k.id = ${id}::int`)
    const send = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object) => {
      const url = `/api/v2/organisations/me${path}`
      const answer = await app.inject({ method, url, headers: b.headers, payload: body })
      expect(answer.body).not.toContain(CANARY)
      return { status: answer.statusCode, body: answer.json() }
    }
    const nobodys = 800_000
    const calls = [
      (known: number) =>
        send('DELETE', '', { include_keywords: [{ id: known }], ai_include_keywords: [{ id: known }] }),
      (known: number) => send('POST', '/keywords/remove', { include_keywords: [{ id: known }] }),
      (known: number) => send('PATCH', '', { include_keywords: [{ id: known, word: 'x x' }] }),
      (known: number) => send('PATCH', '', { include_keywords: [{ id: known, group_id: null }] }),
      (known: number) => send('PATCH', `/keywords/${known}/terms`, { add: ['ของฉัน'] }),
      (known: number) => send('POST', '/keywords/restore', { ids: [known] }),
    ]
    for (const call of calls) {
      const unknown = await call(nobodys)
      for (const known of [id, ai, 900_001]) expect(await call(known)).toEqual(unknown)
    }
    const groups = [
      (known: number) => send('PATCH', '', { keyword_groups: [{ id: known, name: 'ของฉัน' }] }),
      (known: number) => send('PATCH', '', { include_keywords: [{ id: own.include[0].id, group_id: known }] }),
      (known: number) => send('POST', '', { include_keywords: [{ word: 'คำใหม่', group_id: known }] }),
      (known: number) => send('POST', '/keywords/check', { include_keywords: [{ word: 'คำใหม่', group_id: known }] }),
    ]
    for (const call of groups) expect(await call(group)).toEqual(await call(nobodys))
    // B may have a group and a word of the same names, without touching A's.
    const twin = { word: before.include[0].word.replaceAll(CANARY, ''), group: before.keyword_groups[0].name }
    expect((await send('POST', '', { include_keywords: [twin] })).status).toBe(200)
    expect((await get('/api/v2/organisations/me', a)).json()).toEqual(before)
    await db.script(`update organisations set is_watchlist_completed = true; delete from deleted_keywords`)
  })

  test('R26: an answer never carries a column that the contract does not name', async () => {
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
