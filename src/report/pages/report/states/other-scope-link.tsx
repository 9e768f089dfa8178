import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { archivedScope } from '#contract/report/report-filter.ts'
import { printReportSearch, type ReportSearch, reportParam } from '#contract/report/report-params.ts'
import { countText } from '#src/lib/money-text.ts'
import { reportIdsQuery } from '#src/report/api/reports.ts'
import { segmentPatch } from '#src/report/filter/bid-segments.tsx'
import { buttonClasses } from '#src/ui/button.tsx'

/** Keeps the filters; segments apply only to active projects. */
function switchScope({ page: _page, is_archived: isArchived, ...search }: ReportSearch): ReportSearch {
  if (isArchived) return search
  const entries = Object.entries({ ...search, ...segmentPatch('all', search) }).filter(
    ([, value]) => value !== undefined,
  )
  return { ...(Object.fromEntries(entries) as ReportSearch), is_archived: true }
}

/**
 * Renders nothing if the filters match nothing there. Some filters match only one scope: cancelled projects are always
 * archived.
 */
export function OtherScopeLink({ search, className }: { search: ReportSearch; className: string }) {
  const otherSearch = switchScope(search)
  const { data } = useQuery({ ...reportIdsQuery(otherSearch), enabled: archivedScope(search) !== undefined })
  if (!data || data.total === 0) return null
  return (
    <Link to="/report" search={printReportSearch(otherSearch)} className={buttonClasses('primary', 'md', className)}>
      ดู {countText(data.total)} โครงการใน{otherSearch.is_archived ? reportParam('is_archived').th : 'กำลังดำเนินการ'}
    </Link>
  )
}
