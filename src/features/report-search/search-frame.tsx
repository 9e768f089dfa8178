import { Parentheses, Search, X } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import type { DeepSearch } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { SEARCH_FIELDS, type SearchParam } from './search-field.ts'
import { SearchHelpButton } from './search-help-button.tsx'

/** What stands around the words in every kind of box. */
export type FrameTools = {
  name: SearchParam
  onFieldChange: (name: SearchParam) => void
  fieldRef: Ref<HTMLSelectElement>
  /** Undefined where there are no operators. */
  mode: 'words' | 'expression' | undefined
  onModeChange: (mode: 'words' | 'expression') => void
  /** Undefined while there is nothing to clear. */
  onClear: (() => void) | undefined
}
/** What every kind of box is given. */
export type BoxProps = {
  field: (typeof SEARCH_FIELDS)[number]
  search: ReportSearch
  change: ChangeReport
  /** Projects found by the address; null while that is not known. */
  total: number | null
  /** What a search by meaning was searched as; null while none is in force. */
  deep: DeepSearch | null
  tools: FrameTools
}

type SearchFrameProps = FrameTools & {
  children: ReactNode
  /** Behind the words, before the tools; on a narrow screen below the words. */
  after?: ReactNode
  /** Under the box: echo, offers. */
  below?: ReactNode
  /** Why the text cannot be searched for. */
  refusal?: ReactNode
}

/** The box of the search row: field selector, words, tools; what is said about them stands below. */
export function SearchFrame({
  name,
  onFieldChange,
  fieldRef,
  mode,
  onModeChange,
  onClear,
  children,
  after,
  below,
  refusal,
}: SearchFrameProps) {
  return (
    <search data-shortcut="search" className="block min-w-0 flex-1">
      <div
        className={classNames(
          'flex min-h-9 items-center gap-2 rounded-control border bg-surface pr-1 focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent-ink touch:min-h-11',
          refusal ? 'border-urgent' : 'border-control',
        )}
      >
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-1.5 gap-y-1 py-0.5 pl-1 touch:py-0">
          <select
            ref={fieldRef}
            aria-label="ค้นใน"
            value={name}
            onChange={(event) => onFieldChange(event.currentTarget.value as SearchParam)}
            className="-ml-1 h-8 max-w-32 shrink-0 cursor-pointer rounded-l-control border-r border-line bg-transparent pl-2.5 text-sm text-ink-muted focus-visible:-outline-offset-2 touch:h-11 touch:max-w-26"
          >
            {SEARCH_FIELDS.map((field) => (
              <option key={field.name} value={field.name}>
                {field.th}
              </option>
            ))}
          </select>
          <Search aria-hidden className="mx-0.5 hidden size-4 shrink-0 text-ink-faint sm:block" />
          {children}
          {after}
        </div>
        <kbd
          aria-hidden
          title="กด / เพื่อค้นหา"
          className="hidden rounded border border-line px-1.5 text-xs text-ink-faint lg:block"
        >
          /
        </kbd>
        {onClear && (
          <IconButton
            icon={X}
            label="ล้างคำค้น"
            size="sm"
            onClick={(event) => {
              // The button goes with the words; the focus must not fall to the page.
              event.currentTarget.closest('search')?.querySelector('input')?.focus()
              onClear()
            }}
          />
        )}
        {mode && (
          <IconButton
            icon={Parentheses}
            label="พิมพ์เป็นนิพจน์ (## || << วงเล็บ)"
            size="sm"
            aria-pressed={mode === 'expression'}
            onClick={() => onModeChange(mode === 'expression' ? 'words' : 'expression')}
            className={classNames('max-sm:hidden', mode === 'expression' && 'bg-accent-soft text-accent-ink')}
          />
        )}
        <span className="max-sm:hidden">
          <SearchHelpButton />
        </span>
      </div>
      {refusal && (
        <div role="status" className="mt-1 text-sm text-urgent">
          {refusal}
        </div>
      )}
      {below && <div className="mt-1 flex flex-col gap-0.5">{below}</div>}
    </search>
  )
}
