import sql from 'sql-template-tag'
import { companyNameKey } from '#contract/catalogue/company-name.ts'
import { taxDigits } from '#server/market/company/company-names-sql.ts'
import { ALIKE, MOST_SIMILAR, piecesOf } from '#server/market/company/queries/list-similar.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { firstFrom } from './fact-columns.ts'

/**
 * Many short texts joined into one string: one search of 2 million characters takes 1 to 2 ms, searching each text
 * separately 50 ms.
 */
class Lines {
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

  get heldBytes(): number {
    return this.#text.length * 2 + this.#starts.byteLength
  }

  /** Calls `found` once for each line that contains `part`, which must not be empty. */
  eachHolding(part: string, found: (line: number) => void): void {
    for (let at = this.#text.indexOf(part); at !== -1; ) {
      const line = this.#lineAt(at)
      found(line)
      at = this.#text.indexOf(part, this.#starts[line + 1]!)
    }
  }

  /**
   * Counts, per line, how many of these parts it contains, duplicates counted twice. Parts of three letters are found
   * in one pass over all lines, which takes 5 ms for any number of parts; one search per part took 2 ms each.
   */
  countHolding(parts: readonly string[]): Float64Array {
    const counts = new Float64Array(this.size)
    const short = new ThreeLetters(parts.filter((part) => part.length === ThreeLetters.LENGTH))
    for (const part of parts)
      if (part.length !== ThreeLetters.LENGTH) this.eachHolding(part, (line) => (counts[line] = counts[line]! + 1))
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

const SLOTS = 1 << 12
const slotOf = (a: number, b: number, c: number) =>
  ((Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35)) >>> 20) & (SLOTS - 1)

/**
 * Finds which of several three-letter parts a text contains. A hash of three letters selects the parts to compare, so
 * one pass over the text finds all of them.
 */
class ThreeLetters {
  static readonly LENGTH = 3
  readonly #slots = new Map<number, number[]>()
  readonly #isUsed = new Uint8Array(SLOTS)
  readonly #parts: readonly string[]
  readonly #weights: number[]
  /** Last line that contained each part, so that a line counts a part once. */
  readonly #metIn: Int32Array

  constructor(parts: readonly string[]) {
    this.#parts = [...new Set(parts)]
    this.#weights = this.#parts.map((part) => parts.filter((other) => other === part).length)
    this.#metIn = new Int32Array(this.#parts.length).fill(-1)
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
      if (this.#isUsed[slot] === 1) count += this.#meet(slot, text, at - 2, line)
      a = b
      b = c
    }
    return count
  }

  #meet(slot: number, text: string, at: number, line: number): number {
    let count = 0
    for (const number of this.#slots.get(slot)!) {
      if (this.#metIn[number] === line || !text.startsWith(this.#parts[number]!, at)) continue
      this.#metIn[number] = line
      count += this.#weights[number]!
    }
    return count
  }
}

type Stored = {
  readonly ids: string
  readonly places: string
  readonly smes: string
  readonly tax_ids: string
  readonly keys: string
  readonly spelled: string
  readonly uses: string
}

const split = (text: string, by: string) => (text === '' ? [] : text.split(by))
const numbers = (text: string) => split(text, ',').map(Number)

export class CompanyNames {
  /** Indexed by company number (`companyIds`): rank by name (equal names share a rank), and 1 for an SME. */
  readonly places: Float64Array
  readonly smes: Uint8Array
  readonly #ids: Int32Array
  readonly #taxIds: Lines
  readonly #taxCompanies: Int32Array
  readonly #spellings: Lines
  /** Ids rather than numbers, because a spelling may belong to a company without facts. */
  readonly #spelled: Int32Array
  readonly #uses: Float64Array

  constructor(ids: Int32Array, stored: Stored) {
    this.#ids = ids
    this.places = new Float64Array(ids.length)
    this.smes = new Uint8Array(ids.length)
    const [known, places, smes] = [numbers(stored.ids), numbers(stored.places), numbers(stored.smes)]
    for (const [at, id] of known.entries()) {
      const number = this.#numberOf(id)
      if (number === undefined) continue
      this.places[number] = places[at]!
      this.smes[number] = smes[at]!
    }
    this.#taxIds = new Lines(split(stored.tax_ids, '\n'))
    this.#taxCompanies = Int32Array.from(known)
    this.#spellings = new Lines(split(stored.keys, '\n'))
    this.#spelled = Int32Array.from(numbers(stored.spelled))
    this.#uses = Float64Array.from(numbers(stored.uses))
  }

