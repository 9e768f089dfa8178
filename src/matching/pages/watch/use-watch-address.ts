import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { changeWatchAddress, readWatchAddress, type WatchAddress, type WatchPatch } from './watch-address.ts'

const route = getRouteApi('/_app/watch')

export type ChangeWatch = (patch: WatchPatch, mode?: 'push' | 'replace') => void

export function useWatchAddress(): { readonly address: WatchAddress; readonly change: ChangeWatch } {
  const flat = route.useSearch()
  const address = useMemo(() => readWatchAddress(flat), [flat])
  const navigate = route.useNavigate()
  const change = useCallback<ChangeWatch>(
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
