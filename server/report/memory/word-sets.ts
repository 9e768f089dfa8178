import type { SearchNode, SearchTerm } from '#contract/search/search-grammar.ts'
import { findTerm, type TermForm, termForm } from '#contract/search/search-term.ts'
import { withoutDeadline, yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { SharedResults } from '#server/platform/route/shared-results.ts'
import { foundBy } from '#server/platform/text/found-by.ts'
import {
  isNamedBy,
  lettersNeedle,
  TEXTS_A_TURN,
  type TextNeedle,
  textNeedle,
} from '#server/platform/text/text-bytes.ts'
import { type MatchTab, placeOfRow } from './match-set.ts'
import type { ProjectColumns } from './project-columns.ts'
import { projectKey } from './project-key.ts'
import type { SharedTexts } from './shared-values.ts'

/** Departments or winners searched between yields to the event loop. */
const NAMES_A_TURN = 50_000
/**
 * Smaller reports are searched row by row. For larger ones a term is searched in all titles and the result is cached.
 */
const SMALL_REPORT = 100_000
const MOST_KEPT_BYTES = 48 * 2 ** 20

export type SearchedText = 'name' | 'department' | 'winner' | 'number'

type WordSet = Uint8Array | Uint32Array

/**
 * Cached term occurrences: one bit per row for titles, one byte per text for departments and winners. They concern
 * public texts, so all organisations share them. LRU; cleared when projects change.
 */
export class WordSets {
  readonly #columns: ProjectColumns
  readonly #kept = new SharedResults<WordSet>({
    maxBytes: MOST_KEPT_BYTES,
    bytesOf: ({ byteLength }) => byteLength,
  })

  constructor(columns: ProjectColumns) {
    this.#columns = columns
  }

  get heldBytes(): number {
    return this.#kept.bytes
  }

  clear(): void {
    this.#kept.clear()
  }

  /** 1 for each match of the tab found by the search in these texts; same rule as `matchesAnyText`. */
  async find(node: SearchNode, texts: readonly SearchedText[], tab: MatchTab): Promise<Uint8Array> {
    return foundBy(node, (term) => this.#findTerm(term, texts, tab))
  }

  /** 1 for each row whose title contains one of these forms, letter by letter. */
  async findLetters(forms: readonly string[], rows: Int32Array): Promise<Uint8Array> {
    const found = new Uint8Array(rows.length)
    for (const form of forms) {
      await this.#searchRows(found, lettersNeedle(form), rows)
      await yieldToEventLoop()
    }
    return found
  }

  async #findTerm(node: SearchTerm, texts: readonly SearchedText[], tab: MatchTab): Promise<Uint8Array> {
    const { rows } = tab
    const term = termForm(node)
    const found = new Uint8Array(rows.length)
    if (term.form === '') return found
    const { departments, department, winners, winner } = this.#columns
    if (texts.includes('name')) await this.#markTitles(found, term, rows)
    if (texts.includes('department'))
      mark(found, await this.#textsWith(departments, 'department', term), department, rows)
    if (texts.includes('winner')) mark(found, await this.#textsWith(winners, 'winner', term), winner, rows)
    if (texts.includes('number')) this.#markNumber(found, term, tab)
    await yieldToEventLoop()
    return found
  }

  async #markTitles(found: Uint8Array, term: TermForm, rows: Int32Array): Promise<void> {
    const needle = textNeedle(term)
    const { titles, size } = this.#columns
    const key = `name ${term.quoted} ${term.form}`
    if (rows.length < SMALL_REPORT && !this.#kept.has(key)) return await this.#searchRows(found, needle, rows)
    markRows(found, (await this.#keep(key, () => titles.find(needle, size))) as Uint32Array, rows)
  }

  async #searchRows(found: Uint8Array, needle: TextNeedle, rows: Int32Array): Promise<void> {
    const { titles } = this.#columns
    // Few rows, so scan them directly; a cached set over a million projects would cost 125 kB per term.
    const sieves = titles.sieves(needle)
    let looked = 0
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at]!
      if (!isNamedBy(sieves, row)) continue
      if (titles.holds(row, needle)) found[at] = 1
      looked += 1
      if (looked % TEXTS_A_TURN === 0) await yieldToEventLoop()
    }
  }

  async #textsWith(texts: SharedTexts, kind: SearchedText, term: TermForm): Promise<Uint8Array> {
    const key = `${kind} ${term.quoted} ${term.form}`
    return (await this.#keep(key, async () => {
      const searched = term.quoted ? texts.spaced : texts.compact
      const found = new Uint8Array(searched.length)
      for (let at = 0; at < found.length; at += 1) {
        if (findTerm(term, searched[at]!) !== -1) found[at] = 1
        if (at % NAMES_A_TURN === NAMES_A_TURN - 1) await yieldToEventLoop()
      }
      return found
    })) as Uint8Array
  }

  /**
   * Project numbers consist of digits only and terms match at digit boundaries, so a term matches only the whole
   * number.
   */
  #markNumber(found: Uint8Array, { form }: TermForm, tab: MatchTab): void {
    const key = projectKey(form)
    const row = key === undefined ? undefined : this.#columns.rowOf(key)
    const at = row === undefined ? -1 : placeOfRow(tab, row)
    if (at !== -1) found[at] = 1
  }

  /** Shared by all waiting queries, so detached from the first caller's deadline. */
  #keep(key: string, make: () => Promise<WordSet>): Promise<WordSet> {
    return this.#kept.get(key) ?? this.#kept.add(key, withoutDeadline(make))
  }
}

function markRows(found: Uint8Array, bits: Uint32Array, rows: Int32Array): void {
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!
    found[at] = (bits[row >>> 5]! >>> (row & 31)) & 1
  }
}

function mark(found: Uint8Array, texts: Uint8Array, numbers: Int32Array, rows: Int32Array): void {
  for (let at = 0; at < rows.length; at += 1) found[at] = found[at]! | texts[numbers[rows[at]!]!]!
}
