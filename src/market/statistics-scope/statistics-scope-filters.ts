import { useQuery } from '@tanstack/react-query'
import { getChoiceLabel, PROCUREMENT_METHOD_TYPES, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import type { StatisticsScopeSearch } from '#contract/market/company-params.ts'
import type { StatisticsScope } from '#contract/market/statistics-scope.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import type { SearchPatch } from '#src/lib/typed-search.ts'
import { groupProvincesByRegion } from './province-field.tsx'

export type StatisticsScopePatch = SearchPatch<StatisticsScopeSearch>

export const SCOPE_LIST_FILTER_NAMES = [
  'keyword_group__in',
  'project_dept_sub__in',
  'project_province__in',
  'project_method__in',
  'project_method_type__in',
] as const satisfies readonly (keyof StatisticsScopeSearch)[]
export type ScopeListFilterName = (typeof SCOPE_LIST_FILTER_NAMES)[number]

type GroupChoice = { readonly code: string; readonly th: string }

const NO_GROUPS: readonly GroupChoice[] = []

export function useKeywordGroupChoices(): readonly GroupChoice[] {
  const groups = useQuery(organisationQuery).data?.keyword_groups
  return groups?.filter(({ id }) => id > 0).map(({ id, name }) => ({ code: String(id), th: name })) ?? NO_GROUPS
}

export const ALL_OR_OWN_PROJECTS_LABELS = {
  all: 'ทุกโครงการ',
  watch: 'โครงการของเรา',
} as const satisfies Record<StatisticsScope['universe'], string>

export const SCOPE_LIST_FILTER_LABELS: Readonly<Record<ScopeListFilterName, string>> = {
  keyword_group__in: 'กลุ่มคำ',
  project_dept_sub__in: 'หน่วยงาน',
  project_province__in: 'จังหวัด',
  project_method__in: 'วิธีจัดหา',
  project_method_type__in: 'ประเภท',
}

/** A link may name a group that was deleted or belongs to another organisation. */
export function getStatisticsScopeValueLabel(
  name: ScopeListFilterName,
  value: string,
  groups: readonly GroupChoice[],
): string {
  if (name === 'keyword_group__in') return groups.find(({ code }) => code === value)?.th ?? 'ไม่พบกลุ่มนี้'
  if (name === 'project_method__in') return getChoiceLabel(PROCUREMENT_METHODS, value)
  return name === 'project_method_type__in' ? getChoiceLabel(PROCUREMENT_METHOD_TYPES, value) : value
}

/** Returns the chosen values of all lists as texts. A region with all its provinces is one text. */
export function useStatisticsScopeTexts(search: StatisticsScopeSearch) {
  const groups = useKeywordGroupChoices()
  return SCOPE_LIST_FILTER_NAMES.flatMap((name) => {
    const values = search[name] ?? []
    const parts =
      name === 'project_province__in'
        ? groupProvincesByRegion(values).map(({ th, provinces }) => ({ text: th, values: provinces }))
        : values.map((value) => ({ text: getStatisticsScopeValueLabel(name, value, groups), values: [value] }))
    return parts.map((part) => ({ name, label: SCOPE_LIST_FILTER_LABELS[name], ...part }))
  })
}

export function formatFiscalYearRange(from: number | null | undefined, to: number | null | undefined): string {
  if (typeof from === 'number' && typeof to === 'number') return from === to ? `ปีงบ ${from}` : `ปีงบ ${from}–${to}`
  if (typeof from === 'number') return `ตั้งแต่ปีงบ ${from}`
  return typeof to === 'number' ? `ถึงปีงบ ${to}` : 'ทุกปีงบ'
}

/** Returns the parts in the order of product 7: which projects, years, number of projects (n), coverage, time. */
export function buildStatisticsScopeLineParts({
  universe,
  n,
  coverage,
  computed_at,
  ...of
}: StatisticsScope): string[] {
  const { year_from, year_to } = of
  const knownCount = coverage.full + coverage.names
  const bidders =
    knownCount === 0 ? 'รู้เฉพาะผู้ชนะ' : `รู้รายชื่อผู้ยื่นครบ ${formatCount(knownCount)} จาก ${formatCount(n)} โครงการ`
  return [
    universe === 'watch' ? `${ALL_OR_OWN_PROJECTS_LABELS.watch} (ตามคำติดตาม)` : ALL_OR_OWN_PROJECTS_LABELS.all,
    ...(year_from === null && year_to === null ? [] : [formatFiscalYearRange(year_from, year_to)]),
    n === 0 ? 'ไม่มีโครงการ' : `จาก ${formatCount(n)} โครงการ`,
    ...(n === 0 ? [] : [bidders]),
    computed_at === null ? 'ยังไม่ได้คำนวณ' : `ข้อมูลถึง ${formatThaiDateTime(computed_at)}`,
  ]
}

/** Returns the scope shown under a block's title. The page header has the full scope. */
export function formatStatisticsBlockScope(
  { universe, year_from, year_to }: StatisticsScope,
  n: number,
  what = 'งานที่ชนะ',
): string {
  return joinParts(
    ALL_OR_OWN_PROJECTS_LABELS[universe],
    (year_from ?? year_to) !== null && formatFiscalYearRange(year_from, year_to),
    `จาก ${formatCount(n)} ${what}`,
  )
}
