import { BID_STATES, getBidState } from '#contract/catalogue/bid-state.ts'
import { formatDepartmentName, formatWinnerNames } from '#contract/catalogue/format-department-name.ts'
import {
  listReportFacts,
  type ProjectFactType,
  REPORT_FACTS,
  type StoredFactColumns,
} from '#contract/catalogue/project-facts.ts'
import { createRecord } from '#contract/create-record.ts'
import { MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT } from '#contract/report/report.ts'
import { type AgencyUnit, type StoredAgencyUnit, toAgencyUnit } from '#server/catalogue/department/agency-unit.ts'
import {
  type CountedDayFact,
  type CountedMoneyFact,
  MONEY_BIN_MASK,
  MONEY_BIN_SHIFTS,
  PACKED_FACET_ROW_OFFSETS,
} from '#server/matching/packed-row.ts'
import { EncodedTextIndex, growTypedArray } from '#server/platform/text/encoded-text-index.ts'
import { encodeProjectKey, ProjectKeyRowMap } from '#server/platform/text/project-key.ts'
import { normaliseSearchTextLines } from '#server/platform/text/to-line-search-forms.ts'

const VALUE_FIELDS = listReportFacts('enumeration')
const FLAGS = listReportFacts('flag')
type SharedValueField = (typeof VALUE_FIELDS)[number]
type SharedFlag = (typeof FLAGS)[number]

type ProjectKindFacts = StoredFactColumns<Pick<typeof REPORT_FACTS, SharedValueField | SharedFlag>> & {
  readonly bidding_invited_on: number | null
  readonly winner_announced_on: number | null
}

/**
 * Combinations of field values that many projects share. The kind column contains one number per combination, so each
 * combination is evaluated once.
 */
export class ProjectFieldCombinations {
  size = 0
  readonly values = createRecord(VALUE_FIELDS, (): string[] => [])
  readonly valueOf = createRecord(VALUE_FIELDS, (): number[] => [])
  readonly flags = createRecord(FLAGS, (): number[] => [])
  readonly isAwarded: number[] = []
  /**
   * For each combination, the result of `getBidState` as an index into `BID_STATES` in three cases: no bid day, bid day
   * before today, bid day today or later.
   */
  readonly bidStates: number[] = []
  readonly #numbersOf = createRecord(VALUE_FIELDS, () => new Map<string, number>())
  readonly #numbers = new Map<string, number>()

  numberOf(project: ProjectKindFacts): number {
    const isAnnounced = project.winner_announced_on !== null
    const isInvited = project.bidding_invited_on !== null
    const values = [...VALUE_FIELDS, ...FLAGS].map((name) => project[name])
    const key = [...values, isInvited, isAnnounced].join('\n')
    const existing = this.#numbers.get(key)
    if (existing !== undefined) return existing
    const number = this.size
    this.size += 1
    this.#numbers.set(key, number)
    for (const name of VALUE_FIELDS) this.valueOf[name][number] = this.#numberIn(name, project[name])
    for (const name of FLAGS) this.flags[name][number] = Number(project[name])
    for (const ends of [null, -1, 0]) {
      const facts = {
        status: project.status,
        movement: project.movement,
        bidding_invite_date: isInvited ? 0 : null,
        submission_end_date: ends,
        winner_announce_date: isAnnounced ? 0 : null,
      }
      const state = getBidState(facts, 0)
      this.bidStates.push(BID_STATES.findIndex(({ code }) => code === state))
      this.isAwarded[number] = Number(state === 'awarded')
    }
    return number
  }

  #numberIn(name: SharedValueField, value: string): number {
    const existing = this.#numbersOf[name].get(value)
    if (existing !== undefined) return existing
    const number = this.values[name].push(value) - 1
    this.#numbersOf[name].set(value, number)
    return number
  }
}

/** Texts that many projects share. Number 0 is the empty text. */
export class SharedSearchTexts {
  size = 0
  readonly index = new EncodedTextIndex()
  readonly #numbers = new Map<string | number, number>()
  #capacity = 0

