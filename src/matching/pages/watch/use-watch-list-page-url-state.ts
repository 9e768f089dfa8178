import { getRouteApi } from '@tanstack/react-router'
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
  'use memo'
  const flat = route.useSearch()
  const address = parseWatchListPageUrlState(flat)
  const navigate = route.useNavigate()
  const change: ChangeWatchListPageUrlFn = (patch, mode = 'push') => {
    void navigate({
      search: (current) => applyWatchListPageUrlPatch(current, patch),
      replace: mode === 'replace',
      resetScroll: false,
    })
  }
  return { address, change }
}
