import { isLatinOrDigit, type TermForm } from '#contract/search/search-term.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'

/** Bytes of one segment; a text never lies in two. */
const SEGMENT_BYTES = 16 * 2 ** 20
const SEGMENT_SHIFT = 24
/** Sets of rows, one for each hash of three neighbouring bytes: a text of 100 bytes is in a fifth of them. */
const SLICES = 512
const SLICE_SHIFT = 32 - 9
/** The same for two neighbouring bytes, by which words of two letters are found. */
const PAIR_SLICES = 256
const PAIR_SHIFT = 32 - 8
/** A distance of this many bytes or more between two blanks is said in several bytes. */
const LONG = 255

/** Texts looked into before others get their turn: 5 ms. */
export const TEXTS_A_TURN = 25_000

const isThai = (code: number) => code >= 0xe00 && code < 0xe80

/** A text without the blanks beside Thai, and before which bytes these stood, ascending. */
type EncodedText = { readonly bytes: Uint8Array; readonly blanks: readonly number[] }

/**
 * A text in bytes: ASCII and Thai one byte a character, any other UTF-16 unit four bytes below 0x20, of which the first says that it is the first.
 * So a text holds another exactly when its bytes hold the other's bytes. Blanks beside Thai are left out, as `compactForm` does: Thai writes them as
 * it likes, and only quoted terms ask for them.
 */
export function encodeText(text: string): EncodedText {
  const { bytes, blanks } = encodeForNow(text)
  return { bytes: bytes.slice(), blanks }
}

/** Used again for every text: a new array for each of a million names took a tenth of the time of reading them. */
let encoded = new Uint8Array(4_096)

/** `encodeText` in bytes that the next call overwrites. */
function encodeForNow(text: string): EncodedText {
  if (encoded.length < text.length * 4) encoded = new Uint8Array(text.length * 4)
  const bytes = encoded
  const blanks: number[] = []
  let at = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === 0x20 && (isThai(text.charCodeAt(i - 1)) || isThai(text.charCodeAt(i + 1)))) blanks.push(at)
    else if (code >= 0x20 && code < 0x80) bytes[at++] = code
    else if (code >= 0xe00 && code < 0xe80) bytes[at++] = code - 0xe00 + 0x80
    else {
      bytes[at++] = 0x10 | (code >> 12)
      bytes[at++] = (code >> 8) & 15
      bytes[at++] = (code >> 4) & 15
      bytes[at++] = code & 15
    }
  }
  return { bytes: bytes.subarray(0, at), blanks }
}

/** UTF-16 unit that begins at `at`. */
function unitAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first >= 0x80) return first - 0x80 + 0xe00
  if (first >= 0x20) return first
  return ((first & 15) << 12) | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 4) | bytes[at + 3]!
}

const unitBefore = (bytes: Uint8Array, at: number) => unitAt(bytes, bytes[at - 1]! < 0x20 ? at - 4 : at - 1)

const pairOf = (a: number, b: number) => Math.imul((a << 8) | b, 0x9e3779b1) >>> PAIR_SHIFT
const sliceOf = (a: number, b: number, c: number) => Math.imul((a << 16) | (b << 8) | c, 0x9e3779b1) >>> SLICE_SHIFT

/** A term as it is looked for in texts. */
export type TextNeedle = {
  readonly bytes: Uint8Array
  /** Of a quoted term: the blanks beside Thai that must stand in it, and no others. */
  readonly blanks: readonly number[] | undefined
  readonly guardStart: boolean
  readonly guardEnd: boolean
}
export function textNeedle({ form, quoted, guardStart, guardEnd }: TermForm): TextNeedle {
  const { bytes, blanks } = encodeText(form)
  return { bytes, blanks: quoted ? blanks : undefined, guardStart, guardEnd }
}

/** These letters wherever they stand. */
export const lettersNeedle = (form: string): TextNeedle => ({
  bytes: encodeText(form).bytes,
  blanks: undefined,
  guardStart: false,
  guardEnd: false,
})

