import { cardQueryOf, parseBoardSearch } from '#contract/team/board.ts'
import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { readOnce, type SearchPlace, searchAt } from '#src/lib/search-text.ts'
import { pursuitListQuery } from '#src/team/api/pursuits.ts'

export const readBoardAddress = readOnce(parseBoardSearch)

export function startBoard(place: SearchPlace): void {
  startQuery(pursuitListQuery(cardQueryOf(readBoardAddress(searchAt(place)).search)))
  startQuery(pursuitSettingsQuery)
}
