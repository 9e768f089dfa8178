import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { rootRoute } from './root-route.ts'
import { startsQueries } from './starts-queries.ts'

/** Where the links of report mails lead; what one may do stands behind `#`. */
export const mailLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mail-link',
  loader: startsQueries(() => import('#src/pages/mail-link/start-mail-link.ts'), 'startMailLink'),
  component: lazyComponent(() => import('#src/pages/mail-link/mail-link-page.tsx'), 'MailLinkPage'),
})
