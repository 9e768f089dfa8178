import { getChoiceLabel, PROJECT_CHANGE_STATUSES, PROJECT_STATUSES } from '#contract/catalogue/project.ts'
import { formatFieldChange } from '#contract/report/format-field-change.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'
import { Tooltip } from '#src/ui/overlay/tooltip.tsx'
import { ChangedValue } from './changed-value.tsx'

const TONES: Readonly<Record<string, BadgeTone>> = { new: 'new', updated: 'updated' }

const DOT_CLASSES: Readonly<Record<string, string>> = {
  new: 'font-medium text-new before:bg-current',
  updated: 'font-medium text-updated before:bg-current',
}

type ChangeStatusBadgeProps = { row: Pick<ReportRow, 'change_status' | 'changes'>; variant?: 'dot' }

export function ProjectChangeStatusBadge({ row, variant }: ChangeStatusBadgeProps) {
  const badge = variant ? (
    <span
      className={`flex items-center gap-1.5 text-sm leading-[21px] whitespace-nowrap before:size-1.5 before:shrink-0 before:rounded-full ${DOT_CLASSES[row.change_status] ?? 'text-ink-faint'}`}
    >
      {getChoiceLabel(PROJECT_CHANGE_STATUSES, row.change_status)}
    </span>
  ) : (
    <ProjectChangeStatusLabel status={row.change_status} />
  )
  if (row.changes.length === 0) return badge
  return (
    <Tooltip
      content={
        <dl className="flex flex-col gap-2 py-1 text-sm">
          {row.changes.map((change) => {
            const words = formatFieldChange(change)
            return (
              <div key={change.field}>
                <dt className="text-xs text-ink-muted">{words.field}</dt>
                <dd>
                  <ChangedValue words={words} />
                </dd>
              </div>
            )
          })}
        </dl>
      }
    >
      {(describe) => (
        <button type="button" {...describe} className="rounded-full touch:-my-2.5 touch:min-h-11">
          {badge}
          <span className="sr-only"> ดูสิ่งที่เปลี่ยน {row.changes.length} รายการ</span>
        </button>
      )}
    </Tooltip>
  )
}

export function ProjectChangeStatusLabel({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? 'neutral'}>{getChoiceLabel(PROJECT_CHANGE_STATUSES, status)}</Badge>
}

const STATUS_TONES: Readonly<Record<string, BadgeTone>> = {
  in_progress: 'accent',
  invitation_cancelled: 'urgent',
  project_cancelled: 'urgent',
}

export function ProjectStatusBadge({ status }: { status: string }) {
  return <Badge tone={STATUS_TONES[status] ?? 'neutral'}>{getChoiceLabel(PROJECT_STATUSES, status)}</Badge>
}
