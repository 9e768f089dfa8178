import { useQuery } from '@tanstack/react-query'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { whoWinsQuery } from '#src/market/api/who-wins.ts'

/** Number of projects in the who-wins view, which include archived ones. */
export function WonProjectCount({ search }: { search: ReportSearch }) {
  const { data, isPlaceholderData } = useQuery(whoWinsQuery(search))
  if (!data || isPlaceholderData) return null
  const strong = 'font-semibold text-ink tabular-nums'
  return (
    <>
      <b className={strong}>{formatCountWithSeparators(data.projects)}</b> โครงการ · รู้ผล{' '}
      <b className={strong}>{formatCountWithSeparators(data.decided)}</b>
    </>
  )
}
