/** Compares two rows, given by their numbers, as a comparator of `Array.sort` does. */
export type RowOrder = (a: number, b: number) => number

/** More candidates than needed, so that they are seldom reduced to the first `count`. */
const SPARE_CANDIDATES = 4_000

/**
 * Returns the first `count` (1 or more) rows of the order, in no particular order. Reads rows from the end: later ones
 * are newer, so in the usual order few replace a candidate. Partitioning all of 168,000 rows took 4 to 6 times as long.
 */
export function selectFirst(rows: Int32Array, count: number, order: RowOrder): Int32Array {
  const candidates = new Int32Array(Math.min(rows.length, 2 * count + SPARE_CANDIDATES))
  let size = 0
  let last: number | undefined
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const row = rows[at]!
    if (last !== undefined && order(row, last) > 0) continue
    candidates[size] = row
    size += 1
    if (size < candidates.length) continue
    partition(candidates, count, order)
    size = count
    last = candidates.subarray(0, count).reduce((a, b) => (order(a, b) > 0 ? a : b))
  }
  partition(candidates.subarray(0, size), count, order)
  return candidates.subarray(0, count)
}

/**
 * Moves the first `count` rows of the order to the front, in no particular order (Hoare's selection). The pivot is
 * recognised by its number: a comparator that never returns 0 would step over it, and the loop would not end.
 */
export function partition(rows: Int32Array, count: number, compare: RowOrder): void {
  let [low, high] = [0, rows.length - 1]
  if (count <= 0 || count > high) return
  while (low < high) {
    const pivot = rows[(low + high) >> 1]!
    let [i, j] = [low, high]
    while (i <= j) {
      while (rows[i] !== pivot && compare(rows[i]!, pivot) < 0) i += 1
      while (rows[j] !== pivot && compare(rows[j]!, pivot) > 0) j -= 1
      if (i > j) break
      const swapped = rows[i]!
      rows[i] = rows[j]!
      rows[j] = swapped
      i += 1
      j -= 1
    }
    if (count <= j) high = j
    else if (count >= i) low = i
    else return
  }
}
