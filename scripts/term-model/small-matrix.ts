/** Orthonormalises the columns of a row-major matrix in place (modified Gram-Schmidt, twice for precision). */
export function orthonormalise(matrix: Float32Array, rows: number, columns: number): void {
  const wide = Array.from({ length: columns }, (_, column) =>
    Float64Array.from({ length: rows }, (_, row) => matrix[row * columns + column]!),
  )
  wide.forEach((vector, index) => {
    for (let round = 0; round < 2; round += 1) {
      for (let earlier = 0; earlier < index; earlier += 1) {
        const basis = wide[earlier]!
        let dot = 0
        for (let row = 0; row < rows; row += 1) dot += vector[row]! * basis[row]!
        for (let row = 0; row < rows; row += 1) vector[row]! -= dot * basis[row]!
      }
    }
    let sum = 0
    for (let row = 0; row < rows; row += 1) sum += vector[row]! * vector[row]!
    const scale = sum === 0 ? 0 : 1 / Math.sqrt(sum)
    for (let row = 0; row < rows; row += 1) vector[row]! *= scale
  })
  wide.forEach((vector, column) => {
    for (let row = 0; row < rows; row += 1) matrix[row * columns + column] = vector[row]!
  })
}

/** Returns eigenvalues, largest first, and eigenvectors as columns, of a symmetric matrix (cyclic Jacobi). */
export function computeSymmetricEigen(matrix: Float64Array, size: number): { values: number[]; vectors: Float64Array } {
  const working = Float64Array.from(matrix)
  const turned = new Float64Array(size * size)
  for (let at = 0; at < size; at += 1) turned[at * size + at] = 1
  for (let sweep = 0; sweep < 30; sweep += 1) {
    let off = 0
    let all = 0
    for (let row = 0; row < size; row += 1)
      for (let column = 0; column < size; column += 1) {
        const square = working[row * size + column]! ** 2
        all += square
        if (row !== column) off += square
      }
    if (off <= all * 1e-18) break
    for (let left = 0; left < size; left += 1)
      for (let right = left + 1; right < size; right += 1) rotate(working, turned, size, left, right)
  }
  const order = Array.from({ length: size }, (_, at) => at).sort(
    (a, b) => working[b * size + b]! - working[a * size + a]!,
  )
  const vectors = new Float64Array(size * size)
  order.forEach((from, to) => {
    for (let row = 0; row < size; row += 1) vectors[row * size + to] = turned[row * size + from]!
  })
  return { values: order.map((at) => working[at * size + at]!), vectors }
}

function rotate(working: Float64Array, turned: Float64Array, size: number, left: number, right: number): void {
  const cross = working[left * size + right]!
  if (cross === 0) return
  const theta = (working[right * size + right]! - working[left * size + left]!) / (2 * cross)
  const tangent = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  for (let at = 0; at < size; at += 1) {
    const a = working[at * size + left]!
    const b = working[at * size + right]!
    working[at * size + left] = cosine * a - sine * b
    working[at * size + right] = sine * a + cosine * b
  }
  for (let at = 0; at < size; at += 1) {
    const a = working[left * size + at]!
    const b = working[right * size + at]!
    working[left * size + at] = cosine * a - sine * b
    working[right * size + at] = sine * a + cosine * b
    const c = turned[at * size + left]!
    const d = turned[at * size + right]!
    turned[at * size + left] = cosine * c - sine * d
    turned[at * size + right] = sine * c + cosine * d
  }
}
