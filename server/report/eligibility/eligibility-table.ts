import { LRUCache } from 'lru-cache'
import type { Qualifications } from '#contract/account/qualification.ts'
import { OPEN_PROCUREMENT_METHODS, SPECIFIC_PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import {
  CONSTRUCTION_METHOD_TYPES,
  decideEligibility,
  type EligibilityProject,
  getAnnouncementDay,
  listEligibilityThresholds,
} from '#contract/report/eligibility.ts'
import { ELIGIBILITY_VERDICTS } from '#contract/report/eligibility-verdict.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'

/** Groups of methods with the same rules; other methods are in the last one. */
export const METHOD_GROUPS = [OPEN_PROCUREMENT_METHODS, SPECIFIC_PROCUREMENT_METHODS] as const
const METHOD_GROUP_SAMPLES = [OPEN_PROCUREMENT_METHODS[0]!, SPECIFIC_PROCUREMENT_METHODS[0]!, 'selective']
const METHOD_TYPE_SAMPLES = ['buy', 'construct']

export const findMethodGroup = (method: string): number => {
  const group = METHOD_GROUPS.findIndex((methods) => methods.includes(method))
  return group === -1 ? METHOD_GROUPS.length : group
}

/**
 * The verdicts of `decideEligibility` for one bidder and every kind of project. A verdict only changes at the thresholds,
 * so one sample from each interval decides all projects in it, and 650,000 projects cost a lookup each.
 */
export type EligibilityTable = {
  /** Sorted lower bounds of the intervals, in satang and ISO days. */
  readonly budgets: readonly number[]
  readonly announcedOn: readonly string[]
  readonly submittedOn: readonly string[]
  /**
   * Indexes into `ELIGIBILITY_VERDICTS` per group of methods, at `getEligibilityCell`. A group with a single verdict has
   * one entry.
   */
  readonly groups: readonly Uint8Array[]
}

/** Place of a project in each dimension: 0 if unknown, otherwise 1 + the number of lower bounds up to its value. */
type EligibilityPlace = {
  readonly isConstruction: boolean
  readonly announced: number
  readonly budget: number
  readonly submitted: number
}

type Bounds = Pick<EligibilityTable, 'budgets' | 'announcedOn' | 'submittedOn'>

export const getEligibilityCell = (
  { budgets, announcedOn, submittedOn }: Bounds,
  { isConstruction, announced, budget, submitted }: EligibilityPlace,
): number =>
  ((Number(isConstruction) * (announcedOn.length + 2) + announced) * (budgets.length + 2) + budget) *
    (submittedOn.length + 2) +
  submitted

export function findEligibilityInterval<Value extends string | number>(bounds: readonly Value[], value: Value): number {
  let at = 0
  while (at < bounds.length && bounds[at]! <= value) at += 1
  return at + 1
}

/** Returns a key that projects share if the table decides them alike. */
export function getEligibilityKey(table: Bounds, project: EligibilityProject): string {
  const { method, method_type, budget, submission_end_date: submitted } = project
  const announced = getAnnouncementDay(project)
  const cell = getEligibilityCell(table, {
    isConstruction: CONSTRUCTION_METHOD_TYPES.includes(method_type),
    announced: announced === null ? 0 : findEligibilityInterval(table.announcedOn, announced),
    budget: budget === null ? 0 : findEligibilityInterval(table.budgets, Math.round(budget * 100)),
    submitted: submitted === null ? 0 : findEligibilityInterval(table.submittedOn, submitted),
  })
  return `${findMethodGroup(method)} ${cell}`
}

const sorted = <Value extends string | number>(values: Iterable<Value>): Value[] =>
  [...new Set(values)].sort((a, b) => (a < b ? -1 : 1))

/** Returns one value of each interval, in the order of `EligibilityPlace`. */
const sampleIntervals = <Value>(bounds: readonly Value[], before: (bound: Value) => Value, any: Value) => [
  null,
  bounds[0] === undefined ? any : before(bounds[0]),
  ...bounds,
]

function compile(bidder: Qualifications, today: string): EligibilityTable {
  const thresholds = listEligibilityThresholds(bidder)
  const bounds: Bounds = {
    // A budget turns a check either at the threshold or a satang above it.
    budgets: sorted(
      thresholds.budgets.flatMap((baht) => {
        const satang = baht * 100
        return [Math.floor(satang), Math.floor(satang) + 1, Math.ceil(satang) + 1]
      }),
    ),
    announcedOn: sorted(thresholds.announcedOn),
    submittedOn: sorted(thresholds.submittedOn),
  }
  const dayBefore = (day: string) => addDays(day, -1)
  const announcedDays = sampleIntervals(bounds.announcedOn, dayBefore, today)
  const budgets = sampleIntervals(bounds.budgets, (satang) => satang - 1, 0)
  const submissionDays = sampleIntervals(bounds.submittedOn, dayBefore, today)
  const groups = METHOD_GROUP_SAMPLES.map((method) => {
    const verdicts: number[] = []
    for (const method_type of METHOD_TYPE_SAMPLES)
      for (const bidding_invite_date of announcedDays)
        for (const satang of budgets)
          for (const submission_end_date of submissionDays) {
            const project = {
              method,
              method_type,
              budget: satangToBaht(satang),
              bidding_invite_date,
              draft_published_date: null,
              movement_date: null,
              submission_end_date,
            }
            const { verdict } = decideEligibility(project, bidder, today)
            verdicts.push(ELIGIBILITY_VERDICTS.findIndex(({ code }) => code === verdict))
          }
    const isUniform = verdicts.every((verdict) => verdict === verdicts[0])
    return Uint8Array.from(isUniform ? verdicts.slice(0, 1) : verdicts)
  })
  return { ...bounds, groups }
}

/** A table takes about 10 ms to compile and 2 KB; organisations with equal answers share one. */
const tables = new LRUCache<string, EligibilityTable>({ max: 500 })

export function getEligibilityTable(bidder: Qualifications, today: string): EligibilityTable {
  const { bidder_kind, net_worth, paid_capital, credit_line, credit_letter_on } = bidder
  const { has_anti_corruption_policy, suspended_until, classes } = bidder
  const key = JSON.stringify([
    today,
    bidder_kind,
    net_worth === null ? null : net_worth > 0,
    paid_capital,
    credit_line,
    credit_letter_on,
    has_anti_corruption_policy,
    suspended_until,
    classes.length > 0,
  ])
  const cached = tables.get(key)
  if (cached) return cached
  const table = compile(bidder, today)
  tables.set(key, table)
  return table
}
