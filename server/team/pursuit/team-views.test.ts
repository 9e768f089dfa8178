import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type User, userSchema } from '#contract/account/user.ts'
import { toFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { teamViewsSchema } from '#contract/report/team-view.ts'
import { MAX_TEAM_VIEWS, type TeamViewAction } from '#contract/report/team-view-action.ts'
import type { SavedFilterAction } from '#contract/report/user-patch.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'

const NOW = new Date('2026-11-21T03:00:00Z')
const DATA = toFilterCriteria({ project_name__in: 'กล้อง' })

onEachEngineInTurn('views of a team', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let boss: SignedIn
  let seller: SignedIn
  let stranger: SignedIn
  let bossId: number
  let sellerId: number

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    const load = await addLoad(db)
    await putProjects(db, load, [{ id: '67110000001', name: 'ซื้อกล้องวงจรปิด' }])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    const users = await db.query<{ id: number; email_key: string }>(sql`select id, email_key from users`)
    const idOf = (email: string) => users.find(({ email_key }) => email_key === email)!.id
    bossId = idOf('manager@tharamek.example')
    sellerId = idOf('sales@tharamek.example')
    app = await appOn(db, { now: () => NOW })
  })
  beforeEach(async () => {
    await db.script('delete from saved_filters; delete from team_view_starts')
    boss = await signIn(app, 'manager@tharamek.example')
    seller = await signIn(app, 'sales@tharamek.example')
    stranger = await signIn(app, 'manager@noensai.example')
    await act(seller, { action: 'add', filter_id: 'f1', filterName: 'กล้องทั้งหมด', filterData: DATA })
  })
  afterAll(() => app.close())

  const call = (method: 'GET' | 'PATCH', path: string, caller: SignedIn, body?: object) =>
    app.inject({ method, url: `/api/v2${path}`, headers: caller.headers, ...(body ? { payload: body } : {}) })
  const meOf = async (caller: SignedIn): Promise<User> =>
    userSchema.parse((await call('GET', '/users/me', caller)).json())
  const act = async (caller: SignedIn, filter_action: SavedFilterAction) => {
    const { statusCode, body } = await call('PATCH', '/users/me', caller, { filter_action })
    if (statusCode !== 200) throw new Error(body)
  }
  const share = (caller: SignedIn, filter_id = 'f1', is_shared = true) =>
    act(caller, { action: 'share', filter_id, is_shared })
  const viewsOf = async (caller: SignedIn) =>
    teamViewsSchema.parse((await call('GET', '/team-marks', caller)).json()).views.map((view) => [view.id, view.owner])
  const patch = (caller: SignedIn, action: TeamViewAction) => call('PATCH', '/team-views', caller, { action })
  const of = { owner: 0, filter_id: 'f1' }
  const pulse = async (caller: SignedIn) => (await call('GET', '/users/me/pulse', caller)).json().pursuit_version

  test('colleagues get a shared filter with owner and counts; other organisations do not', async () => {
    const before = await pulse(boss)
    expect(await viewsOf(boss)).toEqual([])
    await share(seller)
    expect(await pulse(boss)).toBeGreaterThan(before ?? 0)
    const { views } = teamViewsSchema.parse((await call('GET', '/team-marks', boss)).json())
    expect(views).toEqual([
      { id: 'f1', filterName: 'กล้องทั้งหมด', filterData: DATA, owner: sellerId, owner_name: expect.stringMatching(/.+/) },
    ])
    expect(await viewsOf(seller)).toEqual([])
    expect(await viewsOf(stranger)).toEqual([])
    expect((await meOf(seller)).project_save_filter_profile).toMatchObject([{ id: 'f1', isShared: true }])
    expect((await meOf(boss)).project_save_filter_profile).toEqual([])
    const { counts } = (await call('GET', '/projects/saved-filter-counts', boss)).json()
    expect(counts).toEqual({ f1: { total: 1, new: expect.any(Number) } })
    // A change by the owner increments the version that open tabs of colleagues poll.
    const shared = await pulse(boss)
    await act(seller, { action: 'rename', filter_id: 'f1', filterName: 'กล้อง' })
    expect(await pulse(boss)).toBeGreaterThan(shared)
    await share(seller, 'f1', false)
    expect(await viewsOf(boss)).toEqual([])
  })

  test('a filter by private labels cannot be shared, nor a shared one changed into one', async () => {
    const privateFilterData = toFilterCriteria({ project_label__in: { values: ['l1'], negated: false } })
    await act(seller, { action: 'add', filter_id: 'f2', filterName: 'ป้ายของฉัน', filterData: privateFilterData })
    await expect(share(seller, 'f2')).rejects.toThrow('ป้ายส่วนตัว')
    await share(seller)
    await expect(act(seller, { action: 'update', filter_id: 'f1', filterData: privateFilterData })).rejects.toThrow(
      'ป้ายส่วนตัว',
    )
    const none = toFilterCriteria({ project_label__in: { values: ['none'], negated: false } })
    await act(seller, { action: 'update', filter_id: 'f1', filterData: none })
  })

  test('a team shares thirty views at most', async () => {
    await db.execute(sql`
      insert into saved_filters (user_id, id, name, filter_data, shared_with)
      select u.id, 'n' || n, 'n' || n, ${JSON.stringify(DATA)}::jsonb, u.organisation_id
      from users u, generate_series(1, ${MAX_TEAM_VIEWS}::int) n where u.id = ${bossId}::int`)
    await expect(share(seller)).rejects.toThrow('ไม่เกิน 30 มุมมอง')
  })

  test('a colleague can start with it, and falls back with a notice once it is no longer shared', async () => {
    await share(seller)
    await act(boss, { action: 'add', filter_id: 'mine', filterName: 'ของฉัน', filterData: DATA })
    await act(boss, { action: 'start', filter_id: 'mine', is_start: true })
    const action = { action: 'start', ...of, owner: sellerId, is_start: true } as const
    expect((await patch(boss, action)).statusCode).toBe(200)
    const me = await meOf(boss)
    expect(me.start_team_view).toEqual({
      ...{ id: 'f1', owner: sellerId, name: 'กล้องทั้งหมด', owner_name: expect.stringMatching(/.+/), filterData: DATA },
    })
    expect(me.project_save_filter_profile[0]!.isStart).toBe(false)
    await share(seller, 'f1', false)
    expect((await meOf(boss)).start_team_view).toMatchObject({ name: 'กล้องทั้งหมด', filterData: null })
    expect((await patch(boss, action)).json().non_field_errors).toEqual(['ไม่พบมุมมองทีมนี้ เจ้าของอาจเลิกแบ่งแล้ว'])
    await share(seller)
    expect((await meOf(boss)).start_team_view?.filterData).toEqual(DATA)
    await act(seller, { action: 'remove', filter_id: 'f1' })
    expect((await meOf(boss)).start_team_view).toMatchObject({ name: 'กล้องทั้งหมด', filterData: null })
    await patch(boss, { action: 'forget' })
    expect((await meOf(boss)).start_team_view).toBeUndefined()
    await act(seller, { action: 'add', filter_id: 'f1', filterName: 'ก', filterData: DATA, is_shared: true })
    await patch(boss, action)
    await act(boss, { action: 'start', filter_id: 'mine', is_start: true })
    expect((await meOf(boss)).start_team_view).toBeUndefined()
  })

  test('only super users may rename, unshare and delete a colleague’s view', async () => {
    await share(seller)
    await act(boss, { action: 'add', filter_id: 'b', filterName: 'ของผู้ดูแล', filterData: DATA, is_shared: true })
    const ofBoss = { owner: bossId, filter_id: 'b' }
    for (const action of [{ action: 'rename', filterName: 'x' }, { action: 'unshare' }, { action: 'remove' }])
      expect((await patch(seller, { ...action, ...ofBoss } as TeamViewAction)).statusCode).toBe(403)
    const ofSeller = { owner: sellerId, filter_id: 'f1' }
    const renamed = await patch(boss, { action: 'rename', ...ofSeller, filterName: 'กล้องใหม่' })
    expect(renamed.json().views[0].filterName).toBe('กล้องใหม่')
    await patch(boss, { action: 'unshare', ...ofSeller })
    expect((await meOf(seller)).project_save_filter_profile).toMatchObject([{ id: 'f1', filterName: 'กล้องใหม่' }])
    expect((await patch(boss, { action: 'remove', ...ofSeller })).statusCode).toBe(400)
    await share(seller)
    await patch(boss, { action: 'remove', ...ofSeller })
    expect((await meOf(seller)).project_save_filter_profile).toEqual([])
    expect((await patch(stranger, { action: 'remove', ...ofBoss })).statusCode).toBe(400)
  })

  test('the successor of a closed account takes over its views; without one they are unshared', async () => {
    await share(seller)
    await act(boss, { action: 'add', filter_id: 'mine', filterName: 'ของฉัน', filterData: DATA })
    await patch(boss, { action: 'start', owner: sellerId, filter_id: 'f1', is_start: true })
    const close = (body: object) => call('PATCH', `/organisations/me/members/${sellerId}`, boss, body)
    expect((await close({ is_disabled: true, hand_over_to: bossId })).statusCode).toBe(204)
    const me = await meOf(boss)
    expect(me.project_save_filter_profile.find(({ id }) => id === 'f1')).toMatchObject({
      ...{ filterName: 'กล้องทั้งหมด', isShared: true, isStart: true },
    })
    expect(me.start_team_view).toBeUndefined()
    expect((await close({ is_disabled: false })).statusCode).toBe(204)
    seller = await signIn(app, 'sales@tharamek.example')
    expect(await viewsOf(seller)).toEqual([['f1', bossId]])
    expect((await meOf(seller)).project_save_filter_profile).toMatchObject([{ id: 'f1' }])
    // The account is closed without a successor who could take over the shared view.
    await share(boss, 'f1', false)
    await share(seller)
    await patch(boss, { action: 'start', owner: sellerId, filter_id: 'f1', is_start: true })
    expect((await close({ is_disabled: true })).statusCode).toBe(204)
    expect(await viewsOf(boss)).toEqual([])
    expect((await meOf(boss)).start_team_view).toMatchObject({ name: 'กล้องทั้งหมด', filterData: null })
    expect((await close({ is_disabled: false })).statusCode).toBe(204)
  })
})
