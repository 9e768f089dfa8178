/** A vector as int8, scaled to its own largest value: its direction is kept to a degree, its length is not. */
export function quantise(vector: Float32Array): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (largest === 0) return new Int8Array(vector.length)
  return Int8Array.from(vector, (value) => Math.round((value / largest) * 127))
}
