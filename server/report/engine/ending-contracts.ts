import { growTypedArray } from '#server/platform/text/encoded-text-index.ts'

const NEVER = 0x7fff_ffff

/**
 * End days of active contracts by project row. Nearly all projects have at most one; 768 of 1.39 million have several.
 */
export class ContractEndIndex {
  #first = new Int32Array(0)
  readonly #laterEnds = new Map<number, readonly number[]>()

  reserve(capacity: number): void {
    this.#first = growTypedArray(this.#first, capacity)
  }

  /** Stores the contract ends of a row, which must be ascending. */
  put(row: number, ends: readonly number[] | null): void {
    this.#first[row] = ends?.[0] ?? NEVER
    if (ends && ends.length > 1) this.#laterEnds.set(row, ends)
    else this.#laterEnds.delete(row)
  }

  nextOf(row: number, today: number): number {
    const first = this.#first[row]!
    if (first >= today) return first
    return this.#laterEnds.get(row)?.find((end) => end >= today) ?? NEVER
  }
}

export function findPositionsOfContractsEndingBetween(
  rows: Int32Array,
  ends: ContractEndIndex,
  firstDay: number,
  lastDay: number,
): Int32Array {
  const positions: number[] = []
  for (let position = 0; position < rows.length; position += 1)
    if (ends.nextOf(rows[position]!, firstDay) <= lastDay) positions.push(position)
  return Int32Array.from(positions)
}
