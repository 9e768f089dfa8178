import type { Query, QueryKey } from '@tanstack/react-query'
import type { UserPatch } from '#contract/report/user-patch.ts'
import {
  budgetKeys,
  calendarKeys,
  channelKeys,
  followKeys,
  keywordImpactKeys,
  keywordTermKeys,
  morningQueueKeys,
  organisationKeys,
  projectKeys,
  pursuitKeys,
  reportKeys,
  savedQuestionKeys,
  userKeys,
} from './http/keys.ts'
import { queryClient } from './http/query-client.ts'

type KeyMatcher = (queryKey: QueryKey) => boolean
type TagEffects = {
  /**
   * Cache entries that contain the changed data. The tab that made the change has already updated them; other tabs
   * refetch.
   */
  readonly entries: KeyMatcher
  readonly dependents?: KeyMatcher
  /**
   * Cache entries that are marked stale but refetched only when next shown, so that rows do not move under the user's
   * pointer.
   */
  readonly deferred?: KeyMatcher
  /** Debounce before refetching dependents, since users change several things in a row. */
  readonly quietMs?: number
}

const under =
  (...prefix: readonly unknown[]): KeyMatcher =>
  (queryKey) =>
    prefix.every((keyPart, index) => queryKey[index] === keyPart)
const any =
  (...matches: readonly KeyMatcher[]): KeyMatcher =>
  (queryKey) =>
    matches.some((match) => match(queryKey))

const isUser = under(...userKeys.me)
const isSavedFilterCount = under(...reportKeys.savedFilterCounts)
const isFacet = under('reports', 'facets')
const isCalendar = under(...calendarKeys.all)
const isReportResult = any(under('reports', 'page'), under('reports', 'ids'))
const filtersBy =
  (parameter: string): KeyMatcher =>
  (queryKey) => {
    const query = queryKey[2]
    return isReportResult(queryKey) && typeof query === 'object' && query !== null && parameter in query
  }
const MARK_EFFECTS = { entries: isUser, quietMs: 1000 }

const TAGS = {
  stars: { ...MARK_EFFECTS, dependents: any(isSavedFilterCount, isFacet, isCalendar, filtersBy('project_bookmark')) },
  labels: { ...MARK_EFFECTS, dependents: any(isSavedFilterCount, isFacet, filtersBy('project_label__in')) },
  hidden: {
    ...MARK_EFFECTS,
    dependents: any(isSavedFilterCount, isFacet, isCalendar, isReportResult, under('reports', 'suggestions')),
  },
  filters: { ...MARK_EFFECTS, dependents: any(isSavedFilterCount, isCalendar) },
  settings: MARK_EFFECTS,
  follows: { entries: under(...followKeys.mine) },
  channels: { entries: under(...channelKeys.mine) },
  questions: { entries: under(...savedQuestionKeys.mine) },
  lists: {
    entries: under(...organisationKeys.me),
    dependents: any(under(...keywordTermKeys.list), under(...keywordTermKeys.news), under(...keywordTermKeys.advice)),
  },
  terms: {
    entries: under(...keywordTermKeys.list),
    dependents: any(under(...keywordTermKeys.news), under(...keywordTermKeys.advice)),
  },
  budgetLinks: {
    entries: under(...budgetKeys.all, 'detail'),
    // The summary counts links, and after a change other items may match the state filter.
    dependents: any(under(...budgetKeys.all, 'summary'), under(...budgetKeys.all, 'page')),
  },
  exclusions: {
    entries: under(...keywordImpactKeys.ledgers),
    dependents: any(
      under(...keywordImpactKeys.stats),
      under(...keywordImpactKeys.all, 'why'),
      under(...reportKeys.all),
      under(...projectKeys.all),
    ),
    deferred: under(...keywordImpactKeys.ledgers),
  },
  pursuits: {
    entries: under(...pursuitKeys.all),
    // Report rows show the owner and stage of a pursuit.
    dependents: any(
      under(...pursuitKeys.lists),
      under(...pursuitKeys.all, 'results'),
      isCalendar,
      isSavedFilterCount,
      isFacet,
      isReportResult,
    ),
    quietMs: 1000,
  },
  teamLabels: {
    entries: under(...pursuitKeys.marks),
    // Renaming a label also changes the settings page and the history on project pages.
    dependents: any(
      under(...pursuitKeys.settings),
      under(...pursuitKeys.all, 'detail'),
      under(...pursuitKeys.lists),
      isSavedFilterCount,
      isFacet,
      filtersBy('team_label__in'),
    ),
    quietMs: 1000,
  },
  teamViews: { entries: any(under(...pursuitKeys.marks), isUser), dependents: isSavedFilterCount },
  // Sections that exceed one response load more items after decisions, so the queue is refetched too.
  queue: { entries: under(...morningQueueKeys.all), dependents: under(...morningQueueKeys.all) },
} satisfies Record<string, TagEffects>
export type CacheTag = keyof typeof TAGS
const effectsOf = (tag: CacheTag): TagEffects => TAGS[tag]

