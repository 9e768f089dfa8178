import { createClientGeneratedId } from '#contract/account/label.ts'
import type { User } from '#contract/account/user.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { buildSavedFilterSearch, toFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { DEFAULT_START_SEARCH } from '#contract/report/start-view.ts'
import { type ReportUrlSearch, toReportUrlSearch } from '#src/lib/report-url.ts'
import { updateFollows } from '#src/report/api/follows.ts'
import { patchUser } from '#src/report/api/user-patches.ts'
import type { FirstListSelection } from './first-list-selection.ts'

const NAME = 'งานที่เหมาะกับบริษัท'

/**
 * Saves provinces and price band as the start view, because a watch list has only words and agencies, and follows the
 * ticked rivals. Returns the search of the view, or undefined when the list has no limits.
 */
export function saveFirstListView(
  { provinces, band, rivals }: FirstListSelection,
  user: Pick<User, 'project_save_filter_profile'>,
): ReportUrlSearch | undefined {
  if (rivals.length > 0) void followRivals(rivals)
  if (provinces === null && band.min === null && band.max === null) return undefined
  const search: ReportSearch = {
    ...DEFAULT_START_SEARCH,
    ...(provinces === null ? {} : { project_province__in: { values: provinces, negated: false } }),
    ...(band.min === null && band.max === null ? {} : { project_budget__range: band }),
  }
  const filterData = toFilterCriteria(search)
  const existing = user.project_save_filter_profile.find(({ filterName }) => filterName === NAME)
  const id = existing?.id ?? createClientGeneratedId(NAME, Date.now())
  const failed = `บันทึกมุมมอง “${NAME}” ไม่สำเร็จ`
  void patchUser(
    {
      filter_action: existing
        ? { action: 'update', filter_id: id, filterData }
        : { action: 'add', filter_id: id, filterName: NAME, filterData, is_start: true },
    },
    { failed },
  )
  return toReportUrlSearch(buildSavedFilterSearch({ id, filterData }))
}

async function followRivals(rivals: FirstListSelection['rivals']): Promise<void> {
  for (const { key, name } of rivals)
    await updateFollows({ add: { kind: 'company', key, name } }, `รับแจ้งเรื่อง ${name} ไม่สำเร็จ`)
}
