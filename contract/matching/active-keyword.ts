import type { KeywordListCode, Organisation } from '../account/organisation.ts'

type SearchModes = {
  readonly search_by_name?: boolean | undefined
  readonly search_by_ai?: boolean | undefined
  readonly search_by_deptsub?: boolean | undefined
}

/**
 * True for entries that are in effect (D8, D11): include lists only while switched on and approved; exclude lists
 * always, because exclusions apply at once.
 */
export function isActiveKeyword(
  { config }: { readonly config: SearchModes },
  { list, approved }: { readonly list: string; readonly approved: boolean },
): boolean {
  if (list === 'exclude' || list === 'ai_exclude') return true
  if (!approved) return false
  if (list === 'include') return config.search_by_name === true
  if (list === 'ai_include') return config.search_by_ai === true
  return list === 'deptsub_include' && config.search_by_deptsub === true
}

type WatchLists = { readonly customer_config: SearchModes } & Pick<Organisation, KeywordListCode>

/** Counts what brings projects into the report: words and departments in effect, without exclusions. */
export function countActiveKeywords(lists: WatchLists): { words: number; departments: number } {
  const rules = { config: lists.customer_config }
  const count = (list: KeywordListCode) =>
    lists[list].filter(({ approved }) => isActiveKeyword(rules, { list, approved })).length
  return { words: count('include') + count('ai_include'), departments: count('deptsub_include') }
}
