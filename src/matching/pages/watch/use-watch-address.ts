import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { changeWatchAddress, parseWatchAddress, type WatchAddress, type WatchAddressPatch } from './watch-address.ts'

const route = getRouteApi('/_app/watch')

export type WatchAddressUpdater = (patch: WatchAddressPatch, mode?: 'push' | 'replace') => void

export function useWatchAddress(): { readonly address: WatchAddress; readonly change: WatchAddressUpdater } {
  const flat = route.useSearch()
  const address = useMemo(() => parseWatchAddress(flat), [flat])
  const navigate = route.useNavigate()
  const change = useCallback<WatchAddressUpdater>(
    (patch, mode = 'push') => {
      void navigate({
        search: (current) => changeWatchAddress(current, patch),
        replace: mode === 'replace',
        resetScroll: false,
      })
    },
    [navigate],
  )
  return { address, change }
}
