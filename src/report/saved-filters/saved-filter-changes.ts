import { createClientGeneratedId } from '#contract/account/label.ts'
import type { SavedFilter } from '#contract/account/saved-filter.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { toFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { patchUser } from '#src/report/api/user-patches.ts'

type NamedFilter = Pick<SavedFilter, 'id' | 'filterName'>

export function createSavedFilter(name: string, search: ReportSearch, isSend: boolean): string {
  const filter_id = createClientGeneratedId(name, Date.now())
  void patchUser(
    {
      filter_action: {
        action: 'add',
        filter_id,
        filterName: name,
        filterData: toFilterCriteria(search),
        is_send: isSend,
      },
    },
    { failed: `บันทึกตัวกรอง “${name}” ไม่สำเร็จ`, done: `บันทึกตัวกรอง “${name}” แล้ว` },
  )
  return filter_id
}

export function renameSavedFilter({ id, filterName }: NamedFilter, name: string): void {
  void patchUser(
    { filter_action: { action: 'rename', filter_id: id, filterName: name } },
    { failed: `เปลี่ยนชื่อ “${filterName}” ไม่สำเร็จ`, done: `เปลี่ยนชื่อเป็น “${name}” แล้ว` },
  )
}

export function setSavedFilterMailEnabled({ id, filterName }: NamedFilter, isSend: boolean): void {
  void patchUser(
    { filter_action: { action: 'email_toggle', filter_id: id, is_send: isSend } },
    { failed: `${isSend ? 'เปิด' : 'ปิด'}อีเมลของ “${filterName}” ไม่สำเร็จ` },
  )
}

export function setSavedFilterAsStartView({ id, filterName }: NamedFilter, isStart: boolean): void {
  void patchUser(
    { filter_action: { action: 'start', filter_id: id, is_start: isStart } },
    {
      failed: 'เปลี่ยนมุมมองเริ่มต้นไม่สำเร็จ',
      done: isStart ? `เปิดรายงานด้วย “${filterName}” ทุกครั้ง` : 'เปิดรายงานด้วยโครงการที่เปิดรับข้อเสนอทุกครั้ง',
    },
  )
}

export function updateSavedFilterSharing({ id, filterName }: NamedFilter, isShared: boolean): void {
  void patchUser(
    { filter_action: { action: 'share', filter_id: id, is_shared: isShared } },
    {
      failed: `${isShared ? 'แบ่ง' : 'เลิกแบ่ง'} “${filterName}” ไม่สำเร็จ`,
      done: isShared ? `แบ่ง “${filterName}” ให้ทีมแล้ว` : `เลิกแบ่ง “${filterName}” แล้ว`,
    },
  )
}

export function copySavedFilter({ filterName, filterData }: SavedFilter): string {
  const filter_id = createClientGeneratedId(filterName, Date.now())
  void patchUser(
    { filter_action: { action: 'add', filter_id, filterName, filterData } },
    { failed: `คัดลอก “${filterName}” ไม่สำเร็จ`, done: `คัดลอก “${filterName}” เป็นของคุณแล้ว` },
  )
  return filter_id
}

export function deleteSavedFilter({ id, filterName }: NamedFilter): void {
  void patchUser(
    { filter_action: { action: 'remove', filter_id: id } },
    { failed: `ลบตัวกรอง “${filterName}” ไม่สำเร็จ`, done: `ลบตัวกรอง “${filterName}” แล้ว` },
  )
}

/** Turns on the global switch for report emails, without which no filter sends emails. */
export function enableReportMail(): void {
  void patchUser({ is_send_report_email: true }, { failed: 'เปิดอีเมลรายงานไม่สำเร็จ', done: 'เปิดอีเมลรายงานแล้ว' })
}
