import { useMutation, useQueries, useQuery } from '@tanstack/react-query'
import { Building2, Search } from 'lucide-react'
import { useRef, useState } from 'react'
import type { DepartmentUnit } from '#contract/catalogue/department.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { type DepartmentSearch, departmentsQuery } from '#src/catalogue/api/departments.ts'
import { useDebouncedText } from '#src/lib/use-debounced-text.ts'
import { Button } from '#src/ui/button.tsx'
import { Chip } from '#src/ui/chip.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { FormError } from '#src/ui/form/form-error.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { DepartmentTree } from './department-tree.tsx'
import {
  buildDepartmentTreeRows,
  buildDepartmentWordKey,
  type DepartmentTreeRow,
  type DepartmentTreeRowChildren,
} from './department-tree-rows.ts'

const DEBOUNCE_MS = 200

function useDepartmentTree(searchText: string) {
  const text = searchText.trim()
  const debounced = useDebouncedText(text, DEBOUNCE_MS)
  const q = text === '' ? '' : debounced
  const [open, setOpen] = useState<ReadonlyMap<string, DepartmentSearch>>(new Map())
  const top = useQuery(departmentsQuery(q === '' ? undefined : { q }))
  const children = useQueries({ queries: [...open.values()].map((search) => departmentsQuery(search)) })

  const openRows = new Map<string, DepartmentTreeRowChildren>(
    [...open.keys()].map((key, index) => {
      const child = children[index]
      return [key, { list: child?.data, hasFailed: child?.isError === true }]
    }),
  )
  const rows: readonly DepartmentTreeRow[] = top.data ? buildDepartmentTreeRows(top.data, openRows) : []
  return {
    rows,
    top,
    isBehind: q !== text || top.isFetching,
    isSearch: q !== '',
    isOpen: (key: string) => open.has(key),
    setOpen: (key: string, search: DepartmentSearch | undefined) => {
      const next = new Map(open)
      if (search) next.set(key, search)
      else next.delete(key)
      setOpen(next)
    },
    retry: (key: string) => void children[[...open.keys()].indexOf(key)]?.refetch(),
  }
}

type DepartmentPickerProps = {
  watched: ReadonlySet<string>
  remaining: number
  onAdd: (words: string[]) => void | Promise<void>
  onTicked?: (words: readonly string[]) => void
}

