import { Check, X } from 'lucide-react'
import { formatMovementDay } from '#contract/thai/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useDeadlineTimeLeft } from '#src/report/project-row/deadline-text.tsx'
import { findCurrentProjectStage, type ProjectStage, type ProjectStageState } from './project-stages.ts'

const STATE_TEXTS: Readonly<Record<ProjectStageState, string>> = {
  done: 'ผ่านแล้ว',
  missing: 'ไม่มีข้อมูล',
  current: 'ขั้นปัจจุบัน',
  upcoming: 'ยังไม่ถึง',
  cancelled: 'ยกเลิก',
  closed: 'ไม่เกิดขึ้น',
}
const DOT_CLASSES: Readonly<Record<ProjectStageState, string>> = {
  done: 'border-accent bg-accent text-on-accent',
  missing: 'border-dashed border-control bg-surface',
  current: 'border-accent-ink bg-surface text-accent-ink ring-4 ring-accent-soft',
  upcoming: 'border-control bg-surface',
  cancelled: 'border-urgent bg-urgent-soft text-urgent ring-4 ring-urgent-soft',
  closed: 'border-line-strong bg-surface-muted',
}
const NAME_CLASSES: Readonly<Record<ProjectStageState, string>> = {
  done: 'text-ink',
  missing: 'text-ink-muted',
  current: 'font-semibold text-accent-ink',
  upcoming: 'text-ink-muted',
  cancelled: 'font-semibold text-urgent',
  closed: 'text-ink-faint line-through decoration-line-strong',
}
/** True if the stage shows its state instead of a date; unreachable stages show neither. */
const isUndated = ({ state, date }: Pick<ProjectStage, 'state' | 'date'>) =>
  state === 'closed' || (date === null && (state === 'missing' || state === 'upcoming'))
const isBehind = ({ state }: ProjectStage) => state === 'done' || state === 'missing'

type StageLineProps = {
  stages: readonly ProjectStage[]
  today: string
}

export function ProjectStageTimeline({ stages, today }: StageLineProps) {
  const present = findCurrentProjectStage(stages)
  return (
    <ol aria-label="ขั้นตอนของโครงการ" className="grid md:grid-cols-6">
      {stages.map((stage, index) => {
        const isLast = index === stages.length - 1
        return (
          <li
            key={stage.key}
            aria-current={stage === present ? 'step' : undefined}
            className="relative flex gap-3 pb-4 last:pb-0 md:block md:pr-3 md:pb-0"
          >
            {!isLast && (
              <span
                aria-hidden
                className={classNames(
                  'absolute top-5.5 bottom-0 left-[9px] w-0.5 md:top-[9px] md:right-0 md:bottom-auto md:left-5 md:h-0.5 md:w-auto',
                  isBehind(stage) ? 'bg-accent' : 'bg-line',
                )}
              />
            )}
            <span
              aria-hidden
              className={classNames(
                'relative z-[1] flex size-5 shrink-0 items-center justify-center rounded-full border-2 max-md:mt-0.5',
                DOT_CLASSES[stage.state],
              )}
            >
              <DotSign state={stage.state} />
            </span>
            <span className="min-w-0 flex-1 max-md:flex max-md:flex-wrap max-md:justify-between max-md:gap-x-3 md:mt-1.5 md:block">
              <span className={classNames('md:block', NAME_CLASSES[stage.state])}>
                {stage.name}
                {!isUndated(stage) && <span className="sr-only"> {STATE_TEXTS[stage.state]} </span>}
              </span>
              <span className="text-xs text-ink-muted tabular-nums md:block">
                <StageDate stage={stage} today={today} />
              </span>
              {stage.note && (
                <span
                  className={classNames(
                    'text-xs max-md:w-full md:block',
                    stage.state === 'cancelled' ? 'font-medium text-urgent' : 'text-updated',
                  )}
                >
                  {stage.note}
                </span>
              )}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function DotSign({ state }: { state: ProjectStageState }) {
  if (state === 'done') return <Check className="size-3" strokeWidth={3} />
  if (state === 'cancelled') return <X className="size-3" strokeWidth={3} />
  if (state === 'current') return <span className="size-2 rounded-full bg-accent-ink" />
  return null
}

/**
 * Shows the date of a stage, but for the pending stage the remaining time, because the adjacent clock shows its date.
 */
function StageDate({
  stage: { key, state, date, time, isUndated: isBound },
  today,
}: {
  stage: ProjectStage
  today: string
}) {
  const isCounted = (key === 'hearing' || key === 'submission') && state === 'current' && date !== null && date >= today
  if (isCounted) return <RemainingDays day={date} time={time} today={today} />
  if (isUndated({ state, date })) return STATE_TEXTS[state]
  if (date !== null) return `${formatMovementDay(date, isBound)}${time ? ` · ${time.replace('-', '–')} น.` : ''}`
  return state === 'current' ? 'ยังไม่มีกำหนด' : 'ไม่ทราบวันที่'
}

function RemainingDays({ day, time, today }: { day: string; time: ProjectStage['time']; today: string }) {
  return useDeadlineTimeLeft(day, today, time).text
}