/** One text for each row, packed, with the sets by which a word finds the few texts that may hold it. */
export class TextBytes {
  readonly #segments: Uint8Array[] = []
  #used = SEGMENT_BYTES
  #starts = new Uint32Array(0)
  #lengths = new Uint32Array(0)
  /** Bytes behind the text that say where its blanks stood. */
  #blanks = new Uint16Array(0)
  /** Of three bytes, and behind them of two. */
  #slices: Uint32Array[] = Array.from({ length: SLICES + PAIR_SLICES }, () => new Uint32Array(0))
  /**
   * The word that the 32 rows being put in have in each slice: 3 kB, which stay in the processor's cache, where 768 arrays do not. Written to the slices
   * when other rows come, and before anybody reads.
   */
  readonly #block = new Uint32Array(SLICES + PAIR_SLICES)
  #blockWord = 0

  get heldBytes(): number {
    return (
      this.#segments.length * SEGMENT_BYTES +
      this.#starts.length * 10 +
      this.#slices.length * (this.#slices[0]?.byteLength ?? 0)
    )
  }

  /** Makes room for rows below `capacity`, a multiple of 32. */
  reserve(capacity: number): void {
    this.#starts = grown(this.#starts, capacity)
    this.#lengths = grown(this.#lengths, capacity)
    this.#blanks = grown(this.#blanks, capacity)
    this.#slices = this.#slices.map((slice) => grown(slice, capacity / 32))
  }

