import {
  KEYWORD_LIST_CODES,
  type Keyword,
  type KeywordListCode,
  type Organisation,
} from '#contract/account/organisation.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { findOrganisation, type OrganisationRow } from './queries.ts'

function presentOrganisation(row: OrganisationRow): Organisation {
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

function watchLists(keywords: OrganisationRow['keywords']): Record<KeywordListCode, Keyword[]> {
  const wordsOf = (list: KeywordListCode) =>
    keywords
      .filter((keyword) => keyword.list === list)
      .map(({ list: _, ...keyword }) => ({ ...keyword, added_at: new Date(keyword.added_at).toISOString() }))
  return Object.fromEntries(KEYWORD_LIST_CODES.map((list) => [list, wordsOf(list)])) as Record<
    KeywordListCode,
    Keyword[]
  >
}

export async function loadOrganisationDetails(db: Db, organisationId: number): Promise<Organisation> {
  const organisation = await findOrganisation(db, organisationId)
  if (!organisation) throw new ProblemError('session_invalid')
  return presentOrganisation(organisation)
}
