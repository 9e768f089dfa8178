import type { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
import type { AwardCache } from '#server/market/who-wins/memory/award-cache.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RawFact, RawYear } from './raw-facts.ts'

/**
 * The user whose answers are compared. Answers come from memory and, unless SQL refuses that many projects, from SQL
 * too.
 */
export type FiguresContext = {
  readonly db: Db
  readonly companies: CompanyFactCache
  readonly awards: AwardCache
  readonly organisationId: number
  readonly userId: number
  /** The day of the comparison as an ISO date. */
  readonly today: string
}
export type Draw = {
  readonly seed: number
  readonly companies: number
  readonly agencies: number
  readonly questions: number
}

/** One answer compared with plain arithmetic; `unequal` is empty when all figures match. */
export type Compared = { readonly what: string; readonly figures: number; readonly unequal: readonly string[] }

export type RecomputedWorld = FiguresContext & {
  readonly year: RawYear
  readonly idOf: ReadonlyMap<string, number>
  readonly keyOf: ReadonlyMap<number, string>
  readonly factsOf: ReadonlyMap<string, readonly RawFact[]>
  readonly next: () => number
}

function leaves(of: unknown, path = '', valueByPath = new Map<string, unknown>()): Map<string, unknown> {
  if (of !== null && typeof of === 'object')
    for (const [name, value] of Object.entries(of)) leaves(value, path === '' ? name : `${path}.${name}`, valueByPath)
  else valueByPath.set(path, of)
  return valueByPath
}

export function createComparison(what: string, expected: unknown, answered: unknown): Compared {
  const [expectedLeaves, answeredLeaves] = [leaves(expected), leaves(answered)]
  const unequal = [...new Set([...expectedLeaves.keys(), ...answeredLeaves.keys()])].flatMap((path) =>
    Object.is(expectedLeaves.get(path), answeredLeaves.get(path))
      ? []
      : [`${path}: raw ${expectedLeaves.get(path)}, answered ${answeredLeaves.get(path)}`],
  )
  return { what, figures: expectedLeaves.size, unequal }
}

export const pick = <T>(next: () => number, from: readonly T[]): T => from[Math.floor(next() * from.length)]!

/**
 * Draws `count` companies or agencies: half of them uniformly, half weighted by what they won or bought, so that large
 * ones are included.
 */
export function drawSample<T>({ next }: RecomputedWorld, count: number, all: readonly T[], weighed: () => T): T[] {
  const chosen = new Set<T>()
  for (let tries = 0; chosen.size < Math.min(count, all.length) && tries < count * 50; tries += 1)
    chosen.add(tries % 2 === 0 ? pick(next, all) : weighed())
  return [...chosen]
}
