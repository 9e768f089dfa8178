import {
  formatQueryParams,
  type IgnoredQueryParam,
  parseQueryParams,
  type QueryParam,
  type SearchFromQueryParams,
} from '#contract/http/query-params.ts'
import type { FlatSearchParams } from '#src/lib/flat-search-params.ts'
import { pickSearch, type RouteSearch, type SearchPatch } from '#src/lib/typed-search.ts'
import type { ExcludedProjectsSearch } from '#src/matching/api/keyword-impact.ts'

export const WATCH_LIST_PAGE_TABS = ['rules', 'hidden', 'why'] as const
export type WatchListPageTab = (typeof WATCH_LIST_PAGE_TABS)[number]

export const WATCH_PARAMS = [
  { name: 'tab', kind: 'choice', th: 'ส่วนของหน้า', of: WATCH_LIST_PAGE_TABS },
  {
    name: 'list',
    kind: 'choice',
    th: 'รายการคำ',
    of: ['include', 'exclude', 'ai_include', 'ai_exclude', 'deptsub'],
    usual: '',
  },
  { name: 'group', kind: 'count', th: 'กลุ่มคำ' },
  { name: 'q', kind: 'text', th: 'ค้นหา' },
  /** On the tab `hidden` the word that hid the projects, otherwise the word that prefills the add box. */
  { name: 'word', kind: 'text', th: 'คำ' },
  /** The default equals the period that the tab counts (`KeywordStats.hidden`), so that list and count agree. */
  { name: 'days', kind: 'choice', th: 'ช่วงเวลา', of: ['30', '7', 'all'] },
  { name: 'rescued', kind: 'flag', th: 'ที่นำกลับเข้ารายงาน' },
  { name: 'page', kind: 'count', th: 'หน้า', usual: '1' },
  { name: 'project', kind: 'text', th: 'โครงการ' },
  { name: 'lesson', kind: 'count', th: 'คำที่สอน' },
] as const satisfies readonly QueryParam[]
type WatchParam = (typeof WATCH_PARAMS)[number]
export type WatchSearch = SearchFromQueryParams<WatchParam>

export function parseWatchSearch(flat: FlatSearchParams): {
  readonly search: WatchSearch
  readonly ignored: readonly IgnoredQueryParam[]
} {
  return parseQueryParams<WatchParam>(WATCH_PARAMS, flat)
}

export const formatWatchSearch = (search: WatchSearch): Record<string, string> =>
  formatQueryParams<WatchParam>(WATCH_PARAMS, search)

export function getExcludedProjectsUrlState({
  tab,
  days,
  word,
  rescued,
  page = 1,
}: WatchSearch): ExcludedProjectsSearch {
  return {
    days: days === '7' ? 7 : days === 'all' ? 'all' : 30,
    ...(tab === 'hidden' && word ? { word } : {}),
    ...(rescued ? { rescued } : {}),
    page,
  }
}

export function toWatchSearchPatch({ days, word, rescued, page }: ExcludedProjectsSearch): SearchPatch<WatchSearch> {
  return {
    days: days === 7 ? '7' : days === 'all' ? 'all' : undefined,
    word,
    rescued: rescued ? true : undefined,
    page: page > 1 ? page : undefined,
  }
}

/** Returns the search after a change: parameters of a tab do not follow the user to another tab. */
export function applyWatchSearchPatch(
  search: RouteSearch<WatchSearch>,
  patch: SearchPatch<WatchSearch>,
): SearchPatch<WatchSearch> {
  const next = { ...pickSearch<WatchSearch>(search), ...patch }
  const isHidden = next.tab === 'hidden'
  const isSameTab = (next.tab ?? 'rules') === (search.tab ?? 'rules')
  return {
    ...next,
    word: isSameTab || 'word' in patch ? next.word : undefined,
    days: isHidden ? next.days : undefined,
    rescued: isHidden ? next.rescued : undefined,
    page: isHidden ? next.page : undefined,
    project: next.tab === 'why' ? next.project : undefined,
    lesson: (next.tab ?? 'rules') === 'rules' ? next.lesson : undefined,
  }
}
