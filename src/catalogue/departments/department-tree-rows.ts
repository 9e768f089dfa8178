import type { DepartmentList, DepartmentUnit, Ministry } from '#contract/catalogue/department.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'

export type DepartmentTreeRow =
  | { readonly kind: 'ministry'; readonly key: string; readonly level: number; readonly ministry: Ministry }
  | { readonly kind: 'entry'; readonly key: string; readonly level: number; readonly entry: DepartmentUnit }
  /** Row below an expanded row whose children are loading, failed to load, or exceed the response limit. */
  | { readonly kind: 'waiting' | 'failed'; readonly key: string; readonly level: number; readonly of: string }
  | { readonly kind: 'more'; readonly key: string; readonly level: number; readonly count: number }
export type FocusableDepartmentTreeRow = Extract<DepartmentTreeRow, { kind: 'ministry' | 'entry' }>

export type DepartmentTreeRowChildren = { readonly list: DepartmentList | undefined; readonly hasFailed: boolean }
type OpenDepartmentTreeRows = ReadonlyMap<string, DepartmentTreeRowChildren>

const buildMinistryRowKey = (name: string) => `m ${name}`
const buildDepartmentRowKey = ({ department, unit }: DepartmentUnit) =>
  unit === '' ? `d ${department}` : `u ${department}\n${unit}`
export const isFocusableDepartmentTreeRow = (row: DepartmentTreeRow): row is FocusableDepartmentTreeRow =>
  row.kind === 'ministry' || row.kind === 'entry'
export const isExpandableDepartmentTreeRow = (row: FocusableDepartmentTreeRow) =>
  row.kind === 'ministry' || row.entry.units > 0

/** Returns the identity of an entry: the normalised word that `deptsub_include` stores. */
export const buildDepartmentWordKey = (entry: DepartmentUnit) => toNormalisedSearchText(entry.word)

export function buildDepartmentTreeRows(top: DepartmentList, open: OpenDepartmentTreeRows): DepartmentTreeRow[] {
  const rows: DepartmentTreeRow[] = []
  if (top.ministries.length > 0) {
    for (const ministry of top.ministries) {
      const key = buildMinistryRowKey(ministry.name)
      rows.push({ kind: 'ministry', key, level: 1, ministry })
      rows.push(...childRows(key, 2, open))
    }
    return rows
  }
  return entryRows(top, 1, '', open)
}

function childRows(key: string, level: number, open: OpenDepartmentTreeRows): DepartmentTreeRow[] {
  const children = open.get(key)
  if (!children) return []
  if (children.list) return entryRows(children.list, level, key, open)
  const kind = children.hasFailed ? 'failed' : 'waiting'
  return [{ kind, key: `${kind} ${key}`, level, of: key }]
}

function entryRows(
  { results, total }: DepartmentList,
  level: number,
  parentKey: string,
  open: OpenDepartmentTreeRows,
): DepartmentTreeRow[] {
  const rows = results.flatMap((entry): DepartmentTreeRow[] => {
    const key = buildDepartmentRowKey(entry)
    const children = entry.unit === '' ? childRows(key, level + 1, open) : []
    return [{ kind: 'entry', key, level, entry }, ...children]
  })
  const count = total - results.length
  return count > 0 ? [...rows, { kind: 'more', key: `more ${parentKey}`, level, count }] : rows
}

export function findParentDepartmentTreeRow(
  rows: readonly DepartmentTreeRow[],
  row: FocusableDepartmentTreeRow,
): FocusableDepartmentTreeRow | undefined {
  return rows
    .slice(0, rows.indexOf(row))
    .filter(isFocusableDepartmentTreeRow)
    .findLast((above) => above.level < row.level)
}