  get heldBytes(): number {
    return this.#spellings.heldBytes + this.#taxIds.heldBytes + this.#spelled.byteLength * 3 + this.#ids.length * 9
  }

  #numberOf(id: number): number | undefined {
    const number = firstFrom(this.#ids, id)
    return this.#ids[number] === id ? number : undefined
  }

  #idsHolding(texts: readonly string[]): Set<number> {
    const ids = new Set<number>()
    for (const key of texts.map(companyNameKey))
      if (key !== '') this.#spellings.eachHolding(key, (line) => ids.add(this.#spelled[line]!))
    for (const digits of texts.flatMap((text) => taxDigits(text) ?? []))
      this.#taxIds.eachHolding(digits, (line) => ids.add(this.#taxCompanies[line]!))
    return ids
  }

  /** Like `nameConditions`: returns a mask with 1 for companies whose spelling or tax id contains one of the texts. */
  holding(texts: readonly string[]): Uint8Array {
    return this.maskOf(this.#idsHolding(texts))
  }

  maskOf(ids: Iterable<number>): Uint8Array {
    const mask = new Uint8Array(this.#ids.length)
    for (const id of ids) {
      const number = this.#numberOf(id)
      if (number !== undefined) mask[number] = 1
    }
    return mask
  }

  /** Like `findSimilar`: returns ids of similar companies, most alike first. */
  similar(texts: readonly string[]): number[] {
    const named = this.#idsHolding(texts)
    const pieces = texts.map(companyNameKey).flatMap(piecesOf)
    const shared = named.size > 0 ? new Float64Array(this.#spellings.size) : this.#spellings.countHolding(pieces)
    const best = new Map<number, { id: number; alike: number; uses: number }>()
    for (let line = 0; line < shared.length; line += 1) {
      const id = this.#spelled[line]!
      const alike = named.size > 0 ? Number(named.has(id)) : shared[line]! / Math.max(1, pieces.length)
      if (alike < ALIKE) continue
      const known = best.get(id)
      best.set(id, {
        id,
        alike: Math.max(alike, known?.alike ?? 0),
        uses: this.#uses[line]! + (known?.uses ?? 0),
      })
    }
    return [...best.values()]
      .sort((a, b) => b.alike - a.alike || b.uses - a.uses || a.id - b.id)
      .slice(0, MOST_SIMILAR)
      .map(({ id }) => id)
  }
}

/** Loads the names of these companies: two statements of some 60 ms each for 81,052 companies. */
export async function readNames(db: Db, ids: Int32Array): Promise<CompanyNames> {
  const whole = { timeoutMs: 0 }
  const [companies] = await db.query<Pick<Stored, 'ids' | 'places' | 'smes' | 'tax_ids'>>(
    sql`
      select coalesce(string_agg(c.id::text, ','), '') as ids, coalesce(string_agg(c.place::text, ','), '') as places,
        coalesce(string_agg(case when c.is_sme then '1' else '0' end, ','), '') as smes,
        coalesce(string_agg(coalesce(c.tax_id, ''), chr(10)), '') as tax_ids
      from (select o.id, o.tax_id, o.is_sme, rank() over (order by o.name collate thai) as place from companies o) c`,
    whole,
  )
  const [spellings] = await db.query<Pick<Stored, 'keys' | 'spelled' | 'uses'>>(
    sql`
      select coalesce(string_agg(n.name_key, chr(10)), '') as keys, coalesce(string_agg(n.company_id::text, ','), '') as spelled,
        coalesce(string_agg(n.uses::text, ','), '') as uses
      from (
        select x.name_key, x.company_id, x.uses from company_names x
        union all select c.name_key, c.id, 0 from companies c where c.split_from is not null
      ) n`,
    whole,
  )
  return new CompanyNames(ids, { ...companies!, ...spellings! })
}
