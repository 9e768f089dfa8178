import { useState } from 'react'
import type { CompanyRef } from '#contract/market/company.ts'
import { MAX_COMPARED_COMPANIES } from '#contract/market/company-params.ts'

export type CompaniesSelection = ReturnType<typeof useCompaniesSelection>

export function useCompaniesSelection() {
  const [chosen, setChosen] = useState<readonly CompanyRef[]>([])
  const toggle = (company: CompanyRef) => {
    setChosen((now) => {
      const remaining = now.filter(({ id }) => id !== company.id)
      if (remaining.length < now.length) return remaining
      return now.length < MAX_COMPARED_COMPANIES ? [...now, company] : now
    })
  }
  return {
    chosen,
    has: (id: number) => chosen.some((company) => company.id === id),
    isFull: chosen.length >= MAX_COMPARED_COMPANIES,
    toggle,
    clear: () => setChosen([]),
  }
}
