import { createRootRoute } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { guardRoute } from './guard-route.ts'

export const rootRoute = createRootRoute({
  beforeLoad: guardRoute,
  notFoundComponent: lazyComponent(() => import('./not-found-screen.tsx'), 'NotFoundScreen'),
})
