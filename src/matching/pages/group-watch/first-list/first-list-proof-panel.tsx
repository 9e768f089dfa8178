import { useQuery } from '@tanstack/react-query'
import { Check, ChevronDown, Plus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { FirstListFix, FirstListProof, ProvenProject } from '#contract/market/first-list.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getErrorText } from '#src/lib/problem-error.ts'
import { useDebouncedText } from '#src/lib/use-debounced-text.ts'
import { firstListProofQuery } from '#src/market/api/first-list.ts'
import { Button } from '#src/ui/button.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { useCollapsedList } from '#src/ui/use-collapsed-list.tsx'
import { applyFixes, type FirstListSelectionProps, toProofRequest } from './first-list-selection.ts'

export function FirstListProofPanel({ selection, remaining, onSelect }: FirstListSelectionProps) {
  // Serialised, because a debounced object would be a new one on every render.
  const body = useDebouncedText(JSON.stringify(toProofRequest(selection)))
  const proof = useQuery(firstListProofQuery(JSON.parse(body)))
  const add = (fixes: readonly FirstListFix[]) => {
    const next = applyFixes(selection, fixes)
    onSelect({
      ...next,
      words: next.words.slice(0, remaining.include),
      agencies: next.agencies.slice(0, remaining.deptsub_include),
    })
  }
  return (
    <section
      aria-label="ทดสอบกับงานที่ชนะ"
      className="rounded-card border border-accent-line bg-surface lg:sticky lg:top-4"
    >
      <QueryView
        query={proof}
        task="ทดสอบรายการ"
        notesStale
        errorReason={(error) => `${getErrorText(error)} ยังเริ่มใช้งานได้ตามปกติ`}
        errorClassName="m-3"
        skeleton={
          <SkeletonGroup
            label="กำลังทดสอบกับงานที่ชนะ"
            className="space-y-3 p-4"
            bars={['w-3/4', 'w-full', 'w-1/2', 'w-full']}
          />
        }
      >
        {(data) => (
          <div aria-busy={proof.isPlaceholderData} className={proof.isPlaceholderData ? 'opacity-60' : undefined}>
            <Outcome proof={data} onAdd={add} />
          </div>
        )}
      </QueryView>
    </section>
  )
}

function Outcome({ proof, onAdd }: { proof: FirstListProof; onAdd: (fixes: readonly FirstListFix[]) => void }) {
  const { found, missed, open, per_working_day } = proof
  const total = found.length + missed.length
  return (
    <div className="divide-y divide-line">
      <div className="rounded-t-card bg-accent-soft px-4 py-3">
        <p role="status" className="tabular-nums">
          จากงานที่คุณชนะ <b className="font-semibold">{formatCount(total)} งาน</b> รายการนี้จะ
          <b className="font-semibold text-accent-ink">เห็น {formatCount(found.length)}</b>
          {missed.length > 0 && (
            <>
              {' · '}
              <b className="font-semibold text-updated">ไม่เห็น {formatCount(missed.length)}</b>
            </>
          )}
          {` · ตอนนี้เปิดรับ ${formatCount(open.total)} งาน`}
        </p>
        <Squares found={found.length} missed={missed.length} />
      </div>
      {missed.length > 0 && <Missed missed={missed} onAdd={onAdd} />}
      <Rows title={`เห็น ${formatCount(found.length)} งานที่เคยชนะ`} projects={found} dateText="" />
      <Rows
        title={`เปิดรับอยู่ ${formatCount(open.total)} งาน`}
        note={`ราว ${per_working_day.toLocaleString('en')} งานใหม่ต่อวันทำการ`}
        projects={open.results}
        total={open.total}
        dateText="ยื่นถึง "
        isOpen
      />
      <p className="px-4 py-2 text-sm text-ink-muted">ตัวเลขเปลี่ยนทันทีเมื่อติ๊กเข้าหรือออก</p>
    </div>
  )
}

const MAX_SQUARES = 40

function Squares({ found, missed }: { found: number; missed: number }) {
  const total = found + missed
  if (total === 0) return null
  const count = Math.min(total, MAX_SQUARES)
  const seen = missed === 0 ? count : Math.min(count - 1, Math.round((found / total) * count))
  return (
    <div aria-hidden className="mt-2 flex flex-wrap gap-1">
      {Array.from({ length: count }, (_, index) => {
        const isFound = index < seen
        const Icon = isFound ? Check : X
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: squares are interchangeable
            key={index}
            className={classNames(
              'inline-flex h-4.5 w-6 items-center justify-center rounded-[4px] border',
              isFound
                ? 'border-accent bg-accent text-on-accent'
                : 'border-dashed border-updated-line bg-surface text-updated',
            )}
          >
            <Icon className="size-3" strokeWidth={3} />
          </span>
        )
      })}
    </div>
  )
}

