import { Link } from '@tanstack/react-router'
import { KEYWORD_LIST_RULES } from '#contract/matching/keyword.ts'
import type { ExcludedProjectRow } from '#contract/matching/keyword-impact.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { ProjectId } from '#src/ui/project/project-id.tsx'
import { ProjectLink } from '#src/ui/project/project-link.tsx'
import { exemptProjectsFromExclusionWithUndo } from './exempt-projects-with-undo.ts'

type LedgerRowItemProps = {
  row: ExcludedProjectRow
  showsRescued: boolean
  canRescue: boolean
  isChosen: boolean
  onChoose: (on: boolean) => void
}

/**
 * A project hidden by an exclusion. A rescued row remains until the next refetch, so that focus is preserved and the
 * same button undoes the rescue.
 */
export function ExcludedProjectListItem({ row, showsRescued, canRescue, isChosen, onChoose }: LedgerRowItemProps) {
  const isTurned = row.rescued !== showsRescued
  const action = isTurned ? 'เลิกทำ' : showsRescued ? 'ซ่อนอีกครั้ง' : 'นำเข้ารายงาน'
  const name = <HighlightedText text={row.name} words={row.words} against={row.guilty_words} />
  return (
    <li className={classNames('group/row flex gap-3 px-4 py-3', isTurned ? 'bg-surface-muted' : 'hover:bg-canvas')}>
      {canRescue && (
        <Checkbox
          checked={isChosen && !isTurned}
          disabled={isTurned}
          onChange={onChoose}
          ariaLabel={`เลือก ${row.name}`}
          className="self-start touch:-mx-3.5 touch:-my-2.5 touch:min-w-11 touch:justify-center"
        />
      )}
      <div className="flex min-w-0 flex-1 flex-col gap-x-4 gap-y-2 md:flex-row">
        <div className="min-w-0 flex-1">
          <p className="font-medium">{row.rescued ? <ProjectLink id={row.project_id}>{name}</ProjectLink> : name}</p>
          <p className="text-sm text-ink-muted">
            {row.dept_sub_name || row.dept_name}
            {row.dept_sub_name !== '' && row.dept_name !== row.dept_sub_name && row.dept_name !== '' && (
              <> · {row.dept_name}</>
            )}
          </p>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-muted">
            {isTurned && (
              <Badge tone={row.rescued ? 'new' : 'neutral'}>{row.rescued ? 'อยู่ในรายงานแล้ว' : 'ซ่อนอีกครั้งแล้ว'}</Badge>
            )}
            <span title={KEYWORD_LIST_RULES[row.list].th}>
              ไม่รวม <mark className="bg-urgent-soft px-1 text-urgent">{row.word}</mark>
            </span>
            <span>
              เข้าได้ด้วย{' '}
              {row.words.length === 0
                ? 'หน่วยงานที่ติดตาม'
                : row.words.map((word) => (
                    <mark key={word} className="mr-1 px-1">
                      {word}
                    </mark>
                  ))}
            </span>
            <ProjectId id={row.project_id} />
          </p>
        </div>
        <div className="flex flex-wrap items-start gap-x-4 gap-y-2 md:flex-nowrap">
          <p className="min-w-0 flex-1 md:w-32 md:flex-none md:text-right">
            <span className="block font-medium tabular-nums">
              {row.budget === null ? <span className="text-ink-faint">ไม่ระบุงบ</span> : formatBaht(row.budget)}
            </span>
            <span className="block text-xs text-ink-muted">
              {row.movement_date === null ? 'ไม่ระบุวันที่' : formatThaiDateShortOrOriginal(row.movement_date)}
            </span>
          </p>
          <div className="flex flex-col items-end gap-1 md:w-36">
            {canRescue && (
              <Button
                size="sm"
                variant={isTurned ? 'link' : 'secondary'}
                aria-label={`${action} ${row.name}`}
                onClick={() =>
                  exemptProjectsFromExclusionWithUndo([row.project_id], isTurned ? showsRescued : !showsRescued)
                }
              >
                {action}
              </Button>
            )}
            {row.rescued && (
              <Link
                to="/report"
                search={{ peek: row.project_id }}
                className="rounded-control text-sm text-accent-ink hover:underline touch:py-2"
              >
                ดูในรายงาน
              </Link>
            )}
          </div>
        </div>
      </div>
    </li>
  )
}
