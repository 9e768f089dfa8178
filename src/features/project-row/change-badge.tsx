import { fieldChangeText } from '#contract/project/field-change-text.ts'
import { CHANGE_STATUSES, labelOf } from '#contract/project/project.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'
import { Tooltip } from '#src/ui/overlay/tooltip.tsx'

const TONES: Readonly<Record<string, BadgeTone>> = { new: 'new', updated: 'updated' }

/** New, updated or unchanged in the latest load. An updated one tells old → new on hover, focus and press. */
export function ChangeBadge({ row }: { row: Pick<ReportRow, 'change_status' | 'changes'> }) {
  const badge = <ChangeMark status={row.change_status} />
  if (row.changes.length === 0) return badge
  return (
    <Tooltip content={<ChangeList changes={row.changes} />}>
      {(describe) => (
        <button type="button" {...describe} className="min-h-6 rounded-full touch:-my-2.5 touch:min-h-11">
          {badge}
          <span className="sr-only"> ดูสิ่งที่เปลี่ยน {row.changes.length} รายการ</span>
        </button>
      )}
    </Tooltip>
  )
}

/** The word alone. */
export function ChangeMark({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? 'neutral'}>{labelOf(CHANGE_STATUSES, status)}</Badge>
}

function ChangeList({ changes }: Pick<ReportRow, 'changes'>) {
  return (
    <dl className="flex flex-col gap-2 py-1 text-sm">
      {changes.map((change) => {
        const words = fieldChangeText(change)
        return (
          <div key={change.field}>
            <dt className="text-xs text-ink-muted">{words.field}</dt>
            <dd>
              <s className="text-ink-muted decoration-ink-faint">
                <span className="sr-only">เดิม </span>
                {words.old}
              </s>
              <span aria-hidden> → </span>
              <span className="font-medium">
                <span className="sr-only">เป็น </span>
                {words.new}
              </span>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
