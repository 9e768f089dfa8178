import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EyeOff, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { KEYWORD_LIST_RULES } from '#contract/matching/keyword.ts'
import type { ExcludedProjectRow } from '#contract/matching/keyword-impact.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht, formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { classNames } from '#src/lib/class-names.ts'
import {
  EXCLUDED_PROJECTS_PAGE_SIZE,
  type ExcludedProjectsSearch,
  excludedProjectsQuery,
} from '#src/matching/api/keyword-impact.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { BARE_CHECKBOX_CLASSES, Checkbox } from '#src/ui/form/checkbox.tsx'
import { PageSteps } from '#src/ui/page-steps.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { ProjectId } from '#src/ui/project/project-id.tsx'
import { ProjectLink } from '#src/ui/project/project-link.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { ExcludedProjectsFilters, getExcludedProjectsPeriodLabel } from './excluded-projects-filters.tsx'
import { exemptProjectsFromExclusionWithUndo } from './exempt-projects-with-undo.ts'

type LedgerEmptyProps = { address: ExcludedProjectsSearch; onChange: (next: ExcludedProjectsSearch) => void }

function LedgerEmpty({ address, onChange }: LedgerEmptyProps) {
  const { days, word, rescued = false, page } = address
  const show = (label: string, patch: Partial<ExcludedProjectsSearch>) => (
    <Button onClick={() => onChange({ ...address, page: 1, ...patch })}>{label}</Button>
  )
  if (page > 1) return <EmptyState icon={EyeOff} title="ไม่มีโครงการในหน้านี้แล้ว" actions={show('ไปหน้าแรก', {})} />
  const longer = days === 7 ? show('ดู 30 วัน', { days: 30 }) : show('ดูทั้งหมด', { days: 'all' })
  const further = days !== 'all' && longer
  const period = getExcludedProjectsPeriodLabel(days)
  if (rescued) {
    return (
      <EmptyState icon={Undo2} title="ยังไม่ได้นำโครงการใดกลับเข้ารายงาน" actions={further}>
        โครงการที่กด “นำเข้ารายงาน” จะอยู่ที่นี่ และซ่อนอีกครั้งได้
      </EmptyState>
    )
  }
  if (word !== undefined) {
    const actions = (
      <>
        {show('ดูทุกคำ', { word: undefined })}
        {further}
      </>
    )
    return <EmptyState icon={EyeOff} title={`คำ “${word}” ไม่ได้ซ่อนโครงการใด · ${period}`} actions={actions} />
  }
  return (
    <EmptyState icon={EyeOff} title={`ไม่มีโครงการถูกซ่อน · ${period}`} actions={further}>
      โครงการที่ตรงกับคำของคุณแต่มีคำที่ไม่รวมอยู่ด้วยจะอยู่ที่นี่ จะได้ไม่พลาดงานที่ต้องการ
    </EmptyState>
  )
}

/** A rescue changes no word list, so it is allowed even while the lists are locked (D13). */
const canRescue = () => !isDemoSession()

type ExclusionLedgerProps = ExcludedProjectsSearch & Pick<LedgerEmptyProps, 'onChange'>

