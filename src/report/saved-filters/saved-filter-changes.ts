import { createClientGeneratedId } from '#contract/account/label.ts'
import type { SavedFilter } from '#contract/account/saved-filter.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { toFilterCriteria } from '#contract/report/saved-filter-search.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import { patchUser } from '#src/report/api/user-patches.ts'

type NamedFilter = Pick<SavedFilter, 'id' | 'filterName'>

function patchFilter(filter_action: NonNullable<UserPatch['filter_action']>, failed: string, done?: string): void {
  void patchUser({ filter_action }, { failed, done })
}

export function createSavedFilter(filterName: string, search: ReportSearch, is_send: boolean): string {
  const filter_id = createClientGeneratedId(filterName, Date.now())
  patchFilter(
    { action: 'add', filter_id, filterName, filterData: toFilterCriteria(search), is_send },
    `บันทึกตัวกรอง “${filterName}” ไม่สำเร็จ`,
    `บันทึกตัวกรอง “${filterName}” แล้ว`,
  )
  return filter_id
}

export function renameSavedFilter({ id, filterName }: NamedFilter, name: string): void {
  patchFilter(
    { action: 'rename', filter_id: id, filterName: name },
    `เปลี่ยนชื่อ “${filterName}” ไม่สำเร็จ`,
    `เปลี่ยนชื่อเป็น “${name}” แล้ว`,
  )
}

export function setSavedFilterMailEnabled({ id, filterName }: NamedFilter, is_send: boolean): void {
  patchFilter(
    { action: 'email_toggle', filter_id: id, is_send },
    `${is_send ? 'เปิด' : 'ปิด'}อีเมลของ “${filterName}” ไม่สำเร็จ`,
  )
}

export const getStartViewMessages = (filterName: string, isStart: boolean) => ({
  failed: 'เปลี่ยนมุมมองเริ่มต้นไม่สำเร็จ',
  done: isStart ? `เปิดรายงานด้วย “${filterName}” ทุกครั้ง` : 'เปิดรายงานด้วยโครงการที่เปิดรับข้อเสนอทุกครั้ง',
})

export function setSavedFilterAsStartView({ id, filterName }: NamedFilter, is_start: boolean): void {
  const { failed, done } = getStartViewMessages(filterName, is_start)
  patchFilter({ action: 'start', filter_id: id, is_start }, failed, done)
}

export function updateSavedFilterSharing({ id, filterName }: NamedFilter, is_shared: boolean): void {
  patchFilter(
    { action: 'share', filter_id: id, is_shared },
    `${is_shared ? 'แบ่ง' : 'เลิกแบ่ง'} “${filterName}” ไม่สำเร็จ`,
    is_shared ? `แบ่ง “${filterName}” ให้ทีมแล้ว` : `เลิกแบ่ง “${filterName}” แล้ว`,
  )
}

export function copySavedFilter({ filterName, filterData }: SavedFilter): string {
  const filter_id = createClientGeneratedId(filterName, Date.now())
  patchFilter(
    { action: 'add', filter_id, filterName, filterData },
    `คัดลอก “${filterName}” ไม่สำเร็จ`,
    `คัดลอก “${filterName}” เป็นของคุณแล้ว`,
  )
  return filter_id
}

export function deleteSavedFilter({ id, filterName }: NamedFilter): void {
  patchFilter({ action: 'remove', filter_id: id }, `ลบตัวกรอง “${filterName}” ไม่สำเร็จ`, `ลบตัวกรอง “${filterName}” แล้ว`)
}

export function updateSavedFilter({ id, filterName }: NamedFilter, search: ReportSearch): void {
  patchFilter(
    { action: 'update', filter_id: id, filterData: toFilterCriteria(search) },
    `บันทึกทับ “${filterName}” ไม่สำเร็จ`,
    `บันทึกทับ “${filterName}” แล้ว`,
  )
}

/** Turns on the global switch for report emails, without which no filter sends emails. */
export function enableReportMail(): void {
  void patchUser({ is_send_report_email: true }, { failed: 'เปิดอีเมลรายงานไม่สำเร็จ', done: 'เปิดอีเมลรายงานแล้ว' })
}
