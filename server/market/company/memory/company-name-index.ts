import sql from 'sql-template-tag'
import { toCompanyNameKey } from '#contract/catalogue/company-name.ts'
import { parseTaxIdDigits } from '#server/market/company/company-names-sql.ts'
import {
  COMPANY_NAME_SIMILARITY_THRESHOLD,
  MAX_SIMILAR_COMPANIES,
  splitIntoNameFragments,
} from '#server/market/company/queries/list-similar.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { findLowerBoundIndex } from './company-fact-columns.ts'

/**
 * Many short texts joined into one string: one search of 2 million characters takes 1 to 2 ms, while searching each
 * text separately takes 50 ms.
 */
class JoinedLines {
  readonly #text: string
  readonly #starts: Int32Array

  constructor(lines: readonly string[]) {
    this.#text = lines.map((line) => `${line}\n`).join('')
    this.#starts = new Int32Array(lines.length + 1)
    let at = 0
    for (const [line, text] of lines.entries()) {
      this.#starts[line] = at
      at += text.length + 1
    }
    this.#starts[lines.length] = at
  }

  get size(): number {
    return this.#starts.length - 1
  }

  get usedBytes(): number {
    return this.#text.length * 2 + this.#starts.byteLength
  }

  forEachLineWith(text: string, onLine: (line: number) => void): void {
    for (let at = this.#text.indexOf(text); at !== -1; ) {
      const line = this.#lineAt(at)
      onLine(line)
      at = this.#text.indexOf(text, this.#starts[line + 1]!)
    }
  }

  /**
   * Counts how many of these parts each line contains; a part listed twice counts twice. Parts of three letters are
   * found in one pass over all lines, which takes 5 ms for any number of parts; one search per part took 2 ms each.
   */
  countPartsPerLine(parts: readonly string[]): Float64Array {
    const counts = new Float64Array(this.size)
    const short = new TrigramMatcher(parts.filter((part) => part.length === TrigramMatcher.LENGTH))
    for (const part of parts)
      if (part.length !== TrigramMatcher.LENGTH)
        this.forEachLineWith(part, (line) => (counts[line] = counts[line]! + 1))
    const text = this.#text
    for (let line = 0; line < counts.length; line += 1)
      counts[line] = counts[line]! + short.countIn(text, this.#starts[line]!, this.#starts[line + 1]! - 1, line)
    return counts
  }

  #lineAt(at: number): number {
    let [low, high] = [0, this.size - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle]! <= at) low = middle
      else high = middle - 1
    }
    return low
  }
}

const SLOT_COUNT = 1 << 12
const slotOf = (a: number, b: number, c: number) =>
  ((Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35)) >>> 20) & (SLOT_COUNT - 1)

/**
 * Finds which of several three-letter parts a text contains. A hash of three letters selects the parts to compare, so a
 * single pass over the text finds all of them.
 */
class TrigramMatcher {
  static readonly LENGTH = 3
  readonly #slots = new Map<number, number[]>()
  readonly #isUsed = new Uint8Array(SLOT_COUNT)
  readonly #parts: readonly string[]
  readonly #weights: number[]
  /** The line in which each part was last found, so that each part counts once per line. */
  readonly #lastLineWith: Int32Array

  constructor(parts: readonly string[]) {
    this.#parts = [...new Set(parts)]
    this.#weights = this.#parts.map((part) => parts.filter((candidate) => candidate === part).length)
    this.#lastLineWith = new Int32Array(this.#parts.length).fill(-1)
    for (const [number, part] of this.#parts.entries()) {
      const slot = slotOf(part.charCodeAt(0), part.charCodeAt(1), part.charCodeAt(2))
      this.#isUsed[slot] = 1
      this.#slots.set(slot, [...(this.#slots.get(slot) ?? []), number])
    }
  }

  countIn(text: string, from: number, to: number, line: number): number {
    let count = 0
    let [a, b] = [text.charCodeAt(from), text.charCodeAt(from + 1)]
    for (let at = from + 2; at < to; at += 1) {
      const c = text.charCodeAt(at)
      const slot = slotOf(a, b, c)
      if (this.#isUsed[slot] === 1) count += this.#countMatches(slot, text, at - 2, line)
      a = b
      b = c
    }
    return count
  }

  #countMatches(slot: number, text: string, at: number, line: number): number {
    let count = 0
    for (const number of this.#slots.get(slot)!) {
      if (this.#lastLineWith[number] === line || !text.startsWith(this.#parts[number]!, at)) continue
      this.#lastLineWith[number] = line
      count += this.#weights[number]!
    }
    return count
  }
}

type StoredNames = {
  readonly ids: string
  readonly ranks: string
  readonly smes: string
  readonly tax_ids: string
  readonly keys: string
  readonly spelled: string
  readonly uses: string
}

const split = (text: string, by: string) => (text === '' ? [] : text.split(by))
const numbers = (text: string) => split(text, ',').map(Number)

export class CompanyNameIndex {
  /**
   * Indexed by company number (index in `companyIds`): `nameRanks` is the rank by name (equal names share a rank), `smes`
   * is 1 for an SME.
   */
  readonly nameRanks: Float64Array
  readonly smes: Uint8Array
  readonly #ids: Int32Array
  readonly #taxIds: JoinedLines
  readonly #taxCompanies: Int32Array
  readonly #spellings: JoinedLines
  /** Stores company ids rather than indexes, because a spelling may belong to a company without facts. */
  readonly #spelled: Int32Array
  readonly #uses: Float64Array

