import { KEYWORD_LISTS, type Keyword, type KeywordList, type Organisation } from '#contract/organisation.ts'
import type { OrganisationRow } from './queries.ts'

/** The organisation as `GET /organisations/me` answers it. */
export function presentOrganisation(row: OrganisationRow): Organisation {
  const {
    package: packageName,
    areas_with_provinces,
    areas_filter_report,
    is_register_completed,
    is_watchlist_completed,
    keywords,
    ...rest
  } = row
  return {
    ...rest,
    ...watchLists(keywords),
    customer_use_package: packageName,
    areasWithProvinces: areas_with_provinces,
    areasFilterReport: areas_filter_report,
    register_status: { is_register_completed, is_watchlist_completed },
  }
}

function watchLists(keywords: OrganisationRow['keywords']): Record<KeywordList, Keyword[]> {
  const wordsOf = (list: KeywordList) =>
    keywords
      .filter((keyword) => keyword.list === list)
      .map(({ list: _, ...keyword }) => ({ ...keyword, added_at: new Date(keyword.added_at).toISOString() }))
  return Object.fromEntries(KEYWORD_LISTS.map((list) => [list, wordsOf(list)])) as Record<KeywordList, Keyword[]>
}
