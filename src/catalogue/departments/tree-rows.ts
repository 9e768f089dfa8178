import type { DepartmentList, DepartmentUnit, Ministry } from '#contract/catalogue/department.ts'
import { toSearchForm } from '#contract/thai/thai-text.ts'

export type DepartmentTreeRow =
  | { readonly kind: 'ministry'; readonly key: string; readonly level: number; readonly ministry: Ministry }
  | { readonly kind: 'entry'; readonly key: string; readonly level: number; readonly entry: DepartmentUnit }
  /** Below an expanded row: children are loading, failed to load, or exceed the response limit. */
  | { readonly kind: 'waiting' | 'failed'; readonly key: string; readonly level: number; readonly of: string }
  | { readonly kind: 'more'; readonly key: string; readonly level: number; readonly count: number }
export type FocusableRow = Extract<DepartmentTreeRow, { kind: 'ministry' | 'entry' }>

export type RowChildren = { readonly list: DepartmentList | undefined; readonly hasFailed: boolean }
export type OpenRows = ReadonlyMap<string, RowChildren>

export const ministryKey = (name: string) => `m ${name}`
export const entryKey = ({ department, unit }: DepartmentUnit) =>
  unit === '' ? `d ${department}` : `u ${department}\n${unit}`
export const isFocusableRow = (row: DepartmentTreeRow): row is FocusableRow =>
  row.kind === 'ministry' || row.kind === 'entry'
export const isExpandableRow = (row: FocusableRow) => row.kind === 'ministry' || row.entry.units > 0

/** Returns the identity of an entry: the normalised word that `deptsub_include` stores. */
export const departmentWordKey = (entry: DepartmentUnit) => toSearchForm(entry.word)

export function departmentTreeRows(top: DepartmentList, open: OpenRows): DepartmentTreeRow[] {
  const rows: DepartmentTreeRow[] = []
  if (top.ministries.length > 0) {
    for (const ministry of top.ministries) {
      const key = ministryKey(ministry.name)
      rows.push({ kind: 'ministry', key, level: 1, ministry })
      rows.push(...childRows(key, 2, open))
    }
    return rows
  }
  return entryRows(top, 1, '', open)
}

function childRows(key: string, level: number, open: OpenRows): DepartmentTreeRow[] {
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
  open: OpenRows,
): DepartmentTreeRow[] {
  const rows = results.flatMap((entry): DepartmentTreeRow[] => {
    const key = entryKey(entry)
    const children = entry.unit === '' ? childRows(key, level + 1, open) : []
    return [{ kind: 'entry', key, level, entry }, ...children]
  })
  const count = total - results.length
  return count > 0 ? [...rows, { kind: 'more', key: `more ${parentKey}`, level, count }] : rows
}

export function parentRow(rows: readonly DepartmentTreeRow[], row: FocusableRow): FocusableRow | undefined {
  return rows
    .slice(0, rows.indexOf(row))
    .filter(isFocusableRow)
    .findLast((above) => above.level < row.level)
}