  constructor() {
    this.#add('')
  }

  /** Assumes 100 bytes per key and its number. */
  get usedBytes(): number {
    return this.index.usedBytes + this.size * 100
  }

  numberOf(key: string | number, text: () => string): number {
    const existing = this.#numbers.get(key)
    if (existing !== undefined) return existing
    const number = this.#add(text())
    this.#numbers.set(key, number)
    return number
  }

  find(key: string | number): number | undefined {
    return this.#numbers.get(key)
  }

  #add(text: string): number {
    const number = this.size
    this.size += 1
    if (number >= this.#capacity) {
      this.#capacity = Math.ceil(grownCapacity(number) / 32) * 32
      this.index.reserve(this.#capacity)
    }
    this.index.set(number, normaliseSearchTextLines(text).spaced)
    return number
  }
}

const NEVER = 0x7fff_ffff

/**
 * End days of active contracts by project row. Nearly all projects have at most one; 768 of 1.39 million have several.
 */
export class ContractEndIndex {
  #first = new Int32Array(0)
  readonly #others = new Map<number, readonly number[]>()

  reserve(capacity: number): void {
    this.#first = growTypedArray(this.#first, capacity)
  }

  /** Stores the contract ends of a row, which must be ascending. */
  put(row: number, ends: readonly number[] | null): void {
    this.#first[row] = ends?.[0] ?? NEVER
    if (ends && ends.length > 1) this.#others.set(row, ends)
    else this.#others.delete(row)
  }

  nextOf(row: number, today: number): number {
    const first = this.#first[row]!
    if (first >= today) return first
    return this.#others.get(row)?.find((end) => end >= today) ?? NEVER
  }
}

const MONEY = listReportFacts('money')
const DAYS = listReportFacts('day')
export type MoneyFactName = (typeof MONEY)[number]
export type DayFact = (typeof DAYS)[number]
export const isMoneyFact = (name: string): name is MoneyFactName => MONEY.some((fact) => fact === name)
export const isDayFact = (name: string): name is DayFact => DAYS.some((fact) => fact === name)

/** Facts of a row of these types are columns in memory; a fact of a department is stored with its department. */
export const CACHED_FACT_TYPES: ReadonlySet<ProjectFactType> = new Set([
  'enumeration',
  'flag',
  'money',
  'day',
  'province',
])
type CachedFacts = StoredFactColumns<
  Pick<typeof REPORT_FACTS, MoneyFactName | SharedValueField | SharedFlag | 'project_province'>
> & {
  readonly [Name in DayFact as (typeof REPORT_FACTS)[Name]['column']]: number | null
}

/** A project as `ProjectCache` reads it: money in satang, days since 2000-01-01. */
export type CachedProjectRow = CachedFacts & {
  readonly project_id: string
  /** `normaliseThai` of the name, which keeps spaces next to Thai letters, unlike `name_search`. */
  readonly name_spaced: string
  readonly department_id: number
  readonly is_budget_in_doubt?: boolean
  readonly winner_name: string | null
  readonly other_winners?: string | null
  /** End days of active contracts, ascending; null if there are none. */
  readonly contract_ends: readonly number[] | null
}

export type ProjectRowColumns = { readonly [Name in keyof CachedProjectRow]: CachedProjectRow[Name][] }

export type ReportDepartmentRow = StoredAgencyUnit & { readonly id: number }

const textOf = ({ name, sub_name }: ReportDepartmentRow) =>
  formatDepartmentName({ dept_name: name, dept_sub_name: sub_name })

export const UNKNOWN_DAY_NUMBER = -0x8000_0000
const UNKNOWN_MONEY_BIN = MONEY_BIN_MASK

