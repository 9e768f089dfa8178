import type { LucideIcon } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useElements } from '#src/lib/use-elements.ts'
import { useOnChange } from '#src/lib/use-on-change.ts'

export type TabItem<V extends string> = {
  readonly value: V
  readonly label: ReactNode
  readonly icon?: LucideIcon
  readonly count?: number | undefined
}
type TabsProps<V extends string> = {
  label: string
  items: readonly TabItem<V>[]
  /** Undefined: no tab is selected. The first is then focusable, so that the keyboard can reach the tabs. */
  value: V | undefined
  onChange: (value: V) => void
  panelId?: string
  variant?: 'line' | 'segment'
  className?: string
}

const VARIANTS = {
  line: {
    row: 'flex gap-1 overflow-x-auto',
    tab: 'justify-center border-b-2 px-3 py-2 touch:min-w-11 touch:py-3',
    on: 'border-accent-ink font-semibold text-accent-ink forced-colors:border-[Highlight] forced-colors:text-[Highlight]',
    off: 'border-transparent text-ink-muted hover:text-ink forced-colors:border-[Canvas]',
  },
  segment: {
    row: 'flex rounded-control bg-surface-muted p-0.5',
    tab: 'flex-1 justify-center rounded-[5px] border px-3 py-1 touch:min-h-11',
    on: 'border-line bg-surface font-medium text-ink forced-colors:bg-[Highlight] forced-colors:text-[HighlightText] forced-colors:forced-color-adjust-none forced-colors:*:text-[HighlightText]!',
    off: 'border-transparent text-ink-muted hover:text-ink',
  },
} as const

export function Tabs<V extends string>({
  label,
  items,
  value,
  onChange,
  panelId,
  variant = 'line',
  className,
}: TabsProps<V>) {
  const style = VARIANTS[variant]
  const tabs = useElements<V>()
  const selectedIndex = items.findIndex((item) => item.value === value)
  // Counts arrive after the tabs and widen them, which would push a selected tab out of a narrow row again.
  const loadedCounts = items.filter(({ count }) => count !== undefined).length
  useOnChange(`${selectedIndex} ${loadedCounts}`, () => centreInRow(value === undefined ? undefined : tabs.get(value)))
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const to = { ArrowRight: selectedIndex + 1, ArrowLeft: selectedIndex - 1, Home: 0, End: items.length - 1 }[
      event.key
    ]
    if (to === undefined) return
    event.preventDefault()
    const target = items[(to + items.length) % items.length]
    if (!target) return
    onChange(target.value)
    tabs.get(target.value)?.focus()
  }
  return (
    <div role="tablist" aria-label={label} onKeyDown={move} className={classNames(style.row, className)}>
      {items.map(({ value: itemValue, label: text, icon: Icon, count }) => (
        <button
          key={itemValue}
          ref={tabs.refOf(itemValue)}
          type="button"
          role="tab"
          aria-selected={itemValue === value}
          aria-controls={panelId}
          tabIndex={itemValue === (value ?? items[0]?.value) ? 0 : -1}
          onClick={() => onChange(itemValue)}
          className={classNames(
            'inline-flex shrink-0 items-center gap-1.5 whitespace-nowrap transition-colors',
            style.tab,
            itemValue === value ? style.on : style.off,
          )}
        >
          {Icon && <Icon aria-hidden className="size-4" />}
          {text}
          {count !== undefined && <span className="text-ink-faint tabular-nums">{formatCount(count)}</span>}
        </button>
      ))}
    </div>
  )
}

/** Scrolls only the row. `scrollIntoView` would also scroll the page to tabs below the window. */
function centreInRow(tab: HTMLElement | undefined): void {
  const row = tab?.parentElement
  if (!tab || !row || row.scrollWidth <= row.clientWidth) return
  const tabBox = tab.getBoundingClientRect()
  const rowBox = row.getBoundingClientRect()
  row.scrollLeft += tabBox.left + tabBox.width / 2 - (rowBox.left + rowBox.width / 2)
}
