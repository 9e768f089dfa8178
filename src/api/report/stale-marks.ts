import type { QueryFilters } from '@tanstack/react-query'
import type { UserPatch } from '#contract/user/user-patch.ts'
import { reportKeys, userKeys } from '../http/keys.ts'
import { queryClient } from '../http/query-client.ts'

const KINDS = ['stars', 'labels', 'hidden', 'filters'] as const
/** Kinds of marks that have changed, and with them every answer that depends on them. */
export type StaleMarks = readonly (typeof KINDS)[number][]
export const ALL_MARKS: StaleMarks = KINDS

const FIELDS: Record<(typeof KINDS)[number], readonly (keyof UserPatch)[]> = {
  stars: ['bookmark_action', 'project_bookmark'],
  labels: ['label_action', 'project_label_assignments'],
  hidden: ['hide_action'],
  filters: ['filter_action'],
}

export function marksIn(patch: UserPatch): StaleMarks {
  return KINDS.filter((kind) => FIELDS[kind].some((field) => patch[field] !== undefined))
}

/** Marks are set in rows of clicks: what hangs on them is asked for again after this long without one. */
const QUIET_MS = 1000
/** What is asked for again at the next quiet moment; undefined while nothing is. */
let due: { readonly kinds: Set<StaleMarks[number]>; timer: ReturnType<typeof setTimeout> } | undefined

/**
 * The user and the answers that depend on these marks are asked for again, those on screen once the clicking has stopped, the
 * others when they are next shown; the rest stays fresh.
 */
export function refetchMarks(stale: StaleMarks): void {
  void queryClient.invalidateQueries({ queryKey: userKeys.me, refetchType: 'none' })
  if (stale.length > 0) void queryClient.invalidateQueries({ ...dependents(stale), refetchType: 'none' })
  clearTimeout(due?.timer)
  due = { kinds: new Set([...(due?.kinds ?? []), ...stale]), timer: setTimeout(refetchDue, QUIET_MS) }
}

/** Another change is made: what waits for quiet waits on. */
export function postponeRefetch(): void {
  if (!due) return
  clearTimeout(due.timer)
  due.timer = setTimeout(refetchDue, QUIET_MS)
}

function refetchDue() {
  const stale = [...(due?.kinds ?? [])]
  due = undefined
  void queryClient.refetchQueries({ queryKey: userKeys.me, type: 'active' })
  if (stale.length > 0) void queryClient.refetchQueries({ ...dependents(stale), type: 'active' })
}

const dependents = (stale: StaleMarks): QueryFilters => ({
  queryKey: reportKeys.all,
  predicate: ({ queryKey }) => depends(queryKey, stale),
})

function depends([, what, query]: readonly unknown[], stale: StaleMarks): boolean {
  const isMarked = stale.some((kind) => kind !== 'filters')
  switch (what) {
    case 'saved-filter-counts':
      return true
    // They count the starred, the labelled and the hidden, whatever the filters.
    case 'facets':
      return isMarked
    case 'page':
    case 'ids':
      return stale.includes('hidden') || (isMarked && asks(query, stale))
    default:
      return false
  }
}

/** Whether a search of the report filters by what has changed. */
function asks(query: unknown, stale: StaleMarks): boolean {
  if (typeof query !== 'object' || query === null) return false
  return (
    (stale.includes('stars') && 'project_bookmark' in query) ||
    (stale.includes('labels') && 'project_label__in' in query)
  )
}
