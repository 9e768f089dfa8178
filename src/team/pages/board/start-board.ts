import { cardQueryOf, parseBoardSearch } from '#contract/team/board.ts'
import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { flatSearchOf, memoizeLast, type SearchLocation } from '#src/lib/search-text.ts'
import { pursuitListQuery } from '#src/team/api/pursuits.ts'

export const readBoardAddress = memoizeLast(parseBoardSearch)

export function startBoard(location: SearchLocation): void {
  startQuery(pursuitListQuery(cardQueryOf(readBoardAddress(flatSearchOf(location)).search)))
  startQuery(pursuitSettingsQuery)
}
