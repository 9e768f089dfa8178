import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Sets the title to the page's subject. On every navigation the route guard resets it to the screen's name. */
export function useScreenTitle(name: string | undefined): void {
  const router = useRouter()
  useEffect(() => {
    if (name === undefined) return
    const updateTitle = () => {
      document.title = `${name} · ตามงาน`
    }
    updateTitle()
    return router.subscribe('onResolved', updateTitle)
  }, [router, name])
}
