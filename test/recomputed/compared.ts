import type { CompanyMemory } from '#server/market/company/memory/company-memory.ts'
import type { AwardMemory } from '#server/market/who-wins/memory/award-memory.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RawFact, RawYear } from './raw-facts.ts'

/** Whose answers are compared, and where they come from: out of memory where it is given, by SQL always. */
export type Asked = {
  readonly db: Db
  readonly companies: CompanyMemory
  readonly awards: AwardMemory
  readonly organisationId: number
  readonly userId: number
  /** ISO. */
  readonly today: string
}
export type Draw = {
  readonly seed: number
  readonly companies: number
  readonly agencies: number
  readonly questions: number
  /** SQL answers no question about more projects of the whole market than this. */
  readonly marketBySql: boolean
}

/** One answer beside what plain arithmetic gives; `unequal` is empty where all of it is equal. */
export type Compared = { readonly what: string; readonly figures: number; readonly unequal: readonly string[] }

export type World = Asked & {
  readonly year: RawYear
  readonly idOf: ReadonlyMap<string, number>
  readonly keyOf: ReadonlyMap<number, string>
  readonly factsOf: ReadonlyMap<string, readonly RawFact[]>
  readonly next: () => number
}

/** Leaves of a tree by their paths. */
function leaves(of: unknown, path = '', found = new Map<string, unknown>()): Map<string, unknown> {
  if (of !== null && typeof of === 'object')
    for (const [name, value] of Object.entries(of)) leaves(value, path === '' ? name : `${path}.${name}`, found)
  else found.set(path, of)
  return found
}

export function compared(what: string, own: unknown, answered: unknown): Compared {
  const [mine, theirs] = [leaves(own), leaves(answered)]
  const unequal = [...new Set([...mine.keys(), ...theirs.keys()])].flatMap((path) =>
    Object.is(mine.get(path), theirs.get(path)) ? [] : [`${path}: raw ${mine.get(path)}, answered ${theirs.get(path)}`],
  )
  return { what, figures: mine.size, unequal }
}

export const pick = <T>(next: () => number, from: readonly T[]): T => from[Math.floor(next() * from.length)]!

/** Half of them drawn from all, half by what they won or bought, so that the large ones are among them. */
export function drawn<T>({ next }: World, count: number, all: readonly T[], weighed: () => T): T[] {
  const chosen = new Set<T>()
  for (let tries = 0; chosen.size < Math.min(count, all.length) && tries < count * 50; tries += 1)
    chosen.add(tries % 2 === 0 ? pick(next, all) : weighed())
  return [...chosen]
}
