import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { changeWatchAddress, readWatchAddress, type WatchAddress, type WatchPatch } from './watch-address.ts'

const route = getRouteApi('/_app/watch')

export type ChangeWatch = (patch: WatchPatch, how?: 'push' | 'replace') => void

/** Tab, list, group, search and tab parameters, stored only in the address. */
export function useWatchAddress(): { readonly address: WatchAddress; readonly change: ChangeWatch } {
  const flat = route.useSearch()
  const address = useMemo(() => readWatchAddress(flat), [flat])
  const navigate = route.useNavigate()
  const change = useCallback<ChangeWatch>(
    (patch, how = 'push') => {
      void navigate({
        search: (now) => changeWatchAddress(now, patch),
        replace: how === 'replace',
        resetScroll: false,
      })
    },
    [navigate],
  )
  return { address, change }
}
