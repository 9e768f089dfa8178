import { trigramsOf } from '#contract/thai/fold-text.ts'
import { type Clause, clauseOf, type Rest } from './clauses.ts'
import { diffLists } from './sequence-diff.ts'

export type Pairs = {
  /** Same clause, different words. Indexes into the two lists. */
  readonly changed: readonly (readonly [number, number])[]
  readonly moved: readonly (readonly [number, number])[]
  readonly gone: readonly number[]
  readonly added: readonly number[]
}

/** Minimum similarity (0 to 1, measured) of two versions of one clause. An equal number adds a bonus. */
const LEAST_ALIKE = 0.55
const FOR_THE_NUMBER = 0.05
const FOR_THE_PLACE = 0.15
/** Maximum unmatched clauses on one side; beyond this the files are unrelated rather than versions of one document. */
const MOST_LEFT = 600
const MOST_LETTERS_LEFT = 200_000
/** Shorter texts recur throughout a document, so finding them elsewhere is not a move. */
const LEAST_MOVED = 12

type Left = { readonly at: number; readonly gap: number }

/** Returns the clauses without a twin, each with the gap between twins it falls into. Undefined if too much differs. */
function leftOver(before: readonly Clause[], after: readonly Clause[]): { old: Left[]; now: Left[] } | undefined {
  const runs = diffLists(
    before.map(({ key }) => key),
    after.map(({ key }) => key),
  )
  if (runs === undefined) return undefined
  let gap = 0
  const old: Left[] = []
  const now: Left[] = []
  for (const { kind, before: a, after: b } of runs) {
    if (kind === 'same') gap += 1
    for (let at = a[0]; kind === 'gone' && at < a[1]; at += 1) old.push({ at, gap })
    for (let at = b[0]; kind === 'new' && at < b[1]; at += 1) now.push({ at, gap })
  }
  const isTooMuch = (clauses: readonly Clause[], left: readonly Left[]) =>
    left.length > MOST_LEFT || left.reduce((sum, { at }) => sum + clauses[at]!.key.length, 0) > MOST_LETTERS_LEFT
  return isTooMuch(before, old) || isTooMuch(after, now) ? undefined : { old, now }
}

const LEAST_PART = 4

/**
 * Merges clauses that exist only because of line breaks: a line that starts with a figure in one document but not in
 * the other is parsed as a separate clause. If a clause without a twin is fully contained in one of the other side,
 * between the same neighbours, it is appended to the previous clause.
 */
export function mergeSplit(before: readonly Clause[], after: readonly Clause[]): { old: Clause[]; now: Clause[] } {
  const left = leftOver(before, after)
  const merge = (own: readonly Clause[], mine: readonly Left[], others: readonly Clause[], theirs: readonly Left[]) => {
    const gaps = Map.groupBy(theirs, ({ gap }) => gap)
    const gapOf = new Map(mine.map(({ at, gap }) => [at, gap]))
    const merged: Clause[] = []
    for (const [at, clause] of own.entries()) {
      const gap = gapOf.get(at)
      const isPart =
        gap !== undefined &&
        gapOf.get(at - 1) === gap &&
        clause.fullKey.length >= LEAST_PART &&
        (gaps.get(gap) ?? []).some(({ at: other }) => {
          const { fullKey } = others[other]!
          return fullKey !== clause.fullKey && !fullKey.startsWith(clause.fullKey) && fullKey.includes(clause.fullKey)
        })
      const last = merged.at(-1)
      if (isPart && last) merged[merged.length - 1] = clauseOf({ ...last, lines: [...last.lines, ...clause.lines] })
      else merged.push(clause)
    }
    return merged
  }
  if (left === undefined) return { old: [...before], now: [...after] }
  return { old: merge(before, left.old, after, left.now), now: merge(after, left.now, before, left.old) }
}

/** Trigram similarity of each old and new key, 0 to 1 (Dice). */
async function similarities(
  old: readonly string[],
  now: readonly string[],
  rest: Rest,
): Promise<Map<number, number>[]> {
  const where = new Map<number, number[]>()
  const sizes = now.map((key, at) => {
    const trigrams = trigramsOf(key)
    for (const one of trigrams) {
      const list = where.get(one)
      if (list) list.push(at)
      else where.set(one, [at])
    }
    return trigrams.length
  })
  const rows: Map<number, number>[] = []
  for (const key of old) {
    await rest()
    const trigrams = trigramsOf(key)
    const common = new Map<number, number>()
    for (const one of trigrams) for (const at of where.get(one) ?? []) common.set(at, (common.get(at) ?? 0) + 1)
    for (const [at, count] of common) common.set(at, (2 * count) / (trigrams.length + sizes[at]!))
    rows.push(common)
  }
  return rows
}

/** Pairs the clauses that the two documents do not share word for word. Undefined if too much differs. */
export async function pairClauses(
  before: readonly Clause[],
  after: readonly Clause[],
  rest: Rest,
): Promise<Pairs | undefined> {
  const left = leftOver(before, after)
  if (left === undefined) return undefined
  const moved: [number, number][] = []
  const byKey = Map.groupBy(left.now, ({ at }) => after[at]!.key)
  const old = left.old.filter(({ at }) => {
    const { key } = before[at]!
    const twin = key.length >= LEAST_MOVED ? byKey.get(key)?.shift() : undefined
    if (twin) moved.push([at, twin.at])
    return twin === undefined
  })
  const movedTo = new Set(moved.map(([, at]) => at))
  const now = left.now.filter(({ at }) => !movedTo.has(at))

  const alike = await similarities(
    old.map(({ at }) => before[at]!.key),
    now.map(({ at }) => after[at]!.key),
    rest,
  )
  const found = alike.flatMap((row, from) =>
    [...row].flatMap(([to, share]) => {
      const [a, b] = [old[from]!, now[to]!]
      const isSameNumber = before[a.at]!.number === after[b.at]!.number && before[a.at]!.number !== ''
      const isSamePlace = isSameNumber && a.gap === b.gap
      const score = share + (isSameNumber ? FOR_THE_NUMBER : 0) + (isSamePlace ? FOR_THE_PLACE : 0)
      return score > LEAST_ALIKE ? [{ from: a.at, to: b.at, score }] : []
    }),
  )
  const taken = { old: new Set<number>(), now: new Set<number>() }
  const changed: [number, number][] = []
  for (const { from, to } of found.toSorted((a, b) => b.score - a.score || a.from - b.from)) {
    if (taken.old.has(from) || taken.now.has(to)) continue
    taken.old.add(from)
    taken.now.add(to)
    changed.push([from, to])
  }
  return {
    changed: changed.toSorted((a, b) => a[1] - b[1]),
    moved: moved.toSorted((a, b) => a[1] - b[1]),
    gone: old.flatMap(({ at }) => (taken.old.has(at) ? [] : [at])),
    added: now.flatMap(({ at }) => (taken.now.has(at) ? [] : [at])),
  }
}
