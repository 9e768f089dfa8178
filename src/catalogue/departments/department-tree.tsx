import { Check, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, type Ref, useImperativeHandle, useState } from 'react'
import type { DepartmentUnit } from '#contract/catalogue/department.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import type { DepartmentSearch } from '#src/catalogue/api/departments.ts'
import { classNames } from '#src/lib/class-names.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { useElements } from '#src/lib/use-elements.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import {
  type DepartmentTreeRow,
  type FocusableDepartmentTreeRow,
  findParentDepartmentTreeRow,
  isExpandableDepartmentTreeRow,
  isFocusableDepartmentTreeRow,
} from './department-tree-rows.ts'

type DepartmentRowProps = {
  ref: Ref<HTMLDivElement>
  row: FocusableDepartmentTreeRow
  isOpen: boolean
  isTicked: boolean
  note: string | undefined
  isMatch: boolean
  hasTabStop: boolean
  onFocus: () => void
  onOpen: () => void
  onTick: () => void
}

/** Full class names, because Tailwind finds classes by text search and would miss computed ones. */
const INDENTS = ['pl-1', 'pl-1', 'pl-6', 'pl-11']

function DepartmentRow(props: DepartmentRowProps) {
  const { ref, row, isOpen, isTicked, note, isMatch, hasTabStop, onFocus, onOpen, onTick } = props
  const opens = isExpandableDepartmentTreeRow(row)
  const { open } = row.kind === 'ministry' ? row.ministry : row.entry
  const isWhole = row.kind === 'entry' && row.entry.units > 0
  const press = (target: EventTarget) => {
    const clickedPart = target instanceof Element ? target.closest<HTMLElement>('[data-part]')?.dataset.part : undefined
    if (clickedPart === 'tick' || !opens) return note === undefined ? onTick() : undefined
    onOpen()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the surrounding tree handles keys
    <div
      ref={ref}
      role="treeitem"
      aria-level={row.level}
      aria-expanded={opens ? isOpen : undefined}
      aria-checked={row.kind === 'entry' ? isTicked || note !== undefined : undefined}
      aria-disabled={note !== undefined && !opens ? true : undefined}
      tabIndex={hasTabStop ? 0 : -1}
      data-key={row.key}
      onFocus={onFocus}
      onClick={(event) => press(event.target)}
      className={classNames(
        'flex cursor-pointer items-center gap-1.5 rounded-control py-1 pr-2 -outline-offset-2 hover:bg-surface-muted touch:min-h-11',
        INDENTS[row.level],
        isTicked && 'bg-accent-soft',
      )}
    >
      <span className="inline-flex size-5 shrink-0 items-center justify-center text-ink-faint touch:size-9">
        {opens && (
          <ChevronRight aria-hidden className={classNames('size-4 transition-transform', isOpen && 'rotate-90')} />
        )}
      </span>
      {row.kind === 'entry' && (
        <span data-part="tick" className="-m-1 inline-flex p-1 touch:-m-2 touch:p-3">
          <TickBox on={isTicked || note !== undefined} isDim={note !== undefined} />
        </span>
      )}
      <span className="min-w-0 flex-1 leading-snug">
        {row.kind === 'ministry' ? (
          <>
            <span className="font-medium">{row.ministry.name || 'ไม่ทราบสังกัด'} </span>
            <span className="text-xs text-ink-faint">{formatCount(row.ministry.departments)} หน่วยงาน</span>
          </>
        ) : (
          <EntryName entry={row.entry} isMatch={isMatch} />
        )}
        {isWhole && note === undefined && (
          <span
            data-part="tick"
            className="-my-1 inline-flex items-center rounded-control py-1 text-xs font-medium text-accent-ink hover:underline touch:min-h-11"
          >
            {isTicked ? 'เลือกทั้งหน่วยงานแล้ว' : 'เพิ่มทั้งหน่วยงาน'}
          </span>
        )}
      </span>
      {note !== undefined && <Badge tone="accent">{note}</Badge>}
      <span className="w-14 shrink-0 text-right text-xs text-ink-muted tabular-nums">
        <span className="sr-only"> โครงการที่ยังเปิด </span>
        {formatCount(open)}
      </span>
    </div>
  )
}

function TickBox({ on, isDim }: { on: boolean; isDim: boolean }) {
  return (
    <span
      className={classNames(
        'inline-flex size-4 shrink-0 items-center justify-center rounded-[4px] border',
        on ? 'border-accent bg-accent' : 'border-control bg-surface',
        isDim && 'opacity-50',
      )}
    >
      {on && <Check aria-hidden className="size-3 text-on-accent" strokeWidth={3} />}
    </span>
  )
}

function EntryName({ entry, isMatch }: { entry: DepartmentUnit; isMatch: boolean }) {
  const { word, unit, department, units, province, same_name: sameName } = entry
  const facts = joinParts(
    unit !== '' && isMatch && department,
    unit === '' && units > 0 && `${formatCount(units)} หน่วยย่อย`,
    province !== null && !`${word} ${department}`.includes(province) && province,
  )
  return (
    <>
      {word} {facts && <span className="block text-xs text-ink-faint">{facts}</span>}
      {sameName > 1 && (
        <span className="block text-xs text-updated">
          ชื่อนี้มีใน {formatCount(sameName)} หน่วยงาน ถ้าเพิ่มจะติดตามทุกแห่งที่ใช้ชื่อนี้
        </span>
      )}
    </>
  )
}

