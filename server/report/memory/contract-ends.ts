import { grown } from '#server/platform/text/text-bytes.ts'

/** Above every day. */
const NEVER = 0x7fff_ffff

/** Days on which contracts under way end, by the row of their project: one of nearly all, several of 768 in 1.39 million. */
export class ContractEnds {
  #first = new Int32Array(0)
  readonly #others = new Map<number, readonly number[]>()

  reserve(capacity: number): void {
    this.#first = grown(this.#first, capacity)
  }

  /** `ends` ascend. */
  put(row: number, ends: readonly number[] | null): void {
    this.#first[row] = ends?.[0] ?? NEVER
    if (ends && ends.length > 1) this.#others.set(row, ends)
    else this.#others.delete(row)
  }

  /** The first end from `today` on; above every day when there is none. */
  nextOf(row: number, today: number): number {
    const first = this.#first[row]!
    if (first >= today) return first
    return this.#others.get(row)?.find((end) => end >= today) ?? NEVER
  }
}

/** Places of those of these rows that have a contract which ends on one of these days. */
export function endingPlaces(rows: Int32Array, ends: ContractEnds, first: number, last: number): Int32Array {
  const found: number[] = []
  for (let place = 0; place < rows.length; place += 1) if (ends.nextOf(rows[place]!, first) <= last) found.push(place)
  return Int32Array.from(found)
}
