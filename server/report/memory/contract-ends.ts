import { grown } from '#server/platform/text/text-bytes.ts'

/** Later than any day. */
const NEVER = 0x7fff_ffff

/**
 * End days of active contracts by project row. Nearly all projects have at most one; 768 of 1.39 million have several.
 */
export class ContractEnds {
  #first = new Int32Array(0)
  readonly #others = new Map<number, readonly number[]>()

  reserve(capacity: number): void {
    this.#first = grown(this.#first, capacity)
  }

  /** `ends` must be ascending. */
  put(row: number, ends: readonly number[] | null): void {
    this.#first[row] = ends?.[0] ?? NEVER
    if (ends && ends.length > 1) this.#others.set(row, ends)
    else this.#others.delete(row)
  }

  /** First end on or after `today`, or `NEVER`. */
  nextOf(row: number, today: number): number {
    const first = this.#first[row]!
    if (first >= today) return first
    return this.#others.get(row)?.find((end) => end >= today) ?? NEVER
  }
}

/** Indexes of rows with a contract that ends between `first` and `last`, inclusive. */
export function endingPlaces(rows: Int32Array, ends: ContractEnds, first: number, last: number): Int32Array {
  const found: number[] = []
  for (let place = 0; place < rows.length; place += 1) if (ends.nextOf(rows[place]!, first) <= last) found.push(place)
  return Int32Array.from(found)
}
