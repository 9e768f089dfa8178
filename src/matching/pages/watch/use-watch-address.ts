import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import {
  changeWatchListPageAddress,
  parseWatchListPageAddress,
  type WatchListPageAddress,
  type WatchListPageAddressPatch,
} from './watch-address.ts'

const route = getRouteApi('/_app/watch')

export type WatchListPageAddressUpdater = (patch: WatchListPageAddressPatch, mode?: 'push' | 'replace') => void

export function useWatchListPageAddress(): {
  readonly address: WatchListPageAddress
  readonly change: WatchListPageAddressUpdater
} {
  const flat = route.useSearch()
  const address = useMemo(() => parseWatchListPageAddress(flat), [flat])
  const navigate = route.useNavigate()
  const change = useCallback<WatchListPageAddressUpdater>(
    (patch, mode = 'push') => {
      void navigate({
        search: (current) => changeWatchListPageAddress(current, patch),
        replace: mode === 'replace',
        resetScroll: false,
      })
    },
    [navigate],
  )
  return { address, change }
}
