import type { AppRouter } from './router.ts'

/** After a change of path the new heading takes focus, so that it is read out and Tab goes on from there. */
export function focusHeadingOnRouteChange(router: AppRouter): () => void {
  return router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (!fromLocation || !pathChanged) return
    const heading = document.querySelector<HTMLElement>('h1')
    if (!heading || document.activeElement?.closest('form')) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  })
}
