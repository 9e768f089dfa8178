import { isLatinOrDigit, type NormalisedSearchTerm } from '#contract/search/search-term.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'

/** Maximum bytes of a memory segment, which grows until then; a text never spans two segments. */
const SEGMENT_BYTES = 16 * 2 ** 20
const MIN_SEGMENT_BYTES = 2 ** 16
const SEGMENT_SHIFT = 24
/** Number of row sets ("slices"), one per hash of three adjacent bytes. A text of 100 bytes is in a fifth of them. */
const SLICES = 512
const SLICE_SHIFT = 32 - 9
/** Number of row sets for two adjacent bytes, which serve two-letter words. */
const PAIR_SLICES = 256
const PAIR_SHIFT = 32 - 8
/** Gaps between two spaces are stored in one byte; longer ones take several bytes. */
const MAX_GAP = 255

/** Texts scanned before yielding to the event loop, about 5 ms of work. */
export const TEXTS_SCANNED_PER_YIELD = 25_000

const dropsBlanks = (code: number) => (code >= 0xe00 && code < 0xe80) || code === 0x2d

/**
 * A text without the spaces next to Thai letters and dashes. `blanks`: ascending offsets in `bytes` at which a space was removed.
 */
type EncodedText = { readonly bytes: Uint8Array; readonly blanks: readonly number[] }

/**
 * Encodes a text: ASCII and Thai as one byte per character, any other UTF-16 unit as four bytes below 0x20, the first
 * of which is distinguishable from the others. So a text contains another exactly if its bytes do. Spaces next to Thai
 * letters and dashes are dropped, as in `removeSpacesNextToThai`, because writers use them freely and only quoted terms
 * require them.
 */
function encodeText(text: string): EncodedText {
  const { bytes, blanks } = encodeShared(text)
  return { bytes: bytes.slice(), blanks }
}

/**
 * Buffer reused for every text, because allocating an array for each of a million names took a tenth of the loading
 * time.
 */
let encodeBuffer = new Uint8Array(4_096)

/** Reused likewise: an array of the units of each text took five times as long. */
let decodeBuffer = Buffer.alloc(4_096)

function encodeShared(text: string): EncodedText {
  if (encodeBuffer.length < text.length * 4) encodeBuffer = new Uint8Array(text.length * 4)
  const bytes = encodeBuffer
  const blanks: number[] = []
  let at = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === 0x20 && (dropsBlanks(text.charCodeAt(i - 1)) || dropsBlanks(text.charCodeAt(i + 1)))) blanks.push(at)
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

function unitAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first >= 0x80) return first - 0x80 + 0xe00
  if (first >= 0x20) return first
  return ((first & 15) << 12) | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 4) | bytes[at + 3]!
}

const unitBefore = (bytes: Uint8Array, at: number) => unitAt(bytes, bytes[at - 1]! < 0x20 ? at - 4 : at - 1)

const pairOf = (a: number, b: number) => Math.imul((a << 8) | b, 0x9e3779b1) >>> PAIR_SHIFT
const sliceOf = (a: number, b: number, c: number) => Math.imul((a << 16) | (b << 8) | c, 0x9e3779b1) >>> SLICE_SHIFT

export type TextNeedle = {
  readonly bytes: Uint8Array
  /** Spaces next to Thai letters and dashes that a match must contain exactly; only for a quoted term. */
  readonly blanks: readonly number[] | undefined
  readonly guardStart: boolean
  readonly guardEnd: boolean
}
export function createTextNeedle({ form, quoted, guardStart, guardEnd }: NormalisedSearchTerm): TextNeedle {
  const { bytes, blanks } = encodeText(form)
  return { bytes, blanks: quoted ? blanks : undefined, guardStart, guardEnd }
}

export const createLiteralNeedle = (form: string): TextNeedle => ({
  bytes: encodeText(form).bytes,
  blanks: undefined,
  guardStart: false,
  guardEnd: false,
})

export class EncodedTextIndex {
  readonly #segments: Uint8Array[] = []
  #used = SEGMENT_BYTES
  #starts = new Uint32Array(0)
  #lengths = new Uint32Array(0)
  #blanks = new Uint16Array(0)
  #slices: Uint32Array[] = Array.from({ length: SLICES + PAIR_SLICES }, () => new Uint32Array(0))
  /**
   * Bits of the current 32 rows for every slice that are not written yet: 3 kB, which fit in the CPU cache, unlike 768
   * arrays. They are written when another block of rows starts, and before reads.
   */
  readonly #block = new Uint32Array(SLICES + PAIR_SLICES)
  #blockWord = 0

  get usedBytes(): number {
    return (
      this.#segments.reduce((bytes, segment) => bytes + segment.length, 0) +
      this.#starts.length * 10 +
      this.#slices.length * (this.#slices[0]?.byteLength ?? 0)
    )
  }

  /** Grows to `capacity` rows, a multiple of 32. */
  reserve(capacity: number): void {
    this.#starts = growTypedArray(this.#starts, capacity)
    this.#lengths = growTypedArray(this.#lengths, capacity)
    this.#blanks = growTypedArray(this.#blanks, capacity)
    this.#slices = this.#slices.map((slice) => growTypedArray(slice, capacity / 32))
  }

