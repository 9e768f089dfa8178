import { findProvinceByCode, PROVINCES } from '#contract/thai/province.ts'
import type { OrganisationMatchRules } from '#server/matching/compile-match-rules.ts'
import type { FirstListItem } from './learn-first-list.ts'

export type FirstListScope = {
  readonly provinces: Iterable<number> | undefined
  readonly minSatang: number
  readonly maxSatang: number
}

export function toFirstListRules(
  id: number,
  items: readonly Pick<FirstListItem, 'list' | 'word'>[],
  { provinces, minSatang, maxSatang }: FirstListScope,
): OrganisationMatchRules {
  const names = provinces
    ? [...provinces].flatMap((code) => findProvinceByCode(code)?.th ?? [])
    : PROVINCES.map(({ th }) => th)
  const baht = (satang: number) => (Number.isFinite(satang) ? String(Math.trunc(satang / 100)) : '0')
  return {
    id,
    config: {
      search_by_name: true,
      search_by_ai: true,
      search_by_deptsub: true,
      min_project_budget: baht(minSatang),
      max_project_budget: baht(maxSatang),
    },
    areas: { all: names },
    keywords: items.map(({ list, word }, index) => ({ id: index, list, word, approved: true })),
    rescued: [],
  }
}
