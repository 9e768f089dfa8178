import { Link } from '@tanstack/react-router'
import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { isAppealable } from '#contract/report/appeal.ts'
import type { DeadlineKind } from '#contract/report/deadline-kind.ts'
import {
  DEADLINE_KIND_TEXTS,
  type Deadline,
  formatDeadlineLegalBasis,
  getDeadlineCertaintyLabel,
  getProjectDeadlines,
} from '#contract/report/deadlines.ts'
import type { ProjectDetail } from '#contract/report/project-detail.ts'
import { formatMovementDay } from '#contract/thai/thai-date.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import {
  computeProjectStages,
  findCurrentProjectStage,
  type ProjectStage,
  type ProjectStageKey,
  type ProjectStageState,
} from './project-stages.ts'
import { useDeadlineFacts } from './use-deadline-facts.ts'

type ProjectDate = {
  readonly key: ProjectStageKey | DeadlineKind
  readonly state: ProjectStageState
  readonly date: string | null
  readonly stage?: ProjectStage
  readonly deadline?: Deadline
}

const DEADLINE_OF_STAGE: Readonly<Partial<Record<ProjectStageKey, DeadlineKind>>> = {
  hearing: 'comment',
  submission: 'submission',
  winner: 'result',
  contract: 'signing',
}
/** Dates that bidders prepare for; they matter until their bid day. */
const UNTIL_SUBMISSION: readonly DeadlineKind[] = ['bank_letter', 'question', 'papers']

/**
 * Merges stages and deadlines into one chronological timeline. An undated stage follows the stage that usually precedes
 * it. Omits future entries of a cancelled project, and preparations for a bid day that has passed.
 */
function buildProjectDates(
  stages: readonly ProjectStage[],
  deadlines: readonly Deadline[],
  today: string,
): ProjectDate[] {
  const isCancelled = stages.some(({ key, state }) => state === 'cancelled' && key !== 'winner')
  const byKind = new Map(deadlines.map((deadline) => [deadline.kind, deadline]))
  const ofStages = stages.map((stage): ProjectDate => {
    const kind = DEADLINE_OF_STAGE[stage.key]
    const deadline = kind && byKind.get(kind)
    const isShown = deadline && !isCancelled && stage.state !== 'cancelled' && deadline.day !== null
    const date = stage.date ?? (isShown ? deadline.day : null)
    return { key: stage.key, state: stage.state, date, stage, ...(isShown && { deadline }) }
  })
  const merged = new Set<DeadlineKind>(Object.values(DEADLINE_OF_STAGE))
  const bidDay = byKind.get('submission')?.day ?? null
  const stated = deadlines.flatMap((deadline): ProjectDate[] => {
    const { kind, day } = deadline
    if (isCancelled || merged.has(kind) || day === null) return []
    const lastUseful = UNTIL_SUBMISSION.includes(kind) ? bidDay : kind === 'sample' ? day : null
    if (lastUseful !== null && lastUseful < today) return []
    return [{ key: kind, state: day < today ? 'done' : 'upcoming', date: day, deadline }]
  })
  return placeUndated(ofStages, [...ofStages, ...stated])
}

const ORDER: readonly ProjectDate['key'][] = [
  'draft',
  'hearing',
  'invitation',
  'bank_letter',
  'question',
  'papers',
  'submission',
  'sample',
  'winner',
  'appeal',
  'appeal_decision',
  'appeal_board',
  'contract',
]

function placeUndated(stages: readonly ProjectDate[], entries: readonly ProjectDate[]): ProjectDate[] {
  const line = entries
    .filter(({ date }) => date !== null)
    .toSorted((a, b) => (a.date! === b.date! ? 0 : a.date! < b.date! ? -1 : 1))
  for (const stage of stages) {
    if (stage.date !== null) continue
    const before = line.findLastIndex(({ key }) => ORDER.includes(key) && ORDER.indexOf(key) < ORDER.indexOf(stage.key))
    line.splice(before + 1, 0, stage)
  }
  return line
}

