import { getRouteApi } from '@tanstack/react-router'
import type { BoardSearch } from '#contract/team/board.ts'
import { type ChangeSearchFn, useSearchState } from '#src/lib/use-search-state.ts'

const route = getRouteApi('/_app/board')

export type ChangeBoardSearchFn = ChangeSearchFn<BoardSearch>

export const useBoardUrlState = () => useSearchState<BoardSearch>(route.useSearch(), route.useNavigate())
