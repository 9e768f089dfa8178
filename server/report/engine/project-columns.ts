import { formatDepartmentName, formatWinnerNames } from '#contract/catalogue/format-department-name.ts'
import { MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT } from '#contract/report/report.ts'
import { EncodedTextIndex, growTypedArray } from '#server/platform/text/encoded-text-index.ts'
import { encodeProjectKey, ProjectKeyRowMap } from '#server/platform/text/project-key.ts'
import { MONEY_BIN_SHIFTS } from '#server/report/packed-row.ts'
import { AgencyUnits } from './agency-units.ts'
import { ContractEndIndex } from './ending-contracts.ts'
import { ProjectFieldCombinations, type ProjectKindFacts, SharedSearchTexts } from './shared-values.ts'

/** A project as read by `load-projects.ts`: money in satang, days since 2000-01-01. */
export type CachedProjectRow = ProjectKindFacts & {
  readonly project_id: string
  /** `normaliseThai` of the name, which keeps spaces next to Thai letters, unlike `name_search`. */
  readonly name_spaced: string
  readonly department_id: number
  readonly project_province: number | null
  readonly budget_satang: number | null
  /** True if an import left the budget out as doubtful. */
  readonly is_budget_in_doubt?: boolean
  readonly estimate_satang: number | null
  readonly winner_satang: number | null
  readonly winner_name: string | null
  /** Names of the other winners, one per line. */
  readonly other_winners?: string | null
  readonly movement_on: number | null
  readonly draft_published_on: number | null
  readonly draft_discussion_ends_on: number | null
  readonly bidding_invited_on: number | null
  readonly submission_ends_on: number | null
  /** End days of active contracts, ascending; null if there are none. */
  readonly contract_ends: readonly number[] | null
}

export type ProjectRowColumns = { readonly [Name in keyof CachedProjectRow]: CachedProjectRow[Name][] }

export type ReportDepartmentRow = {
  readonly id: number
  readonly name: string
  readonly sub_name: string
  readonly province: number | null
}

const textOf = ({ name, sub_name }: ReportDepartmentRow) =>
  formatDepartmentName({ dept_name: name, dept_sub_name: sub_name })

export const UNKNOWN_DAY_NUMBER = -0x8000_0000
export const UNKNOWN_MONEY_BIN = 31

const MONEY = ['budget', 'estimate', 'winner'] as const
const COUNTED_DAYS = ['draftPublishedOn', 'discussionEndsOn', 'invitedOn', 'submissionEndsOn', 'announcedOn'] as const
const DAYS = ['movementOn', ...COUNTED_DAYS] as const
export type MoneyColumn = (typeof MONEY)[number]
export type DayColumn = (typeof DAYS)[number]
export type CountedDayColumn = (typeof COUNTED_DAYS)[number]

/** Numbers per project in `facts`: half a cache line, of which the last number is unused. */
export const FACTS_PER_PROJECT = 8
/**
 * Offsets within a project's facts. `provincesAndBins` packs the bins of budget, estimate and winning price into the
 * low 15 bits (five each), and the provinces above.
 */
export const PROJECT_FACT_OFFSETS = {
  kind: 0,
  provincesAndBins: 1,
  draftPublishedOn: 2,
  discussionEndsOn: 3,
  invitedOn: 4,
  submissionEndsOn: 5,
  announcedOn: 6,
} as const satisfies Record<CountedDayColumn | 'kind' | 'provincesAndBins', number>
export const MONEY_BIN_BIT_WIDTH = 15

const MANY_PROJECTS = 500_000
/**
 * Returns the new capacity: larger by half, or by an eighth for many projects, because spare capacity counts as used
 * memory.
 */
const grownCapacity = (row: number) => Math.max(1_024, Math.ceil(row * (row > MANY_PROJECTS ? 1.125 : 1.5)))

const BIN_BOUNDS = MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT.map((baht) => baht * 100)
/** Returns the index of an amount in `MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT`, whose bounds are inclusive. */
function binOf(satang: number | null): number {
  if (satang === null) return UNKNOWN_MONEY_BIN
  const bin = BIN_BOUNDS.findIndex((border) => satang <= border)
  return bin === -1 ? BIN_BOUNDS.length : bin
}

/**
 * Public project fields that the report filters, sorts, counts or searches by, in typed arrays: 114 bytes per project
 * plus its title. Contains no data of organisations or users. A row number stays the same when its project changes.
 */
export class ProjectColumns {
  size = 0
  readonly titles = new EncodedTextIndex()
  readonly departments = new SharedSearchTexts()
  readonly departmentProvinces: number[] = [0]
  readonly agencyUnits = new AgencyUnits()
  readonly winners = new SharedSearchTexts()
  readonly kinds = new ProjectFieldCombinations()
  readonly contractEnds = new ContractEndIndex()
  keys = new Float64Array(0)
  readonly #rows = new ProjectKeyRowMap()
  kind = new Int32Array(0)
  /** Project province << 7 | department province; 0 means unknown. */
  provinces = new Uint16Array(0)
  /**
   * Inputs of the facets, `FACTS_PER_PROJECT` per project, contiguous so that a match costs one memory access instead of one
   * per facet.
   */
  facts = new Int32Array(0)
  department = new Int32Array(0)
  winner = new Int32Array(0)
  /** Amounts in satang; NaN means unknown. */
  readonly money: Record<MoneyColumn, Float64Array> = {
    budget: new Float64Array(0),
    estimate: new Float64Array(0),
    winner: new Float64Array(0),
  }
  /** Rows of projects without a budget because an import left it out as doubtful: a few hundred of 1.39 million. */
  readonly budgetsInDoubt = new Set<number>()
  readonly days: Record<DayColumn, Int32Array> = {
    movementOn: new Int32Array(0),
    draftPublishedOn: new Int32Array(0),
    discussionEndsOn: new Int32Array(0),
    invitedOn: new Int32Array(0),
    submissionEndsOn: new Int32Array(0),
    announcedOn: new Int32Array(0),
  }

