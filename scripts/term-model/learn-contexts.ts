import { computeSymmetricEigen, orthonormalise } from './small-matrix.ts'

/**
 * Learns vectors from neighbours alone: positive pointwise mutual information of units close to each other in titles,
 * reduced to a few dimensions by a randomised singular value decomposition (Halko, Martinsson, Tropp 2011).
 */

/** Number of neighbours counted on each side of a unit, without function words. */
const WINDOW = 5
/** Exponent that damps frequent neighbours: the usual smoothing of context counts. */
const SMOOTHING = 0.75
/** Minimum count of a pair of units, because a pair that occurs once may be an accident of one title. */
const MIN_PAIR = 2
/** Extra dimensions and iterations that make the random projection accurate. */
const OVERSAMPLE = 16
const ROUNDS = 2
/** Rows counted per pass: 2,000 × 28,000 × 4 bytes are 224 MB. */
const BLOCK = 2000

type Sparse = {
  readonly rows: number
  readonly start: Float64Array
  readonly column: Int32Array
  readonly value: Float32Array
}

/**
 * Returns one row of `width` numbers per unit (word or phrase). `tokens` are titles as unit ids, each ended by -1;
 * units in `silent` do not count as neighbours.
 */
export function learnContexts(
  tokens: Int32Array,
  units: number,
  silent: ReadonlySet<number>,
  width: number,
  log: (text: string) => void,
): Float32Array {
  const spoken = tokens.filter((token) => !silent.has(token))
  const matrix = associations(spoken, units)
  log(`${matrix.value.length} associations of ${units} units`)
  return decompose(matrix, width)
}

function associations(tokens: Int32Array, units: number): Sparse {
  const rowSums = new Float64Array(units)
  eachPair(tokens, 0, units, (left) => {
    rowSums[left]! += 1
  })
  const smoothed = rowSums.map((sum) => sum ** SMOOTHING)
  const allSmoothed = smoothed.reduce((sum, value) => sum + value, 0)
  const start = new Float64Array(units + 1)
  let column = new Int32Array(1 << 22)
  let value = new Float32Array(1 << 22)
  let size = 0
  for (let from = 0; from < units; from += BLOCK) {
    const to = Math.min(units, from + BLOCK)
    const counts = new Uint32Array((to - from) * units)
    eachPair(tokens, from, to, (left, right) => {
      counts[(left - from) * units + right]! += 1
    })
    for (let row = from; row < to; row += 1) {
      for (let neighbour = 0; neighbour < units; neighbour += 1) {
        const count = counts[(row - from) * units + neighbour]!
        if (count < MIN_PAIR) continue
        const information = Math.log((count * allSmoothed) / (rowSums[row]! * smoothed[neighbour]!))
        if (information <= 0) continue
        if (size === column.length) {
          column = widened(column, new Int32Array(size * 2))
          value = widened(value, new Float32Array(size * 2))
        }
        column[size] = neighbour
        value[size] = information
        size += 1
      }
      start[row + 1] = size
    }
  }
  return { rows: units, start, column: column.slice(0, size), value: value.slice(0, size) }
}

function widened<T extends Int32Array | Float32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

function eachPair(tokens: Int32Array, from: number, to: number, see: (left: number, right: number) => void): void {
  for (let at = 0; at < tokens.length; at += 1) {
    const left = tokens[at]!
    if (left < from || left >= to) continue
    for (let near = at - 1; near >= 0 && near >= at - WINDOW && tokens[near]! >= 0; near -= 1) see(left, tokens[near]!)
    for (let near = at + 1; near <= at + WINDOW && near < tokens.length && tokens[near]! >= 0; near += 1)
      see(left, tokens[near]!)
  }
}

/**
 * Returns left singular vectors, each weighted by the root of its singular value, which is best for similarity (Levy et
 * al. 2015).
 */
function decompose(matrix: Sparse, width: number): Float32Array {
  const wide = width + OVERSAMPLE
  let basis = randomMatrix(matrix.rows * wide)
  basis = multiply(matrix, basis, wide)
  orthonormalise(basis, matrix.rows, wide)
  for (let round = 0; round < ROUNDS; round += 1) {
    basis = multiplyTransposed(matrix, basis, wide)
    orthonormalise(basis, matrix.rows, wide)
    basis = multiply(matrix, basis, wide)
    orthonormalise(basis, matrix.rows, wide)
  }
  // B = QᵀM is wide × units; the eigenvectors of BBᵀ turn Q into the singular vectors of M.
  const small = multiplyTransposed(matrix, basis, wide)
  const gram = new Float64Array(wide * wide)
  for (let row = 0; row < matrix.rows; row += 1) {
    for (let left = 0; left < wide; left += 1) {
      const value = small[row * wide + left]!
      for (let right = left; right < wide; right += 1) gram[left * wide + right]! += value * small[row * wide + right]!
    }
  }
  for (let left = 0; left < wide; left += 1)
    for (let right = 0; right < left; right += 1) gram[left * wide + right] = gram[right * wide + left]!
  const { values, vectors } = computeSymmetricEigen(gram, wide)
  const result = new Float32Array(matrix.rows * width)
  for (let row = 0; row < matrix.rows; row += 1) {
    for (let target = 0; target < width; target += 1) {
      let sum = 0
      for (let at = 0; at < wide; at += 1) sum += basis[row * wide + at]! * vectors[at * wide + target]!
      result[row * width + target] = sum * Math.max(0, values[target]!) ** 0.25
    }
  }
  return result
}

function multiply(matrix: Sparse, dense: Float32Array, wide: number): Float32Array {
  const product = new Float32Array(matrix.rows * wide)
  for (let row = 0; row < matrix.rows; row += 1) {
    const target = row * wide
    for (let at = matrix.start[row]!; at < matrix.start[row + 1]!; at += 1) {
      const source = matrix.column[at]! * wide
      const value = matrix.value[at]!
      for (let column = 0; column < wide; column += 1) product[target + column]! += value * dense[source + column]!
    }
  }
  return product
}

function multiplyTransposed(matrix: Sparse, dense: Float32Array, wide: number): Float32Array {
  const product = new Float32Array(matrix.rows * wide)
  for (let row = 0; row < matrix.rows; row += 1) {
    const source = row * wide
    for (let at = matrix.start[row]!; at < matrix.start[row + 1]!; at += 1) {
      const target = matrix.column[at]! * wide
      const value = matrix.value[at]!
      for (let column = 0; column < wide; column += 1) product[target + column]! += value * dense[source + column]!
    }
  }
  return product
}

/** Returns normally distributed numbers, identical on every run: mulberry32 and Box-Muller. */
function randomMatrix(size: number): Float32Array {
  let state = 2568
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 1) / 4294967297
  }
  return Float32Array.from(
    { length: size },
    () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
  )
}
