import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import {
  type CompanySearch,
  DEFAULT_SME_PREFERENCE_PERCENT,
  toStatisticsScopeSearch,
} from '#contract/market/company-params.ts'
import type { StatisticsScope } from '#contract/market/statistics-scope.ts'
import { pickSearch } from '#src/lib/typed-search.ts'
import { buildComparisonApiParams, companyComparisonQuery } from '#src/market/api/company-comparisons.ts'
import { StatisticsScopeBar } from '#src/market/statistics-scope/statistics-scope-bar.tsx'
import { StatisticsScopeChips } from '#src/market/statistics-scope/statistics-scope-chips.tsx'
import type { StatisticsScopePatch } from '#src/market/statistics-scope/statistics-scope-filters.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { useComparisonUrlState } from './scope/use-comparison-url-state.ts'

export function ComparisonFilters({ scope }: { scope: StatisticsScope | undefined }) {
  const { search, change } = useComparisonUrlState()
  const years = useYears(search, scope)
  const onScope = (next: StatisticsScopePatch) => change({ ...next, page: undefined, rows: undefined })
  const scopeSearch = toStatisticsScopeSearch(search)
  return (
    <>
      <StatisticsScopeBar
        search={scopeSearch}
        years={years}
        onChange={onScope}
        otherCount={Number(search.common === true) + Number(search.sme_band !== undefined)}
      >
        <Checkbox
          checked={search.common === true}
          onChange={(on) => change({ common: on ? true : undefined, page: undefined, rows: undefined })}
          className="px-1"
        >
          เฉพาะโครงการที่พบกัน
        </Checkbox>
        <SmeBandField />
      </StatisticsScopeBar>
      <StatisticsScopeChips search={scopeSearch} onChange={onScope} />
    </>
  )
}

function useYears(search: CompanySearch, scope: StatisticsScope | undefined): readonly number[] {
  const hasYears = search.year_from !== undefined || search.year_to !== undefined
  const allYears = pickSearch<CompanySearch>({ ...search, year_from: undefined, year_to: undefined })
  const allYearsScope = useQuery({
    ...companyComparisonQuery(buildComparisonApiParams(allYears)),
    enabled: hasYears && (search.project_winner_name__in ?? []).length >= 2,
    select: (comparison) => comparison.scope,
  })
  const { year_from: first = null, year_to: last = null } = (hasYears ? allYearsScope.data : scope) ?? {}
  if (first === null || last === null) return []
  return Array.from({ length: last - first + 1 }, (_, index) => last - index)
}

const isBand = (text: string) => /^\d{1,2}(\.\d)?$/.test(text) && Number(text) <= 50

/** Applies the value on blur or Enter, because otherwise every digit would push a history entry. */
function SmeBandField() {
  const { smeBand, change } = useComparisonUrlState()
  const { register, handleSubmit, formState } = useForm({
    values: { band: String(smeBand) },
    mode: 'onChange',
    shouldFocusError: false,
  })
  const id = useId()
  const isValid = formState.errors.band === undefined
  const submit = handleSubmit(({ band: text }) => {
    const band = Number(text)
    if (band !== smeBand) change({ sme_band: band === DEFAULT_SME_PREFERENCE_PERCENT ? undefined : band })
  })
  return (
    <form onSubmit={submit} className="inline-flex items-center gap-1.5">
      <label htmlFor={id} className="whitespace-nowrap text-ink-muted">
        แต้มต่อ SMEs
      </label>
      <input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        {...register('band', { validate: isBand, onBlur: () => void submit() })}
        aria-invalid={!isValid || undefined}
        aria-describedby={`${id}-unit`}
        className="h-9 w-14 rounded-control border border-control bg-surface px-2 text-right tabular-nums aria-invalid:border-urgent touch:h-11 touch:text-lg"
      />
      <span id={`${id}-unit`} className="text-ink-muted">
        %<span className="sr-only"> ตั้งแต่ 0 ถึง 50</span>
        {!isValid && <span className="text-urgent"> 0–50</span>}
      </span>
    </form>
  )
}
