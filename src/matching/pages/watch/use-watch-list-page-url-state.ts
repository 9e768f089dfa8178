import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import {
  applyWatchListPageUrlPatch,
  parseWatchListPageUrlState,
  type WatchListPageUrlPatch,
  type WatchListPageUrlState,
} from './watch-list-page-url.ts'

const route = getRouteApi('/_app/watch')

export type ChangeWatchListPageUrlFn = (patch: WatchListPageUrlPatch, mode?: 'push' | 'replace') => void

export function useWatchListPageUrlState(): {
  readonly address: WatchListPageUrlState
  readonly change: ChangeWatchListPageUrlFn
} {
  const flat = route.useSearch()
  const address = useMemo(() => parseWatchListPageUrlState(flat), [flat])
  const navigate = route.useNavigate()
  const change = useCallback<ChangeWatchListPageUrlFn>(
    (patch, mode = 'push') => {
      void navigate({
        search: (current) => applyWatchListPageUrlPatch(current, patch),
        replace: mode === 'replace',
        resetScroll: false,
      })
    },
    [navigate],
  )
  return { address, change }
}
