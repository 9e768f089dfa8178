import { getRouteApi } from '@tanstack/react-router'
import { formatResultsSearch, parseResultsSearch, type ResultsSearch } from '#contract/team/results.ts'
import { memoizeLast } from '#src/lib/search-text.ts'
import { useFlatSearch } from '#src/lib/use-flat-address.ts'

const route = getRouteApi('/_app/results')

export const readResultsAddress = memoizeLast(parseResultsSearch)

export const useResultsAddress = () =>
  useFlatSearch<ResultsSearch>({
    flat: route.useSearch(),
    navigate: route.useNavigate(),
    read: readResultsAddress,
    print: formatResultsSearch,
  })
