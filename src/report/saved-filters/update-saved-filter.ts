import type { SavedFilter } from '#contract/account/saved-filter.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { toFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { patchUser } from '#src/report/api/user-patches.ts'

export function updateSavedFilter({ id, filterName }: SavedFilter, search: ReportSearch): void {
  void patchUser(
    { filter_action: { action: 'update', filter_id: id, filterData: toFilterCriteria(search) } },
    { failed: `บันทึกทับ “${filterName}” ไม่สำเร็จ`, done: `บันทึกทับ “${filterName}” แล้ว` },
  )
}
