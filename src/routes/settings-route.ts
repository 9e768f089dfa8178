import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { appRoute } from './app-route.ts'
import { startsQueries } from './starts-queries.ts'

/** `tab`: one of the page's tabs; the page reads what it knows. */
export type SettingsSearch = { readonly tab?: string }

export const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings',
  validateSearch: ({ tab }: Record<string, unknown>): SettingsSearch => (typeof tab === 'string' ? { tab } : {}),
  loader: startsQueries(() => import('#src/pages/settings/start-settings.ts'), 'startSettings'),
  component: lazyComponent(() => import('#src/pages/settings/settings-page.tsx'), 'SettingsPage'),
})
