import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import {
  type FilterHitRateResult,
  MIN_PROJECTS_FOR_FILTER_HIT_RATE,
  type MissedProject,
} from '#contract/report/filter-hit-rate.ts'
import { findReportParam, isReportParam, type ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { savedFilterHitRateQuery } from '#src/report/api/reports.ts'
import { useFilterTexts } from '#src/report/filter/use-filter-texts.ts'
import { TextButton } from '#src/ui/text-button.tsx'
import { buildAccessibleSavedFilterName } from './filter-name.ts'

const RECALL_SUBJECT = 'งานที่คุณติดดาวหรือทีมทำใน 12 เดือน'

/** Formats `เห็น 46 จาก 51 งาน… (90%)`; small samples have no percentage. */
function recallText({ seen, n }: FilterHitRateResult): string {
  if (n === 0) return `ยังไม่มี${RECALL_SUBJECT}ให้เทียบ`
  const countsText = `เห็น ${formatCount(seen)} จาก ${formatCount(n)} ${RECALL_SUBJECT}`
  return n < MIN_PROJECTS_FOR_FILTER_HIT_RATE
    ? `${countsText} (น้อยเกินกว่าจะสรุป)`
    : `${countsText} (${Math.floor((seen / n) * 100)}%)`
}

type SavedRecallProps = {
  id: string
  search: ReportSearch
  onLeave: () => void
}

/** Shows how many of the user's own projects a saved filter matches, and which filter misses the others (N18). */
export function SavedFilterHitRate({ id, search, onLeave }: SavedRecallProps) {
  const { textOf } = useFilterTexts(search)
  const { data } = useQuery(savedFilterHitRateQuery)
  const recall = data?.filters[id]
  if (!recall) return null
  const failed = ({ by }: MissedProject) =>
    buildAccessibleSavedFilterName(by.flatMap((name) => (isReportParam(name) ? (textOf(name) ?? []) : [])))
  const leftOut = recall.left_out.flatMap((name) => (isReportParam(name) ? findReportParam(name).th : []))
  return (
    <MissedProjects recall={recall}>
      {leftOut.length > 0 && (
        <li className="py-1.5 text-xs text-ink-muted">ไม่นับเงื่อนไขที่เปลี่ยนตามเวลาหรือเป็นของส่วนตัว: {leftOut.join(', ')}</li>
      )}
      {recall.missed.map((project) => (
        <li key={project.project_id} className="py-1.5">
          <Link
            to="/report/$id"
            params={{ id: project.project_id }}
            onClick={onLeave}
            className="text-accent-ink hover:underline"
          >
            {project.name}
          </Link>
          <span className="block text-sm text-ink-muted">ไม่ผ่าน {failed(project)}</span>
        </li>
      ))}
    </MissedProjects>
  )
}

export function WatchListHitRate({ onLeave, className }: { onLeave: () => void; className?: string }) {
  const { data } = useQuery(savedFilterHitRateQuery)
  if (!data || data.watch.n === 0) return null
  return (
    <div className={className}>
      <p className="text-sm font-semibold">คำติดตามขององค์กร</p>
      <MissedProjects recall={data.watch}>
        {data.watch.missed.map(({ project_id: id, name, why }) => (
          <li key={id} className="py-1.5">
            <Link
              to="/watch"
              search={{ tab: 'why', project: id }}
              onClick={onLeave}
              className="text-accent-ink hover:underline"
            >
              {name}
            </Link>
            {why && <span className="block text-sm text-ink-muted">{why}</span>}
          </li>
        ))}
      </MissedProjects>
    </div>
  )
}

export function FilterHitRateLine({ id }: { id: string }) {
  const { data } = useQuery(savedFilterHitRateQuery)
  const recall = data?.filters[id]
  return recall ? <p className="text-xs text-ink-muted">{recallText(recall)}</p> : null
}

function MissedProjects({ recall, children }: { recall: FilterHitRateResult; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const list = useId()
  const missed = recall.n - recall.seen
  return (
    <div className="mt-1 text-sm">
      <p className="text-ink-muted">
        {recallText(recall)}{' '}
        {missed > 0 && (
          <TextButton
            aria-expanded={isOpen}
            aria-controls={list}
            onClick={() => setOpen(!isOpen)}
            className="inline-flex items-center gap-1 font-medium"
          >
            ที่ไม่เห็น {formatCount(missed)}
            <ChevronDown aria-hidden className={classNames('size-4 transition-transform', isOpen && 'rotate-180')} />
          </TextButton>
        )}
      </p>
      {isOpen && (
        <ul id={list} aria-label="งานที่ไม่เห็น" className="mt-1 divide-y divide-line border-l-2 border-line pl-3">
          {children}
          {recall.missed.length < missed && (
            <li className="py-1.5 text-xs text-ink-muted">และอีก {formatCount(missed - recall.missed.length)} งาน</li>
          )}
        </ul>
      )}
    </div>
  )
}
