import { bidStateOf } from '#contract/project/project.ts'
import { MONEY_BINS } from '#contract/report/report.ts'
import { departmentText } from '#contract/report/report-filter.ts'
import { compactForm, normaliseThai } from '#contract/thai/thai-text.ts'
import { grown, TextBytes } from '#server/text/text-bytes.ts'
import { ContractEnds } from './contract-ends.ts'
import { projectKey, RowByKey } from './project-key.ts'

/** A project as `load-projects.ts` reads it: money in satang, days since 2000-01-01. */
export type ProjectRow = {
  readonly project_id: string
  /** With the blanks beside Thai. */
  readonly name_spaced: string
  readonly department_id: number
  readonly project_province: number | null
  readonly status: string
  readonly movement: string
  readonly criteria: string
  readonly method: string
  readonly method_type: string
  readonly is_sme: boolean
  readonly is_archived: boolean
  readonly budget_satang: number | null
  readonly estimate_satang: number | null
  readonly winner_satang: number | null
  readonly winner_name: string | null
  readonly movement_on: number | null
  readonly draft_published_on: number | null
  readonly draft_discussion_ends_on: number | null
  readonly bidding_invited_on: number | null
  readonly submission_ends_on: number | null
  readonly winner_announced_on: number | null
  /** Ascending; null: none. */
  readonly contract_ends: readonly number[] | null
}

export type DepartmentRow = {
  readonly id: number
  readonly name: string
  readonly sub_name: string
  readonly province: number | null
}

/** Below every day. */
export const NO_DAY = -0x8000_0000
/** Bin of an unknown amount. */
export const NO_BIN = 31

/** The open vocabularies of a project. */
const WORDED = ['status', 'movement', 'criteria', 'method', 'methodType'] as const
export type Worded = (typeof WORDED)[number]

/** What many projects share word for word: one number in the column of kinds, looked at once for all of them. */
export class Kinds {
  size = 0
  /** Values in use, and for each kind the number of its value. */
  readonly values: Record<Worded, string[]> = { status: [], movement: [], criteria: [], method: [], methodType: [] }
  readonly valueOf: Record<Worded, Uint16Array> = {
    status: new Uint16Array(64),
    movement: new Uint16Array(64),
    criteria: new Uint16Array(64),
    method: new Uint16Array(64),
    methodType: new Uint16Array(64),
  }
  isSme = new Uint8Array(64)
  isArchived = new Uint8Array(64)
  isAwarded = new Uint8Array(64)
  /** Whatever day it is; without it the last day of submission decides. */
  isClosed = new Uint8Array(64)
  readonly #numbersOf: Record<Worded, Map<string, number>> = {
    status: new Map(),
    movement: new Map(),
    criteria: new Map(),
    method: new Map(),
    methodType: new Map(),
  }
  /** Number of a beginning of words, and of the number of the next one behind it. Texts put together for each project took a fifth of reading them. */
  readonly #steps = new Map<number, number>()
  readonly #numbers = new Map<number, number>()

  numberOf(project: ProjectRow): number {
    const {
      status,
      movement,
      criteria,
      method,
      method_type: methodType,
      is_sme: isSme,
      is_archived: isArchived,
    } = project
    const isAnnounced = project.winner_announced_on !== null
    const words = { status, movement, criteria, method, methodType }
    let step = 0
    for (const name of WORDED) step = this.#stepTo(step, this.#numberIn(name, words[name]))
    const key = step * 8 + Number(isSme) * 4 + Number(isArchived) * 2 + Number(isAnnounced)
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.size
    this.size += 1
    this.#numbers.set(key, number)
    if (number >= this.isSme.length) this.#grow(number * 2)
    for (const name of WORDED) this.valueOf[name][number] = this.#numberIn(name, words[name])
    this.isSme[number] = Number(isSme)
    this.isArchived[number] = Number(isArchived)
    const facts = { status, movement, submission_end_date: null, winner_announce_date: isAnnounced ? 0 : null }
    const state = bidStateOf(facts, 0)
    this.isAwarded[number] = Number(state === 'awarded')
    this.isClosed[number] = Number(state === 'closed')
    return number
  }

  #stepTo(from: number, word: number): number {
    const key = from * 2 ** 16 + word
    const known = this.#steps.get(key)
    if (known !== undefined) return known
    const step = this.#steps.size + 1
    this.#steps.set(key, step)
    return step
  }

  /** Number of a value, which is added when it is new. */
  #numberIn(name: Worded, value: string): number {
    const known = this.#numbersOf[name].get(value)
    if (known !== undefined) return known
    const number = this.values[name].push(value) - 1
    this.#numbersOf[name].set(value, number)
    return number
  }

  #grow(room: number): void {
    for (const name of WORDED) this.valueOf[name] = grown(this.valueOf[name], room)
    this.isSme = grown(this.isSme, room)
    this.isArchived = grown(this.isArchived, room)
    this.isAwarded = grown(this.isAwarded, room)
    this.isClosed = grown(this.isClosed, room)
  }
}

