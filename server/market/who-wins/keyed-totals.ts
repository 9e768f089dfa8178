/** Number of projects and the total of their known values in satang; null if every value is unknown. */
export type KeyedTotal = { readonly key: number; readonly n: number; readonly value: number | null }

/**
 * Totals by a small integer key. Uses typed arrays, because four Map lookups for each of 1.39 million projects took 90
 * ms.
 */
export class KeyedTotals {
  readonly #n: Int32Array
  readonly #value: Float64Array
  readonly #known: Int32Array

  constructor(size: number) {
    this.#n = new Int32Array(size)
    this.#value = new Float64Array(size)
    this.#known = new Int32Array(size)
  }

  count(key: number): void {
    this.#n[key] = this.#n[key]! + 1
  }

  /** Adds a value. NaN means unknown and adds nothing. */
  addValue(key: number, satang: number): void {
    if (Number.isNaN(satang)) return
    this.#value[key] = this.#value[key]! + satang
    this.#known[key] = this.#known[key]! + 1
  }

  add(key: number, satang: number): void {
    this.count(key)
    this.addValue(key, satang)
  }

  known(key: number): number {
    return this.#known[key]!
  }

  all(): KeyedTotal[] {
    const sums: KeyedTotal[] = []
    for (let key = 0; key < this.#n.length; key += 1) if (this.#n[key]! > 0) sums.push(this.of(key))
    return sums
  }

  of(key: number): KeyedTotal {
    return { key, n: this.#n[key]!, value: this.#known[key] === 0 ? null : this.#value[key]! }
  }
}

export const compareByProjectCount = (a: KeyedTotal, b: KeyedTotal): number =>
  b.n - a.n || (b.value ?? -1) - (a.value ?? -1) || a.key - b.key

export const compareByTotalValue = (a: KeyedTotal, b: KeyedTotal): number =>
  (b.value ?? -1) - (a.value ?? -1) || b.n - a.n || a.key - b.key
