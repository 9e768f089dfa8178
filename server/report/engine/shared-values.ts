import { BID_STATES, getBidState } from '#contract/catalogue/bid-state.ts'
import { listReportFacts, type REPORT_FACTS, type StoredFactColumns } from '#contract/catalogue/project-facts.ts'
import { growTypedArray } from '#server/platform/text/encoded-text-index.ts'
import { normaliseSearchTextLines } from '#server/platform/text/to-line-search-forms.ts'

const VALUE_FIELDS = listReportFacts('enumeration')
const FLAGS = listReportFacts('flag')
export type SharedValueField = (typeof VALUE_FIELDS)[number]
export type SharedFlag = (typeof FLAGS)[number]

export type ProjectKindFacts = StoredFactColumns<Pick<typeof REPORT_FACTS, SharedValueField | SharedFlag>> & {
  readonly bidding_invited_on: number | null
  readonly winner_announced_on: number | null
}

export const createRecord = <Name extends string, Value>(names: readonly Name[], createValue: () => Value) =>
  Object.fromEntries(names.map((name) => [name, createValue()])) as Record<Name, Value>

/**
 * Combinations of field values that many projects share. The kind column contains one number per combination, so each
 * combination is evaluated once.
 */
export class ProjectFieldCombinations {
  size = 0
  readonly values = createRecord(VALUE_FIELDS, (): string[] => [])
  readonly valueOf = createRecord(VALUE_FIELDS, () => new Uint16Array(64))
  readonly flags = createRecord(FLAGS, () => new Uint8Array(64))
  isAwarded = new Uint8Array(64)
  /**
   * For each combination, the result of `getBidState` as an index into `BID_STATES` in three cases: no bid day, bid day
   * before today, bid day today or later.
   */
  bidStates = new Uint8Array(64 * 3)
  readonly #numbersOf = createRecord(VALUE_FIELDS, () => new Map<string, number>())
  /**
   * Trie over the numbers of the field values. Building a string key per project instead took a fifth of the load time.
   */
  readonly #nodes = new Map<number, number>()
  readonly #numbers = new Map<number, number>()

  numberOf(project: ProjectKindFacts): number {
    const isAnnounced = project.winner_announced_on !== null
    const isInvited = project.bidding_invited_on !== null
    let node = 0
    for (const name of VALUE_FIELDS) node = this.#nodeAfter(node, this.#numberIn(name, project[name]))
    let key = node * 4 + Number(isInvited) * 2 + Number(isAnnounced)
    for (const name of FLAGS) key = key * 2 + Number(project[name])
    const existing = this.#numbers.get(key)
    if (existing !== undefined) return existing
    const number = this.size
    this.size += 1
    this.#numbers.set(key, number)
    if (number >= this.isAwarded.length) this.#grow(number * 2)
    for (const name of VALUE_FIELDS) this.valueOf[name][number] = this.#numberIn(name, project[name])
    for (const name of FLAGS) this.flags[name][number] = Number(project[name])
    for (const [at, ends] of [null, -1, 0].entries()) {
      const facts = {
        status: project.status,
        movement: project.movement,
        bidding_invite_date: isInvited ? 0 : null,
        submission_end_date: ends,
        winner_announce_date: isAnnounced ? 0 : null,
      }
      const state = getBidState(facts, 0)
      this.bidStates[number * 3 + at] = BID_STATES.findIndex(({ code }) => code === state)
      if (at === 0) this.isAwarded[number] = Number(state === 'awarded')
    }
    return number
  }

  #nodeAfter(from: number, valueNumber: number): number {
    const key = from * 2 ** 16 + valueNumber
    const existing = this.#nodes.get(key)
    if (existing !== undefined) return existing
    const node = this.#nodes.size + 1
    this.#nodes.set(key, node)
    return node
  }

  #numberIn(name: SharedValueField, value: string): number {
    const existing = this.#numbersOf[name].get(value)
    if (existing !== undefined) return existing
    const number = this.values[name].push(value) - 1
    this.#numbersOf[name].set(value, number)
    return number
  }

  #grow(capacity: number): void {
    for (const name of VALUE_FIELDS) this.valueOf[name] = growTypedArray(this.valueOf[name], capacity)
    for (const name of FLAGS) this.flags[name] = growTypedArray(this.flags[name], capacity)
    this.isAwarded = growTypedArray(this.isAwarded, capacity)
    this.bidStates = growTypedArray(this.bidStates, capacity * 3)
  }
}

/** Texts that many projects share, in both searchable forms. Number 0 is the empty text. */
export class SharedSearchTexts {
  readonly compact: string[] = ['']
  readonly spaced: string[] = ['']
  readonly #numbers = new Map<string | number, number>()

  numberOf(key: string | number, text: () => string): number {
    const existing = this.#numbers.get(key)
    if (existing !== undefined) return existing
    const number = this.add(text())
    this.name(key, number)
    return number
  }

  add(text: string): number {
    const { spaced, compact } = normaliseSearchTextLines(text)
    this.spaced.push(spaced)
    this.compact.push(compact)
    return this.compact.length - 1
  }

  name(key: string | number, number: number): void {
    this.#numbers.set(key, number)
  }

  find(key: string | number): number | undefined {
    return this.#numbers.get(key)
  }
}
