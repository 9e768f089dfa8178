import { partialMatchKey, type QueryKey } from '@tanstack/react-query'
import {
  calendarKeys,
  organisationKeys,
  projectKeys,
  pursuitKeys,
  queueKeys,
  reportKeys,
  userKeys,
} from '../http/keys.ts'

/** Responses stored for offline reading. All others are lost with the page. */
type Kind = {
  readonly name: string
  readonly prefixes: readonly QueryKey[]
  readonly most: number
}

const KINDS: readonly Kind[] = [
  { name: 'account', prefixes: [userKeys.me, organisationKeys.me, pursuitKeys.settings], most: 3 },
  { name: 'labels', prefixes: [pursuitKeys.marks], most: 1 },
  { name: 'page', prefixes: [['reports', 'page']], most: 4 },
  { name: 'counts', prefixes: [['reports', 'facets'], reportKeys.savedFilterCounts], most: 3 },
  { name: 'queue', prefixes: [queueKeys.all], most: 3 },
  { name: 'queue rows', prefixes: [['reports', 'queue-rows']], most: 6 },
  { name: 'row', prefixes: [['reports', 'project']], most: 60 },
  {
    name: 'project',
    prefixes: [
      ['projects', 'detail'],
      ['projects', 'ahead'],
    ],
    most: 80,
  },
  { name: 'pursuit', prefixes: [['pursuits', 'detail']], most: 80 },
  { name: 'board', prefixes: [pursuitKeys.lists], most: 3 },
  { name: 'calendar', prefixes: [[...calendarKeys.all, 'of']], most: 3 },
]

/** Returns the kind of a query; undefined if it is never stored. */
export function kindOf(queryKey: QueryKey): string | undefined {
  return KINDS.find(({ prefixes }) => prefixes.some((prefix) => partialMatchKey(queryKey, prefix)))?.name
}

/** Returns the keys whose stored response also answers a query: a prefetched project equals the project. */
export function standInsFor(queryKey: QueryKey): readonly QueryKey[] {
  const [noun, what, id] = queryKey
  return noun === 'projects' && what === 'detail' ? [queryKey, projectKeys.ahead(String(id))] : [queryKey]
}

/** Maximum total size on a device, bytes of JSON in UTF-16. */
const MOST_BYTES = 6_000_000
/** Lifetime of an idle session (R13). */
export const MOST_AGE_MS = 7 * 24 * 60 * 60_000

export type KeptFacts = { readonly kind: string; readonly bytes: number; readonly atMs: number }

/** Returns the keys to delete: too old, beyond the limit of their kind, or beyond the total size; oldest first. */
export function surplusOf(kept: ReadonlyMap<string, KeptFacts>, nowMs: number): readonly string[] {
  const counts = new Map<string, number>()
  let bytes = 0
  const newestFirst = [...kept].sort(([, one], [, other]) => other.atMs - one.atMs)
  const stays = ([, { kind, bytes: own, atMs }]: readonly [string, KeptFacts]) => {
    const count = (counts.get(kind) ?? 0) + 1
    const most = KINDS.find(({ name }) => name === kind)?.most ?? 0
    if (nowMs - atMs > MOST_AGE_MS || count > most || bytes + own > MOST_BYTES) return false
    counts.set(kind, count)
    bytes += own
    return true
  }
  return newestFirst
    .filter((entry) => !stays(entry))
    .map(([key]) => key)
    .reverse()
}