type StateLook = { readonly text: string; readonly dot: string; readonly name: string }
const STATE_LOOKS: Readonly<Record<ProjectStageState, StateLook>> = {
  done: { text: 'ผ่านแล้ว', dot: 'border-accent bg-accent text-on-accent', name: 'text-ink' },
  missing: { text: 'ไม่มีข้อมูล', dot: 'border-dashed border-control bg-surface', name: 'text-ink-muted' },
  current: {
    text: 'ขั้นปัจจุบัน',
    dot: 'border-accent-ink bg-surface text-accent-ink ring-4 ring-accent-soft',
    name: 'font-semibold text-accent-ink',
  },
  upcoming: { text: 'ยังไม่ถึง', dot: 'border-control bg-surface', name: 'text-ink' },
  cancelled: {
    text: 'ยกเลิก',
    dot: 'border-urgent bg-urgent-soft text-urgent ring-4 ring-urgent-soft',
    name: 'font-semibold text-urgent',
  },
  closed: {
    text: 'ไม่เกิดขึ้น',
    dot: 'border-line-strong bg-surface-muted',
    name: 'text-ink-faint line-through decoration-line-strong',
  },
}
const isBehind = ({ state }: ProjectDate) => state === 'done' || state === 'missing'
const VISIBLE_PAST_DATES = 1

export function ProjectDatesCard({ detail, today }: { detail: ProjectDetail; today: string }) {
  const { row } = detail
  const [isAll, setAll] = useState(false)
  const facts = useDeadlineFacts(detail)
  const deadlines = getProjectDeadlines(facts)
  const stages = computeProjectStages(detail, today)
  const present = findCurrentProjectStage(stages)
  const dates = buildProjectDates(stages, deadlines, today)
  const ahead = dates.findIndex((date) => !isBehind(date))
  const hidden = isAll ? 0 : Math.max(0, (ahead === -1 ? dates.length : ahead) - VISIBLE_PAST_DATES)
  const mayHaveBid =
    facts.decision === null && row.winner_announce_date !== null && isAppealable(row) && !isDemoSession()
  return (
    <Card as="section" aria-label="วันสำคัญ" className="px-5 pt-4 pb-4 print:py-3">
      <div className="mb-2 flex min-h-8 flex-wrap print:mb-1 print:min-h-0 items-center gap-x-3">
        <h2 className="text-md font-semibold">วันสำคัญ</h2>
        {hidden > 0 && (
          <Button variant="link" size="sm" className="ml-auto print:hidden" onClick={() => setAll(true)}>
            ดูวันที่ผ่านแล้ว {hidden} วัน
          </Button>
        )}
      </div>
      <ol aria-label="วันสำคัญของโครงการ">
        {dates.slice(hidden).map((date, index, shown) => (
          <DateRow
            key={date.key}
            date={date}
            projectId={row.project_id}
            isCurrent={date.stage === present}
            isLast={index === shown.length - 1}
          />
        ))}
      </ol>
      {mayHaveBid && (
        <p className="mt-1 text-xs text-ink-muted print:hidden">
          อุทธรณ์ได้เฉพาะผู้ที่ยื่นข้อเสนอ ถ้าบริษัทยื่นงานนี้ กดยื่นไว้ ระบบจะคำนวณวันอุทธรณ์ให้
        </p>
      )}
      <p className="mt-2 text-xs text-ink-faint">
        “{getDeadlineCertaintyLabel({ isEstimate: true })}” คือวันที่ระบบนับตามข้อกฎหมาย เว้นวันหยุดราชการ ใช้วางแผนเท่านั้น
        ไม่ใช่คำแนะนำทางกฎหมาย ตรวจกับประกาศของหน่วยงานก่อนเสมอ
      </p>
    </Card>
  )
}

type DateRowProps = { date: ProjectDate; projectId: string; isCurrent: boolean; isLast: boolean }

