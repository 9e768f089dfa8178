import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { appRoute } from './app-route.ts'
import { startsQueries } from './starts-queries.ts'

/** Where short links lead; who is not signed in comes here after the login. */
export const shortLinkRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/s/$code',
  loader: startsQueries('shortLink'),
  component: lazyComponent(() => import('#src/pages/short-link/short-link-page.tsx'), 'ShortLinkPage'),
})
