import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_REPORT_COLUMN_ORDER } from '#contract/catalogue/report-columns.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, enterDemo, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { makeUserWorld, projectId, type UserWorld } from '../../../test/world/user-world.ts'

const MANAGER = 'manager@tharamek.example'
const [P1, P2, P3] = [projectId(1), projectId(2), projectId(3)]
const COLUMN = {
  id: 'name',
  field: 'name',
  title: 'ชื่อโครงการ',
  showHideColumn: true,
  currentPosition: 0,
  defaultPosition: 1,
}

onEachEngineInTurn('PATCH /users/me', (makeDb) => {
  let db: OpenDb
  let world: UserWorld
  let manager: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    world = await makeUserWorld(db)
    manager = await signIn(world.app, MANAGER)
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    for (const table of ['bookmarks', 'hidden_projects', 'labels', 'saved_filters'])
      await db.script(`delete from ${table}`)
  })

  const refused = async (body: unknown, status = 400) => {
    const before = await world.me(manager)
    const answer = await world.patch(manager, body)
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.any(String)])
    expect(await world.me(manager)).toEqual(before)
    return answer.body
  }

  test('returns the changed user, with and without a trailing slash, and 401 without a session', async () => {
    const body = { bookmark_action: { action: 'add', project_id: P1 } }
    for (const url of ['/api/v2/users/me', '/api/v2/users/me/']) {
      const answer = await world.app.inject({ method: 'PATCH', url, headers: manager.headers, payload: body })
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toEqual(await world.me(manager))
      expect((await world.app.inject({ method: 'PATCH', url, payload: body })).statusCode).toBe(401)
    }
    expect((await world.me(manager)).project_bookmark).toEqual([P1])
  })

  test('applies a repeated idempotency key once (R75), keeps later changes; a refusal does not consume it', async () => {
    const send = (action: 'add' | 'remove', key: string, prefer = 'return=minimal') =>
      world.app.inject({
        method: 'PATCH',
        url: '/api/v2/users/me',
        headers: { ...manager.headers, prefer, 'idempotency-key': key },
        payload: { bookmark_action: { action, project_id: P1 } },
      })
    expect((await send('add', 'key-of-the-star')).statusCode).toBe(204)
    expect((await send('remove', 'key-of-the-second')).statusCode).toBe(204)
    // The first response was lost, so the device repeats the request after another device has removed the star.
    expect((await send('add', 'key-of-the-star')).statusCode).toBe(204)
    expect((await world.me(manager)).project_bookmark).toEqual([])
    expect((await send('add', 'key-of-the-star', 'none')).json()).toEqual(await world.me(manager))
    const lines = await db.query<{ n: number }>(sql`select count(*)::int as n from change_keys`)
    expect(lines[0]?.n).toBe(2)
    // Keys belong to one user, so a colleague may use the same key.
    const colleague = await signIn(world.app, 'sales@tharamek.example')
    const colleagueHeaders = { ...colleague.headers, 'idempotency-key': 'key-of-the-star' }
    await world.app.inject({
      method: 'PATCH',
      url: '/api/v2/users/me',
      headers: colleagueHeaders,
      payload: { bookmark_action: { action: 'add', project_id: P2 } },
    })
    expect((await world.me(colleague)).project_bookmark).toContain(P2)
    // A refusal does not consume the key.
    const label = { action: 'assign_label', label_id: 'no-such-label', project_id: P1 }
    const refuse = () =>
      world.app.inject({
        method: 'PATCH',
        url: '/api/v2/users/me',
        headers: { ...manager.headers, 'idempotency-key': 'key-of-a-refusal' },
        payload: { label_action: label },
      })
    expect([(await refuse()).statusCode, (await refuse()).statusCode]).toEqual([400, 400])
    expect((await send('add', 'x')).statusCode).toBe(400)
  })

  test('returns 204 for return=minimal and applies the change; other preferences return the user', async () => {
    const patchWithPreference = (prefer: string, body: object) =>
      world.app.inject({
        method: 'PATCH',
        url: '/api/v2/users/me',
        headers: { ...manager.headers, prefer },
        payload: body,
      })
    const star = { bookmark_action: { action: 'add', project_id: P1 } }
    for (const prefer of ['return=minimal', 'respond-async, Return=minimal']) {
      const answer = await patchWithPreference(prefer, star)
      expect([answer.statusCode, answer.body, answer.headers['preference-applied']]).toEqual([
        204,
        '',
        'return=minimal',
      ])
    }
    expect((await world.me(manager)).project_bookmark).toEqual([P1])
    for (const prefer of ['return=representation', 'handling=strict', 'xreturn=minimal']) {
      const answer = await patchWithPreference(prefer, { bookmark_action: { action: 'remove', project_id: P1 } })
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toEqual(await world.me(manager))
    }
    expect(
      (await patchWithPreference('return=minimal', { bookmark_action: { action: 'add', project_id: '<x>' } }))
        .statusCode,
    ).toBe(400)
  })

  test('stores the settings and columns sent and keeps the others; an empty column list resets', async () => {
    const table = [{ ...COLUMN, width: 300, isPinned: false }]
    expect(await world.patched(manager, { is_send_report_email: false, customize_report_table: table })).toMatchObject({
      is_send_report_email: false,
      is_noti_e_bidding: false,
      customize_report_table: table,
    })
    expect(await world.patched(manager, { is_send_report_email: true, is_noti_e_bidding: true })).toMatchObject({
      is_send_report_email: true,
      is_noti_e_bidding: true,
      customize_report_table: table,
    })
    expect((await world.patched(manager, { customize_report_table: [] })).customize_report_table).toEqual([])
  })

  test.each([
    ['a column that does not exist', [{ ...COLUMN, field: 'password' }]],
    ['a column twice', [COLUMN, COLUMN]],
    ['no column shown', DEFAULT_REPORT_COLUMN_ORDER.map((field) => ({ ...COLUMN, field, showHideColumn: false }))],
    ['a width nobody can see', [{ ...COLUMN, width: 1 }]],
    ['a title of a megabyte', [{ ...COLUMN, title: 'ก'.repeat(100_000) }]],
  ])('columns with %s are refused', async (_what, customize_report_table) => {
    expect(await refused({ customize_report_table })).toHaveProperty('customize_report_table')
  })

  test('R26: ignores unknown fields and fields that the caller may not change', async () => {
    const dump = async () =>
      (await db.query<{ text: string }>(sql`select string_agg(u::text, '' order by id) as text from users u`))[0]!.text
    const before = await dump()
    const updated = await world.patched(manager, {
      id: '1',
      role: 'root',
      email: 'x@y.example',
      is_access_budget_year: true,
      max_labels: 1e6,
      label_metadata: { maxLabels: 1e6 },
      organisation_id: 2,
      notifications_click_read: true,
      password: 'x',
    })
    expect(await dump()).toBe(before)
    expect(updated.role).toBe('super_user')
  })

  test('R32: prototype keys are neither accepted nor pollute objects', async () => {
    for (const key of ['__proto__', 'constructor', 'a'.repeat(300), 'ก', 'toString']) {
      await refused(`{"project_label_assignments":{"${key}":["l1"]}}`)
      await refused(`{"project_label_assignments":{"${key}":{"prototype":{"x":1}}}}`)
      await refused(`{"label_action":{"action":"assign_label","label_id":"l1","project_ids":["${key}"]}}`)
    }
    expect((await world.patch(manager, { project_label_assignments: { constructor: [] } })).status).toBe(200)
    expect(({} as Record<string, unknown>).x).toBeUndefined()
    expect(({} as Record<string, unknown>).prototype).toBeUndefined()
  })

  test('R39: broken, deep, huge and unstorable bodies are refused', async () => {
    await refused('null')
    await refused('[]')
    await refused('{"bookmark_action":')
    await refused({ project_bookmark: P1 })
    await refused({ project_bookmark: Array(5_001).fill(P1) })
    await refused('x'.repeat(1_048_577), 413)
    await refused(`${'{"a":'.repeat(99)}1${'}'.repeat(99)}`)
    const label = { action: 'create_label', label_id: 'l1', label_name: 'ก\0ข', label_color: 'sky' }
    await refused({ label_action: label })
    await refused({ label_action: { ...label, label_name: 'ก\ud800' } })
    await refused({ label_action: { ...label, label_name: 'ก', label_id: 'l\0' } })
    const search = [{ key: 'project_name__in', value: 'กล้\0อง', negation: false }]
    await refused({
      filter_action: { action: 'add', filter_id: 'f', filterName: 'ก', filterData: { filter: {}, search } },
    })
  })

  describe('refusing one part rolls back the whole body', () => {
    const good = {
      is_send_report_email: false,
      bookmark_action: { action: 'add', project_ids: [P1, P2] },
      hide_action: { action: 'add', project_id: P3 },
    }
    test.each([
      ['an unknown project', { label_action: { action: 'assign_label', label_id: 'l1', project_id: P1 } }],
      ['an unknown filter', { filter_action: { action: 'rename', filter_id: 'f', filterName: 'x' } }],
      ['a hidden project that does not exist', { hide_action: { action: 'add', project_ids: [P1, '99'] } }],
    ])('%s', async (_what, bad) => {
      await refused({ ...good, ...bad })
    })
  })

  describe('lists without an action', () => {
    const labels = [{ id: 'l9', name: 'x', color: 'sky' }]
    test('refuses a body with only such a list and names the action to use', async () => {
      expect((await refused({ project_labels: labels })).project_labels).toEqual([
        expect.stringContaining('label_action'),
      ])
      expect((await refused({ project_save_filter_profile: [] })).project_save_filter_profile).toEqual([
        expect.stringContaining('filter_action'),
      ])
    })
    test('are ignored beside a change', async () => {
      const after = await world.patched(manager, {
        project_labels: labels,
        project_label_assignments: {},
        project_save_filter_profile: [],
        is_send_report_email: true,
      })
      expect([after.project_labels, after.project_save_filter_profile]).toEqual([[], []])
    })
    test('an empty body changes nothing', async () => {
      expect(await world.patched(manager, {})).toEqual(await world.me(manager))
    })
  })

  test('C6: refuses to turn on mail in the demo, and allows everything else', async () => {
    const demo = await enterDemo(world.app)
    const filterData = { filter: { bookmark: true }, search: [] }
    const filter_action = { action: 'add', filter_id: 'f', filterName: 'ดาว', filterData }
    const after = await world.patched(demo, {
      is_send_report_email: false,
      bookmark_action: { action: 'add', project_id: P1 },
      filter_action: { ...filter_action, is_send: false },
    })
    expect(after).toMatchObject({ project_bookmark: [P1], is_send_report_email: false })
    for (const body of [
      { is_send_report_email: true },
      { is_noti_e_bidding: true, bookmark_action: { action: 'remove', project_id: P1 } },
      { filter_action: { action: 'email_toggle', filter_id: 'f' } },
      { filter_action: { action: 'email_toggle', filter_id: 'f', is_send: true } },
      { filter_action: { ...filter_action, filter_id: 'g', filterName: 'อื่น', is_send: true } },
    ]) {
      const answer = await world.patch(demo, body)
      expect([answer.status, answer.body.non_field_errors]).toEqual([403, [expect.stringContaining('ทดลองใช้งาน')]])
    }
    expect(await world.me(demo)).toEqual(after)
    expect(
      (await world.patched(demo, { filter_action: { action: 'email_toggle', filter_id: 'f', is_send: false } }))
        .project_save_filter_profile[0]!.isSend,
    ).toBe(false)
  })

  test('R42: limits changes per user, separately from reads', async () => {
    const limited = await appOn(db, { settings: { limits: { patch: 3 } } })
    const colleague = await signIn(limited, 'sales@tharamek.example')
    const statuses: number[] = []
    for (let round = 0; round < 5; round += 1)
      statuses.push(
        (await limited.inject({ method: 'PATCH', url: '/api/v2/users/me', headers: manager.headers, payload: {} }))
          .statusCode,
      )
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    expect((await limited.inject({ url: '/api/v2/users/me', headers: manager.headers })).statusCode).toBe(200)
    const colleagueResponse = await limited.inject({
      method: 'PATCH',
      url: '/api/v2/users/me',
      headers: colleague.headers,
      payload: {},
    })
    expect(colleagueResponse.statusCode).toBe(200)
    await limited.close()
  })
})
