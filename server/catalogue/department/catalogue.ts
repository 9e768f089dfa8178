import type { DepartmentUnit, Ministry } from '#contract/catalogue/department.ts'
import { PROVINCES } from '#contract/thai/province.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import type { CountedUnit, DirectoryEntry } from './queries.ts'

export type CatalogueEntry = DepartmentUnit & { readonly departmentKey: string; readonly unitKey: string }

/** In-memory master list, in result order: busiest first. */
export type Catalogue = {
  readonly departments: readonly CatalogueEntry[]
  readonly unitsOf: ReadonlyMap<string, readonly CatalogueEntry[]>
  readonly units: readonly CatalogueEntry[]
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
  /** Project count of the spelling chosen as the name. */
  weight: number
}

const PROVINCE_NAMES = new Map(PROVINCES.map(({ code, th }) => [code, th]))
/** Compares by code unit: a Thai collator is a hundred times slower, which matters for 64,000 names. */
const byName = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
type Counted = { readonly open: number; readonly recent: number }
const busiest = (a: Counted & { readonly word: string }, b: Counted & { readonly word: string }) =>
  b.open - a.open || b.recent - a.recent || byName(a.word, b.word)

/**
 * Builds the master list from loads and the directory. Spellings with the same search form become one entry under the
 * most frequent spelling (D9), as do bodies of one name in several provinces, because keywords contain only names.
 */
export function buildCatalogue(rows: readonly CountedUnit[], directory: readonly DirectoryEntry[]): Catalogue {
  const departments = new Map<string, Draft>()
  const units = new Map<string, Map<string, Draft>>()
  // Cached, because a department repeats in the row of each unit.
  const forms = new Map<string, string>()
  const formOf = (name: string) => {
    const form = forms.get(name) ?? searchForm(name)
    forms.set(name, form)
    return form
  }
  for (const row of rows) {
    const departmentKey = formOf(row.name)
    const unitKey = formOf(row.sub_name)
    add(departments, departmentKey, row, { department: row.name, unit: '', departmentKey, unitKey: '' })
    // A department without units buys by itself.
    if (unitKey === '' || unitKey === departmentKey) continue
    const own = units.get(departmentKey) ?? new Map<string, Draft>()
    units.set(departmentKey, own)
    add(own, unitKey, row, { department: row.name, unit: row.sub_name, departmentKey, unitKey })
  }
  const known = new Map(directory.map((entry) => [entry.name_key, entry]))
  const sameName = new Map<string, number>()
  for (const own of units.values()) for (const key of own.keys()) sameName.set(key, (sameName.get(key) ?? 0) + 1)

  const unitsOf = new Map<string, readonly CatalogueEntry[]>()
  for (const [key, own] of units) {
    const department = departments.get(key)!.department
    const entries = [...own.values()].map((draft) => ({
      ...entryOf(draft, draft.unit, known),
      department,
      same_name: sameName.get(draft.unitKey)!,
    }))
    unitsOf.set(key, entries.sort(busiest))
  }
  const found = [...departments.values()].map((draft) => ({
    ...entryOf(draft, draft.department, known),
    units: unitsOf.get(draft.departmentKey)?.length ?? 0,
  }))
  const quiet = directory.filter(({ name_key }) => !departments.has(name_key)).map(quietEntry)
  const all = [...found, ...quiet].sort(busiest)
  const allUnits = [...unitsOf.values()].flat().sort(busiest)
  return { departments: all, unitsOf, units: allUnits, ministries: directory.length === 0 ? [] : ministriesOf(all) }
}

function add(
  drafts: Map<string, Draft>,
  key: string,
  { province, open, recent }: CountedUnit,
  names: Pick<Draft, 'department' | 'unit' | 'departmentKey' | 'unitKey'>,
): void {
  if (key === '') return
  const known = drafts.get(key)
  if (!known) {
    drafts.set(key, { ...names, provinces: new Set([province]), open, recent, weight: open })
    return
  }
  const named = open > known.weight ? { ...names, weight: open } : {}
  drafts.set(key, {
    ...known,
    ...named,
    provinces: known.provinces.add(province),
    open: known.open + open,
    recent: known.recent + recent,
  })
}

function entryOf(draft: Draft, word: string, directory: ReadonlyMap<string, DirectoryEntry>): CatalogueEntry {
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

function quietEntry({ name, name_key, ministry, province }: DirectoryEntry): CatalogueEntry {
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

function ministriesOf(departments: readonly CatalogueEntry[]): Ministry[] {
  const ministries = [...Map.groupBy(departments, ({ ministry }) => ministry ?? '')].map(([name, own]) => ({
    name,
    departments: own.length,
    open: own.reduce((sum, { open }) => sum + open, 0),
    recent: own.reduce((sum, { recent }) => sum + recent, 0),
  }))
  // Entries without a ministry sort last, regardless of activity.
  const last = ({ name }: Ministry) => (name === '' ? 1 : 0)
  return ministries.sort((a, b) => last(a) - last(b) || b.open - a.open || byName(a.name, b.name))
}
