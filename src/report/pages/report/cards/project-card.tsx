import {
  ExternalLink,
  Eye,
  EyeOff,
  MessageCircle,
  MoreVertical,
  PanelBottomOpen,
  Star,
  StarOff,
  Tag,
} from 'lucide-react'
import { memo, useRef } from 'react'
import { isBudgetInDoubt, isEstimateInDoubt } from '#contract/catalogue/data-issue.ts'
import { getChoiceLabel, PROCUREMENT_METHODS, PROJECT_MOVEMENTS } from '#contract/catalogue/project.ts'
import { getEgpProjectHref } from '#contract/report/egp-href.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { copyProjectsForLineChat } from '#src/channels/line-copy/copy-projects-for-line-chat.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import { setBookmarks } from '#src/report/bookmarks/set-bookmarks.ts'
import { StarButton } from '#src/report/bookmarks/star-button.tsx'
import { EligibilityMark } from '#src/report/eligibility/eligibility-mark.tsx'
import { FitLine } from '#src/report/fit/fit-mark.tsx'
import { setProjectsHidden } from '#src/report/hidden-projects/set-projects-hidden.ts'
import { openLabelPicker } from '#src/report/labels/label-panel.tsx'
import { ProjectChangeStatusBadge } from '#src/report/project-row/change-status-badge.tsx'
import { DataIssuesButton } from '#src/report/project-row/data-issues-button.tsx'
import { RowDeadline } from '#src/report/project-row/deadline-text.tsx'
import { FromDocumentBadge } from '#src/report/project-row/fact-text.tsx'
import { ProjectMovementDots } from '#src/report/project-row/movement-chip.tsx'
import { getNameHighlights, useProjectRowDisplayData } from '#src/report/project-row/project-row-display-data.ts'
import { ProjectRowViewers, PursuitSummary } from '#src/report/project-row/pursuit-summary.tsx'
import { ShortMatchReason } from '#src/report/project-row/short-match-reason.tsx'
import type { ReportSelection } from '#src/report/selection/use-report-selection.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Menu, MenuItem } from '#src/ui/overlay/menu.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { LabelChips } from '#src/ui/project/label-chip.tsx'
import { ProjectId } from '#src/ui/project/project-id.tsx'
import { Swipeable } from '#src/ui/swipe/swipeable.tsx'

export type ReportCardSelection = Pick<ReportSelection, 'ids' | 'select'>

type ProjectCardProps = {
  row: ReportRow
  isStarred: boolean
  isHidden: boolean
  onPeek: ((row: ReportRow) => void) | undefined
  selection: ReportCardSelection | undefined
}

/** Expands the hit area of a control to the whole card; other controls are layered above it (`z-10`). */
const CARD_HIT_AREA = 'after:absolute after:inset-0 after:rounded-card'
const ABOVE_CARD = 'relative z-10'

export const ProjectCard = memo(function ProjectCard({
  row,
  isStarred,
  isHidden,
  onPeek,
  selection,
}: ProjectCardProps) {
  const { labelsOf, nameWords, hrefOf } = useProjectRowDisplayData()
  const id = row.project_id
  const labels = labelsOf(id)
  const isSelected = selection?.ids.has(id) ?? false
  const title = <HighlightedText text={row.name} {...getNameHighlights(row, nameWords)} />
  return (
    <Swipeable
      className="rounded-card"
      {...(selection
        ? {}
        : {
            right: {
              icon: isStarred ? StarOff : Star,
              text: isStarred ? 'เอาดาวออก' : 'ติดดาว',
              run: () => void setBookmarks([id], !isStarred),
            },
            left: {
              icon: isHidden ? Eye : EyeOff,
              text: isHidden ? 'เลิกซ่อน' : 'ซ่อน',
              run: () => void setProjectsHidden([id], !isHidden),
            },
          })}
    >
      <article
        className={classNames(
          'relative rounded-card border p-3.5 pt-2',
          isSelected ? 'border-accent-line bg-accent-soft' : 'border-line bg-surface',
        )}
      >
        <div className="flex min-h-11 items-center gap-x-2">
          {selection && (
            <Checkbox
              checked={isSelected}
              onChange={(selected) => selection.select(row, selected)}
              ariaLabel={`เลือก ${row.name}`}
              className={classNames('min-w-8 items-center', CARD_HIT_AREA)}
            />
          )}
          <span
            className={classNames(
              ABOVE_CARD,
              // Only the buttons in this line receive clicks; other clicks reach the card's link underneath.
              'pointer-events-none flex min-w-0 flex-1 flex-wrap items-center gap-x-2 [&_button]:pointer-events-auto',
            )}
          >
            <ProjectChangeStatusBadge row={row} />
            <ProjectId id={id} className="text-ink-faint" />
            <DataIssuesButton doubts={row.doubts} className="touch:-my-2.5" />
            <EligibilityMark row={row} className="touch:-my-2.5" />
          </span>
          <span className={classNames(ABOVE_CARD, '-mr-2 flex shrink-0')}>
            <StarButton projectId={id} name={row.name} isStarred={isStarred} size="md" />
            {!selection && <ReportCardMenu row={row} isHidden={isHidden} onPeek={onPeek} />}
          </span>
        </div>
        <h2 className="text-md font-medium">
          {selection ? (
            <span className="line-clamp-2">{title}</span>
          ) : (
            <a
              ref={nameElement(`card ${id}`)}
              href={hrefOf(id)}
              data-project-link={id}
              draggable={false}
              className={CARD_HIT_AREA}
            >
              <span className="line-clamp-2">{title}</span>
            </a>
          )}
        </h2>
        <p className="mt-0.5 text-ink-muted">{joinParts(row.dept_sub_name, row.project_province)}</p>
        <p className="text-sm text-ink-muted">
          {joinParts(
            getChoiceLabel(PROCUREMENT_METHODS, row.method),
            row.pursuit?.owner_name && `ผู้ดูแล ${row.pursuit.owner_name}`,
          )}
        </p>
        <FitLine row={row} />
        <ShortMatchReason row={row} className="mt-1.5 max-w-full" />
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 empty:hidden">
          <PursuitSummary pursuit={row.pursuit} />
          <ProjectRowViewers projectId={id} />
        </p>
        <LabelChips labels={labels} className="mt-1.5 gap-1.5" />
        <p className="mt-1.5 flex items-center gap-2 text-sm text-ink-muted">
          <ProjectMovementDots movement={row.movement} className="shrink-0" />
          {getChoiceLabel(PROJECT_MOVEMENTS, row.movement)}
        </p>
        <dl className="mt-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-t border-line pt-2">
          <Money row={row} />
          <NextDeadline row={row} />
        </dl>
      </article>
    </Swipeable>
  )
})