const MARK_FIELDS: readonly (readonly [CacheTag, ...(keyof UserPatch)[]])[] = [
  ['stars', 'bookmark_action', 'project_bookmark'],
  ['labels', 'label_action', 'project_label_assignments'],
  ['hidden', 'hide_action'],
  ['filters', 'filter_action'],
]

export function getUserPatchCacheTags(patch: UserPatch): readonly CacheTag[] {
  const marks = MARK_FIELDS.filter(([, ...fields]) => fields.some((field) => patch[field] !== undefined))
  return marks.length === 0 ? ['settings'] : marks.map(([tag]) => tag)
}

type TagState = {
  pending: number
  /** True if the entries themselves must be refetched too, because the server has not confirmed their content. */
  withEntries: boolean
  timer?: ReturnType<typeof setTimeout> | undefined
}
const states = new Map<CacheTag, TagState>()
function stateOf(tag: CacheTag): TagState {
  const state = states.get(tag) ?? { pending: 0, withEntries: false }
  states.set(tag, state)
  return state
}

export function clearCacheTagStates(): void {
  for (const { timer } of states.values()) clearTimeout(timer)
  states.clear()
}

export function beginCacheTagChanges(tags: readonly CacheTag[]): void {
  for (const tag of tags) {
    const state = stateOf(tag)
    state.pending += 1
    clearTimeout(state.timer)
  }
}

/**
 * Marks a change as finished. Once no change of a tag is pending, refetches the tag's dependents and notifies other
 * tabs.
 */
export function endCacheTagChanges(tags: readonly CacheTag[], outcome: 'confirmed' | 'failed' | 'abandoned'): void {
  const settled = tags.filter((tag) => {
    const state = stateOf(tag)
    state.pending -= 1
    return state.pending === 0
  })
  if (outcome === 'abandoned') return
  for (const tag of tags) markStale(tag, outcome === 'failed')
  if (settled.length > 0) channel?.postMessage(settled)
}

function markStale(tag: CacheTag, withEntries: boolean): void {
  const state = stateOf(tag)
  const { deferred, quietMs = 0 } = effectsOf(tag)
  state.withEntries ||= withEntries
  const isAffected = affectedBy(tag, state.withEntries)
  const isStale = ({ queryKey }: Query) => isAffected(queryKey) || deferred?.(queryKey) === true
  void queryClient.invalidateQueries({ predicate: isStale, refetchType: 'none' })
  clearTimeout(state.timer)
  if (state.pending === 0) state.timer = setTimeout(refetch, quietMs, tag)
}

function refetch(tag: CacheTag): void {
  const state = stateOf(tag)
  const isAffected = affectedBy(tag, state.withEntries)
  state.withEntries = false
  void queryClient.refetchQueries(
    { type: 'active', predicate: ({ queryKey, state: { isInvalidated } }) => isInvalidated && isAffected(queryKey) },
    { cancelRefetch: false },
  )
}

function affectedBy(tag: CacheTag, withEntries: boolean): KeyMatcher {
  const { entries, dependents } = effectsOf(tag)
  return (queryKey) => dependents?.(queryKey) === true || (withEntries && entries(queryKey))
}

export function invalidateCacheTags(tags: readonly CacheTag[]): void {
  for (const tag of tags) markStale(tag, true)
}

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('tamngan.changes')
if (channel) {
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!Array.isArray(data)) return
    // Ignore unknown tags, which a tab with another version of the app may send.
    invalidateCacheTags((Object.keys(TAGS) as CacheTag[]).filter((tag) => data.includes(tag)))
  }
}
