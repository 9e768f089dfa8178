import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { rootRoute } from './root-route.ts'
import { startsQueries } from './starts-queries.ts'

/** `step`: which of the five; without one the furthest that was reached. */
export type GroupWatchSearch = { readonly step?: 1 | 2 | 3 | 4 | 5 }

const STEPS = [1, 2, 3, 4, 5] as const

export const groupWatchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/group-watch',
  validateSearch: (raw: Record<string, unknown>): GroupWatchSearch => {
    const step = STEPS.find((known) => String(known) === String(raw.step))
    return step === undefined ? {} : { step }
  },
  loader: startsQueries(() => import('#src/pages/group-watch/start-group-watch.ts'), 'startGroupWatch'),
  component: lazyComponent(() => import('./group-watch-screen.tsx'), 'GroupWatchScreen'),
})
