import type { Query, QueryKey } from '@tanstack/react-query'
import type { UserPatch } from '#contract/report/user-patch.ts'
import {
  budgetKeys,
  calendarKeys,
  channelKeys,
  followKeys,
  impactKeys,
  organisationKeys,
  projectKeys,
  pursuitKeys,
  questionKeys,
  queueKeys,
  reportKeys,
  termKeys,
  userKeys,
} from './http/keys.ts'
import { queryClient } from './http/query-client.ts'

type Match = (queryKey: QueryKey) => boolean
type TagFacts = {
  /** Entries that contain the changed data. The tab that made the change has updated them; other tabs refetch. */
  readonly entries: Match
  /** Entries derived from it that only the server can compute. */
  readonly dependents?: Match
  /** Entries refetched only when next shown, so that rows do not move under the user's pointer. */
  readonly later?: Match
  /** Debounce before refetching dependents, since users change several things in a row. */
  readonly quietMs?: number
}

const under =
  (...prefix: readonly unknown[]): Match =>
  (queryKey) =>
    prefix.every((part, index) => queryKey[index] === part)
const any =
  (...matches: readonly Match[]): Match =>
  (queryKey) =>
    matches.some((match) => match(queryKey))

const isUser = under(...userKeys.me)
const isSavedFilterCount = under(...reportKeys.savedFilterCounts)
const isFacet = under('reports', 'facets')
const isCalendar = under(...calendarKeys.all)
const isFound = any(under('reports', 'page'), under('reports', 'ids'))
const asks =
  (parameter: string): Match =>
  (queryKey) => {
    const query = queryKey[2]
    return isFound(queryKey) && typeof query === 'object' && query !== null && parameter in query
  }
const MARKS = { entries: isUser, quietMs: 1000 }

const TAGS = {
  stars: { ...MARKS, dependents: any(isSavedFilterCount, isFacet, isCalendar, asks('project_bookmark')) },
  labels: { ...MARKS, dependents: any(isSavedFilterCount, isFacet, asks('project_label__in')) },
  hidden: {
    ...MARKS,
    dependents: any(isSavedFilterCount, isFacet, isCalendar, isFound, under('reports', 'suggestions')),
  },
  filters: { ...MARKS, dependents: any(isSavedFilterCount, isCalendar) },
  settings: MARKS,
  follows: { entries: under(...followKeys.mine) },
  channels: { entries: under(...channelKeys.mine) },
  questions: { entries: under(...questionKeys.mine) },
  lists: {
    entries: under(...organisationKeys.me),
    dependents: any(under(...termKeys.list), under(...termKeys.news), under(...termKeys.advice)),
  },
  terms: {
    entries: under(...termKeys.list),
    dependents: any(under(...termKeys.news), under(...termKeys.advice)),
  },
  budgetLinks: {
    entries: under(...budgetKeys.all, 'detail'),
    // The figures count links, and the state filter may match other items.
    dependents: any(under(...budgetKeys.all, 'summary'), under(...budgetKeys.all, 'page')),
  },
  exclusions: {
    entries: under(...impactKeys.ledgers),
    dependents: any(
      under(...impactKeys.stats),
      under(...impactKeys.all, 'why'),
      under(...reportKeys.all),
      under(...projectKeys.all),
    ),
    later: under(...impactKeys.ledgers),
  },
  pursuits: {
    entries: under(...pursuitKeys.all),
    // Report rows show owner and stage of a pursuit.
    dependents: any(
      under(...pursuitKeys.lists),
      under(...pursuitKeys.all, 'results'),
      isCalendar,
      isSavedFilterCount,
      isFacet,
      isFound,
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
      asks('team_label__in'),
    ),
    quietMs: 1000,
  },
  teamViews: { entries: any(under(...pursuitKeys.marks), isUser), dependents: isSavedFilterCount },
  // Sections that exceed one response load more items after decisions.
  queue: { entries: under(...queueKeys.all), dependents: under(...queueKeys.all) },
} satisfies Record<string, TagFacts>
export type Tag = keyof typeof TAGS
const factsOf = (tag: Tag): TagFacts => TAGS[tag]

const MARKS_IN: readonly (readonly [Tag, ...(keyof UserPatch)[]])[] = [
  ['stars', 'bookmark_action', 'project_bookmark'],
  ['labels', 'label_action', 'project_label_assignments'],
  ['hidden', 'hide_action'],
  ['filters', 'filter_action'],
]

export function tagsOfPatch(patch: UserPatch): readonly Tag[] {
  const marks = MARKS_IN.filter(([, ...fields]) => fields.some((field) => patch[field] !== undefined))
  return marks.length === 0 ? ['settings'] : marks.map(([tag]) => tag)
}

type State = {
  pending: number
  /** Also refetch the entries themselves, because the server has not confirmed their content. */
  withEntries: boolean
  timer?: ReturnType<typeof setTimeout> | undefined
}
const states = new Map<Tag, State>()
function stateOf(tag: Tag): State {
  const state = states.get(tag) ?? { pending: 0, withEntries: false }
  states.set(tag, state)
  return state
}

/** Resets all tags on a change of user, when every entry is refetched anyway. */
export function clearTags(): void {
  for (const { timer } of states.values()) clearTimeout(timer)
  states.clear()
}

export function beginTags(tags: readonly Tag[]): void {
  for (const tag of tags) {
    const state = stateOf(tag)
    state.pending += 1
    clearTimeout(state.timer)
  }
}

/** Marks a change as finished. After the last change of a tag, refetches its dependents and notifies other tabs. */
export function endTags(tags: readonly Tag[], outcome: 'confirmed' | 'failed' | 'abandoned'): void {
  const through = tags.filter((tag) => {
    const state = stateOf(tag)
    state.pending -= 1
    return state.pending === 0
  })
  if (outcome === 'abandoned') return
  for (const tag of tags) stale(tag, outcome === 'failed')
  // Only tag names are sent, never data.
  if (through.length > 0) channel?.postMessage(through)
}

function stale(tag: Tag, withEntries: boolean): void {
  const state = stateOf(tag)
  const { later, quietMs = 0 } = factsOf(tag)
  state.withEntries ||= withEntries
  const isAsked = asked(tag, state.withEntries)
  const isStale = ({ queryKey }: Query) => isAsked(queryKey) || later?.(queryKey) === true
  void queryClient.invalidateQueries({ predicate: isStale, refetchType: 'none' })
  clearTimeout(state.timer)
  if (state.pending === 0) state.timer = setTimeout(refetch, quietMs, tag)
}

function refetch(tag: Tag): void {
  const state = stateOf(tag)
  const isAsked = asked(tag, state.withEntries)
  state.withEntries = false
  void queryClient.refetchQueries(
    { type: 'active', predicate: ({ queryKey, state: { isInvalidated } }) => isInvalidated && isAsked(queryKey) },
    { cancelRefetch: false },
  )
}

function asked(tag: Tag, withEntries: boolean): Match {
  const { entries, dependents } = factsOf(tag)
  return (queryKey) => dependents?.(queryKey) === true || (withEntries && entries(queryKey))
}

export function askAgain(tags: readonly Tag[]): void {
  for (const tag of tags) stale(tag, true)
}

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('tamngan.changes')
if (channel) {
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!Array.isArray(data)) return
    // A tab of another app version may send unknown tags.
    askAgain((Object.keys(TAGS) as Tag[]).filter((tag) => data.includes(tag)))
  }
}
