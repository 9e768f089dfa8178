import { ChevronDown, Search } from 'lucide-react'
import { useState } from 'react'
import type { BusinessType } from '#contract/account/registration.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { TickPill } from './tick-pill.tsx'

type TypeGroupsProps = {
  types: readonly BusinessType[]
  chosen: readonly number[]
  onChange: (types: number[]) => void
}

const idsOf = ({ subtypes }: BusinessType) => subtypes.map(({ id }) => id)

/**
 * Business types by group. On a phone groups are collapsed but show their selected types. When the user returns to the
 * step, groups with a selection come first; nothing moves while tapping.
 */
export function BusinessTypeGroups({ types, chosen, onChange }: TypeGroupsProps) {
  const isDesk = useMediaQuery('(min-width: 640px)')
  const [risen] = useState(() => types.filter((type) => idsOf(type).some((id) => chosen.includes(id))))
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set(risen.slice(0, 1).map(({ id }) => id)))
  const [typed, setTyped] = useState('')
  const query = toNormalisedSearchText(typed)
  const matches = types.flatMap((type) => {
    if (query === '' || toNormalisedSearchText(`${type.name} ${type.description ?? ''}`).includes(query)) return [type]
    const subtypes = type.subtypes.filter(({ name }) => toNormalisedSearchText(name).includes(query))
    return subtypes.length === 0 ? [] : [{ ...type, subtypes }]
  })
  const isRisen = ({ id }: BusinessType) => risen.some((type) => type.id === id)
  const first = query === '' ? matches.filter(isRisen) : []
  const remaining = query === '' ? matches.filter((type) => !isRisen(type)) : matches
  const toggle = (id: number) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  const group = (type: BusinessType) => (
    <TypeGroup
      key={type.id}
      type={type}
      chosen={chosen}
      onChange={onChange}
      isOpen={isDesk || query !== '' || open.has(type.id)}
      onToggle={isDesk || query !== '' ? undefined : () => toggle(type.id)}
    />
  )
  return (
    <div className="space-y-4">
      <label className="relative block max-w-xl">
        <span className="sr-only">ค้นประเภทงาน</span>
        <Search aria-hidden className="absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-faint" />
        <input
          type="search"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          placeholder="ค้นประเภทงาน เช่น กล้องวงจรปิด"
          className="h-10 w-full rounded-control border border-control bg-surface pr-3 pl-9 placeholder:text-ink-faint touch:h-11 touch:text-lg"
        />
      </label>
      {chosen.length > 0 && (
        <p className="flex items-center justify-between gap-2">
          <span className="font-semibold text-accent-ink tabular-nums">เลือกไว้ {chosen.length}</span>
          <Button variant="quiet" size="sm" onClick={() => onChange([])}>
            ล้าง
          </Button>
        </p>
      )}
      {first.length > 0 && <div className={GROUPS}>{first.map(group)}</div>}
      {first.length > 0 && remaining.length > 0 && (
        <h2 className="text-sm font-semibold text-ink-muted">
          กลุ่มอื่น <span className="font-normal tabular-nums">{remaining.length}</span>
        </h2>
      )}
      {remaining.length > 0 && <div className={GROUPS}>{remaining.map(group)}</div>}
      {matches.length === 0 && (
        <EmptyState
          icon={Search}
          title={`ไม่มีประเภทงานที่ตรงกับ “${typed.trim()}”`}
          actions={<Button onClick={() => setTyped('')}>ล้างคำค้น</Button>}
        >
          ลองคำที่สั้นลง หรือข้ามไปพิมพ์คำเอง
        </EmptyState>
      )}
    </div>
  )
}

const GROUPS = 'grid items-start gap-3 sm:grid-cols-2 xl:grid-cols-3'

type TypeGroupProps = {
  type: BusinessType
  chosen: readonly number[]
  onChange: (types: number[]) => void
  isOpen: boolean
  onToggle: (() => void) | undefined
}

function TypeGroup({ type, chosen, onChange, isOpen, onToggle }: TypeGroupProps) {
  const { id: typeId, name, description, subtypes } = type
  const selected = subtypes.filter(({ id }) => chosen.includes(id))
  const hiddenCount = subtypes.length - selected.length
  const visibleSubtypes = isOpen ? subtypes : selected
  const count = (
    <span className="shrink-0 text-sm text-ink-muted tabular-nums">
      {selected.length > 0 && (
        <span className="font-semibold text-accent-ink">
          {selected.length}/{subtypes.length}
        </span>
      )}
      {selected.length > 0 && !isOpen && hiddenCount > 0 && ` · อีก ${hiddenCount}`}
      {selected.length === 0 && subtypes.length}
    </span>
  )
  const title = (
    <>
      <span className="min-w-0 flex-1 text-left">
        <span className="block font-semibold">{name}</span>
        {!isOpen && selected.length === 0 && description && (
          <span className="block text-sm text-ink-muted">{description}</span>
        )}
      </span>
      {count}
    </>
  )
  return (
    <fieldset
      className={classNames(
        'rounded-card border bg-surface px-3 py-2',
        selected.length > 0 ? 'border-accent-line' : 'border-line',
      )}
    >
      <legend className="sr-only">{name}</legend>
      {onToggle ? (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex min-h-11 w-full items-center gap-2 rounded-control"
        >
          {title}
          <ChevronDown
            aria-hidden
            className={classNames('size-4 shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-180')}
          />
        </button>
      ) : (
        <p className="flex min-h-9 items-center gap-2">{title}</p>
      )}
      {visibleSubtypes.length > 0 && (
        <div className="mt-1 mb-1.5 flex flex-wrap gap-2">
          {visibleSubtypes.map(({ id, name: subtype }) => (
            <TickPill
              key={id}
              name={subtype}
              on={chosen.includes(id)}
              onChange={(on) =>
                onChange(on ? [...chosen, id] : chosen.filter((chosenId) => chosenId !== id && chosenId !== typeId))
              }
            />
          ))}
        </div>
      )}
    </fieldset>
  )
}
