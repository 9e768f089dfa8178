import { NEAR_DEADLINE_KINDS } from '#contract/catalogue/bid-state.ts'
import { listReportFacts } from '#contract/catalogue/project-facts.ts'
import { createRecord } from '#contract/create-record.ts'
import {
  FLAG_SHIFTS,
  MONEY_BIN_MASK,
  MONEY_BIN_SHIFTS,
  PROVINCE_CODES,
  PROVINCE_SHIFTS,
} from '#server/matching/packed-row.ts'
import { COUNTED_DAYS, FIRST_DATE_PRESET_DAY } from '#server/report/report-queries.ts'
import { COUNTED_DAY_FACTS, COUNTED_MONEY_FACTS } from './project-columns.ts'
import { getBidStateIndex, getNearDeadlineKindAtRow, oncePerTab, type ReportTab } from './report-tab.ts'

export type FactNumbers = Uint8Array | Uint16Array

/**
 * Returns the numbers of the facts that facets count, by position. Organisations match a few thousand of a million
 * projects, so reading the columns of projects takes a cache line per match and fact; under load, these lists of a tab
 * made counting four times as fast.
 */
export const getCountedFacts = oncePerTab((tab: ReportTab) => {
  const { columns, today } = tab
  const { kind, kinds, provinces, bins, days } = columns
  /** Days outside the presets share the number after the last. */
  const toDayIndex = (day: number) => {
    const index = day - today - FIRST_DATE_PRESET_DAY
    return index >= 0 && index < COUNTED_DAYS ? index : COUNTED_DAYS
  }
  const projectProvinceAt = (row: number) => provinces[row]! >>> PROVINCE_SHIFTS.project_province
  const departmentProvinceAt = (row: number) => provinces[row]! & (PROVINCE_CODES - 1)
  return {
    values: createRecord(listReportFacts('enumeration'), (fact) => {
      const valueOfKind = kinds.valueOf[fact]
      return numberMatches(tab, Uint16Array, (row) => valueOfKind[kind[row]!]!)
    }),
    flags: createRecord(Object.keys(FLAG_SHIFTS) as (keyof typeof FLAG_SHIFTS)[], (fact) =>
      numberMatches(tab, Uint8Array, (row) => kinds.flags[fact][kind[row]!]!),
    ),
    provinces: {
      project_province: numberMatches(tab, Uint8Array, projectProvinceAt),
      dept_province: numberMatches(tab, Uint8Array, departmentProvinceAt),
      either: numberMatches(tab, Uint8Array, (row) => projectProvinceAt(row) || departmentProvinceAt(row)),
    },
    bins: createRecord(COUNTED_MONEY_FACTS, (fact) =>
      numberMatches(tab, Uint8Array, (row) => (bins[row]! >>> MONEY_BIN_SHIFTS[fact]) & MONEY_BIN_MASK),
    ),
    days: createRecord(COUNTED_DAY_FACTS, (fact) =>
      numberMatches(tab, Uint16Array, (row) => toDayIndex(days[fact][row]!)),
    ),
    /** Indexes into `BID_STATES`. */
    bidStates: numberMatches(tab, Uint8Array, (row) => getBidStateIndex(columns, row, today)),
    /** Indexes into `NEAR_DEADLINE_KINDS`; its length for none. */
    due: numberMatches(tab, Uint8Array, (row) => {
      const near = getNearDeadlineKindAtRow(columns, row, today)
      return near ? NEAR_DEADLINE_KINDS.indexOf(near) : NEAR_DEADLINE_KINDS.length
    }),
  }
})

function numberMatches<Numbers extends FactNumbers>(
  { rows }: ReportTab,
  Numbers: new (length: number) => Numbers,
  numberAt: (row: number) => number,
): Numbers {
  const numbers = new Numbers(rows.length)
  for (let position = 0; position < rows.length; position += 1) numbers[position] = numberAt(rows[position]!)
  return numbers
}
