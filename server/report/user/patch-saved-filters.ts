import sql from 'sql-template-tag'
import type { FilterCriteria } from '#contract/account/filter-criteria.ts'
import { isSameDisplayName } from '#contract/account/label.ts'
import { MAX_SAVED_FILTERS } from '#contract/account/saved-filter.ts'
import { findReportParam, isReportParam, UNASSIGNED_FILTER_VALUE } from '#contract/report/report-params.ts'
import { parseFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { MAX_TEAM_VIEWS } from '#contract/report/team-view-action.ts'
import type { SavedFilterAction, UserPatch } from '#contract/report/user-patch.ts'
import { getFilterCriteriaAddedByPatch } from '#contract/report/user-patch-parts/saved-filter-patch.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import type { UsageActionDescription } from '#server/platform/route/usage-events.ts'
import { DEMO_SENDS_NO_MAIL_TEXT, describeSwitch } from './patch-user-settings.ts'
import { formatNumberWithSeparators, throwUserPatchError } from './throw-user-patch-error.ts'
import type { UserPatchHandler } from './user-patch-handler.ts'

/**
 * JSON characters per filter: enough for three of the longest search expressions plus all list filters. Limited because
 * every `GET /users/me` contains up to thirty filters.
 */
const MAX_FILTER_JSON = 60_000

const refuseAction = (text: string) => throwUserPatchError('filter_action', text)

export const savedFilterHandler: UserPatchHandler = {
  assertAllowedInDemo: ({ filter_action: action }) => {
    if (action?.action !== 'share' && action?.action !== 'add' && action?.action !== 'email_toggle') return
    if ('is_shared' in action && action.is_shared)
      throw new ProblemError('forbidden', { text: 'แบ่งให้ทีมได้เมื่อมีบัญชีของคุณเอง' })
    const sendsMail =
      action.action === 'email_toggle' ? action.is_send !== false : 'is_send' in action && action.is_send
    if (sendsMail) throw new ProblemError('forbidden', { text: DEMO_SENDS_NO_MAIL_TEXT })
  },
  apply: async (tx, { userId }, patch) => {
    const { filter_action: action } = patch
    if (!action) return []
    await applyAction(tx, userId, action, patch)
    return [describeFilterAction(action)]
  },
}

async function applyAction(tx: Db, userId: number, action: SavedFilterAction, patch: UserPatch): Promise<void> {
  const { filter_id: id } = action
  if (action.action === 'add') return await addFilter(tx, userId, action, getFilterCriteriaAddedByPatch(patch))
  const isTarget = sql`user_id = ${userId}::int and id = ${id}`
  if (action.action === 'remove') {
    await tx.execute(sql`delete from saved_filters where ${isTarget}`)
    return
  }
  if (action.action === 'update') assertReadable(action.filterData)
  const filters = await findOwnSavedFilters(tx, userId)
  const filter = filters.find((candidate) => candidate.id === id)
  if (!filter) return refuseAction('ไม่พบตัวกรองนี้ อาจถูกลบไปแล้ว')
  switch (action.action) {
    case 'email_toggle':
      await tx.execute(sql`
        update saved_filters set is_send = coalesce(${action.is_send ?? null}::boolean, not is_send) where ${isTarget}`)
      return
    case 'start':
      return await updateStartViewFilter(tx, userId, id, action.is_start)
    case 'share':
      if (filter.isShared === action.is_shared) return
      if (action.is_shared) await assertShareable(tx, userId, filter.data as FilterCriteria)
      await tx.execute(sql`
        update saved_filters
        set shared_with = (select u.organisation_id from users u where u.id = ${userId}::int and ${action.is_shared}::boolean)
        where ${isTarget}`)
      return
    case 'rename':
      assertFreeName(filters, id, action.filterName)
      await tx.execute(sql`update saved_filters set name = ${action.filterName} where ${isTarget}`)
      return
    case 'update':
      if (filter.isShared) assertNoPersonalLabels(action.filterData)
      await tx.execute(
        sql`update saved_filters set filter_data = ${JSON.stringify(action.filterData)}::jsonb where ${isTarget}`,
      )
  }
}

/**
 * Appends a filter. `created_at` is bumped past the newest one, so that two inserts in one clock tick keep their order.
 * The filter becomes the start view only if there is none. Does nothing if the same id, name and content are sent again
 * (R46).
 */
async function addFilter(
  tx: Db,
  userId: number,
  {
    filter_id: id,
    filterName,
    is_send: isSend = false,
    is_start: isStart = false,
    is_shared: isShared = false,
  }: Extract<SavedFilterAction, { action: 'add' }>,
  filterData: FilterCriteria | undefined,
): Promise<void> {
  if (!filterData) return refuseAction('ไม่มีเนื้อหาของตัวกรองให้บันทึก')
  assertReadable(filterData)
  const filters = await findOwnSavedFilters(tx, userId, filterData)
  const existing = filters.find((filter) => filter.id === id)
  if (existing && isSameDisplayName(existing.name, filterName) && existing.isSame) return
  if (existing) refuseAction('รหัสตัวกรองนี้มีอยู่แล้วในชื่อหรือเนื้อหาอื่น')
  assertFreeName(filters, id, filterName)
  if (filters.length >= MAX_SAVED_FILTERS)
    refuseAction(
      `บันทึกตัวกรองได้ไม่เกิน ${formatNumberWithSeparators(MAX_SAVED_FILTERS)} รายการ ตอนนี้บันทึกได้อีก 0 รายการ ลบที่ไม่ใช้ก่อน`,
    )
  if (isShared) await assertShareable(tx, userId, filterData)
  await tx.execute(sql`
    insert into saved_filters (user_id, id, name, filter_data, is_send, is_start, shared_with, created_at)
    values (${userId}::int, ${id}, ${filterName}, ${JSON.stringify(filterData)}::jsonb, ${isSend}::boolean,
      ${isStart}::boolean and not exists (select from saved_filters f where f.user_id = ${userId}::int and f.is_start),
      (select u.organisation_id from users u where u.id = ${userId}::int and ${isShared}::boolean),
      greatest(clock_timestamp(), (select max(f.created_at) + interval '1 microsecond' from saved_filters f where f.user_id = ${userId}::int)))`)
}

function assertFreeName(filters: readonly StoredSavedFilter[], exceptId: string, name: string): void {
  if (filters.some((filter) => filter.id !== exceptId && isSameDisplayName(filter.name, name)))
    refuseAction(`มีตัวกรองชื่อ “${name}” แล้ว`)
}

function assertReadable(filterData: FilterCriteria): void {
  if (JSON.stringify(filterData).length > MAX_FILTER_JSON) refuseAction('ตัวกรองนี้ยาวเกินกว่าจะบันทึกได้')
  const invalid = parseFilterCriteria(filterData).ignored.filter(({ reason }) => reason === 'invalid')
  const names = invalid.map(({ name }) => (isReportParam(name) ? findReportParam(name).th : name))
  if (names.length > 0) refuseAction(`อ่านตัวกรองไม่ได้: ${names.join(', ')}`)
}

async function assertShareable(tx: Db, userId: number, filterData: FilterCriteria): Promise<void> {
  assertNoPersonalLabels(filterData)
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from saved_filters f join users u on u.organisation_id = f.shared_with where u.id = ${userId}::int`)
  if (row!.count >= MAX_TEAM_VIEWS)
    refuseAction(`ทีมมีมุมมองได้ไม่เกิน ${formatNumberWithSeparators(MAX_TEAM_VIEWS)} มุมมอง เลิกแบ่งที่ไม่ใช้ก่อน`)
}

/**
 * Throws if a filter to share uses personal labels: colleagues do not have them, so it would match nothing for them.
 * Stars and hidden projects are allowed, because they refer to each viewer's own marks.
 */
function assertNoPersonalLabels(filterData: FilterCriteria): void {
  const labels = parseFilterCriteria(filterData).search.project_label__in?.values ?? []
  if (labels.some((label) => label !== UNASSIGNED_FILTER_VALUE))
    refuseAction('ตัวกรองนี้ใช้ป้ายส่วนตัวที่เพื่อนร่วมงานไม่มี เปลี่ยนเป็นป้ายทีมก่อนแบ่งให้ทีม')
}

const FILTER_ACTION_TEXTS = {
  add: 'บันทึกตัวกรอง',
  remove: 'ลบตัวกรองที่บันทึก',
  email_toggle: 'เปลี่ยนการส่งอีเมลของตัวกรอง',
  start: 'เปลี่ยนมุมมองเริ่มต้น',
  share: 'แบ่งตัวกรองให้ทีม',
  rename: 'เปลี่ยนชื่อตัวกรอง',
  update: 'แก้ไขตัวกรองที่บันทึก',
} as const

const describeFilterAction = (action: SavedFilterAction): UsageActionDescription => ({
  type: 'filter',
  description: FILTER_ACTION_TEXTS[action.action],
  info: [
    ...('filterName' in action ? [{ name: 'ตัวกรอง', value: action.filterName }] : []),
    ...('is_send' in action ? describeSwitch(action.is_send) : []),
    ...(action.action === 'start' ? describeSwitch(action.is_start) : []),
    ...(action.action === 'share' ? describeSwitch(action.is_shared) : []),
  ],
})

type StoredSavedFilter = {
  id: string
  name: string
  isSame: boolean
  isShared: boolean
  data: unknown
}

async function findOwnSavedFilters(tx: Db, userId: number, data?: FilterCriteria): Promise<StoredSavedFilter[]> {
  const json = data === undefined ? null : JSON.stringify(data)
  return tx.query<StoredSavedFilter>(sql`
    select id, name, coalesce(filter_data = ${json}::jsonb, false) as "isSame", shared_with is not null as "isShared", filter_data as data
    from saved_filters where user_id = ${userId}::int`)
}

async function updateStartViewFilter(tx: Db, userId: number, filterId: string, isStart: boolean): Promise<void> {
  // Clear the current start view first, because a unique index allows only one per user.
  await tx.execute(sql`
    update saved_filters set is_start = false
    where user_id = ${userId}::int and is_start and (${isStart}::boolean or id = ${filterId})`)
  if (!isStart) return
  await tx.execute(sql`update saved_filters set is_start = true where user_id = ${userId}::int and id = ${filterId}`)
  await tx.execute(sql`delete from team_view_starts where user_id = ${userId}::int`)
}

/**
 * Increments the board version if the action affects a shared filter, so that colleagues' tabs reload. Call before
 * locking the user's row: writing a note also locks the board first, so this order prevents deadlocks.
 */
export async function bumpPursuitBoardVersionIfShared(
  tx: Db,
  userId: number,
  action: SavedFilterAction,
): Promise<void> {
  const isSharing = action.action === 'share' || (action.action === 'add' && action.is_shared === true)
  await tx.execute(sql`
    insert into pursuit_boards (organisation_id, version)
    select u.organisation_id, 1 from users u
    where u.id = ${userId}::int and (${isSharing}::boolean or exists (
      select from saved_filters f where f.user_id = u.id and f.id = ${action.filter_id} and f.shared_with is not null
    ))
    on conflict (organisation_id) do update set version = pursuit_boards.version + 1`)
}
