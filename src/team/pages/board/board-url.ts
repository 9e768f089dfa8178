import { getRouteApi } from '@tanstack/react-router'
import { type BoardSearch, formatBoardSearch, parseBoardSearch } from '#contract/team/board.ts'
import { memoizeLastResult } from '#src/lib/flat-search-params.ts'
import { type ChangeSearchFn, useFlatSearchParams } from '#src/lib/use-flat-search-params.ts'

const route = getRouteApi('/_app/board')

export type ChangeBoardSearchFn = ChangeSearchFn<BoardSearch>

export const parseBoardUrlSearch = memoizeLastResult(parseBoardSearch)

export const useBoardUrlState = () =>
  useFlatSearchParams<BoardSearch>({
    flat: route.useSearch(),
    navigate: route.useNavigate(),
    read: parseBoardUrlSearch,
    print: formatBoardSearch,
  })
