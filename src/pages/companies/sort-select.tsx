import type { CompanySearch } from '#contract/company-params.ts'
import { orderingOf, SORT_WORDS, sortingOf } from './companies-columns.tsx'
import type { ChangeCompanies } from './use-companies-address.ts'

/** The order where there are no headings to press: each figure largest first, the name from ก. */
export function SortSelect({ search, change }: { search: CompanySearch; change: ChangeCompanies }) {
  const { field, isDescending } = sortingOf(search.ordering)
  const isUsual = isDescending === (field !== 'name')
  return (
    <label className="flex items-center gap-2 text-ink-muted">
      เรียงตาม
      <select
        value={isUsual ? field : `other ${field}`}
        onChange={(event) => {
          const next = SORT_WORDS.find((one) => one.field === event.currentTarget.value)
          if (next) change({ ordering: orderingOf({ field: next.field, isDescending: next.field !== 'name' }) })
        }}
        className="h-9 min-w-0 rounded-control border border-control bg-surface px-1.5 text-ink touch:h-11"
      >
        {SORT_WORDS.map((one) => (
          <option key={one.field} value={one.field}>
            {one.th}
          </option>
        ))}
        {!isUsual && (
          <option value={`other ${field}`}>
            {SORT_WORDS.find((one) => one.field === field)?.th} ({isDescending ? 'มากไปน้อย' : 'น้อยไปมาก'})
          </option>
        )}
      </select>
    </label>
  )
}