  /** Estimated memory of the columns; assumes 320 bytes per department and 200 per text of winners. */
  get heldBytes(): number {
    const shared = this.departments.compact.length * 320 + this.winners.compact.length * 200
    return this.keys.length * 114 + this.titles.heldBytes + this.#rows.heldBytes + shared
  }

  reserve(projects: number): void {
    const capacity = Math.ceil(projects / 32) * 32
    if (capacity <= this.keys.length) return
    this.titles.reserve(capacity)
    this.keys = growTypedArray(this.keys, capacity)
    this.kind = growTypedArray(this.kind, capacity)
    this.provinces = growTypedArray(this.provinces, capacity)
    this.facts = growTypedArray(this.facts, capacity * FACTS_PER_PROJECT)
    this.department = growTypedArray(this.department, capacity)
    this.winner = growTypedArray(this.winner, capacity)
    this.contractEnds.reserve(capacity)
    for (const name of MONEY) this.money[name] = growTypedArray(this.money[name], capacity)
    for (const name of DAYS) this.days[name] = growTypedArray(this.days[name], capacity)
  }

  addDepartment(department: ReportDepartmentRow): void {
    const number = this.departments.numberOf(department.id, () => textOf(department))
    this.departmentProvinces[number] = department.province ?? 0
    this.agencyUnits.set(number, department)
  }

  rowOf(key: number): number | undefined {
    return this.#rows.get(key)
  }

  /**
   * Inserts or updates a project; its department must already be present. Skips ids without a key, because SQL answers
   * for organisations that matched such a project.
   */
  put(project: CachedProjectRow): void {
    const key = encodeProjectKey(project.project_id)
    if (key === undefined) return
    let row = this.rowOf(key)
    if (row === undefined) {
      row = this.size
      this.size += 1
      if (row >= this.keys.length) this.reserve(grownCapacity(row))
      this.#rows.set(key, row)
      this.keys[row] = key
    }
    this.#write(row, project, this.departments.find(project.department_id)!)
  }

  #write(row: number, project: CachedProjectRow, department: number): void {
    this.titles.set(row, project.name_spaced)
    this.kind[row] = this.kinds.numberOf(project)
    this.provinces[row] = ((project.project_province ?? 0) << 7) | this.departmentProvinces[department]!
    this.department[row] = department
    const winners = formatWinnerNames(project)
    this.winner[row] = winners === '' ? 0 : this.winners.numberOf(winners, () => winners)
    this.money.budget[row] = project.budget_satang ?? Number.NaN
    if (project.is_budget_in_doubt) this.budgetsInDoubt.add(row)
    else this.budgetsInDoubt.delete(row)
    this.money.estimate[row] = project.estimate_satang ?? Number.NaN
    this.money.winner[row] = project.winner_satang ?? Number.NaN
    this.days.movementOn[row] = project.movement_on ?? UNKNOWN_DAY_NUMBER
    this.days.draftPublishedOn[row] = project.draft_published_on ?? UNKNOWN_DAY_NUMBER
    this.days.discussionEndsOn[row] = project.draft_discussion_ends_on ?? UNKNOWN_DAY_NUMBER
    this.days.invitedOn[row] = project.bidding_invited_on ?? UNKNOWN_DAY_NUMBER
    this.days.submissionEndsOn[row] = project.submission_ends_on ?? UNKNOWN_DAY_NUMBER
    this.days.announcedOn[row] = project.winner_announced_on ?? UNKNOWN_DAY_NUMBER
    this.contractEnds.put(row, project.contract_ends)
    this.#putFacts(row, project)
  }

  #putFacts(row: number, { budget_satang, estimate_satang, winner_satang }: CachedProjectRow): void {
    const { facts, days } = this
    const at = row * FACTS_PER_PROJECT
    const bins =
      (binOf(budget_satang) << MONEY_BIN_SHIFTS.budget) |
      (binOf(estimate_satang) << MONEY_BIN_SHIFTS.estimate) |
      (binOf(winner_satang) << MONEY_BIN_SHIFTS.winner)
    facts[at + PROJECT_FACT_OFFSETS.kind] = this.kind[row]!
    facts[at + PROJECT_FACT_OFFSETS.provincesAndBins] = (this.provinces[row]! << MONEY_BIN_BIT_WIDTH) | bins
    for (const name of COUNTED_DAYS) facts[at + PROJECT_FACT_OFFSETS[name]] = days[name][row]!
  }
}
