import { cardQueryOf, parseBoardSearch } from '#contract/pursuit/board.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { pursuitSettingsQuery } from '#src/api/pursuit/pursuit-settings.ts'
import { pursuitListQuery } from '#src/api/pursuit/pursuits.ts'
import { readOnce, type SearchPlace, searchAt } from '#src/lib/search-text.ts'

/** Filters, folded columns and the phone's column. */
export const readBoardAddress = readOnce(parseBoardSearch)

export function startBoard(place: SearchPlace): void {
  startQuery(pursuitListQuery(cardQueryOf(readBoardAddress(searchAt(place)).search)))
  startQuery(pursuitSettingsQuery)
}
