import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import {
  parseTeamResultRowSelection,
  TEAM_RESULT_GROUPINGS,
  type TeamResultRow,
  type TeamResults,
  type TeamResultsSearch,
  UNGROUPED_TEAM_RESULTS_KEY,
} from '#contract/team/team-results.ts'
import { formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatBaht, formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { teamResultRowsQuery } from '#src/team/api/results.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { ProjectLink } from '#src/ui/project/project-link.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { getTeamResultFigureLabel } from './team-result-figure-button.tsx'
import { useTeamResultsUrlState } from './use-team-results-url-state.ts'

export function TeamResultRowsPanel({ data }: { data: TeamResults | undefined }) {
  const { search, change } = useTeamResultsUrlState()
  const rows = useQuery(teamResultRowsQuery(search))
  return (
    <Modal
      open
      onClose={() => change({ rows: undefined, group: undefined, key: undefined })}
      variant="side"
      title={titleOf(search, data)}
      description={rows.data && `${formatCount(rows.data.total)} งาน`}
    >
      <QueryView
        query={rows}
        task="โหลดรายการ"
        notesStale
        errorClassName="m-4"
        barsClassName="flex flex-col gap-3 p-4"
        bars={['h-20', 'h-20', 'h-20', 'h-20']}
        isEmpty={({ total }) => total === 0}
        empty={
          <EmptyState icon={Inbox} title="ไม่มีงานในตัวเลขนี้แล้ว">
            ตัวเลขอาจเปลี่ยนไปหลังจากเปิดลิงก์นี้
          </EmptyState>
        }
      >
        {({ results, total }) => (
          <ul aria-label="งานของตัวเลขนี้" className="divide-y divide-line">
            {results.map((row) => (
              <li key={row.project_id} className="px-4 py-3">
                <Row row={row} />
              </li>
            ))}
            {total > results.length && (
              <li className="px-4 py-3 text-sm text-ink-muted">
                แสดง {formatCount(results.length)} จาก {formatCount(total)} งาน ที่เหลืออยู่ในไฟล์ Excel
              </li>
            )}
          </ul>
        )}
      </QueryView>
    </Modal>
  )
}

function titleOf(search: TeamResultsSearch, data: TeamResults | undefined): string {
  const selection = parseTeamResultRowSelection(search)
  if (!selection) return ''
  const name = getTeamResultFigureLabel(selection.figure)
  if (!selection.group) return name
  const { by, key } = selection.group
  if (by === 'lost_reason' || by === 'declined_reason')
    return `${name} · ${key === UNGROUPED_TEAM_RESULTS_KEY ? 'ไม่ได้ระบุเหตุผล' : key}`
  const group = data?.[by].results.find((candidate) => candidate.key === key)
  return `${name} · ${group?.name ?? TEAM_RESULT_GROUPINGS.find(({ code }) => code === by)?.th}`
}

function Row({ row }: { row: TeamResultRow }) {
  const facts = [
    ['เริ่มทำ', formatThaiDateShort(row.begun)],
    ['ตัดสินใจใน', row.days_to_decide !== null && `${formatCount(row.days_to_decide)} วัน`],
    ['ราคากลาง', row.estimate !== null && formatBaht(row.estimate)],
    ['ราคาของเรา', row.price !== null && `${formatBaht(row.price)}${discountText(row)}`],
    ['ผู้ชนะ', row.winner ?? false],
    ['ราคาที่ชนะ', row.winner_price !== null && formatBaht(row.winner_price)],
    ['เพราะ', row.reason ?? false],
  ] as const
  return (
    <>
      <p className="font-medium">
        <ProjectLink id={row.project_id}>{row.name}</ProjectLink>
      </p>
      <p className="text-sm text-ink-muted">{[row.stage, row.owner ?? 'ไม่มีผู้ดูแล', row.department].join(' · ')}</p>
      <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-sm tabular-nums">
        {facts
          .filter(([, value]) => value !== false)
          .map(([name, value]) => (
            <div key={name} className="flex gap-1.5">
              <dt className="text-ink-muted">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </>
  )
}

const discountText = ({ discount }: TeamResultRow) => (discount === null ? '' : ` (ลด ${formatPercent(discount)})`)
