import { type KeyboardEvent, useRef, useState } from 'react'
import type { DepartmentUnit } from '#contract/department.ts'
import type { DepartmentSearch } from '#src/api/departments.ts'
import { countText } from '#src/lib/money-text.ts'
import { Button } from '#src/ui/button.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { DepartmentRow } from './department-row.tsx'
import { canOpen, type FocusableRow, isFocusable, parentRow, type TreeRow } from './tree-rows.ts'

type DepartmentTreeProps = {
  rows: readonly TreeRow[]
  isSearch: boolean
  isOpen: (key: string) => boolean
  setOpen: (key: string, search: DepartmentSearch | undefined) => void
  retry: (key: string) => void
  isTicked: (entry: DepartmentUnit) => boolean
  /** Why the entry cannot be added; undefined when it can. */
  noteOf: (entry: DepartmentUnit) => string | undefined
  onTick: (entry: DepartmentUnit) => void
  /** Up from the first row. */
  onLeaveUp: () => void
}

/** What is asked for when this row opens. */
const childrenOf = (row: FocusableRow): DepartmentSearch =>
  row.kind === 'ministry' ? { ministry: row.ministry.name } : { department: row.entry.department }

/**
 * The tree itself. One row takes Tab; arrows walk, right opens, left closes or goes to the row above, Home and End go to the ends, Enter
 * and Space tick.
 */
export function DepartmentTree(props: DepartmentTreeProps) {
  const { rows, isSearch, isOpen, setOpen, retry, isTicked, noteOf, onTick, onLeaveUp } = props
  const tree = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<string>()
  const stops = rows.filter(isFocusable)
  const tabStop = stops.some(({ key }) => key === current) ? current : stops[0]?.key

  const focus = (row: FocusableRow | undefined) => {
    if (!row) return
    setCurrent(row.key)
    const found = [...(tree.current?.querySelectorAll<HTMLElement>('[data-key]') ?? [])]
    found.find((element) => element.dataset.key === row.key)?.focus()
  }
  const toggle = (row: FocusableRow) => setOpen(row.key, isOpen(row.key) ? undefined : childrenOf(row))
  const tick = (row: FocusableRow) => {
    if (row.kind === 'entry' && noteOf(row.entry) === undefined) onTick(row.entry)
  }
  const keys: Record<string, (row: FocusableRow, index: number) => void> = {
    ArrowDown: (_row, index) => focus(stops[index + 1]),
    ArrowUp: (_row, index) => (index === 0 ? onLeaveUp() : focus(stops[index - 1])),
    ArrowRight: (row, index) => {
      if (!canOpen(row)) return
      if (isOpen(row.key)) focus(stops[index + 1])
      else toggle(row)
    },
    ArrowLeft: (row) => {
      if (canOpen(row) && isOpen(row.key)) toggle(row)
      else focus(parentRow(rows, row))
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
    // The dialog around it and the page behind have keys of their own.
    event.stopPropagation()
    act(row, index)
  }
  return (
    <div ref={tree} role="tree" aria-label="หน่วยงาน" aria-multiselectable onKeyDown={onKeyDown}>
      {rows.map((row) => {
        if (!isFocusable(row)) return <SideNote key={row.key} row={row} retry={retry} />
        const entry = row.kind === 'entry' ? row.entry : undefined
        return (
          <DepartmentRow
            key={row.key}
            row={row}
            isOpen={isOpen(row.key)}
            isTicked={entry !== undefined && isTicked(entry)}
            note={entry && noteOf(entry)}
            isFound={isSearch && row.level === 1}
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

function SideNote({ row, retry }: { row: Exclude<TreeRow, FocusableRow>; retry: (key: string) => void }) {
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
          <Button size="sm" look="link" onClick={() => retry(row.of)}>
            ลองใหม่
          </Button>
        </>
      )}
      {row.kind === 'more' && `มีอีก ${countText(row.count)} รายการ พิมพ์ชื่อในช่องค้นหาเพื่อดู`}
    </div>
  )
}
