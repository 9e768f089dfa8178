import { getRouteApi } from '@tanstack/react-router'
import { type BoardSearch, formatBoardSearch, parseBoardSearch } from '#contract/team/board.ts'
import { memoizeLast } from '#src/lib/search-text.ts'
import { type ChangeSearch, useFlatSearch } from '#src/lib/use-flat-address.ts'

const route = getRouteApi('/_app/board')

export type ChangeBoard = ChangeSearch<BoardSearch>

export const readBoardAddress = memoizeLast(parseBoardSearch)

export const useBoardAddress = () =>
  useFlatSearch<BoardSearch>({
    flat: route.useSearch(),
    navigate: route.useNavigate(),
    read: readBoardAddress,
    print: formatBoardSearch,
  })
