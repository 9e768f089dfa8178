import { getFoldedTextTrigrams } from '#contract/thai/fold-document-text.ts'
import { createDocumentClause, type DocumentClause, type EventLoopYielder } from './clauses.ts'
import { diffLists } from './diff-lists.ts'

export type ClausePairs = {
  readonly changed: readonly (readonly [number, number])[]
  readonly moved: readonly (readonly [number, number])[]
  readonly gone: readonly number[]
  readonly added: readonly number[]
}

/**
 * Similarity (0 to 1, measured) from which two texts are versions of one clause. A clause number that is the same in
 * both documents adds a bonus.
 */
const MIN_SIMILARITY = 0.55
const SAME_NUMBER_BONUS = 0.05
const SAME_POSITION_BONUS = 0.15
const MAX_UNMATCHED = 600
const MAX_UNMATCHED_LETTERS = 200_000
/**
 * Minimum length of a moved clause. Shorter texts recur throughout a document, so a second occurrence is not a move.
 */
const MIN_MOVED_LENGTH = 12

type Unmatched = { readonly at: number; readonly gap: number }

function findUnmatched(
  before: readonly DocumentClause[],
  after: readonly DocumentClause[],
): { old: Unmatched[]; now: Unmatched[] } | undefined {
  const runs = diffLists(
    before.map(({ key }) => key),
    after.map(({ key }) => key),
  )
  if (runs === undefined) return undefined
  let gap = 0
  const old: Unmatched[] = []
  const now: Unmatched[] = []
  for (const { kind, before: a, after: b } of runs) {
    if (kind === 'same') gap += 1
    for (let at = a[0]; kind === 'gone' && at < a[1]; at += 1) old.push({ at, gap })
    for (let at = b[0]; kind === 'new' && at < b[1]; at += 1) now.push({ at, gap })
  }
  const hasTooManyUnmatched = (clauses: readonly DocumentClause[], unmatched: readonly Unmatched[]) =>
    unmatched.length > MAX_UNMATCHED ||
    unmatched.reduce((sum, { at }) => sum + clauses[at]!.key.length, 0) > MAX_UNMATCHED_LETTERS
  return hasTooManyUnmatched(before, old) || hasTooManyUnmatched(after, now) ? undefined : { old, now }
}

const MIN_FRAGMENT_LENGTH = 4

/**
 * Merges clauses that exist only because of line breaks: a line that starts with a figure in only one of the documents
 * is parsed there as a separate clause. If an unmatched clause is fully contained in a clause of the other document,
 * between the same neighbours, it is appended to the previous clause.
 */
export function mergeSplitClauses(
  before: readonly DocumentClause[],
  after: readonly DocumentClause[],
): { old: DocumentClause[]; now: DocumentClause[] } {
  const unmatched = findUnmatched(before, after)
  const merge = (
    clauses: readonly DocumentClause[],
    ownUnmatched: readonly Unmatched[],
    otherClauses: readonly DocumentClause[],
    otherUnmatched: readonly Unmatched[],
  ) => {
    const gaps = Map.groupBy(otherUnmatched, ({ gap }) => gap)
    const gapOf = new Map(ownUnmatched.map(({ at, gap }) => [at, gap]))
    const merged: DocumentClause[] = []
    for (const [at, clause] of clauses.entries()) {
      const gap = gapOf.get(at)
      const isPart =
        gap !== undefined &&
        gapOf.get(at - 1) === gap &&
        clause.fullKey.length >= MIN_FRAGMENT_LENGTH &&
        (gaps.get(gap) ?? []).some(({ at: otherIndex }) => {
          const { fullKey } = otherClauses[otherIndex]!
          return fullKey !== clause.fullKey && !fullKey.startsWith(clause.fullKey) && fullKey.includes(clause.fullKey)
        })
      const previous = merged.at(-1)
      if (isPart && previous)
        merged[merged.length - 1] = createDocumentClause({ ...previous, lines: [...previous.lines, ...clause.lines] })
      else merged.push(clause)
    }
    return merged
  }
  if (unmatched === undefined) return { old: [...before], now: [...after] }
  return {
    old: merge(before, unmatched.old, after, unmatched.now),
    now: merge(after, unmatched.now, before, unmatched.old),
  }
}

async function computeSimilarities(
  old: readonly string[],
  now: readonly string[],
  yieldIfDue: EventLoopYielder,
): Promise<Map<number, number>[]> {
  const indexesByTrigram = new Map<number, number[]>()
  const sizes = now.map((key, at) => {
    const trigrams = getFoldedTextTrigrams(key)
    for (const trigram of trigrams) {
      const list = indexesByTrigram.get(trigram)
      if (list) list.push(at)
      else indexesByTrigram.set(trigram, [at])
    }
    return trigrams.length
  })
  const rows: Map<number, number>[] = []
  for (const key of old) {
    await yieldIfDue()
    const trigrams = getFoldedTextTrigrams(key)
    const common = new Map<number, number>()
    for (const trigram of trigrams)
      for (const at of indexesByTrigram.get(trigram) ?? []) common.set(at, (common.get(at) ?? 0) + 1)
    for (const [at, count] of common) common.set(at, (2 * count) / (trigrams.length + sizes[at]!))
    rows.push(common)
  }
  return rows
}

export async function pairDocumentClauses(
  before: readonly DocumentClause[],
  after: readonly DocumentClause[],
  yieldIfDue: EventLoopYielder,
): Promise<ClausePairs | undefined> {
  const unmatched = findUnmatched(before, after)
  if (unmatched === undefined) return undefined
  const moved: [number, number][] = []
  const byKey = Map.groupBy(unmatched.now, ({ at }) => after[at]!.key)
  const old = unmatched.old.filter(({ at }) => {
    const { key } = before[at]!
    const twin = key.length >= MIN_MOVED_LENGTH ? byKey.get(key)?.shift() : undefined
    if (twin) moved.push([at, twin.at])
    return twin === undefined
  })
  const movedTo = new Set(moved.map(([, at]) => at))
  const now = unmatched.now.filter(({ at }) => !movedTo.has(at))

  const alike = await computeSimilarities(
    old.map(({ at }) => before[at]!.key),
    now.map(({ at }) => after[at]!.key),
    yieldIfDue,
  )
  const candidates = alike.flatMap((row, from) =>
    [...row].flatMap(([to, similarity]) => {
      const [a, b] = [old[from]!, now[to]!]
      const isSameNumber = before[a.at]!.number === after[b.at]!.number && before[a.at]!.number !== ''
      const isSamePosition = isSameNumber && a.gap === b.gap
      const score = similarity + (isSameNumber ? SAME_NUMBER_BONUS : 0) + (isSamePosition ? SAME_POSITION_BONUS : 0)
      return score > MIN_SIMILARITY ? [{ from: a.at, to: b.at, score }] : []
    }),
  )
  const paired = { old: new Set<number>(), now: new Set<number>() }
  const changed: [number, number][] = []
  for (const { from, to } of candidates.toSorted((a, b) => b.score - a.score || a.from - b.from)) {
    if (paired.old.has(from) || paired.now.has(to)) continue
    paired.old.add(from)
    paired.now.add(to)
    changed.push([from, to])
  }
  return {
    changed: changed.toSorted((a, b) => a[1] - b[1]),
    moved: moved.toSorted((a, b) => a[1] - b[1]),
    gone: old.flatMap(({ at }) => (paired.old.has(at) ? [] : [at])),
    added: now.flatMap(({ at }) => (paired.now.has(at) ? [] : [at])),
  }
}
