import { Parentheses, X } from 'lucide-react'
import type { ComponentProps, ReactNode, Ref } from 'react'
import type { SemanticSearchSummary } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getNamedElement } from '#src/lib/named-elements.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { EventDelegationBox } from '#src/ui/event-delegation-box.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { SEARCH_FIELDS, type SearchField, type SearchParam } from './search-field.ts'
import { SearchHelpButton } from './search-help-button.tsx'

type ReportSearchFrameControls = {
  name: SearchParam
  onFieldChange: (name: SearchParam) => void
  fieldRef: Ref<HTMLButtonElement>
  mode: 'words' | 'expression' | undefined
  onModeChange: (mode: 'words' | 'expression') => void
  onClear: (() => void) | undefined
}
export type ReportSearchBoxProps = {
  field: SearchField
  search: ReportSearch
  change: ChangeReportSearchFn
  total: number | null
  /** How a semantic search was interpreted; null for other searches. */
  deep: SemanticSearchSummary | null
  inputRef: Ref<HTMLInputElement>
  /** Called with a project number to open the project page, which also handles projects outside the report. */
  onOpenProject: (id: string) => void
  tools: ReportSearchFrameControls
}

type SearchFrameProps = ReportSearchFrameControls & {
  children: ReactNode
  after?: ReactNode
  below?: ReactNode
  refusal?: ReactNode
}

const FIELD_OPTIONS = SEARCH_FIELDS.map(({ name, th }) => ({ value: name, th }))

/**
 * Classes of the box, which is a single line when idle and on focus expands over its surroundings without moving them:
 * to the right, or to the left at the end of a row.
 */
const BOX_CLASSES =
  'absolute inset-x-0 top-0 touch:-top-px rounded-control border bg-surface md:search-open:right-auto md:search-open:w-[44rem] md:search-open:max-w-[calc(100vw-6rem)] md:in-data-search-end:search-open:right-0! md:in-data-search-end:search-open:left-auto! search-open:outline-2 search-open:-outline-offset-1 search-open:outline-accent-ink md:search-open:shadow-float'
const FOCUS_ONLY_CLASSES = 'hidden search-open:inline-flex'

export function ReportSearchFrame({
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
    // Focusable, because Safari does not focus buttons: a click inside must not close the box.
    <search
      data-shortcut="search"
      tabIndex={-1}
      className="group/search relative z-20 block h-9 min-w-0 flex-1 outline-none md:w-72 md:flex-none md:in-data-search-end:w-64 xl:not-in-data-search-end:w-88 min-[90rem]:in-data-search-end:w-88 touch:h-11"
    >
      <div className={classNames(BOX_CLASSES, refusal ? 'border-urgent' : 'border-control')}>
        <div className="flex min-h-[34px] items-center gap-1 pr-1 touch:min-h-11">
          <div className="relative flex min-w-0 flex-1 items-center gap-x-1.5 gap-y-1 overflow-hidden pl-1 search-open:flex-wrap touch:py-0">
            {/* The idle box names the field only if it is not the default. A press must not focus the box, which would
                move this button from under the pointer and lose the click. */}
            <EventDelegationBox
              as="span"
              className={name === SEARCH_FIELDS[0].name ? 'hidden search-open:contents' : 'contents'}
              onMouseDown={(event) => event.preventDefault()}
            >
              <Listbox<SearchParam>
                buttonRef={fieldRef}
                label="ค้นใน"
                variant="quiet"
                value={name}
                options={FIELD_OPTIONS}
                onChange={onFieldChange}
                className={classNames(
                  '-ml-1 h-[34px] max-w-28 shrink-0 rounded-r-none border-r border-line pl-2.5 text-sm text-ink-muted focus-visible:-outline-offset-2 touch:h-11 touch:max-w-26',
                  // On a phone, shrink the name of the field in favour of the search words.
                  onClear && 'max-md:max-w-14!',
                )}
              />
            </EventDelegationBox>
            {children}
            <span className={FOCUS_ONLY_CLASSES}>{after}</span>
          </div>
          <kbd
            aria-hidden
            title="กด / เพื่อค้นหา"
            className="hidden rounded border border-line px-1.5 text-xs text-ink-faint search-open:hidden lg:block"
          >
            /
          </kbd>
          {onClear && (
            <IconButton
              icon={X}
              label="ล้างคำค้น"
              size="sm"
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                // The button unmounts with the words; move the focus to the input instead of the page.
                getNamedElement('search')?.focus()
                onClear()
              }}
            />
          )}
          {mode && (
            <span className={classNames(FOCUS_ONLY_CLASSES, 'max-sm:hidden!')}>
              <IconButton
                icon={Parentheses}
                label="พิมพ์เป็นนิพจน์ (## || << วงเล็บ)"
                size="sm"
                aria-pressed={mode === 'expression'}
                onClick={() => onModeChange(mode === 'expression' ? 'words' : 'expression')}
                className={mode === 'expression' ? 'bg-accent-soft text-accent-ink' : ''}
              />
            </span>
          )}
          <span className={classNames(FOCUS_ONLY_CLASSES, 'max-sm:hidden!')}>
            <SearchHelpButton />
          </span>
        </div>
        {refusal && (
          <div role="status" className="px-2.5 pb-1.5 text-sm text-urgent">
            {refusal}
          </div>
        )}
        {below && (
          <div className="hidden flex-col gap-0.5 border-t border-line px-2.5 py-1.5 search-open:flex">{below}</div>
        )}
      </div>
    </search>
  )
}

type SearchTextInputProps = Omit<ComponentProps<'input'>, 'onChange'> & {
  isRefused: boolean
  onText: (text: string) => void
}

export function SearchTextInput({ isRefused, onText, className = 'w-6 min-w-6', ...rest }: SearchTextInputProps) {
  return (
    <input
      type="text"
      enterKeyHint="search"
      autoComplete="off"
      spellCheck={false}
      aria-invalid={isRefused || undefined}
      onChange={(event) => onText(event.currentTarget.value)}
      className={classNames(
        'sticky right-0 h-[34px] flex-1 bg-surface pl-1 text-ellipsis outline-none placeholder:text-ink-faint search-open:min-w-24 touch:h-11 touch:text-lg',
        className,
      )}
      {...rest}
    />
  )
}
