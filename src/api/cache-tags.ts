import type { Query, QueryKey } from '@tanstack/react-query'
import {
  budgetKeys,
  calendarKeys,
  followKeys,
  keywordImpactKeys,
  keywordTermKeys,
  morningQueueKeys,
  notificationChannelKeys,
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
  /** Entries with the changed data. The tab that made the change has updated them; other tabs refetch. */
  readonly entries: KeyMatcher
  readonly dependents?: KeyMatcher
  /** Entries marked stale but refetched only when next shown, so that rows do not move under the pointer. */
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
const isTermNews = any(under(...keywordTermKeys.news), under(...keywordTermKeys.advice))
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
  notifications: MARK_EFFECTS,
  settings: MARK_EFFECTS,
  follows: { entries: under(...followKeys.mine) },
  channels: { entries: under(...notificationChannelKeys.mine) },
  questions: { entries: under(...savedQuestionKeys.mine) },
  lists: {
    entries: under(...organisationKeys.me),
    dependents: any(under(...keywordTermKeys.list), isTermNews),
  },
  terms: { entries: under(...keywordTermKeys.list), dependents: isTermNews },
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

type TagState = {
  /** True if the entries themselves must be refetched too, because the server has not confirmed their content. */
  withEntries: boolean
  timer?: ReturnType<typeof setTimeout> | undefined
}
const states = new Map<CacheTag, TagState>()
function stateOf(tag: CacheTag): TagState {
  const state = states.get(tag) ?? { withEntries: false }
  states.set(tag, state)
  return state
}

export function cancelCacheTagRefetches(): void {
  for (const { timer } of states.values()) clearTimeout(timer)
  states.clear()
}

const countPendingChanges = (tag: CacheTag) =>
  queryClient.isMutating({
    predicate: ({ state: { variables }, meta }) =>
      variables !== undefined && meta?.change.tags(variables as object).includes(tag) === true,
  })

/**
 * Marks the dependents of a change as stale, and its entries too if their content is uncertain. The last change of a tag
 * refetches them and notifies other tabs.
 */
export function settleCacheTags(tags: readonly CacheTag[], withEntries: boolean): void {
  for (const tag of tags) markStale(tag, withEntries)
  // In a timer, because during its callbacks this change, and others answered with it, are still pending.
  setTimeout(() => {
    const settled = tags.filter((tag) => countPendingChanges(tag) === 0)
    if (settled.length > 0) channel?.postMessage(settled)
  })
}

function markStale(tag: CacheTag, withEntries: boolean): void {
  const state = stateOf(tag)
  const { deferred, quietMs = 0 } = effectsOf(tag)
  state.withEntries ||= withEntries
  const isAffected = affectedBy(tag, state.withEntries)
  const isStale = ({ queryKey }: Query) => isAffected(queryKey) || deferred?.(queryKey) === true
  void queryClient.invalidateQueries({ predicate: isStale, refetchType: 'none' })
  clearTimeout(state.timer)
  state.timer = setTimeout(refetch, quietMs, tag)
}

function refetch(tag: CacheTag): void {
  // The last of them schedules the refetch.
  if (countPendingChanges(tag) > 0) return
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
