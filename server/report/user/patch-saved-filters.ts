import type { FilterCriteria } from '#contract/account/filter-criteria.ts'
import { isSameDisplayName } from '#contract/account/label.ts'
import { MAX_SAVED_FILTERS } from '#contract/account/saved-filter.ts'
import { getFilterCriteriaAddedByPatch } from '#contract/report/apply-user-patch.ts'
import { findReportParam, isReportParam, NO_MARK_VALUE } from '#contract/report/report-params.ts'
import { parseFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { MAX_TEAM_VIEWS } from '#contract/report/team-view-action.ts'
import type { SavedFilterAction, UserPatch } from '#contract/report/user-patch.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { formatGroupedNumber, throwUserPatchError } from './throw-user-patch-error.ts'
import {
  countSharedSavedFilters,
  findOwnSavedFilters,
  insertSavedFilter,
  removeSavedFilter,
  type StoredSavedFilter,
  setSavedFilterShared,
  updateSavedFilterCriteria,
  updateSavedFilterMailEnabled,
  updateSavedFilterName,
  updateStartViewFilter,
} from './user-patch-queries.ts'

/**
 * JSON characters per filter: enough for three of the longest search expressions plus all list filters. Limited because
 * every `GET /users/me` contains up to thirty filters.
 */
const MAX_FILTER_JSON = 60_000

const refuseAction = (text: string) => throwUserPatchError('filter_action', text)

export async function patchSavedFilters(tx: Db, userId: number, patch: UserPatch): Promise<void> {
  const { filter_action: action } = patch
  if (!action) return
  const { filter_id: id } = action
  switch (action.action) {
    case 'add':
      return addFilter(tx, userId, action, getFilterCriteriaAddedByPatch(patch))
    case 'remove':
      return removeSavedFilter(tx, userId, id)
    case 'email_toggle':
      assertExists(await findOwnSavedFilters(tx, userId), id)
      return updateSavedFilterMailEnabled(tx, userId, id, action.is_send)
    case 'start':
      assertExists(await findOwnSavedFilters(tx, userId), id)
      return updateStartViewFilter(tx, userId, id, action.is_start)
    case 'share':
      return shareFilter(tx, userId, id, action.is_shared)
    case 'rename': {
      const filters = await findOwnSavedFilters(tx, userId)
      assertExists(filters, id)
      assertFreeName(filters, id, action.filterName)
      return updateSavedFilterName(tx, userId, id, action.filterName)
    }
    case 'update': {
      assertReadable(action.filterData)
      const filters = await findOwnSavedFilters(tx, userId)
      assertExists(filters, id)
      if (filters.some((filter) => filter.id === id && filter.isShared)) assertNoPersonalLabels(action.filterData)
      return updateSavedFilterCriteria(tx, userId, id, action.filterData)
    }
  }
}

/** Does nothing if the same id, name and content are sent again (R46). */
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
    refuseAction(`บันทึกตัวกรองได้ไม่เกิน ${formatGroupedNumber(MAX_SAVED_FILTERS)} รายการ ตอนนี้บันทึกได้อีก 0 รายการ ลบที่ไม่ใช้ก่อน`)
  if (isShared) await assertShareable(tx, userId, filterData)
  await insertSavedFilter(tx, userId, { id, filterName, isSend, isStart, isShared, filterData })
}

function assertExists(filters: readonly StoredSavedFilter[], id: string): void {
  if (!filters.some((filter) => filter.id === id)) refuseAction('ไม่พบตัวกรองนี้ อาจถูกลบไปแล้ว')
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

async function shareFilter(tx: Db, userId: number, id: string, isShared: boolean): Promise<void> {
  const filters = await findOwnSavedFilters(tx, userId)
  assertExists(filters, id)
  const filter = filters.find((candidate) => candidate.id === id)!
  if (filter.isShared === isShared) return
  if (isShared) await assertShareable(tx, userId, filter.data as FilterCriteria)
  await setSavedFilterShared(tx, userId, id, isShared)
}

async function assertShareable(tx: Db, userId: number, filterData: FilterCriteria): Promise<void> {
  assertNoPersonalLabels(filterData)
  if ((await countSharedSavedFilters(tx, userId)) >= MAX_TEAM_VIEWS)
    refuseAction(`ทีมมีมุมมองได้ไม่เกิน ${formatGroupedNumber(MAX_TEAM_VIEWS)} มุมมอง เลิกแบ่งที่ไม่ใช้ก่อน`)
}

/**
 * Throws if a filter to share uses personal labels: colleagues do not have them, so it would match nothing for them.
 * Stars and hidden projects are allowed, because they refer to each viewer's own marks.
 */
function assertNoPersonalLabels(filterData: FilterCriteria): void {
  const labels = parseFilterCriteria(filterData).search.project_label__in?.values ?? []
  if (labels.some((label) => label !== NO_MARK_VALUE))
    refuseAction('ตัวกรองนี้ใช้ป้ายส่วนตัวที่เพื่อนร่วมงานไม่มี เปลี่ยนเป็นป้ายทีมก่อนแบ่งให้ทีม')
}
