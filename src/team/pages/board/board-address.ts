import { getRouteApi } from '@tanstack/react-router'
import { type BoardSearch, formatBoardSearch, parseBoardSearch } from '#contract/team/board.ts'
import { memoizeLastResult } from '#src/lib/flat-search-params.ts'
import { type ChangeSearchFn, useFlatSearchParams } from '#src/lib/use-flat-search-params.ts'

const route = getRouteApi('/_app/board')

export type ChangeBoardSearchFn = ChangeSearchFn<BoardSearch>

export const parseBoardAddress = memoizeLastResult(parseBoardSearch)

export const useBoardAddress = () =>
  useFlatSearchParams<BoardSearch>({
    flat: route.useSearch(),
    navigate: route.useNavigate(),
    read: parseBoardAddress,
    print: formatBoardSearch,
  })
