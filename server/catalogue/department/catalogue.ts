import type { DepartmentUnit, Ministry } from '#contract/catalogue/department.ts'
import { PROVINCES } from '#contract/thai/province.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { AgencyDirectoryEntry, CountedPurchasingUnit } from './queries.ts'

export type DepartmentCatalogueEntry = DepartmentUnit & { readonly departmentKey: string; readonly unitKey: string }

export type DepartmentCatalogue = {
  readonly departments: readonly DepartmentCatalogueEntry[]
  readonly unitsOf: ReadonlyMap<string, readonly DepartmentCatalogueEntry[]>
  readonly units: readonly DepartmentCatalogueEntry[]
  readonly ministries: readonly Ministry[]
}

type Draft = {
  readonly department: string
  readonly unit: string
  readonly departmentKey: string
  readonly unitKey: string
  readonly provinces: Set<number | null>
  open: number
  recent: number
  weight: number
}

const PROVINCE_NAMES = new Map(PROVINCES.map(({ code, th }) => [code, th]))
/** Compares by code unit: a Thai collator is a hundred times slower, which matters for 64,000 names. */
const byName = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
type ActivityCounts = { readonly open: number; readonly recent: number }
const busiest = (a: ActivityCounts & { readonly word: string }, b: ActivityCounts & { readonly word: string }) =>
  b.open - a.open || b.recent - a.recent || byName(a.word, b.word)

/**
 * Builds the master list of departments from loads and the directory. Spellings with the same search form become one
 * entry under the most frequent spelling (D9), as do bodies with the same name in several provinces, because keywords
 * contain only names.
 */
export function buildDepartmentCatalogue(
  rows: readonly CountedPurchasingUnit[],
  directory: readonly AgencyDirectoryEntry[],
): DepartmentCatalogue {
  const departments = new Map<string, Draft>()
  const units = new Map<string, Map<string, Draft>>()
  const forms = new Map<string, string>()
  const formOf = (name: string) => {
    const form = forms.get(name) ?? toNormalisedSearchText(name)
    forms.set(name, form)
    return form
  }
  for (const row of rows) {
    const departmentKey = formOf(row.name)
    const unitKey = formOf(row.sub_name)
    addToDraft(departments, departmentKey, row, { department: row.name, unit: '', departmentKey, unitKey: '' })
    // A department without units buys by itself, so it has no separate unit entry.
    if (unitKey === '' || unitKey === departmentKey) continue
    const unitDrafts = units.get(departmentKey) ?? new Map<string, Draft>()
    units.set(departmentKey, unitDrafts)
    addToDraft(unitDrafts, unitKey, row, { department: row.name, unit: row.sub_name, departmentKey, unitKey })
  }
  const directoryByKey = new Map(directory.map((entry) => [entry.name_key, entry]))
  const sameName = new Map<string, number>()
  for (const unitDrafts of units.values())
    for (const key of unitDrafts.keys()) sameName.set(key, (sameName.get(key) ?? 0) + 1)

  const unitsOf = new Map<string, readonly DepartmentCatalogueEntry[]>()
  for (const [key, unitDrafts] of units) {
    const department = departments.get(key)!.department
    const entries = [...unitDrafts.values()].map((draft) => ({
      ...toEntry(draft, draft.unit, directoryByKey),
      department,
      same_name: sameName.get(draft.unitKey)!,
    }))
    unitsOf.set(key, entries.sort(busiest))
  }
  const activeDepartments = [...departments.values()].map((draft) => ({
    ...toEntry(draft, draft.department, directoryByKey),
    units: unitsOf.get(draft.departmentKey)?.length ?? 0,
  }))
  const quiet = directory.filter(({ name_key }) => !departments.has(name_key)).map(toInactiveEntry)
  const allDepartments = [...activeDepartments, ...quiet].sort(busiest)
  const allUnits = [...unitsOf.values()].flat().sort(busiest)
  return {
    departments: allDepartments,
    unitsOf,
    units: allUnits,
    ministries: directory.length === 0 ? [] : groupByMinistry(allDepartments),
  }
}

function addToDraft(
  drafts: Map<string, Draft>,
  key: string,
  { province, open, recent }: CountedPurchasingUnit,
  names: Pick<Draft, 'department' | 'unit' | 'departmentKey' | 'unitKey'>,
): void {
  if (key === '') return
  const existing = drafts.get(key)
  if (!existing) {
    drafts.set(key, { ...names, provinces: new Set([province]), open, recent, weight: open })
    return
  }
  const renamed = open > existing.weight ? { ...names, weight: open } : {}
  drafts.set(key, {
    ...existing,
    ...renamed,
    provinces: existing.provinces.add(province),
    open: existing.open + open,
    recent: existing.recent + recent,
  })
}

function toEntry(
  draft: Draft,
  word: string,
  directory: ReadonlyMap<string, AgencyDirectoryEntry>,
): DepartmentCatalogueEntry {
  const { department, unit, departmentKey, unitKey, open, recent, provinces } = draft
  const [province] = provinces.size === 1 ? provinces : [null]
  return {
    word,
    department,
    unit,
    ministry: directory.get(departmentKey)?.ministry ?? null,
    province: (province ? PROVINCE_NAMES.get(province) : undefined) ?? null,
    units: 0,
    same_name: 0,
    open,
    recent,
    departmentKey,
    unitKey,
  }
}

function toInactiveEntry({ name, name_key, ministry, province }: AgencyDirectoryEntry): DepartmentCatalogueEntry {
  return {
    word: name,
    department: name,
    unit: '',
    ministry,
    province: (province === null ? undefined : PROVINCE_NAMES.get(province)) ?? null,
    units: 0,
    same_name: 0,
    open: 0,
    recent: 0,
    departmentKey: name_key,
    unitKey: '',
  }
}

function groupByMinistry(departments: readonly DepartmentCatalogueEntry[]): Ministry[] {
  const ministries = [...Map.groupBy(departments, ({ ministry }) => ministry ?? '')].map(([name, members]) => ({
    name,
    departments: members.length,
    open: members.reduce((sum, { open }) => sum + open, 0),
    recent: members.reduce((sum, { recent }) => sum + recent, 0),
  }))
  const ungroupedRank = ({ name }: Ministry) => (name === '' ? 1 : 0)
  return ministries.sort((a, b) => ungroupedRank(a) - ungroupedRank(b) || b.open - a.open || byName(a.name, b.name))
}
