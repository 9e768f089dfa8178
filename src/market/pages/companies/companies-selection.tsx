import { useCallback, useState } from 'react'
import type { CompanyRef } from '#contract/market/company.ts'
import { MOST_COMPARED } from '#contract/market/company-params.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'

export type CompaniesSelection = {
  /** In the order in which they were chosen, also of other pages. */
  readonly chosen: readonly CompanyRef[]
  readonly has: (id: number) => boolean
  readonly isFull: boolean
  readonly toggle: (company: CompanyRef) => void
  readonly clear: () => void
}

/** Companies ticked to be compared, five at most; they stay while one searches for the next. */
export function useCompaniesSelection(): CompaniesSelection {
  const [chosen, setChosen] = useState<readonly CompanyRef[]>([])
  const toggle = useCallback((company: CompanyRef) => {
    setChosen((now) => {
      const rest = now.filter(({ id }) => id !== company.id)
      if (rest.length < now.length) return rest
      return now.length < MOST_COMPARED ? [...now, company] : now
    })
  }, [])
  const clear = useCallback(() => setChosen([]), [])
  const has = (id: number) => chosen.some((company) => company.id === id)
  return { chosen, has, isFull: chosen.length >= MOST_COMPARED, toggle, clear }
}

type CompanyCheckboxProps = { company: CompanyRef; selection: CompaniesSelection; className: string }

/** Chooses a company for the comparison. When the most that can be compared are chosen, the other boxes are disabled. */
export function CompanyCheckbox({ company, selection, className }: CompanyCheckboxProps) {
  const isChosen = selection.has(company.id)
  return (
    <Checkbox
      ariaLabel={`เลือก ${company.name} เพื่อเปรียบเทียบ`}
      checked={isChosen}
      disabled={selection.isFull && !isChosen}
      onChange={() => selection.toggle(company)}
      className={className}
    />
  )
}
