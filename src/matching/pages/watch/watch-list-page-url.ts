import type { KeywordListCode } from '#contract/account/organisation.ts'
import { type FlatSearchParams, memoizeLastResult } from '#src/lib/flat-search-params.ts'
import type { ExcludedProjectsUrlState } from '#src/matching/excluded-projects/excluded-projects-url-state.ts'
import { findKeywordListByCode, getKeywordListAppearance } from '#src/matching/keywords/keyword-list-appearances.ts'

export const WATCH_LIST_PAGE_TABS = ['rules', 'hidden', 'why'] as const
export type WatchListPageTab = (typeof WATCH_LIST_PAGE_TABS)[number]

export type WatchListPageUrlState = {
  readonly tab: WatchListPageTab
  readonly list: KeywordListCode | undefined
  readonly groupId: number | undefined
  readonly q: string
  /** Word that prefills the add box, e.g. from a project that is not in the report. */
  readonly word: string | undefined
  readonly ledger: ExcludedProjectsUrlState
  readonly project: string | undefined
  readonly lesson: number | undefined
}

/** Equals the period that the tab counts (`KeywordStats.hidden`), so that list and count agree. */
const DEFAULT_LEDGER_DAYS = 30

const wholeNumber = (text: string | undefined) =>
  text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined

export const parseWatchListPageUrlState = memoizeLastResult((search): WatchListPageUrlState => {
  const { tab, days, word } = search
  return {
    tab: WATCH_LIST_PAGE_TABS.find((name) => name === tab) ?? 'rules',
    list: findKeywordListByCode(search.list),
    groupId: wholeNumber(search.group),
    q: search.q ?? '',
    word: word === '' ? undefined : word,
    ledger: {
      days: days === '7' ? 7 : days === 'all' ? 'all' : DEFAULT_LEDGER_DAYS,
      ...(tab === 'hidden' && word ? { word } : {}),
      ...(search.rescued === 'true' ? { rescued: true } : {}),
      page: wholeNumber(search.page) ?? 1,
    },
    project: search.project === '' ? undefined : search.project,
    lesson: wholeNumber(search.lesson),
  }
})

export type WatchListPageUrlPatch = {
  readonly tab?: WatchListPageTab
  readonly list?: KeywordListCode | undefined
  readonly groupId?: number | undefined
  readonly q?: string
  readonly word?: string | undefined
  readonly ledger?: ExcludedProjectsUrlState
  readonly project?: string | undefined
  readonly lesson?: number | undefined
}

export function applyWatchListPageUrlPatch(search: FlatSearchParams, patch: WatchListPageUrlPatch): FlatSearchParams {
  const current = parseWatchListPageUrlState(search)
  const next = { ...current, ...patch }
  const { days, word: ledgerWord, rescued, page } = next.ledger
  const isHidden = next.tab === 'hidden'
  const pairs: Record<string, string | undefined> = {
    tab: next.tab === 'rules' ? undefined : next.tab,
    list: next.list && getKeywordListAppearance(next.list).code,
    group: next.groupId?.toString(),
    q: next.q || undefined,
    word: isHidden ? ledgerWord : next.tab === current.tab || 'word' in patch ? next.word : undefined,
    days: isHidden && days !== DEFAULT_LEDGER_DAYS ? String(days) : undefined,
    rescued: isHidden && rescued ? 'true' : undefined,
    page: isHidden && page > 1 ? String(page) : undefined,
    project: next.tab === 'why' ? next.project : undefined,
    lesson: next.tab === 'rules' ? next.lesson?.toString() : undefined,
  }
  return Object.fromEntries(Object.entries(pairs).filter((pair): pair is [string, string] => pair[1] !== undefined))
}