export function DepartmentPicker({ watched, remaining, onAdd, onTicked }: DepartmentPickerProps) {
  const [searchText, setSearchText] = useState('')
  const [ticked, setTicked] = useState<ReadonlyMap<string, DepartmentUnit>>(new Map())
  const [announcement, setAnnouncement] = useState('')
  const searchBox = useRef<HTMLInputElement>(null)
  const treeHandle = useRef<{ focus: () => void }>(null)
  const tree = useDepartmentTree(searchText)
  const { rows, top, isSearch, isBehind } = tree

  const noteOf = (entry: DepartmentUnit): string | undefined => {
    if (watched.has(buildDepartmentWordKey(entry))) return 'ติดตามแล้ว'
    if (entry.unit === '') return undefined
    const department = toNormalisedSearchText(entry.department)
    if (watched.has(department)) return 'ติดตามทั้งหน่วยงานแล้ว'
    return ticked.has(department) ? 'รวมอยู่ในหน่วยงานที่เลือก' : undefined
  }
  const changeTicked = (next: ReadonlyMap<string, DepartmentUnit>) => {
    setTicked(next)
    onTicked?.([...next.values()].map(({ word }) => word))
  }
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: async (words: string[]) => onAdd(words),
    onSuccess: (_data, words) => {
      // Departments ticked during the request stay ticked.
      changeTicked(new Map([...ticked].filter(([, { word }]) => !words.includes(word))))
      setAnnouncement(`เพิ่มแล้ว ${formatCount(words.length)} หน่วยงาน`)
    },
  })
  const tick = (entry: DepartmentUnit) => {
    const next = new Map(ticked)
    const key = buildDepartmentWordKey(entry)
    if (!next.delete(key)) {
      if (entry.unit === '')
        for (const tickedUnit of ticked.values())
          if (tickedUnit.unit !== '' && tickedUnit.department === entry.department)
            next.delete(buildDepartmentWordKey(tickedUnit))
      if (next.size >= remaining) return setAnnouncement(`เพิ่มไม่ได้แล้ว แพ็กเกจนี้เพิ่มได้อีก ${formatCount(remaining)} หน่วยงาน`)
      next.set(key, entry)
    }
    // During a request, reset would detach it and enable a second one.
    if (error) reset()
    setAnnouncement(`เลือกแล้ว ${formatCount(next.size)} หน่วยงาน`)
    changeTicked(next)
  }

  return (
    <div className="flex min-h-0 flex-col gap-2">
      <TextField
        ref={searchBox}
        label="ค้นหาหน่วยงาน"
        hideLabel
        icon={Search}
        placeholder="ค้นหาหน่วยงาน เช่น กรมทางหลวง เทศบาลเมือง รพ."
        autoComplete="off"
        enterKeyHint="search"
        data-autofocus
        value={searchText}
        onChange={(event) => setSearchText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || (event.key === 'Enter' && !event.nativeEvent.isComposing)) {
            event.preventDefault()
            treeHandle.current?.focus()
          }
        }}
      />
      <div className="flex items-baseline justify-between gap-2 px-1 text-xs text-ink-muted">
        <p role="status">
          {announcement || (isSearch && top.data && !isBehind ? `พบ ${formatCount(top.data.total)} หน่วยงาน` : '')}
        </p>
        {rows.length > 0 && <p className="shrink-0">โครงการที่ยังเปิด</p>}
      </div>
      <div
        aria-busy={isBehind}
        className="relative h-[min(24rem,50dvh)] overflow-y-auto rounded-control border border-line p-1"
      >
        <QueryView
          query={top}
          task="โหลดรายชื่อหน่วยงาน"
          notesStale
          barsClassName="space-y-3 p-2"
          bars={['w-3/4', 'w-1/2', 'w-2/3', 'w-3/5']}
          isEmpty={() => rows.length === 0}
          empty={
            <EmptyState icon={Building2} title={isSearch ? 'ไม่พบหน่วยงานชื่อนี้' : 'ยังไม่มีรายชื่อหน่วยงาน'}>
              {isSearch ? 'ลองใช้คำสั้นลง หรือชื่อเต็มที่ปรากฏใน e-GP' : 'รายชื่อจะมาพร้อมกับการนำเข้าโครงการครั้งแรก'}
            </EmptyState>
          }
        >
          {() => (
            <DepartmentTree
              ref={treeHandle}
              {...tree}
              isTicked={(entry) => ticked.has(buildDepartmentWordKey(entry))}
              noteOf={noteOf}
              onTick={tick}
              onLeaveUp={() => searchBox.current?.focus()}
            />
          )}
        </QueryView>
      </div>
      {ticked.size > 0 && (
        <ul aria-label="หน่วยงานที่เลือก" className="flex max-h-24 flex-wrap gap-1.5 overflow-y-auto">
          {[...ticked.values()].map((entry) => (
            <li key={buildDepartmentWordKey(entry)} className="max-w-full">
              <Chip removeLabel={`ไม่เลือก ${entry.word}`} onRemove={() => tick(entry)}>
                {entry.word}
                {entry.units > 0 && ' (ทั้งหน่วยงาน)'}
              </Chip>
            </li>
          ))}
        </ul>
      )}
      {error && <FormError error={error} />}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-ink-muted">
          {remaining > 0
            ? `เพิ่มได้อีก ${formatCount(remaining - ticked.size)} หน่วยงาน`
            : 'ครบตามแพ็กเกจแล้ว ถ้าต้องการเพิ่มอีกให้ติดต่อทีมงาน'}
        </p>
        {ticked.size === 0 ? (
          <p className="text-sm text-ink-muted">ติ๊กหน่วยงานที่ต้องการ แล้วปุ่มเพิ่มจะขึ้นที่นี่</p>
        ) : (
          <Button
            variant="primary"
            pending={isPending}
            onClick={() => mutate([...ticked.values()].map(({ word }) => word))}
          >
            เพิ่ม {formatCount(ticked.size)} หน่วยงาน
          </Button>
        )}
      </div>
    </div>
  )
}
