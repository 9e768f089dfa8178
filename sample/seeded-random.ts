/**
 * Random numbers that depend only on their seed, so that every machine generates the same demo data. Generator: sfc32
 * (Practically Random's small fast chaotic generator), seeded by a 32-bit FNV-1a hash of the parts.
 */
export type SeededRandom = {
  /** Returns a number in [0, 1). */
  next(): number
  /** Returns an integer from `low` to `high`, both included. */
  int(low: number, high: number): number
  chance(probability: number): boolean
  /** Returns a random item; `items` must not be empty. */
  pick<T>(items: readonly T[]): T
  /** A draw from the log-normal distribution with this median; `sigma` is the spread of the logarithm. */
  logNormal(median: number, sigma: number): number
}

export function createSeededRandom(...parts: readonly (number | string)[]): SeededRandom {
  const text = parts.join('\u001f')
  let a = hash32(text, 0x811c9dc5)
  let b = hash32(text, 0x9e3779b9)
  let c = hash32(text, 0x85ebca6b)
  let counter = 1
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
  // sfc32 needs some rounds before similar seeds diverge.
  for (let round = 0; round < 12; round++) next()
  const random: SeededRandom = {
    next,
    int: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)]!,
    logNormal: (median, sigma) => median * Math.exp(sigma * standardNormal(next)),
  }
  return random
}

function standardNormal(next: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}

function hash32(text: string, start: number): number {
  let hash = start | 0
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x7feb352d)
  return hash ^ (hash >>> 15)
}

export function createWeightedPicker<T>(
  items: readonly T[],
  weightOf: (item: T) => number,
): (random: SeededRandom) => T {
  const cumulativeWeights: number[] = []
  let total = 0
  for (const item of items) {
    total += weightOf(item)
    cumulativeWeights.push(total)
  }
  return (random) => {
    const target = random.next() * total
    let low = 0
    let high = cumulativeWeights.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (cumulativeWeights[middle]! > target) high = middle
      else low = middle + 1
    }
    return items[low]!
  }
}

/** Returns the value at `share` (0..1), interpolated between measured `[share, value]` points. */
export function interpolateQuantile(points: readonly (readonly [number, number])[], share: number): number {
  for (let index = 1; index < points.length; index++) {
    const [from, low] = points[index - 1]!
    const [to, high] = points[index]!
    if (share <= to) return low + ((high - low) * (share - from)) / (to - from)
  }
  return points[points.length - 1]![1]
}