function DateRow({ date, projectId, isCurrent, isLast }: DateRowProps) {
  const { state, stage, deadline } = date
  const isStated = deadline !== undefined && state !== 'closed'
  return (
    <li aria-current={isCurrent ? 'step' : undefined} className="relative flex gap-3 pb-3 last:pb-0 print:pb-1">
      {!isLast && (
        <span
          aria-hidden
          className={classNames('absolute top-6 bottom-0 left-[9px] w-0.5', isBehind(date) ? 'bg-accent' : 'bg-line')}
        />
      )}
      <span
        aria-hidden
        className={classNames(
          'relative z-[1] mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-full border-2',
          STATE_LOOKS[state].dot,
          deadline?.isEstimate && state === 'upcoming' && 'border-dashed',
        )}
      >
        <DotSign state={state} />
      </span>
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] gap-x-3">
        <p className={STATE_LOOKS[state].name}>
          {nameOf(date)}
          {!isUndated(date) && <span className="sr-only"> {STATE_LOOKS[state].text} </span>}
        </p>
        <p className="text-right whitespace-nowrap tabular-nums">{dateTextOf(date)}</p>
        {isStated && (
          <p className="col-span-2 flex flex-wrap items-baseline gap-x-2 text-xs text-ink-faint">
            <Badge tone={deadline.isEstimate ? 'neutral' : 'accent'}>{getDeadlineCertaintyLabel(deadline)}</Badge>
            <span>{basisOf(deadline)}</span>
            {deadline.document && (
              <Link
                to="/report/$id/documents/$doc"
                params={{ id: projectId, doc: deadline.document.id }}
                search={{ page: deadline.document.page }}
                className="text-accent-ink hover:underline print:hidden"
              >
                เปิดหน้า {deadline.document.page}
              </Link>
            )}
          </p>
        )}
        {isStated && deadline.note && (
          <p
            className={classNames(
              'col-span-2 text-xs',
              deadline.kind === 'comment' && state === 'current' ? 'font-medium text-updated' : 'text-ink-muted',
            )}
          >
            {deadline.note}
          </p>
        )}
        {stage?.note && (
          <p
            className={classNames(
              'col-span-2 text-xs',
              state === 'cancelled' ? 'font-medium text-urgent' : 'text-updated',
            )}
          >
            {stage.note}
          </p>
        )}
      </div>
    </li>
  )
}

/** Prefers the name of the stage, because the name of a computed signing states that it is only the earliest day. */
const nameOf = ({ stage, deadline }: ProjectDate): string => stage?.name ?? DEADLINE_KIND_TEXTS[deadline!.kind].name

function basisOf(deadline: Deadline): string {
  const { estimate } = DEADLINE_KIND_TEXTS[deadline.kind]
  const basis = deadline.document ? 'ตามเอกสารของโครงการ' : formatDeadlineLegalBasis(deadline)
  return deadline.isEstimate && estimate ? `${basis} · ${estimate}` : basis
}

const isUndated = ({ state, date }: ProjectDate) =>
  state === 'closed' || (date === null && (state === 'missing' || state === 'upcoming'))

function dateTextOf(entry: ProjectDate): string {
  const { state, date, stage } = entry
  if (isUndated(entry)) return STATE_LOOKS[state].text
  if (date === null) return state === 'current' ? 'ยังไม่มีกำหนด' : 'ไม่ทราบวันที่'
  const time = stage?.time ? ` · ${stage.time.replace('-', '–')} น.` : ''
  return `${formatMovementDay(date, stage?.isUndated)}${time}`
}

function DotSign({ state }: { state: ProjectStageState }) {
  if (state === 'done') return <Check className="size-3" strokeWidth={3} />
  if (state === 'cancelled') return <X className="size-3" strokeWidth={3} />
  if (state === 'current') return <span className="size-2 rounded-full bg-accent-ink" />
  return null
}