  constructor(ids: Int32Array, stored: StoredNames) {
    this.#ids = ids
    this.nameRanks = new Float64Array(ids.length)
    this.smes = new Uint8Array(ids.length)
    const [storedIds, ranks, smes] = [numbers(stored.ids), numbers(stored.ranks), numbers(stored.smes)]
    for (const [at, id] of storedIds.entries()) {
      const number = this.#numberOf(id)
      if (number === undefined) continue
      this.nameRanks[number] = ranks[at]!
      this.smes[number] = smes[at]!
    }
    this.#taxIds = new JoinedLines(split(stored.tax_ids, '\n'))
    this.#taxCompanies = Int32Array.from(storedIds)
    this.#spellings = new JoinedLines(split(stored.keys, '\n'))
    this.#spelled = Int32Array.from(numbers(stored.spelled))
    this.#uses = Float64Array.from(numbers(stored.uses))
  }

  get usedBytes(): number {
    return this.#spellings.usedBytes + this.#taxIds.usedBytes + this.#spelled.byteLength * 3 + this.#ids.length * 9
  }

  #numberOf(id: number): number | undefined {
    const number = findLowerBoundIndex(this.#ids, id)
    return this.#ids[number] === id ? number : undefined
  }

  #idsMatching(texts: readonly string[]): Set<number> {
    const ids = new Set<number>()
    for (const key of texts.map(toCompanyNameKey))
      if (key !== '') this.#spellings.forEachLineWith(key, (line) => ids.add(this.#spelled[line]!))
    for (const digits of texts.flatMap((text) => parseTaxIdDigits(text) ?? []))
      this.#taxIds.forEachLineWith(digits, (line) => ids.add(this.#taxCompanies[line]!))
    return ids
  }

  maskOfMatches(texts: readonly string[]): Uint8Array {
    return this.maskOf(this.#idsMatching(texts))
  }

  maskOf(ids: Iterable<number>): Uint8Array {
    const mask = new Uint8Array(this.#ids.length)
    for (const id of ids) {
      const number = this.#numberOf(id)
      if (number !== undefined) mask[number] = 1
    }
    return mask
  }

  similar(texts: readonly string[]): number[] {
    const exactIds = this.#idsMatching(texts)
    const fragments = texts.map(toCompanyNameKey).flatMap(splitIntoNameFragments)
    const shared =
      exactIds.size > 0 ? new Float64Array(this.#spellings.size) : this.#spellings.countPartsPerLine(fragments)
    const best = new Map<number, { id: number; similarity: number; uses: number }>()
    for (let line = 0; line < shared.length; line += 1) {
      const id = this.#spelled[line]!
      const similarity = exactIds.size > 0 ? Number(exactIds.has(id)) : shared[line]! / Math.max(1, fragments.length)
      if (similarity < COMPANY_NAME_SIMILARITY_THRESHOLD) continue
      const previous = best.get(id)
      best.set(id, {
        id,
        similarity: Math.max(similarity, previous?.similarity ?? 0),
        uses: this.#uses[line]! + (previous?.uses ?? 0),
      })
    }
    return [...best.values()]
      .sort((a, b) => b.similarity - a.similarity || b.uses - a.uses || a.id - b.id)
      .slice(0, MAX_SIMILAR_COMPANIES)
      .map(({ id }) => id)
  }
}

/** Loads the names of these companies in two statements, some 60 ms each for 81,052 companies. */
export async function loadCompanyNameIndex(db: Db, ids: Int32Array): Promise<CompanyNameIndex> {
  const noTimeout = { timeoutMs: 0 }
  const [companies] = await db.query<Pick<StoredNames, 'ids' | 'ranks' | 'smes' | 'tax_ids'>>(
    sql`
      select coalesce(string_agg(c.id::text, ','), '') as ids, coalesce(string_agg(c.rank::text, ','), '') as ranks,
        coalesce(string_agg(case when c.is_sme then '1' else '0' end, ','), '') as smes,
        coalesce(string_agg(coalesce(c.tax_id, ''), chr(10)), '') as tax_ids
      from (select o.id, o.tax_id, o.is_sme, rank() over (order by o.name collate thai) as rank from companies o) c`,
    noTimeout,
  )
  const [spellings] = await db.query<Pick<StoredNames, 'keys' | 'spelled' | 'uses'>>(
    sql`
      select coalesce(string_agg(n.name_key, chr(10)), '') as keys, coalesce(string_agg(n.company_id::text, ','), '') as spelled,
        coalesce(string_agg(n.uses::text, ','), '') as uses
      from company_names n`,
    noTimeout,
  )
  return new CompanyNameIndex(ids, { ...companies!, ...spellings! })
}