  /**
   * Sets the text of a row, with its spaces (`normaliseThai`). Bytes and slices of the previous text remain: a slice
   * may include too many rows, never too few.
   */
  set(row: number, text: string): void {
    const { bytes, blanks } = encodeShared(text)
    const distances = encodeGaps(blanks)
    const size = bytes.length + distances.length
    if (size > SEGMENT_BYTES || distances.length > 0xffff) throw new RangeError('a text is longer than a segment')
    if (this.#segments.length === 0 || this.#used + size > SEGMENT_BYTES) {
      this.#segments.push(new Uint8Array(0))
      this.#used = 0
    }
    const last = this.#segments.length - 1
    const capacity = Math.max(MIN_SEGMENT_BYTES, 2 * (this.#used + size))
    if (this.#used + size > this.#segments[last]!.length)
      this.#segments[last] = growTypedArray(this.#segments[last]!, Math.min(SEGMENT_BYTES, capacity))
    const segment = this.#segments[last]!
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
   * Returns row sets, each of which includes every row that contains the term, and other rows. So a row that is missing
   * from one of them does not match. The sets are the internal arrays, one bit per row, so callers must not modify
   * them. Returns an empty list for terms of one byte.
   */
  sieves({ bytes }: TextNeedle): readonly Uint32Array[] {
    this.#flush()
    if (bytes.length < 2) return []
    if (bytes.length === 2) return [this.#slices[SLICES + pairOf(bytes[0]!, bytes[1]!)]!]
    const hashes = new Set<number>()
    for (let i = 0; i + 2 < bytes.length; i += 1) hashes.add(sliceOf(bytes[i]!, bytes[i + 1]!, bytes[i + 2]!))
    return Array.from(hashes, (hash) => this.#slices[hash]!)
  }

  /** Returns one bit per row that contains the term; with `among`, only of the rows in that set. */
  async find(needle: TextNeedle, size: number, among?: Uint32Array): Promise<Uint32Array> {
    const bits = intersect(this.sieves(needle), among?.slice() ?? new Uint32Array((size + 31) >>> 5).fill(0xffff_ffff))
    let word = 0
    while (word < bits.length) {
      if (word > 0) await yieldToEventLoop()
      word = this.#filterRows(bits, word, needle, size)
    }
    return bits
  }

  /**
   * Removes rows that do not contain the term from a set, starting at 32-bit word `from`, and stops after
   * `TEXTS_SCANNED_PER_YIELD` texts. Returns the index of the next word.
   */
  #filterRows(bits: Uint32Array, from: number, needle: TextNeedle, size: number): number {
    let scanned = 0
    let word = from
    for (; word < bits.length && scanned < TEXTS_SCANNED_PER_YIELD; word += 1) {
      let remaining = bits[word]!
      while (remaining !== 0) {
        const bit = 31 - Math.clz32(remaining & -remaining)
        remaining &= remaining - 1
        const row = (word << 5) | bit
        if (row >= size || !this.contains(row, needle)) bits[word] = bits[word]! & ~(1 << bit)
        scanned += 1
      }
    }
    return word
  }

  textOf(row: number): string {
    const start = this.#starts[row]!
    const segment = this.#segments[start >>> SEGMENT_SHIFT]
    if (!segment) return ''
    const from = start & (SEGMENT_BYTES - 1)
    const end = from + this.#lengths[row]!
    if (decodeBuffer.length < this.#lengths[row]! * 2) decodeBuffer = Buffer.alloc(this.#lengths[row]! * 2)
    let size = 0
    for (let at = from; at < end; at += segment[at]! < 0x20 ? 4 : 1)
      size = decodeBuffer.writeUInt16LE(unitAt(segment, at), size)
    return decodeBuffer.toString('utf16le', 0, size)
  }

  contains(row: number, { bytes: term, blanks, guardStart, guardEnd }: TextNeedle): boolean {
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

/** Removes from `bits` the rows that are missing from any of the sets. */
function intersect(sets: readonly Uint32Array[], bits: Uint32Array): Uint32Array {
  for (let word = 0; word < bits.length; word += 1) {
    let rows = bits[word]!
    for (let i = 0; rows !== 0 && i < sets.length; i += 1) rows &= sets[i]![word]!
    bits[word] = rows
  }
  return bits
}

/** Encodes the gaps between spaces as one byte each, preceded by bytes of 255 if long. */
function encodeGaps(blanks: readonly number[]): Uint8Array {
  const distances: number[] = []
  let last = 0
  for (const blank of blanks) {
    let distance = blank - last
    for (; distance >= MAX_GAP; distance -= MAX_GAP) distances.push(MAX_GAP)
    distances.push(distance)
    last = blank
  }
  return Uint8Array.from(distances)
}

/** True if exactly these spaces are within the `size` bytes from `start`, ignoring those at either end. */
function hasBlanks(distances: Uint8Array, start: number, size: number, expected: readonly number[]): boolean {
  let [at, matched] = [0, 0]
  for (let i = 0; i < distances.length; i += 1) {
    at += distances[i]!
    if (distances[i] === MAX_GAP || at <= start) continue
    if (at >= start + size) break
    if (expected[matched] !== at - start) return false
    matched += 1
  }
  return matched === expected.length
}

export function growTypedArray<A extends Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array>(
  array: A,
  length: number,
): A {
  if (array.length >= length) return array
  const larger = new (array.constructor as new (length: number) => A)(length)
  larger.set(array as never)
  return larger
}

export function isRowInAllBitmaps(sieves: readonly Uint32Array[], row: number): boolean {
  const [word, bit] = [row >>> 5, 1 << (row & 31)]
  for (let i = 0; i < sieves.length; i += 1) if ((sieves[i]![word]! & bit) === 0) return false
  return true
}