/** Texts that repeat, in both forms in which terms are looked for. Number 0 is the empty text. */
export class SharedTexts {
  readonly compact: string[] = ['']
  readonly spaced: string[] = ['']
  readonly #numbers = new Map<string | number, number>()

  numberOf(key: string | number, text: () => string): number {
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const spaced = normaliseThai(text())
    this.spaced.push(spaced)
    this.compact.push(compactForm(spaced))
    this.#numbers.set(key, this.compact.length - 1)
    return this.compact.length - 1
  }

  find(key: string | number): number | undefined {
    return this.#numbers.get(key)
  }
}

const MONEY = ['budget', 'estimate', 'winner'] as const
const DAYS = [
  'movementOn',
  'draftPublishedOn',
  'discussionEndsOn',
  'invitedOn',
  'submissionEndsOn',
  'announcedOn',
] as const
export type MoneyColumn = (typeof MONEY)[number]
export type DayColumn = (typeof DAYS)[number]

/** Numbers of `facts`: kind; provinces and the bins of budget, estimate and winning price (five bits each) in one; these days. Eight are half a line of the processor's memory. */
export const FACTS_A_ROW = 8
export const BINS_BITS = 15
export const COUNTED_DAYS = [
  'draftPublishedOn',
  'discussionEndsOn',
  'invitedOn',
  'submissionEndsOn',
  'announcedOn',
] as const satisfies readonly DayColumn[]
export type CountedDay = (typeof COUNTED_DAYS)[number]

const BORDERS = MONEY_BINS.map((baht) => baht * 100)
/** The bin of `MONEY_BINS`, upper bound included. */
function binOf(satang: number | null): number {
  if (satang === null) return NO_BIN
  const bin = BORDERS.findIndex((border) => satang <= border)
  return bin === -1 ? BORDERS.length : bin
}

/**
 * What is public of every project and the report filters, sorts, counts or searches by: one row a project in typed arrays, 114 bytes and its title.
 * Nothing of any organisation or user stands here. A row keeps its number when its project changes.
 */
export class ProjectColumns {
  size = 0
  readonly titles = new TextBytes()
  readonly rows = new RowByKey()
  readonly departments = new SharedTexts()
  readonly departmentProvinces: number[] = [0]
  readonly winners = new SharedTexts()
  readonly kinds = new Kinds()
  readonly contractEnds = new ContractEnds()
  keys = new Float64Array(0)
  kind = new Int32Array(0)
  /** Project's province << 7 | department's; 0 = unknown. */
  provinces = new Uint16Array(0)
  /** What facets count, `FACTS_A_ROW` for each project: they stand beside each other, so that a match is one look into memory and not one for each facet. */
  facts = new Int32Array(0)
  department = new Int32Array(0)
  winner = new Int32Array(0)
  /** Satang; NaN = unknown. */
  readonly money: Record<MoneyColumn, Float64Array> = {
    budget: new Float64Array(0),
    estimate: new Float64Array(0),
    winner: new Float64Array(0),
  }
  readonly days: Record<DayColumn, Int32Array> = {
    movementOn: new Int32Array(0),
    draftPublishedOn: new Int32Array(0),
    discussionEndsOn: new Int32Array(0),
    invitedOn: new Int32Array(0),
    submissionEndsOn: new Int32Array(0),
    announcedOn: new Int32Array(0),
  }

