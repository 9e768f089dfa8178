import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getArchivedScope } from '#contract/report/archived-scope.ts'
import { findReportParam, type ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { reportIdsQuery } from '#src/report/api/reports.ts'
import { buildReportBidStateSegmentPatch } from '#src/report/filter/bid-segment-picker.tsx'
import { getButtonClasses } from '#src/ui/button.tsx'

/**
 * Switches the search between active and archived projects. Keeps the filters except segments, which apply only to
 * active projects.
 */
function switchScope({ page: _page, is_archived: isArchived, ...search }: ReportSearch): ReportSearch {
  if (isArchived) return search
  const entries = Object.entries({ ...search, ...buildReportBidStateSegmentPatch('all', search) }).filter(
    ([, value]) => value !== undefined,
  )
  return { ...(Object.fromEntries(entries) as ReportSearch), is_archived: true }
}

/**
 * Links to the same filters in the other scope (active or archived). Renders nothing if they match nothing there. Some
 * filters match only one scope: cancelled projects are always archived.
 */
export function OtherReportScopeLink({ search, className }: { search: ReportSearch; className: string }) {
  const otherSearch = switchScope(search)
  const { data } = useQuery({ ...reportIdsQuery(otherSearch), enabled: getArchivedScope(search) !== undefined })
  if (!data || data.total === 0) return null
  return (
    <Link to="/report" search={otherSearch} className={getButtonClasses('primary', 'md', className)}>
      ดู {formatCount(data.total)} โครงการใน
      {otherSearch.is_archived ? findReportParam('is_archived').th : 'กำลังดำเนินการ'}
    </Link>
  )
}
