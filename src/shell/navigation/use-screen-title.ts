import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Names the tab of the browser by what the page is about; the guard names it by the screen whenever the address changes. */
export function useScreenTitle(name: string | undefined): void {
  const router = useRouter()
  useEffect(() => {
    if (name === undefined) return
    const tell = () => {
      document.title = `${name} · ตามงาน`
    }
    tell()
    return router.subscribe('onResolved', tell)
  }, [router, name])
}
