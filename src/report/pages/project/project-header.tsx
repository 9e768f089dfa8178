import { Plus } from 'lucide-react'
import type { ProjectDetail } from '#contract/report/project-detail.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import { buildBuyerFollowTargets, FollowButtons } from '#src/report/follow/follow-buttons.tsx'
import { LazyLabelPanels, openLabelPicker } from '#src/report/labels/label-panel.tsx'
import { ProjectChangeStatusLabel, ProjectStatusBadge } from '#src/report/project-row/change-status-badge.tsx'
import { listMatchReasonTexts } from '#src/report/project-row/match-reasons.tsx'
import { getNameHighlights, useProjectRowDisplayData } from '#src/report/project-row/project-row-display-data.ts'
import { Badge } from '#src/ui/badge.tsx'
import { ExpandableName } from '#src/ui/expandable-name.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { LabelChip } from '#src/ui/project/label-chip.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { ProjectActions } from './project-actions.tsx'

/** Joins the names of buyer and province without duplicates, because Bangkok, for example, is both. */
const formatBuyerAndProvince = (
  row: Pick<ReportRow, 'dept_name' | 'dept_sub_name' | 'project_province' | 'dept_province'>,
) =>
  joinParts(...new Set([row.dept_sub_name, row.dept_name, row.project_province ?? row.dept_province ?? 'ไม่มีข้อมูลจังหวัด']))

type ProjectHeaderProps = { id: string; detail: ProjectDetail | undefined; hasFailed: boolean }

/** Header of a project page. The heading element persists while the project loads, because it may have the focus. */
export function ProjectHeader({ id, detail, hasFailed }: ProjectHeaderProps) {
  const row = detail?.row
  const { nameWords } = useProjectRowDisplayData()
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-[28rem] max-md:basis-full">
        {row ? <Badges row={row} /> : !hasFailed && <Skeleton className="appear-late h-5 w-56 max-w-full" />}
        <h1 className="mt-1.5 text-2xl font-semibold [overflow-wrap:anywhere] max-md:text-xl">
          {row ? (
            <ExpandableName key={id} name={row.name}>
              <HighlightedText text={row.name} {...getNameHighlights(row, nameWords)} />
            </ExpandableName>
          ) : hasFailed ? (
            `โครงการ ${id.slice(0, 40)}`
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
          !hasFailed && <Skeleton className="appear-late mt-2 w-72 max-w-full" />
        )}
        {row && (
          <FollowButtons
            targets={[
              ...buildBuyerFollowTargets({
                agency: row.dept_name,
                unit: row.dept_sub_name,
                province: row.dept_province,
              }),
              { kind: 'project', key: row.project_id, name: row.name, text: 'งานที่เกี่ยวข้อง' },
            ]}
          />
        )}
        {row && <PhoneFacts row={row} />}
      </div>
      {detail && <ProjectActions detail={detail} />}
    </header>
  )
}

function PhoneFacts({ row: { budget, estimate_budget: estimate } }: { row: ReportRow }) {
  return (
    <p data-phone-facts className="mt-1 tabular-nums md:hidden">
      งบ <span className="font-semibold">{budget === null ? 'หน่วยงานไม่ได้ประกาศ' : `${formatBaht(budget)} บาท`}</span>
      {estimate !== null && (
        <>
          {' · '}ราคากลาง <span className="font-semibold">{formatBaht(estimate)}</span>
        </>
      )}
    </p>
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
        ref={nameElement(`labels ${row.project_id}`)}
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