export function ExcludedProjectsPanel({ onChange, ...address }: ExclusionLedgerProps) {
  const { rescued = false, page } = address
  const excludedProjects = useQuery(useOptimisticQueryOptions(excludedProjectsQuery(address)))
  const { data: ledger, isPlaceholderData, refetch } = excludedProjects
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const rows = ledger?.results ?? []
  const turnable = rows.filter((row) => row.rescued === rescued).map(({ project_id }) => project_id)
  const ids = turnable.filter((id) => chosen.has(id))
  const choose = (changedIds: readonly string[], on: boolean) => {
    const next = new Set(chosen)
    for (const id of changedIds) on ? next.add(id) : next.delete(id)
    setChosen(next)
  }

  // Rows that left the list; as many rows of the next page have moved up.
  const moved = rows.length - turnable.length
  const total = ledger ? Math.max(0, ledger.total_project - moved) : 0
  const bulk = rescued ? 'ซ่อนอีกครั้ง' : 'นำเข้ารายงาน'
  return (
    <section aria-label="โครงการที่ถูกซ่อนโดยคำไม่รวม" className="flex flex-col gap-3">
      <ExcludedProjectsFilters address={address} ledger={ledger} onChange={onChange} />
      <VisuallyHidden live>
        {ledger && !isPlaceholderData
          ? `${rescued ? 'นำเข้ารายงานแล้ว' : 'ถูกซ่อน'} ${formatCount(total)} โครงการ ${getExcludedProjectsPeriodLabel(address.days)}`
          : ''}
      </VisuallyHidden>
      <QueryView
        query={excludedProjects}
        task="โหลดรายการที่ถูกซ่อน"
        barsClassName="space-y-2 rounded-card border border-line bg-surface px-4 py-3"
        bars={['h-14', 'h-14', 'h-14', 'h-14', 'h-14']}
      >
        {({ total_project: totalProjects }) => (
          <>
            <Card className={classNames('transition-opacity', isPlaceholderData && 'opacity-60')}>
              {rows.length === 0 ? (
                <LedgerEmpty address={address} onChange={onChange} />
              ) : (
                <>
                  {canRescue() && (
                    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
                      <Checkbox
                        checked={ids.length > 0 && ids.length === turnable.length}
                        indeterminate={ids.length > 0 && ids.length < turnable.length}
                        onChange={(on) => choose(turnable, on)}
                      >
                        เลือกทั้งหน้า
                      </Checkbox>
                      <Button
                        size="sm"
                        aria-disabled={ids.length === 0 || undefined}
                        onClick={() => {
                          if (ids.length === 0) return
                          exemptProjectsFromExclusionWithUndo(ids, !rescued)
                          setChosen(new Set())
                        }}
                        className={ids.length === 0 ? 'opacity-50' : undefined}
                      >
                        {ids.length === 0 ? `${bulk}ที่เลือก` : `${bulk} ${formatCount(ids.length)} โครงการ`}
                      </Button>
                    </div>
                  )}
                  <ul className="divide-y divide-line">
                    {rows.map((row) => (
                      <ExcludedProjectListItem
                        key={row.project_id}
                        row={row}
                        showsRescued={rescued}
                        isChosen={chosen.has(row.project_id)}
                        onChoose={(on) => choose([row.project_id], on)}
                      />
                    ))}
                  </ul>
                </>
              )}
            </Card>
            {totalProjects > EXCLUDED_PROJECTS_PAGE_SIZE && (
              <div className="flex flex-wrap items-center justify-end gap-1">
                {moved > 0 && page * EXCLUDED_PROJECTS_PAGE_SIZE < totalProjects && (
                  <p className="mr-auto text-sm text-ink-muted">
                    อีก {formatCount(moved)} โครงการเลื่อนขึ้นมาหน้านี้
                    <Button variant="link" size="sm" onClick={() => void refetch()}>
                      แสดง
                    </Button>
                  </p>
                )}
                <PageSteps
                  label="หน้าของรายการที่ถูกซ่อน"
                  page={page}
                  pageSize={EXCLUDED_PROJECTS_PAGE_SIZE}
                  total={totalProjects}
                  onPage={(to) => onChange({ ...address, page: to })}
                  className="ml-auto"
                />
              </div>
            )}
          </>
        )}
      </QueryView>
    </section>
  )
}

type LedgerRowItemProps = {
  row: ExcludedProjectRow
  showsRescued: boolean
  isChosen: boolean
  onChoose: (on: boolean) => void
}

/** A rescued row remains until the next refetch, so that focus is preserved and the same button undoes it. */
function ExcludedProjectListItem({ row, showsRescued, isChosen, onChoose }: LedgerRowItemProps) {
  const isTurned = row.rescued !== showsRescued
  const action = isTurned ? 'เลิกทำ' : showsRescued ? 'ซ่อนอีกครั้ง' : 'นำเข้ารายงาน'
  const name = <HighlightedText text={row.name} words={row.words} against={row.guilty_words} />
  return (
    <li className={classNames('group/row flex gap-3 px-4 py-3', isTurned ? 'bg-surface-muted' : 'hover:bg-canvas')}>
      {canRescue() && (
        <Checkbox
          checked={isChosen && !isTurned}
          disabled={isTurned}
          onChange={onChoose}
          ariaLabel={`เลือก ${row.name}`}
          className={classNames('self-start touch:-my-2.5', BARE_CHECKBOX_CLASSES)}
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
            {canRescue() && (
              <Button
                size="sm"
                variant={isTurned ? 'link' : 'secondary'}
                of={row.name}
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