const FIRST_MISSED = 4

type MissedProps = Pick<FirstListProof, 'missed'> & { onAdd: (fixes: readonly FirstListFix[]) => void }

function Missed({ missed, onAdd }: MissedProps) {
  const { visibleItems, moreButton } = useCollapsedList(missed, 'งาน', FIRST_MISSED)
  return (
    <div className="space-y-2 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold">ไม่เห็น {formatCount(missed.length)} งาน เพราะ</h3>
        {missed.length > 1 && (
          <Button size="sm" icon={Plus} onClick={() => onAdd(missed.flatMap(({ fixes }) => fixes))}>
            เพิ่มทั้งหมดที่ขาด
          </Button>
        )}
      </div>
      <ul className="space-y-2.5">
        {visibleItems.map((project) => (
          <li key={project.project_id} className="flex flex-wrap items-start justify-between gap-2">
            <div className="min-w-0 flex-1 basis-52">
              <p className="font-medium">{project.fixes.map(reasonOf(project)).join(' · ')}</p>
              <p className="line-clamp-2 text-sm" title={project.name}>
                {project.name}
              </p>
              <Facts project={project} dateText="" />
            </div>
            <Button size="sm" icon={Plus} onClick={() => onAdd(project.fixes)} className="max-w-full">
              <span className="truncate">{project.fixes.map(actionOf).join(' และ ')}</span>
            </Button>
          </li>
        ))}
      </ul>
      {moreButton}
    </div>
  )
}

const reasonOf =
  ({ budget, province }: ProvenProject) =>
  ({ kind }: FirstListFix): string => {
    if (kind === 'band') return `งบ ${budget === null ? '' : formatBahtCompact(budget)} อยู่นอกช่วง`
    if (kind === 'province') return province === null ? 'ไม่รู้จังหวัด' : `อยู่${province} ซึ่งไม่ได้เลือก`
    return 'ชื่องานไม่มีคำที่เลือก'
  }

function actionOf({ kind, value }: FirstListFix): string {
  if (kind === 'word') return `เพิ่มคำ “${value}”`
  if (kind === 'agency') return `เพิ่ม ${value}`
  if (kind === 'province') return value === '' ? 'ดูทั่วประเทศ' : `เพิ่ม${value}`
  return `ขยายถึง ${formatBahtCompact(Number(value))}`
}

type RowsProps = {
  title: string
  note?: ReactNode
  projects: readonly ProvenProject[]
  total?: number
  dateText: string
  isOpen?: boolean
}

function Rows({ title, note, projects, total = projects.length, dateText, isOpen = false }: RowsProps) {
  const [isExpanded, setExpanded] = useState(isOpen)
  const { visibleItems, moreButton } = useCollapsedList(projects, 'งาน', 5)
  return (
    <div className="px-4 py-2">
      <h3>
        <button
          type="button"
          aria-expanded={isExpanded}
          disabled={projects.length === 0}
          onClick={() => setExpanded(!isExpanded)}
          className="flex min-h-9 w-full items-center justify-between gap-2 rounded-control text-left font-semibold tabular-nums touch:min-h-11"
        >
          <span>
            {title}
            {note !== undefined && <span className="ml-2 text-sm font-normal text-ink-muted">{note}</span>}
          </span>
          {projects.length > 0 && (
            <ChevronDown
              aria-hidden
              className={classNames('size-4 shrink-0 text-ink-faint transition-transform', isExpanded && 'rotate-180')}
            />
          )}
        </button>
      </h3>
      {isExpanded && projects.length > 0 && (
        <>
          <ul className="divide-y divide-line">
            {visibleItems.map((project) => (
              <li key={project.project_id} className="py-1.5">
                <p className="line-clamp-2" title={project.name}>
                  <HighlightedText text={project.name} words={project.found_by} />
                </p>
                <Facts project={project} dateText={dateText} />
              </li>
            ))}
          </ul>
          {moreButton}
          {visibleItems.length === projects.length && projects.length < total && (
            <p className="text-sm text-ink-muted">แสดง {projects.length} งานที่ปิดรับก่อน ที่เหลืออยู่ในรายงาน</p>
          )}
        </>
      )}
    </div>
  )
}

function Facts({ project, dateText }: { project: ProvenProject; dateText: string }) {
  const { dept_name, province, budget, date } = project
  return (
    <p className="truncate text-sm text-ink-muted">
      {dept_name}
      {province !== null && ` · ${province}`}
      {budget !== null && ` · ${formatBahtCompact(budget)}`}
      {date !== null && ` · ${dateText}${formatThaiDateShortOrOriginal(date)}`}
    </p>
  )
}