export const COUNTED_DAY_FACTS = DAYS.filter((name): name is CountedDayFact => name in PACKED_FACET_ROW_OFFSETS)
export const COUNTED_MONEY_FACTS = MONEY.filter((name): name is CountedMoneyFact => name in MONEY_BIN_SHIFTS)
// Built once, because every project of a load passes through these lists.
const MONEY_COLUMNS = MONEY.map((name) => ({ name, column: REPORT_FACTS[name].column }))
const DAY_COLUMNS = DAYS.map((name) => ({ name, column: REPORT_FACTS[name].column }))
const BINNED_COLUMNS = COUNTED_MONEY_FACTS.map((name) => ({
  column: REPORT_FACTS[name].column,
  shift: MONEY_BIN_SHIFTS[name],
}))

const BYTES_PER_PROJECT =
  36 + MONEY.length * Float64Array.BYTES_PER_ELEMENT + DAYS.length * Int32Array.BYTES_PER_ELEMENT

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
 * Public project fields that the report filters, sorts, counts or searches by, in typed arrays: 84 bytes per project
 * plus its title. Contains no data of organisations or users. A row number stays the same when its project changes.
 */
export class ProjectColumns {
  size = 0
  readonly titles = new EncodedTextIndex()
  readonly departments = new SharedSearchTexts()
  readonly departmentProvinces: number[] = [0]
  /** By number of the department. */
  readonly agencyUnits: AgencyUnit[] = [{ name: '', agency: '', unit: '' }]
  readonly winners = new SharedSearchTexts()
  readonly kinds = new ProjectFieldCombinations()
  readonly contractEnds = new ContractEndIndex()
  keys = new Float64Array(0)
  readonly #rows = new ProjectKeyRowMap()
  kind = new Int32Array(0)
  /** Project province << 7 | department province; 0 means unknown. */
  provinces = new Uint16Array(0)
  /** Bins of the amounts that facets count, at `MONEY_BIN_SHIFTS`. */
  bins = new Uint16Array(0)
  department = new Int32Array(0)
  winner = new Int32Array(0)
  /** Amounts in satang; NaN means unknown. */
  readonly money = createRecord(MONEY, () => new Float64Array(0))
  /** Rows of projects without a budget because an import left it out as doubtful: a few hundred of 1.39 million. */
  readonly budgetsInDoubt = new Set<number>()
  readonly days = createRecord(DAYS, () => new Int32Array(0))

  get usedBytes(): number {
    const texts = this.titles.usedBytes + this.departments.usedBytes + this.winners.usedBytes
    return this.keys.length * BYTES_PER_PROJECT + texts + this.#rows.usedBytes
  }

  reserve(projects: number): void {
    const capacity = Math.ceil(projects / 32) * 32
    if (capacity <= this.keys.length) return
    this.titles.reserve(capacity)
    this.keys = growTypedArray(this.keys, capacity)
    this.kind = growTypedArray(this.kind, capacity)
    this.provinces = growTypedArray(this.provinces, capacity)
    this.bins = growTypedArray(this.bins, capacity)
    this.department = growTypedArray(this.department, capacity)
    this.winner = growTypedArray(this.winner, capacity)
    this.contractEnds.reserve(capacity)
    for (const name of MONEY) this.money[name] = growTypedArray(this.money[name], capacity)
    for (const name of DAYS) this.days[name] = growTypedArray(this.days[name], capacity)
  }

  addDepartment(department: ReportDepartmentRow): void {
    const number = this.departments.numberOf(department.id, () => textOf(department))
    this.departmentProvinces[number] = department.province ?? 0
    this.agencyUnits[number] = toAgencyUnit(department)
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
    if (project.is_budget_in_doubt) this.budgetsInDoubt.add(row)
    else this.budgetsInDoubt.delete(row)
    for (const { name, column } of MONEY_COLUMNS) this.money[name][row] = project[column] ?? Number.NaN
    for (const { name, column } of DAY_COLUMNS) this.days[name][row] = project[column] ?? UNKNOWN_DAY_NUMBER
    this.contractEnds.put(row, project.contract_ends)
    let bins = 0
    for (const { column, shift } of BINNED_COLUMNS) bins |= binOf(project[column]) << shift
    this.bins[row] = bins
  }
}
