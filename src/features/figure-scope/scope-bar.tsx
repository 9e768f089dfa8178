import type { ReactNode } from 'react'
import type { FigureScopeSearch } from '#contract/company-params.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import type { FigureScopeChange } from './scope-change.ts'
import { ScopeFields } from './scope-fields.tsx'
import { ScopeMenu } from './scope-menu.tsx'
import { ScopeSheet } from './scope-sheet.tsx'
import { LIST_WORDS, scopeFilterCount, scopeValueText } from './scope-words.ts'
import { UniverseSwitch } from './universe-switch.tsx'
import { YearRange } from './year-range.tsx'

export type ScopeBarProps = {
  search: FigureScopeSearch
  /** Fiscal years that have data, newest first. */
  years: readonly number[]
  onChange: (change: FigureScopeChange) => void
  /** Filters that a screen has beside the scope; in the sheet they stand below it. */
  children?: ReactNode
  /** How many of these are in force. */
  others?: number
}

/** Room for the bar in one or two rows. */
const BAR = '(min-width: 48rem)'

/** Which projects the figures of a screen are made of: universe, fiscal years, departments, provinces, methods, types. */
export function ScopeBar({ search, years, onChange, children, others = 0 }: ScopeBarProps) {
  const isBar = useMediaQuery(BAR)
  const universe = (
    <UniverseSwitch
      universe={search.scope === 'watch' ? 'watch' : 'all'}
      onChange={(next) => onChange({ scope: next === 'watch' ? next : undefined })}
      {...(isBar ? {} : { className: 'flex-1' })}
    />
  )
  if (isBar) {
    return (
      <section aria-label="ขอบเขตของตัวเลข" className="flex flex-wrap items-center gap-2 print:hidden">
        {universe}
        <YearRange search={search} years={years} onChange={onChange} />
        <ScopeFields
          search={search}
          onChange={onChange}
          frame={(name, field) => (
            <ScopeMenu
              key={name}
              label={LIST_WORDS[name]}
              chosen={(search[name] ?? []).map((value) => scopeValueText(name, value))}
            >
              {field}
            </ScopeMenu>
          )}
        />
        {children}
      </section>
    )
  }
  const { scope: _, ...rest } = search
  return (
    <section aria-label="ขอบเขตของตัวเลข" className="flex flex-wrap items-center gap-2 print:hidden">
      {universe}
      <ScopeSheet count={scopeFilterCount(rest) + others}>
        <YearRange search={search} years={years} onChange={onChange} className="flex!" />
        <ScopeFields
          search={search}
          onChange={onChange}
          frame={(name, field) => (
            <div key={name}>
              <p className="mb-1 font-medium">{LIST_WORDS[name]}</p>
              {field}
            </div>
          )}
        />
        {children}
      </ScopeSheet>
    </section>
  )
}
