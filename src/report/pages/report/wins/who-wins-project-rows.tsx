import type { WhoWins } from '#contract/market/who-wins.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { wonProjectsQuery } from '#src/market/api/who-wins.ts'
import { WonProjects } from '#src/market/who-wins/won-projects.tsx'
import { describeWhoWinsRowsFilter } from './who-wins-text.ts'

type WinRowsProps = { search: ReportSearch; answer: WhoWins | undefined; onClose: () => void }

export function WhoWinsProjectRows({ search, answer, onClose }: WinRowsProps) {
  const rows = search.rows ?? ''
  return (
    <WonProjects
      rows={rows}
      title={describeWhoWinsRowsFilter(rows, answer)}
      queryOf={(page) => wonProjectsQuery(search, rows, page)}
      onClose={onClose}
    />
  )
}
