import { createRoute, redirect } from '@tanstack/react-router'
import { startDemoSession } from '#src/account/api/log-in.ts'
import { LoginPage, LoginPending } from '#src/account/pages/login/login-page.tsx'
import { toFlatSearchParams } from '#src/lib/flat-search-params.ts'
import { getCurrentSession } from '#src/lib/session-store.ts'
import { getWebShareTargetHref } from '#src/shell/installed-app/web-share-target-href.ts'
import { lazyPage } from './lazy-page.ts'
import { rootRoute } from './root-route.ts'

/**
 * `redirect`: target after login (validated by `resolveReturnPath` on use). `refkey`: enters the demo. `notice`: the action
 * that has just been completed.
 */
export type LoginSearch = { readonly redirect?: string; readonly refkey?: string; readonly notice?: 'password-changed' }

const textOf = (name: 'redirect' | 'refkey', value: unknown) =>
  typeof value === 'string' && value !== '' ? { [name]: value } : {}

export type IdentityProviderReturnSearch = {
  readonly state?: string
  readonly code?: string
  readonly iss?: string
  readonly error?: string
}

function findStep<const Step extends number>(steps: readonly Step[], typed: unknown): { readonly step?: Step } {
  const step = steps.find((candidate) => String(candidate) === String(typed))
  return step === undefined ? {} : { step }
}

export type RegisterSearch = { readonly step?: 1 | 2 | 3 }

/** Step of the set-up; absent means the furthest step reached. */
export type WatchListSetupSearch = { readonly step?: 0 | 1 | 2 | 3 | 4 | 5 }

const OperationScreen = lazyPage(() => import('./operation-screen.tsx'), 'OperatorScreen')

export const unframedRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/login', replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login',
    validateSearch: (raw: Record<string, unknown>): LoginSearch => ({
      ...textOf('redirect', raw.redirect),
      ...textOf('refkey', raw.refkey),
      ...(raw.notice === 'password-changed' ? { notice: raw.notice } : {}),
    }),
    beforeLoad: async ({ search: { refkey }, preload }): Promise<{ readonly demoRefusal?: unknown }> => {
      const importStartView = () => import('#src/report/api/start-view.ts')
      const isSignedIn = getCurrentSession()?.isDemo === false
      if (refkey !== undefined) {
        // Preload, because the start view opens right after the demo has been entered, even over another session.
        void importStartView().catch(() => undefined)
        // Replacing a real session needs confirmation (R22), for which the page prompts.
        if (preload || isSignedIn) return {}
        try {
          await startDemoSession(refkey)
        } catch (demoRefusal) {
          return { demoRefusal }
        }
      } else if (!isSignedIn) return {} // Users of the demo may sign in with an account of their own.
      const { loadStartViewUrl } = await importStartView()
      throw redirect({ href: await loadStartViewUrl(), replace: true })
    },
    // With a key it is another match than the form, so that entering the demo from the form shows the pending component.
    loaderDeps: ({ search: { refkey } }) => ({ refkey }),
    pendingComponent: LoginPending,
    // In the entry chunk: signed-out visitors see it first, and a chunk would cost another round trip.
    component: LoginPage,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/organisation-login',
    validateSearch: ({ state, code, iss, error }: Record<string, unknown>): IdentityProviderReturnSearch =>
      Object.fromEntries(
        Object.entries({ state, code, iss, error })
          .filter(([, value]) => value !== undefined && value !== '')
          .map(([name, value]) => [name, String(value)]),
      ),
    component: lazyPage(
      () => import('#src/account/pages/login/identity-provider-return-page.tsx'),
      'IdentityProviderReturnPage',
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/register',
    validateSearch: ({ step }: Record<string, unknown>): RegisterSearch => findStep([1, 2, 3], step),
    beforeLoad: () => {
      // Signed-in users already have an account, so only users of the demo may register.
      if (getCurrentSession()?.isDemo === false) throw redirect({ to: '/report', replace: true })
    },
    component: lazyPage(() => import('#src/account/pages/register/register-page.tsx'), 'RegisterPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset-password',
    component: lazyPage(
      () => import('#src/account/pages/reset-password/request-reset-page.tsx'),
      'RequestPasswordResetPage',
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset-password/$token',
    remountDeps: ({ params }) => params.token,
    component: lazyPage(() => import('#src/account/pages/reset-password/reset-link-page.tsx'), 'PasswordResetLinkPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/not-me/$token',
    remountDeps: ({ params }) => params.token,
    component: lazyPage(() => import('#src/account/pages/not-me/intrusion-report-page.tsx'), 'IntrusionReportPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/email-change/$token',
    remountDeps: ({ params }) => params.token,
    component: lazyPage(() => import('#src/account/pages/email-change/email-change-page.tsx'), 'EmailChangePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/invitation/$token',
    component: lazyPage(() => import('#src/account/pages/invitation/invitation-page.tsx'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/mail-link',
    component: lazyPage(() => import('#src/report/pages/mail-link/mail-link-page.tsx'), 'MailLinkPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/contact',
    component: lazyPage(() => import('#src/account/pages/contact/contact-page.tsx'), 'ContactPage'),
  }),
  /** Content shared to the installed app (`share_target` of the manifest), after the guard required a login. */
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/share',
    validateSearch: toFlatSearchParams,
    beforeLoad: async ({ search, preload }) => {
      if (preload || getCurrentSession() === undefined) return
      throw redirect({ href: getWebShareTargetHref(search), replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/group-watch',
    validateSearch: ({ step }: Record<string, unknown>): WatchListSetupSearch => findStep([0, 1, 2, 3, 4, 5], step),
    component: lazyPage(() => import('./watch-list-setup-screen.tsx'), 'WatchListSetupScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/operation',
    component: OperationScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/operation/$part',
    component: OperationScreen,
  }),
] as const
