import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { archivedAsked } from '#contract/report/report-filter.ts'
import { printReportSearch, type ReportSearch, reportParam } from '#contract/report/report-params.ts'
import { countText } from '#src/lib/money-text.ts'
import { reportIdsQuery } from '#src/report/api/reports.ts'
import { segmentPatch } from '#src/report/filter/bid-segments.tsx'
import { buttonClasses } from '#src/ui/button.tsx'

/** The same filters in the other scope; segments apply only to active projects. */
function inOtherTab({ page: _page, is_archived: isArchived, ...search }: ReportSearch): ReportSearch {
  if (isArchived) return search
  const changed = Object.entries({ ...search, ...segmentPatch('all', search) }).filter(
    ([, value]) => value !== undefined,
  )
  return { ...(Object.fromEntries(changed) as ReportSearch), is_archived: true }
}

/**
 * Links to the other scope if the filters match there. Some filters match only one scope: cancelled projects are always
 * archived.
 */
export function OtherTab({ search, className }: { search: ReportSearch; className: string }) {
  const other = inOtherTab(search)
  const { data } = useQuery({ ...reportIdsQuery(other), enabled: archivedAsked(search) !== undefined })
  if (!data || data.total === 0) return null
  return (
    <Link to="/report" search={printReportSearch(other)} className={buttonClasses('primary', 'md', className)}>
      ดู {countText(data.total)} โครงการใน{other.is_archived ? reportParam('is_archived').th : 'กำลังดำเนินการ'}
    </Link>
  )
}
