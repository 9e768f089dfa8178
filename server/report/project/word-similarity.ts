/** Minimum similarity of names that describe the same kind of work. Measured on real names. */
const MIN_SAME_KIND_SIMILARITY = 0.6

/** Later words are less specific, so the weight drops per position, down to a minimum. */
const WEIGHT_STEP = 0.2
const MIN_FACTOR = 0.3

type WordWeight = (word: number) => number

const factor = (position: number) => Math.max(MIN_FACTOR, 1 - WEIGHT_STEP * position)

/** Returns the weighted Dice similarity of two names, given as word hashes: 0 to 1. */
export function computeWeightedSimilarity(a: readonly number[], b: readonly number[], weight: WordWeight): number {
  const total = totalWeight(a, weight) + totalWeight(b, weight)
  if (total === 0) return 0
  let shared = 0
  for (let position = 0; position < a.length; position += 1) {
    const otherPosition = b.indexOf(a[position]!)
    if (otherPosition >= 0) shared += weight(a[position]!) * (factor(position) + factor(otherPosition))
  }
  return shared / total
}

function totalWeight(words: readonly number[], weight: WordWeight): number {
  let sum = 0
  for (let position = 0; position < words.length; position += 1) sum += weight(words[position]!) * factor(position)
  return sum
}

/**
 * True if two names describe the same kind of work: each contains the other's first word, and their similarity reaches
 * `MIN_SAME_KIND_SIMILARITY`.
 */
export function isSameKindOfWork(a: readonly number[], b: readonly number[], weight: WordWeight): boolean {
  if (a.length === 0 || !b.includes(a[0]!) || !a.includes(b[0]!)) return false
  return computeWeightedSimilarity(a, b, weight) >= MIN_SAME_KIND_SIMILARITY
}
