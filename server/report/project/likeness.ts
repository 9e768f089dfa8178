/** Below this likeness, names describe different kinds of work. Measured on real names. */
export const LIKE = 0.6

/** Later words are less informative: weight drops per position, down to a floor. */
const STEP = 0.2
const FLOOR = 0.3

type Weights = (word: number) => number

const factor = (place: number) => Math.max(FLOOR, 1 - STEP * place)

/** Weighted Dice similarity of two names, 0 to 1. */
export function likenessOf(a: readonly number[], b: readonly number[], weight: Weights): number {
  const total = weightOf(a, weight) + weightOf(b, weight)
  if (total === 0) return 0
  let shared = 0
  for (let place = 0; place < a.length; place += 1) {
    const other = b.indexOf(a[place]!)
    if (other >= 0) shared += weight(a[place]!) * (factor(place) + factor(other))
  }
  return shared / total
}

function weightOf(words: readonly number[], weight: Weights): number {
  let sum = 0
  for (let place = 0; place < words.length; place += 1) sum += weight(words[place]!) * factor(place)
  return sum
}

/**
 * Whether two names describe the same kind of work: each contains the other's first word, and the likeness reaches
 * `LIKE`.
 */
export function isAlike(a: readonly number[], b: readonly number[], weight: Weights): boolean {
  if (a.length === 0 || !b.includes(a[0]!) || !a.includes(b[0]!)) return false
  return likenessOf(a, b, weight) >= LIKE
}
