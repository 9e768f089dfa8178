import { partialMatchKey, type QueryKey } from '@tanstack/react-query'
import {
  calendarKeys,
  morningQueueKeys,
  organisationKeys,
  projectKeys,
  pursuitKeys,
  reportKeys,
  userKeys,
} from '../http/keys.ts'

type ResponseKind = {
  readonly name: string
  readonly prefixes: readonly QueryKey[]
  readonly maxCount: number
}

const KINDS: readonly ResponseKind[] = [
  { name: 'account', prefixes: [userKeys.me, organisationKeys.me, pursuitKeys.settings], maxCount: 3 },
  { name: 'labels', prefixes: [pursuitKeys.marks], maxCount: 1 },
  { name: 'page', prefixes: [['reports', 'page']], maxCount: 4 },
  { name: 'counts', prefixes: [['reports', 'facets'], reportKeys.savedFilterCounts], maxCount: 3 },
  { name: 'queue', prefixes: [morningQueueKeys.all], maxCount: 3 },
  { name: 'queue rows', prefixes: [['reports', 'queue-rows']], maxCount: 6 },
  { name: 'row', prefixes: [['reports', 'project']], maxCount: 60 },
  { name: 'project', prefixes: ['detail', 'ahead'].map((subject) => ['projects', subject]), maxCount: 80 },
  { name: 'pursuit', prefixes: [['pursuits', 'detail']], maxCount: 80 },
  { name: 'board', prefixes: [pursuitKeys.lists], maxCount: 3 },
  { name: 'calendar', prefixes: [[...calendarKeys.all, 'of']], maxCount: 3 },
]

export function getStoredResponseKind(queryKey: QueryKey): string | undefined {
  return KINDS.find(({ prefixes }) => prefixes.some((prefix) => partialMatchKey(queryKey, prefix)))?.name
}

/** Returns the keys whose responses can answer a query: a prefetched project also answers the project's query. */
export function getEquivalentQueryKeys(queryKey: QueryKey): readonly QueryKey[] {
  const [noun, subject, id] = queryKey
  return noun === 'projects' && subject === 'detail' ? [queryKey, projectKeys.ahead(String(id))] : [queryKey]
}

/** Maximum size of all stored responses on a device, in bytes of JSON in UTF-16. */
const MAX_TOTAL_BYTES = 6_000_000
/** Maximum age of a stored response; equals the lifetime of an idle session (R13). */
export const MAX_STORED_RESPONSE_AGE_MS = 7 * 24 * 60 * 60_000

export type StoredResponseMetadata = { readonly kind: string; readonly bytes: number; readonly atMs: number }

/** Returns the keys to delete, oldest first: too old, beyond the limit of their kind, or beyond the total size. */
export function findStoredResponseKeysToDelete(
  stored: ReadonlyMap<string, StoredResponseMetadata>,
  nowMs: number,
): readonly string[] {
  const counts = new Map<string, number>()
  let bytes = 0
  const newestFirst = [...stored].sort(([, a], [, b]) => b.atMs - a.atMs)
  const fits = ([, { kind, bytes: size, atMs }]: readonly [string, StoredResponseMetadata]) => {
    const count = (counts.get(kind) ?? 0) + 1
    const maxCount = KINDS.find(({ name }) => name === kind)?.maxCount ?? 0
    if (nowMs - atMs > MAX_STORED_RESPONSE_AGE_MS || count > maxCount || bytes + size > MAX_TOTAL_BYTES) return false
    counts.set(kind, count)
    bytes += size
    return true
  }
  return newestFirst
    .filter((entry) => !fits(entry))
    .map(([key]) => key)
    .reverse()
}