  /** Bytes held, texts of departments and winners taken at 200 each. */
  get heldBytes(): number {
    const shared = this.departments.compact.length + this.winners.compact.length
    return this.keys.length * 114 + this.titles.heldBytes + this.rows.heldBytes + shared * 200
  }

  /** Makes room for this many projects in all. */
  reserve(projects: number): void {
    const capacity = Math.ceil(projects / 32) * 32
    if (capacity <= this.keys.length) return
    this.titles.reserve(capacity)
    this.keys = grown(this.keys, capacity)
    this.kind = grown(this.kind, capacity)
    this.provinces = grown(this.provinces, capacity)
    this.facts = grown(this.facts, capacity * FACTS_A_ROW)
    this.department = grown(this.department, capacity)
    this.winner = grown(this.winner, capacity)
    this.contractEnds.reserve(capacity)
    for (const name of MONEY) this.money[name] = grown(this.money[name], capacity)
    for (const name of DAYS) this.days[name] = grown(this.days[name], capacity)
  }

  addDepartment(department: DepartmentRow): void {
    const number = this.departments.numberOf(department.id, () =>
      departmentText({ dept_name: department.name, dept_sub_name: department.sub_name }),
    )
    this.departmentProvinces[number] = department.province ?? 0
  }

  /** Writes a project, new or changed, whose department is known. One whose id has no key is left out: who matched it is answered by SQL. */
  put(project: ProjectRow): void {
    const key = projectKey(project.project_id)
    if (key === undefined) return
    const department = this.departments.find(project.department_id)!
    let row = this.rows.get(key)
    if (row === undefined) {
      row = this.size
      if (row >= this.keys.length) this.reserve(Math.max(1_024, Math.ceil(row * 1.5)))
      this.size += 1
      this.rows.set(key, row)
      this.keys[row] = key
    }
    this.titles.set(row, project.name_spaced)
    this.kind[row] = this.kinds.numberOf(project)
    this.provinces[row] = ((project.project_province ?? 0) << 7) | this.departmentProvinces[department]!
    this.department[row] = department
    const { winner_name: winner } = project
    this.winner[row] = winner === null ? 0 : this.winners.numberOf(winner, () => winner)
    this.money.budget[row] = project.budget_satang ?? Number.NaN
    this.money.estimate[row] = project.estimate_satang ?? Number.NaN
    this.money.winner[row] = project.winner_satang ?? Number.NaN
    this.days.movementOn[row] = project.movement_on ?? NO_DAY
    this.days.draftPublishedOn[row] = project.draft_published_on ?? NO_DAY
    this.days.discussionEndsOn[row] = project.draft_discussion_ends_on ?? NO_DAY
    this.days.invitedOn[row] = project.bidding_invited_on ?? NO_DAY
    this.days.submissionEndsOn[row] = project.submission_ends_on ?? NO_DAY
    this.days.announcedOn[row] = project.winner_announced_on ?? NO_DAY
    this.contractEnds.put(row, project.contract_ends)
    this.#putFacts(row, project)
  }

  #putFacts(row: number, { budget_satang, estimate_satang, winner_satang }: ProjectRow): void {
    const { facts, days } = this
    const at = row * FACTS_A_ROW
    const bins = binOf(budget_satang) | (binOf(estimate_satang) << 5) | (binOf(winner_satang) << 10)
    facts[at] = this.kind[row]!
    facts[at + 1] = (this.provinces[row]! << BINS_BITS) | bins
    for (const [i, name] of COUNTED_DAYS.entries()) facts[at + 2 + i] = days[name][row]!
  }
}
