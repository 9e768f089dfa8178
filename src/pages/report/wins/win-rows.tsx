import type { ReportSearch } from '#contract/report/report-params.ts'
import type { WhoWins } from '#contract/report/who-wins.ts'
import { wonProjectsQuery } from '#src/api/report/who-wins.ts'
import { WonProjects } from '#src/features/who-wins/won-projects.tsx'
import { rowsText } from './win-text.ts'

type WinRowsProps = { search: ReportSearch; answer: WhoWins | undefined; onClose: () => void }

/** The projects behind the figure that the address names. */
export function WinRows({ search, answer, onClose }: WinRowsProps) {
  const rows = search.rows ?? ''
  return (
    <WonProjects
      rows={rows}
      title={rowsText(rows, answer)}
      queryOf={(page) => wonProjectsQuery(search, rows, page)}
      onClose={onClose}
    />
  )
}