  /** Sets the text of a row, with its blanks (`normaliseThai`). Of the one before, bytes and slices stay: a slice may name too many rows, never too few. */
  set(row: number, text: string): void {
    const { bytes, blanks } = encodeForNow(text)
    const distances = distancesOf(blanks)
    const size = bytes.length + distances.length
    if (size > SEGMENT_BYTES || distances.length > 0xffff) throw new RangeError('a text is longer than a segment')
    if (this.#segments.length === 0 || this.#used + size > SEGMENT_BYTES) {
      this.#segments.push(new Uint8Array(SEGMENT_BYTES))
      this.#used = 0
    }
    const segment = this.#segments.at(-1)!
    segment.set(bytes, this.#used)
    segment.set(distances, this.#used + bytes.length)
    this.#starts[row] = (this.#segments.length - 1) * SEGMENT_BYTES + this.#used
    this.#lengths[row] = bytes.length
    this.#blanks[row] = distances.length
    this.#used += size
    const [word, bit] = [row >> 5, 1 << (row & 31)]
    if (word !== this.#blockWord) this.#flush()
    this.#blockWord = word
    const block = this.#block
    for (let i = 0; i + 1 < bytes.length; i += 1) {
      const pair = SLICES + pairOf(bytes[i]!, bytes[i + 1]!)
      block[pair] = block[pair]! | bit
      if (i + 2 === bytes.length) break
      const slice = sliceOf(bytes[i]!, bytes[i + 1]!, bytes[i + 2]!)
      block[slice] = block[slice]! | bit
    }
  }

  #flush(): void {
    const word = this.#blockWord
    for (let at = 0; at < this.#block.length; at += 1) {
      const bits = this.#block[at]!
      if (bits === 0) continue
      const slice = this.#slices[at]!
      slice[word] = slice[word]! | bits
    }
    this.#block.fill(0)
  }

  /**
   * Sets of rows, of which each names every row whose text holds the term, and others: a row that one of them leaves out does not hold it. They are the
   * store's own arrays, a bit for each row. None for terms of one byte.
   */
  sieves({ bytes }: TextNeedle): readonly Uint32Array[] {
    this.#flush()
    if (bytes.length < 2) return []
    if (bytes.length === 2) return [this.#slices[SLICES + pairOf(bytes[0]!, bytes[1]!)]!]
    const hashes = new Set<number>()
    for (let i = 0; i + 2 < bytes.length; i += 1) hashes.add(sliceOf(bytes[i]!, bytes[i + 1]!, bytes[i + 2]!))
    return Array.from(hashes, (hash) => this.#slices[hash]!)
  }

  /** The set of rows below `size` whose text holds the term: a bit for each row. */
  async find(needle: TextNeedle, size: number): Promise<Uint32Array> {
    const bits = allOf(this.sieves(needle), size)
    let word = 0
    while (word < bits.length) {
      if (word > 0) await yieldToEventLoop()
      word = this.#keepHolding(bits, word, needle, size)
    }
    return bits
  }

  /** Removes rows that do not hold the term from a set, beginning at word `from`, and stops after `TEXTS_A_TURN` texts. Returns the word to go on with. */
  #keepHolding(bits: Uint32Array, from: number, needle: TextNeedle, size: number): number {
    let looked = 0
    let word = from
    for (; word < bits.length && looked < TEXTS_A_TURN; word += 1) {
      let left = bits[word]!
      while (left !== 0) {
        const bit = 31 - Math.clz32(left & -left)
        left &= left - 1
        const row = (word << 5) | bit
        if (row >= size || !this.holds(row, needle)) bits[word] = bits[word]! & ~(1 << bit)
        looked += 1
      }
    }
    return word
  }

  /** The text of a row, as `compactForm` writes it. */
  textOf(row: number): string {
    const start = this.#starts[row]!
    const segment = this.#segments[start >>> SEGMENT_SHIFT]
    if (!segment) return ''
    const from = start & (SEGMENT_BYTES - 1)
    const end = from + this.#lengths[row]!
    const units: number[] = []
    for (let at = from; at < end; at += segment[at]! < 0x20 ? 4 : 1) units.push(unitAt(segment, at))
    return String.fromCharCode(...units)
  }

  /** Whether the text of this row holds the term, its guarded ends apart from other Latin letters and digits. */
  holds(row: number, { bytes: term, blanks, guardStart, guardEnd }: TextNeedle): boolean {
    const start = this.#starts[row]!
    const segment = this.#segments[start >>> SEGMENT_SHIFT]
    const size = term.length
    if (!segment || size === 0) return false
    const from = start & (SEGMENT_BYTES - 1)
    const end = from + this.#lengths[row]!
    const last = end - size
    const first = term[0]!
    const second = size > 1 ? term[1]! : -1
    search: for (let at = from; at <= last; at += 1) {
      if (segment[at] !== first || (second !== -1 && segment[at + 1] !== second)) continue
      for (let i = 2; i < size; i += 1) if (segment[at + i] !== term[i]) continue search
      if (guardStart && at > from && isLatinOrDigit(unitBefore(segment, at))) continue
      if (guardEnd && at + size < end && isLatinOrDigit(unitAt(segment, at + size))) continue
      if (blanks && !hasBlanks(segment.subarray(end, end + this.#blanks[row]!), at - from, size, blanks)) continue
      return true
    }
    return false
  }
}

/** Rows below `size` that all of these sets name. */
function allOf(sets: readonly Uint32Array[], size: number): Uint32Array {
  const bits = new Uint32Array((size + 31) >>> 5).fill(0xffff_ffff)
  for (const set of sets) for (let word = 0; word < bits.length; word += 1) bits[word] = bits[word]! & set[word]!
  return bits
}

/** Distances between blanks, each one byte and more of 255 before it when it is long. */
function distancesOf(blanks: readonly number[]): Uint8Array {
  const distances: number[] = []
  let last = 0
  for (const blank of blanks) {
    let distance = blank - last
    for (; distance >= LONG; distance -= LONG) distances.push(LONG)
    distances.push(distance)
    last = blank
  }
  return Uint8Array.from(distances)
}

/** Whether exactly these blanks stand inside the `size` bytes from `start`; those at their ends do not belong to them. */
function hasBlanks(distances: Uint8Array, start: number, size: number, wanted: readonly number[]): boolean {
  let [at, found] = [0, 0]
  for (let i = 0; i < distances.length; i += 1) {
    at += distances[i]!
    if (distances[i] === LONG || at <= start) continue
    if (at >= start + size) break
    if (wanted[found] !== at - start) return false
    found += 1
  }
  return found === wanted.length
}

/** The same numbers in an array of at least this length. */
export function grown<A extends Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array>(
  array: A,
  length: number,
): A {
  if (array.length >= length) return array
  const larger = new (array.constructor as new (length: number) => A)(length)
  larger.set(array as never)
  return larger
}

/** Whether all these sets name the row. */
export function isNamedBy(sieves: readonly Uint32Array[], row: number): boolean {
  const [word, bit] = [row >>> 5, 1 << (row & 31)]
  for (let i = 0; i < sieves.length; i += 1) if ((sieves[i]![word]! & bit) === 0) return false
  return true
}