const shortBaht = (baht: number) => formatBaht(baht).replace(/\.00$/, '')

function Money({ row }: { row: ReportRow }) {
  const { budget, estimate_budget: estimate } = row
  const discount = budget && estimate !== null ? (budget - estimate) / budget : 0
  return (
    <div>
      <dt className="text-xs text-ink-muted">งบประมาณ</dt>
      <dd>
        {budget === null ? (
          <span className="text-md text-ink-faint">{isBudgetInDoubt(row) ? 'น่าสงสัย' : 'ไม่มีข้อมูล'}</span>
        ) : (
          <>
            <span className="text-md font-semibold tabular-nums">{shortBaht(budget)}</span>{' '}
            <span className="text-ink-muted">บาท</span>
          </>
        )}
        {isEstimateInDoubt(row) && <span className="block text-xs text-updated">ราคากลางน่าสงสัย</span>}
        {estimate !== null && (
          <span className="block text-xs text-ink-muted tabular-nums">
            ราคากลาง {shortBaht(estimate)}
            {Math.abs(discount) >= 0.0005 && (
              <>
                {' '}
                <span aria-hidden>{discount > 0 ? '▼' : '▲'}</span>
                <span className="sr-only">{discount > 0 ? 'ต่ำกว่างบประมาณ' : 'สูงกว่างบประมาณ'}</span>{' '}
                {formatPercent(Math.abs(discount))}
              </>
            )}
          </span>
        )}
      </dd>
    </div>
  )
}

function NextDeadline({ row }: { row: ReportRow }) {
  if (row.winner_budget !== null) {
    return (
      <div className="ml-auto text-right">
        <dt className="text-xs text-ink-muted">ราคาที่ชนะ</dt>
        <dd className="text-md tabular-nums">{shortBaht(row.winner_budget)}</dd>
      </div>
    )
  }
  const isDraft = row.submission_end_date === null && row.draft_discussion_end_date !== null
  const day = isDraft ? row.draft_discussion_end_date : row.submission_end_date
  return (
    <div className="ml-auto text-right">
      <dt className="text-xs text-ink-muted">{isDraft ? 'วิจารณ์ร่างถึง' : 'ยื่นถึง'}</dt>
      <dd>
        <RowDeadline row={row} day={day} time={isDraft ? null : row.submission_time} />
        <FromDocumentBadge row={row} field={isDraft ? 'draft_discussion_end_date' : 'submission_end_date'} />
      </dd>
    </div>
  )
}

type CardMenuProps = { row: ReportRow; isHidden: boolean; onPeek: ((row: ReportRow) => void) | undefined }

function ReportCardMenu({ row, isHidden, onPeek }: CardMenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const egp = getEgpProjectHref(row)
  return (
    <Menu
      label={`จัดการ ${row.project_id}`}
      gap={2}
      className="min-w-48"
      triggerRef={button}
      trigger={(props) => <IconButton {...props} icon={MoreVertical} label={`เพิ่มเติม ${row.project_id}`} />}
    >
      {onPeek && (
        <MenuItem icon={PanelBottomOpen} onSelect={() => onPeek(row)}>
          ดูข้อมูลย่อ
        </MenuItem>
      )}
      <MenuItem icon={Tag} onSelect={() => openLabelPicker([row.project_id], button.current)}>
        ป้ายกำกับ
      </MenuItem>
      <MenuItem icon={MessageCircle} onSelect={() => void copyProjectsForLineChat([row])}>
        คัดลอกไปวางใน LINE
      </MenuItem>
      {egp && (
        <MenuItem icon={ExternalLink} href={egp}>
          เปิดในระบบ e-GP
        </MenuItem>
      )}
      <MenuItem icon={isHidden ? Eye : EyeOff} onSelect={() => void setProjectsHidden([row.project_id], !isHidden)}>
        {isHidden ? 'เลิกซ่อน' : 'ซ่อนโครงการนี้'}
      </MenuItem>
    </Menu>
  )
}
