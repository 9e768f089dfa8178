import { CONSTRUCTION_METHOD_TYPES } from '#contract/report/eligibility.ts'
import {
  type EligibilityTable,
  findEligibilityInterval,
  findMethodGroup,
  getEligibilityCell,
} from '#server/report/eligibility/eligibility-table.ts'
import { toPackedDay } from '#server/report/packed-row.ts'
import { getReportTabPackedProjects, recordReportTabCacheBytes } from './cached-matches.ts'
import type { ReportTabMatches } from './match-set.ts'
import {
  PACKED_NUMBERS_PER_PROJECT,
  PACKED_PROJECT_OFFSETS,
  type ProjectColumns,
  UNKNOWN_DAY_NUMBER,
} from './project-columns.ts'

type CachedVerdicts = { readonly table: EligibilityTable; readonly verdicts: Uint8Array }
const verdictsOfTabs = new WeakMap<ReportTabMatches, CachedVerdicts>()

/**
 * Returns the verdict of each match of a tab as an index into `ELIGIBILITY_VERDICTS`; cached, because every page and
 * facet of a tab reads the same ones.
 */
export function getEligibilityVerdicts(
  tab: ReportTabMatches,
  columns: ProjectColumns,
  table: EligibilityTable,
): Uint8Array {
  const cached = verdictsOfTabs.get(tab)
  if (cached?.table === table) return cached.verdicts
  const verdicts = computeVerdicts(tab, columns, table)
  if (!cached) recordReportTabCacheBytes(tab, verdicts.byteLength)
  verdictsOfTabs.set(tab, { table, verdicts })
  return verdicts
}

function computeVerdicts(tab: ReportTabMatches, columns: ProjectColumns, table: EligibilityTable): Uint8Array {
  const { rows } = tab
  const { kinds, days, money } = columns
  const facts = getReportTabPackedProjects(tab, columns)
  const announcedOn = table.announcedOn.map(toPackedDay)
  const submittedOn = table.submittedOn.map(toPackedDay)
  const groupOfMethod = kinds.values.method.map(findMethodGroup)
  const isConstruction = kinds.values.method_type.map((type) => CONSTRUCTION_METHOD_TYPES.includes(type))
  const findDay = (bounds: readonly number[], day: number) =>
    day === UNKNOWN_DAY_NUMBER ? 0 : findEligibilityInterval(bounds, day)
  const announcementDayOf = (row: number) => {
    for (const name of ['bidding_invite_date', 'draft_published_date'] as const)
      if (days[name][row] !== UNKNOWN_DAY_NUMBER) return days[name][row]!
    return days.movement_date[row]!
  }
  const verdicts = new Uint8Array(rows.length)
  for (let position = 0; position < rows.length; position += 1) {
    const kind = facts[position * PACKED_NUMBERS_PER_PROJECT + PACKED_PROJECT_OFFSETS.kind]!
    const group = table.groups[groupOfMethod[kinds.valueOf.method[kind]!]!]!
    // Most projects use the specific method, whose verdict depends on nothing else.
    if (group.length === 1) {
      verdicts[position] = group[0]!
      continue
    }
    const row = rows[position]!
    const satang = money.budget[row]!
    const cell = getEligibilityCell(table, {
      isConstruction: isConstruction[kinds.valueOf.method_type[kind]!]!,
      announced: findDay(announcedOn, announcementDayOf(row)),
      budget: Number.isNaN(satang) ? 0 : findEligibilityInterval(table.budgets, satang),
      submitted: findDay(submittedOn, days.submission_end_date[row]!),
    })
    verdicts[position] = group[cell]!
  }
  return verdicts
}
