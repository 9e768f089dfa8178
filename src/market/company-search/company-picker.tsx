import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useId } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { parseCompanyTaxId } from '#contract/catalogue/company-name.ts'
import type { CompanySuggestion } from '#contract/market/company.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { normaliseThai } from '#contract/thai/thai-text.ts'
import { classNames } from '#src/lib/class-names.ts'
import { shortMoneyText, withBahtUnit } from '#src/lib/figure-text.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { useDebouncedText } from '#src/lib/use-debounced-text.ts'
import { companySuggestionsQuery, MIN_COMPANY_SEARCH_LENGTH } from '#src/market/api/companies.ts'

export type CompanyPickerProps = {
  label: string
  onPick: (company: CompanySuggestion) => void
  exclude?: readonly number[]
  /** Adds a first option that searches for the typed text; without it Enter selects the first company. */
  onSearch?: (text: string) => void
  text?: string
  className?: string
  inputRef?: (element: HTMLElement | null) => void
}

type PickerOption = { readonly company: CompanySuggestion } | { readonly text: string }

export function CompanyPicker({
  label,
  onPick,
  exclude = [],
  onSearch,
  text = '',
  className,
  inputRef,
}: CompanyPickerProps) {
  const client = useQueryClient()
  // A text that changes from outside replaces what the user typed.
  const { control, handleSubmit, setValue } = useForm({ values: { typed: text } })
  const typed = useWatch({ control, name: 'typed' })
  const id = useId()
  const searchText = normaliseThai(typed)
  const debounced = useDebouncedText(searchText)
  const suggestions = useQuery(companySuggestionsQuery(debounced))
  const isEnough = searchText.length >= MIN_COMPANY_SEARCH_LENGTH
  const companies = isEnough
    ? (suggestions.data?.results ?? []).filter(({ id: companyId }) => !exclude.includes(companyId))
    : []
  const isBehind = isEnough && (debounced !== searchText || suggestions.isFetching)
  const noMatch = suggestions.error ? `ค้นหาไม่สำเร็จ ${formatErrorMessage(suggestions.error)}` : 'ไม่พบบริษัทชื่อนี้'
  const note = isBehind ? 'กำลังค้นหา…' : isEnough ? noMatch : `พิมพ์อย่างน้อย ${MIN_COMPANY_SEARCH_LENGTH} ตัวอักษร`

  /** Opens the company with the typed tax id, because Enter may be pressed before the suggestions arrive. */
  const search = async (words: string) => {
    const taxId = parseCompanyTaxId(words.replace(/[\s-]/g, ''))
    if (taxId !== undefined && onSearch) {
      const matches = await client.query(companySuggestionsQuery(taxId)).catch(() => undefined)
      const company = matches?.results.find(({ tax_id }) => tax_id === taxId)
      if (company) return onPick(company)
    }
    onSearch?.(words)
  }
  const take = (option: PickerOption | null) => {
    if (option === null) return
    if ('text' in option) return void search(option.text)
    setValue('typed', onSearch ? text : '')
    onPick(option.company)
  }
  return (
    <Combobox<PickerOption | null> value={null} onChange={take}>
      <form
        role="search"
        onSubmit={handleSubmit((values) => search(values.typed.trim()))}
        className={classNames('relative min-w-0', className)}
      >
        <div className="flex h-9 items-center gap-2 rounded-control border border-control bg-surface px-3 focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent-ink touch:h-11.5">
          <Search aria-hidden className="size-4 shrink-0 text-ink-faint" />
          <ComboboxInput<PickerOption | null>
            ref={(element) => {
              inputRef?.(element)
              return nameElement('search')(element)
            }}
            aria-label={label}
            aria-describedby={`${id}-said`}
            autoComplete="off"
            enterKeyHint="search"
            placeholder="ชื่อบริษัท หรือเลขประจำตัวผู้เสียภาษี"
            displayValue={() => typed}
            value={typed}
            onChange={(event) => setValue('typed', event.currentTarget.value)}
            onKeyDown={(event) => {
              // The combobox ignores Enter while its list is empty, so handle Enter here.
              if (event.key !== 'Enter' || searchText !== '' || event.nativeEvent.isComposing) return
              event.preventDefault()
              onSearch?.('')
            }}
            className="h-full min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-faint touch:text-lg"
          />
        </div>
        <span id={`${id}-said`} role="status" className="sr-only">
          {isEnough && !isBehind && suggestions.data ? `พบ ${formatCount(companies.length)} บริษัท` : ''}
        </span>
        {searchText !== '' && (
          <ComboboxOptions
            modal={false}
            className="absolute inset-x-0 top-full z-30 mt-1 max-h-96 overflow-auto rounded-card border border-line bg-surface p-1 shadow-float"
          >
            {onSearch && (
              <ComboboxOption value={{ text: typed.trim() }} className={OPTION}>
                <span className="inline-flex items-center gap-2">
                  <Search aria-hidden className="size-4 shrink-0 text-ink-faint" />
                  <span className="min-w-0">
                    ค้นหา “<span className="font-medium">{typed.trim()}</span>”
                  </span>
                </span>
              </ComboboxOption>
            )}
            {companies.map((company) => (
              // Disabled while the matches are stale, so that a quick Enter cannot select a match of the previous text.
              <ComboboxOption key={company.id} value={{ company }} disabled={isBehind} className={OPTION}>
                <span className="block">{company.name}</span>
                <span className="block text-xs text-ink-muted tabular-nums">
                  {company.tax_id ?? 'ไม่ทราบเลขประจำตัวผู้เสียภาษี'} · ชนะ {formatCount(company.wins)} โครงการ
                  {company.value !== null && ` · ${withBahtUnit(shortMoneyText(company.value))}`}
                </span>
              </ComboboxOption>
            ))}
            {companies.length === 0 && <p className="px-2 py-1.5 text-sm text-ink-muted">{note}</p>}
          </ComboboxOptions>
        )}
      </form>
    </Combobox>
  )
}

const OPTION = 'cursor-pointer rounded-control px-2 py-1.5 data-focus:bg-accent-soft touch:py-2.5'
