/**
 * Returns the vector as int8, scaled to its largest value. The result has the same direction to within a degree, but
 * not the same length.
 */
export function quantise(vector: Float32Array): Int8Array {
  const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  if (largest === 0) return new Int8Array(vector.length)
  return Int8Array.from(vector, (value) => Math.round((value / largest) * 127))
}
