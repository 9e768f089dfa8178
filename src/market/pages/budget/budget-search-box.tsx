import { Search, X } from 'lucide-react'
import { useState } from 'react'
import type { BudgetSearch } from '#contract/market/budget-params.ts'
import { SEARCH_ERROR_TEXTS } from '#contract/search/search-errors.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { classNames } from '#src/lib/class-names.ts'
import { SearchHelpButton } from '#src/report/search/search-help-button.tsx'
import { suggestSearchOperatorSyntax } from '#src/report/search/search-operator-suggestions.ts'
import { SearchInterpretationLine } from '#src/report/search/search-suggestions.tsx'
import { useSearchTextWriter } from '#src/report/search/use-search-param-writer.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import { useBudgetUrlState } from './scope/use-budget-url-state.ts'

/** Searches descriptions with the report's grammar. Invalid expressions show an error and never reach the URL. */
export function BudgetSearchBox({ search }: { search: BudgetSearch }) {
  const { change } = useBudgetUrlState()
  const { q: inAddress = '', page: _page, ...otherParams } = search
  const [draft, setDraft] = useState(inAddress)
  const writer = useSearchTextWriter({
    currentText: inAddress,
    context: JSON.stringify(otherParams),
    write: (text, mode) => change({ q: text === '' ? undefined : text }, mode),
    onForeign: () => setDraft(inAddress),
  })
  const text = draft.trim()
  const parsed = text === '' ? undefined : parseSearchExpression(text)
  const error = parsed?.ok === false ? parsed.error : undefined
  // Operators of other search engines would be searched as plain text, so suggest our operators.
  const offer = suggestSearchOperatorSyntax(text)
  const onType = (typed: string) => {
    setDraft(typed)
    const next = typed.trim()
    if (next === '' || parseSearchExpression(next).ok) writer.type(next)
  }
  const commit = (next: string) => {
    setDraft(next)
    writer.commit(next)
  }
  return (
    <search className="block min-w-0 flex-1 basis-80">
      <div
        className={classNames(
          'flex h-9 items-center gap-2 rounded-control border bg-surface pr-1 pl-3 focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent-ink touch:h-11',
          error ? 'border-urgent' : 'border-control',
        )}
      >
        <Search aria-hidden className="size-4 shrink-0 text-ink-faint" />
        <input
          type="text"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          aria-label="ค้นหารายการงบประมาณ"
          aria-invalid={error ? true : undefined}
          placeholder="ค้นรายการ เช่น (กล้อง||CCTV)##ติดตั้ง<<ซ่อม"
          value={draft}
          onChange={(event) => onType(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Enter' && !error) commit(text)
          }}
          className="h-full min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-faint touch:text-lg"
        />
        {draft !== '' && <IconButton icon={X} label="ล้างคำค้น" size="sm" onClick={() => commit('')} />}
        <SearchHelpButton />
      </div>
      {error && (
        <p role="status" className="mt-1 text-sm text-urgent">
          {SEARCH_ERROR_TEXTS[error.code]} (ตัวที่ {error.position + 1})
        </p>
      )}
      <div className="mt-1 empty:hidden">
        <SearchInterpretationLine field="รายการ" expression={text} total={null} />
        {offer !== undefined && offer !== text && (
          <p className="text-xs text-ink-muted">
            ต้องการค้น <span className="text-ink">{offer}</span> ใช่ไหม{' '}
            <TextButton onClick={() => commit(offer)} className="font-medium">
              ค้นแบบนี้
            </TextButton>
          </p>
        )}
      </div>
    </search>
  )
}
