import { createRootRoute } from '@tanstack/react-router'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { guardRoute } from './guard-route.ts'

export const rootRoute = createRootRoute({
  beforeLoad: guardRoute,
  notFoundComponent: lazyPart(() => import('./not-found-screen.tsx'), 'NotFoundScreen'),
})
