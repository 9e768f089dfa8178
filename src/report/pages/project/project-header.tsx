import { Plus } from 'lucide-react'
import { getDeadlineTimeLeft } from '#contract/catalogue/time-left.ts'
import { DEADLINE_KIND_TEXTS, getDeadlineCountdownState } from '#contract/report/deadlines.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { DEADLINE_URGENCY_CLASSES } from '#src/lib/deadline-urgency-classes.ts'
import { useServerTime } from '#src/lib/use-server-time.ts'
import { DEADLINE_COUNTDOWN_TEXTS, formatDeadlineDate } from '#src/report/deadline-clock/deadline-countdown.ts'
import { buildBuyerFollowTargets, FollowButtons } from '#src/report/follow/follow-buttons.tsx'
import { LazyLabelPanels, openLabelPicker } from '#src/report/labels/label-panel.ts'
import { ProjectChangeStatusLabel } from '#src/report/project-row/change-status-badge.tsx'
import { listMatchReasonTexts } from '#src/report/project-row/match-reasons.tsx'
import { getNameHighlights, useProjectRowDisplayData } from '#src/report/project-row/project-row-display-data.ts'
import { ProjectStatusBadge } from '#src/report/project-row/project-status-badge.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { ExpandableName } from '#src/ui/expandable-name.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { LabelChip } from '#src/ui/project/label-chip.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { ProjectActions } from './project-actions.tsx'

/** Joins the names of buyer and province without duplicates, because Bangkok, for example, is both. */
export const formatBuyerAndProvince = (
  row: Pick<ReportRow, 'dept_name' | 'dept_sub_name' | 'project_province' | 'dept_province'>,
) =>
  [...new Set([row.dept_sub_name, row.dept_name, row.project_province ?? row.dept_province ?? 'ไม่มีข้อมูลจังหวัด'])]
    .filter(Boolean)
    .join(' · ')

type ProjectHeaderProps = { id: string; row: ReportRow | undefined }

/** Header of a project page. The heading element persists while the project loads, because it may have the focus. */
export function ProjectHeader({ id, row }: ProjectHeaderProps) {
  const { nameWords } = useProjectRowDisplayData()
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-[28rem] max-md:basis-full">
        {row ? <Badges row={row} /> : <Skeleton className="appear-late h-5 w-56 max-w-full" />}
        <h1 className="mt-1.5 text-2xl font-semibold [overflow-wrap:anywhere] max-md:text-xl">
          {row ? (
            <ExpandableName key={id} name={row.name}>
              <HighlightedText text={row.name} {...getNameHighlights(row, nameWords)} />
            </ExpandableName>
          ) : (
            <>
              <span className="sr-only">กำลังเปิดโครงการ {id.slice(0, 40)}</span>
              <Skeleton className="appear-late h-7 w-4/5" />
            </>
          )}
        </h1>
        {row ? (
          <p className="mt-0.5 text-ink-muted">
            {formatBuyerAndProvince(row)}
            {listMatchReasonTexts(row)[0] !== undefined && (
              <span className="max-md:hidden"> · {listMatchReasonTexts(row)[0]}</span>
            )}
          </p>
        ) : (
          <Skeleton className="appear-late mt-2 w-72 max-w-full" />
        )}
        {row && <FollowProject row={row} />}
        {row && <PhoneFacts row={row} />}
      </div>
      {row && <ProjectActions row={row} />}
    </header>
  )
}

function FollowProject({ row: { project_id, name, dept_name, dept_sub_name, dept_province } }: { row: ReportRow }) {
  return (
    <FollowButtons
      targets={[
        ...buildBuyerFollowTargets({ agency: dept_name, unit: dept_sub_name, province: dept_province }),
        { kind: 'project', key: project_id, name, text: 'งานที่เกี่ยวข้อง' },
      ]}
    />
  )
}

function PhoneFacts({ row }: { row: ReportRow }) {
  const now = useServerTime()
  const state = getDeadlineCountdownState(row, now)
  const remaining =
    state.kind === 'counting' ? getDeadlineTimeLeft(state.deadline.day, state.deadline.time?.to, now) : undefined
  return (
    <dl data-phone-facts className="mt-3 grid grid-cols-2 gap-x-4 md:hidden">
      <div>
        <dt className="text-xs text-ink-muted">
          {state.kind === 'counting' ? DEADLINE_KIND_TEXTS[state.deadline.kind].name : 'กำหนดยื่น'}
        </dt>
        {state.kind === 'counting' ? (
          <dd>
            <span
              className={classNames(
                'block text-md font-semibold',
                remaining && DEADLINE_URGENCY_CLASSES[remaining.urgency],
              )}
            >
              {remaining?.text}
            </span>
            <span className="text-sm text-ink-muted tabular-nums">{formatDeadlineDate(state.deadline)}</span>
          </dd>
        ) : (
          <dd className="text-md font-semibold">{DEADLINE_COUNTDOWN_TEXTS[state.kind].title}</dd>
        )}
      </div>
      <div>
        <dt className="text-xs text-ink-muted">งบประมาณ</dt>
        <dd className="text-md font-semibold tabular-nums">
          {row.budget === null ? 'หน่วยงานไม่ได้ประกาศ' : `${formatBaht(row.budget)} บาท`}
        </dd>
      </div>
    </dl>
  )
}

function Badges({ row }: { row: ReportRow }) {
  const { labelsOf } = useProjectRowDisplayData()
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <ProjectChangeStatusLabel status={row.change_status} />
      <ProjectStatusBadge status={row.status} />
      {row.is_sme && <Badge tone="accent">เปิดสิทธิ SME</Badge>}
      {labelsOf(row.project_id).map((label) => (
        <LabelChip key={label.id} label={label} />
      ))}
      <button
        type="button"
        data-project-labels
        aria-haspopup="dialog"
        title="ป้ายกำกับ (L)"
        onPointerEnter={LazyLabelPanels.preload}
        onFocus={LazyLabelPanels.preload}
        onClick={(event) => openLabelPicker([row.project_id], event.currentTarget)}
        className="inline-flex h-6 items-center gap-0.5 rounded-control px-1 text-xs text-ink-muted hover:bg-surface-muted hover:text-ink touch:h-11 touch:min-w-11 touch:px-2 print:hidden"
      >
        <Plus aria-hidden className="size-3.5" />
        ป้าย
      </button>
    </div>
  )
}
