/** Makes the columns of a row-major matrix orthonormal in place (modified Gram-Schmidt, twice for lost digits). */
export function orthonormalise(matrix: Float32Array, rows: number, columns: number): void {
  const wide = Array.from({ length: columns }, (_, column) =>
    Float64Array.from({ length: rows }, (_, row) => matrix[row * columns + column]!),
  )
  wide.forEach((vector, index) => {
    for (let round = 0; round < 2; round += 1) {
      for (let earlier = 0; earlier < index; earlier += 1) {
        const other = wide[earlier]!
        let dot = 0
        for (let row = 0; row < rows; row += 1) dot += vector[row]! * other[row]!
        for (let row = 0; row < rows; row += 1) vector[row]! -= dot * other[row]!
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

/** Eigenvalues, largest first, and eigenvectors as columns, of a symmetric matrix (cyclic Jacobi). */
export function symmetricEigen(matrix: Float64Array, size: number): { values: number[]; vectors: Float64Array } {
  const own = Float64Array.from(matrix)
  const turned = new Float64Array(size * size)
  for (let at = 0; at < size; at += 1) turned[at * size + at] = 1
  for (let sweep = 0; sweep < 30; sweep += 1) {
    let off = 0
    let all = 0
    for (let row = 0; row < size; row += 1)
      for (let column = 0; column < size; column += 1) {
        const square = own[row * size + column]! ** 2
        all += square
        if (row !== column) off += square
      }
    if (off <= all * 1e-18) break
    for (let left = 0; left < size; left += 1)
      for (let right = left + 1; right < size; right += 1) rotate(own, turned, size, left, right)
  }
  const order = Array.from({ length: size }, (_, at) => at).sort((a, b) => own[b * size + b]! - own[a * size + a]!)
  const vectors = new Float64Array(size * size)
  order.forEach((from, to) => {
    for (let row = 0; row < size; row += 1) vectors[row * size + to] = turned[row * size + from]!
  })
  return { values: order.map((at) => own[at * size + at]!), vectors }
}

function rotate(own: Float64Array, turned: Float64Array, size: number, left: number, right: number): void {
  const cross = own[left * size + right]!
  if (cross === 0) return
  const theta = (own[right * size + right]! - own[left * size + left]!) / (2 * cross)
  const tangent = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  for (let at = 0; at < size; at += 1) {
    const a = own[at * size + left]!
    const b = own[at * size + right]!
    own[at * size + left] = cosine * a - sine * b
    own[at * size + right] = sine * a + cosine * b
  }
  for (let at = 0; at < size; at += 1) {
    const a = own[left * size + at]!
    const b = own[right * size + at]!
    own[left * size + at] = cosine * a - sine * b
    own[right * size + at] = sine * a + cosine * b
    const c = turned[at * size + left]!
    const d = turned[at * size + right]!
    turned[at * size + left] = cosine * c - sine * d
    turned[at * size + right] = sine * c + cosine * d
  }
}