type DepartmentTreeProps = {
  rows: readonly DepartmentTreeRow[]
  isSearch: boolean
  isOpen: (key: string) => boolean
  setOpen: (key: string, search: DepartmentSearch | undefined) => void
  retry: (key: string) => void
  isTicked: (entry: DepartmentUnit) => boolean
  noteOf: (entry: DepartmentUnit) => string | undefined
  onTick: (entry: DepartmentUnit) => void
  onLeaveUp: () => void
  ref: Ref<{ focus: () => void }>
}

const childrenOf = (row: FocusableDepartmentTreeRow): DepartmentSearch =>
  row.kind === 'ministry' ? { ministry: row.ministry.name } : { department: row.entry.department }

/** Tree with a roving tabindex and the keys of the ARIA tree pattern. */
export function DepartmentTree(props: DepartmentTreeProps) {
  const { rows, isSearch, isOpen, setOpen, retry, isTicked, noteOf, onTick, onLeaveUp, ref } = props
  const rowElements = useElements<string>()
  const [current, setCurrent] = useState<string>()
  const stops = rows.filter(isFocusableDepartmentTreeRow)
  const tabStop = stops.some(({ key }) => key === current) ? current : stops[0]?.key

  const focus = (row: FocusableDepartmentTreeRow | undefined) => {
    if (!row) return
    setCurrent(row.key)
    rowElements.get(row.key)?.focus()
  }
  useImperativeHandle(ref, () => ({ focus: () => rowElements.get(tabStop ?? '')?.focus() }))
  const toggle = (row: FocusableDepartmentTreeRow) => setOpen(row.key, isOpen(row.key) ? undefined : childrenOf(row))
  const tick = (row: FocusableDepartmentTreeRow) => {
    if (row.kind === 'entry' && noteOf(row.entry) === undefined) onTick(row.entry)
  }
  const keys: Record<string, (row: FocusableDepartmentTreeRow, index: number) => void> = {
    ArrowDown: (_row, index) => focus(stops[index + 1]),
    ArrowUp: (_row, index) => (index === 0 ? onLeaveUp() : focus(stops[index - 1])),
    ArrowRight: (row, index) => {
      if (!isExpandableDepartmentTreeRow(row)) return
      if (isOpen(row.key)) focus(stops[index + 1])
      else toggle(row)
    },
    ArrowLeft: (row) => {
      if (isExpandableDepartmentTreeRow(row) && isOpen(row.key)) toggle(row)
      else focus(findParentDepartmentTreeRow(rows, row))
    },
    Home: () => focus(stops[0]),
    End: () => focus(stops.at(-1)),
    Enter: (row) => (row.kind === 'ministry' ? toggle(row) : tick(row)),
    ' ': (row) => (row.kind === 'ministry' ? toggle(row) : tick(row)),
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const index = stops.findIndex(({ key }) => key === (event.target as HTMLElement).dataset.key)
    const row = stops[index]
    const act = keys[event.key]
    if (!row || !act) return
    event.preventDefault()
    event.stopPropagation()
    act(row, index)
  }
  return (
    <div role="tree" aria-label="หน่วยงาน" aria-multiselectable onKeyDown={onKeyDown}>
      {rows.map((row) => {
        if (!isFocusableDepartmentTreeRow(row)) return <RowStatus key={row.key} row={row} retry={retry} />
        const entry = row.kind === 'entry' ? row.entry : undefined
        return (
          <DepartmentRow
            key={row.key}
            ref={rowElements.refOf(row.key)}
            row={row}
            isOpen={isOpen(row.key)}
            isTicked={entry !== undefined && isTicked(entry)}
            note={entry && noteOf(entry)}
            isMatch={isSearch && row.level === 1}
            hasTabStop={row.key === tabStop}
            onFocus={() => setCurrent(row.key)}
            onOpen={() => toggle(row)}
            onTick={() => tick(row)}
          />
        )
      })}
    </div>
  )
}

type RowStatusProps = Pick<DepartmentTreeProps, 'retry'> & {
  row: Exclude<DepartmentTreeRow, FocusableDepartmentTreeRow>
}

function RowStatus({ row, retry }: RowStatusProps) {
  return (
    <div role="none" className="flex items-center gap-2 py-1.5 pl-12 text-sm text-ink-muted">
      {row.kind === 'waiting' && (
        <>
          <Spinner /> กำลังโหลด
        </>
      )}
      {row.kind === 'failed' && (
        <>
          โหลดไม่สำเร็จ
          <Button size="sm" variant="link" onClick={() => retry(row.of)}>
            ลองใหม่
          </Button>
        </>
      )}
      {row.kind === 'more' && `มีอีก ${formatCount(row.count)} รายการ พิมพ์ชื่อในช่องค้นหาเพื่อดู`}
    </div>
  )
}
