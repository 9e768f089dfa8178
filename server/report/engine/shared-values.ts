import { BID_STATES, getBidState } from '#contract/catalogue/bid-state.ts'
import { growTypedArray } from '#server/platform/text/encoded-text-index.ts'
import { normaliseSearchTextLines } from '#server/platform/text/to-line-search-forms.ts'

const VALUE_FIELDS = ['status', 'movement', 'criteria', 'method', 'methodType'] as const
export type SharedValueField = (typeof VALUE_FIELDS)[number]

export type ProjectKindFacts = {
  readonly status: string
  readonly movement: string
  readonly criteria: string
  readonly method: string
  readonly method_type: string
  readonly is_sme: boolean
  readonly is_archived: boolean
  readonly bidding_invited_on: number | null
  readonly winner_announced_on: number | null
}

/**
 * Combinations of field values that many projects share. The kind column contains one number per combination, so each
 * combination is evaluated once.
 */
export class ProjectFieldCombinations {
  size = 0
  readonly values: Record<SharedValueField, string[]> = {
    status: [],
    movement: [],
    criteria: [],
    method: [],
    methodType: [],
  }
  readonly valueOf: Record<SharedValueField, Uint16Array> = {
    status: new Uint16Array(64),
    movement: new Uint16Array(64),
    criteria: new Uint16Array(64),
    method: new Uint16Array(64),
    methodType: new Uint16Array(64),
  }
  isSme = new Uint8Array(64)
  isArchived = new Uint8Array(64)
  isAwarded = new Uint8Array(64)
  /**
   * For each combination, the result of `getBidState` as an index into `BID_STATES` in three cases: no bid day, bid day
   * before today, bid day today or later.
   */
  bidStates = new Uint8Array(64 * 3)
  readonly #numbersOf: Record<SharedValueField, Map<string, number>> = {
    status: new Map(),
    movement: new Map(),
    criteria: new Map(),
    method: new Map(),
    methodType: new Map(),
  }
  /**
   * Trie over the numbers of the field values. Building a string key per project instead took a fifth of the load time.
   */
  readonly #nodes = new Map<number, number>()
  readonly #numbers = new Map<number, number>()

  numberOf(project: ProjectKindFacts): number {
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
    const isInvited = project.bidding_invited_on !== null
    const words = { status, movement, criteria, method, methodType }
    let node = 0
    for (const name of VALUE_FIELDS) node = this.#nodeAfter(node, this.#numberIn(name, words[name]))
    const key = node * 16 + Number(isInvited) * 8 + Number(isSme) * 4 + Number(isArchived) * 2 + Number(isAnnounced)
    const existing = this.#numbers.get(key)
    if (existing !== undefined) return existing
    const number = this.size
    this.size += 1
    this.#numbers.set(key, number)
    if (number >= this.isSme.length) this.#grow(number * 2)
    for (const name of VALUE_FIELDS) this.valueOf[name][number] = this.#numberIn(name, words[name])
    this.isSme[number] = Number(isSme)
    this.isArchived[number] = Number(isArchived)
    for (const [at, ends] of [null, -1, 0].entries()) {
      const facts = {
        status,
        movement,
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
    this.isSme = growTypedArray(this.isSme, capacity)
    this.isArchived = growTypedArray(this.isArchived, capacity)
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
