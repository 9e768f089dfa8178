import { isLatinOrDigit, type TermForm } from '#contract/search/search-term.ts'

/** Bytes of one segment; a title never lies in two. */
const SEGMENT_BYTES = 16 * 2 ** 20
const SEGMENT_SHIFT = 24
/** Sets of rows, one for each hash of three neighbouring bytes: a title of 100 bytes is in a fifth of them. */
const SLICES = 512
const SLICE_SHIFT = 32 - 9

/**
 * A text in bytes: ASCII and Thai one byte a character, any other UTF-16 unit four bytes below 0x20, of which the first says that it is the first.
 * So a text holds another exactly when its bytes hold the other's bytes.
 */
export function encodeTitle(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 4)
  let at = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code >= 0x20 && code < 0x80) bytes[at++] = code
    else if (code >= 0xe00 && code < 0xe80) bytes[at++] = code - 0xe00 + 0x80
    else {
      bytes[at++] = 0x10 | (code >> 12)
      bytes[at++] = (code >> 8) & 15
      bytes[at++] = (code >> 4) & 15
      bytes[at++] = code & 15
    }
  }
  return bytes.subarray(0, at)
}

/** UTF-16 unit that begins at `at`. */
function unitAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first >= 0x80) return first - 0x80 + 0xe00
  if (first >= 0x20) return first
  return ((first & 15) << 12) | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 4) | bytes[at + 3]!
}

const unitBefore = (bytes: Uint8Array, at: number) => unitAt(bytes, bytes[at - 1]! < 0x20 ? at - 4 : at - 1)

const sliceOf = (a: number, b: number, c: number) => Math.imul((a << 16) | (b << 8) | c, 0x9e3779b1) >>> SLICE_SHIFT

/** A term as it is looked for in titles. */
export type TitleNeedle = { readonly bytes: Uint8Array; readonly guardStart: boolean; readonly guardEnd: boolean }
export function titleNeedle({ form, guardStart, guardEnd }: TermForm): TitleNeedle {
  return { bytes: encodeTitle(form), guardStart, guardEnd }
}

/** The titles of all rows, packed, with the sets by which a word finds the few titles that may hold it. */
export class TitleBytes {
  readonly #segments: Uint8Array[] = []
  #used = SEGMENT_BYTES
  #starts = new Uint32Array(0)
  #lengths = new Uint32Array(0)
  #slices: Uint32Array[] = Array.from({ length: SLICES }, () => new Uint32Array(0))

  get heldBytes(): number {
    return (
      this.#segments.length * SEGMENT_BYTES + this.#starts.byteLength * 2 + SLICES * (this.#slices[0]?.byteLength ?? 0)
    )
  }

  /** Makes room for rows below `capacity`, a multiple of 32. */
  reserve(capacity: number): void {
    this.#starts = grown(this.#starts, capacity)
    this.#lengths = grown(this.#lengths, capacity)
    this.#slices = this.#slices.map((slice) => grown(slice, capacity / 32))
  }

  /** Sets the title of a row. Of the one before, bytes and slices stay: a slice may name too many rows, never too few. */
  set(row: number, title: string): void {
    const bytes = encodeTitle(title)
    if (bytes.length > SEGMENT_BYTES) throw new RangeError('a title is longer than a segment')
    if (this.#segments.length === 0 || this.#used + bytes.length > SEGMENT_BYTES) {
      this.#segments.push(new Uint8Array(SEGMENT_BYTES))
      this.#used = 0
    }
    this.#segments.at(-1)!.set(bytes, this.#used)
    this.#starts[row] = (this.#segments.length - 1) * SEGMENT_BYTES + this.#used
    this.#lengths[row] = bytes.length
    this.#used += bytes.length
    const [word, bit] = [row >> 5, 1 << (row & 31)]
    for (let i = 0; i + 2 < bytes.length; i += 1) {
      const slice = this.#slices[sliceOf(bytes[i]!, bytes[i + 1]!, bytes[i + 2]!)]!
      slice[word] = slice[word]! | bit
    }
  }

  /** A set of rows below `size` that holds every row whose title holds the term, and others; undefined for terms of less than three bytes. */
  candidates({ bytes }: TitleNeedle, size: number): Uint32Array | undefined {
    if (bytes.length < 3) return undefined
    const words = (size + 31) >> 5
    const hashes = new Set<number>()
    for (let i = 0; i + 2 < bytes.length; i += 1) hashes.add(sliceOf(bytes[i]!, bytes[i + 1]!, bytes[i + 2]!))
    let found: Uint32Array | undefined
    for (const hash of hashes) {
      const slice = this.#slices[hash]!
      if (!found) found = slice.slice(0, words)
      else for (let word = 0; word < words; word += 1) found[word] = found[word]! & slice[word]!
    }
    return found
  }

  /** Whether the title of this row holds the term, its guarded ends apart from other Latin letters and digits. */
  holds(row: number, { bytes: term, guardStart, guardEnd }: TitleNeedle): boolean {
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
      return true
    }
    return false
  }
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
