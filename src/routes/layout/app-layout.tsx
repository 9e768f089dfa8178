import { Link, Outlet } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { ReauthenticationDialogHost } from '#src/account/account-security/reauthentication-dialog-host.tsx'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { useUser } from '#src/account/api/users.ts'
import { DemoImportProgress } from '#src/account/sample/demo-import-progress.tsx'
import { setChangeNoticeListener } from '#src/api/change-notice.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { readPageMetadata } from '#src/lib/page-metadata.ts'
import { runWhenIdle } from '#src/lib/run-when-idle.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { pollForDataChanges } from '#src/report/api/poll-for-data-changes.ts'
import { NotificationBell } from '#src/report/notifications/notification-bell.tsx'
import { ReportManagerHost } from '#src/report/report-manager/report-manager-host.tsx'
import { ConnectionBar } from '#src/shell/connection/connection-bar.tsx'
import { Logo } from '#src/shell/navigation/logo.tsx'
import { NavDrawer } from '#src/shell/navigation/nav-drawer.tsx'
import { getNavEntries } from '#src/shell/navigation/nav-entries.ts'
import { NavTabs } from '#src/shell/navigation/nav-tabs.tsx'
import { OurWorkTabs } from '#src/shell/navigation/our-work-tabs.tsx'
import { PhoneBar } from '#src/shell/navigation/phone-bar.tsx'
import { ScrollToTop } from '#src/shell/navigation/scroll-to-top.tsx'
import { CommandPaletteButton, CommandPaletteHost } from '#src/shell/palette/command-palette-button.tsx'
import { DemoBanner } from '#src/shell/session/demo-banner.tsx'
import { SessionEndBar } from '#src/shell/session/session-end-bar.tsx'
import { UserMenu } from '#src/shell/session/user-menu.tsx'
import { PursuitConflictDialogHost } from '#src/team/pursuit/pursuit-conflict-dialog-host.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { ToastRegion } from '#src/ui/overlay/toast-region.tsx'
import { showChangeToast } from './change-toasts.ts'
import { HeaderBar, MainContent, SkipLink } from './frame-parts.tsx'

/** Below it the tabs are not rendered at all: hidden ones would add seven links to a phone's first render. */
const NARROW_QUERY = '(max-width: 63.99rem)'
const PHONE_QUERY = '(max-width: 47.99rem)'

const AccountPanel = lazyComponent(() => import('#src/shell/session/account-panel.tsx'), 'AccountPanel')
const NotificationPanel = lazyComponent(
  () => import('#src/report/notifications/notification-panel.tsx'),
  'NotificationPanel',
)
// Loaded in parallel with the first screen, which needs neither.
const InstalledAppHost = lazyComponent(
  () => import('#src/shell/installed-app/installed-app-host.tsx'),
  'InstalledAppHost',
)
const sampleArrives = () => readPageMetadata('sample-arrives') !== undefined

/** Ignores failures, such as being offline or a server without push, because the next start retries. */
function renewPushSubscription(): void {
  if (isDemoSession() || !('Notification' in window) || Notification.permission !== 'granted') return
  import('#src/channels/push-device/browser-push-state.ts').then((push) => push.renewPushSubscription()).catch(() => {})
}

setChangeNoticeListener(showChangeToast)

export function AppLayout({ children }: { children: ReactNode }) {
  const user = useUser()
  const organisation = useOrganisation()
  const demo = isDemoSession()
  const today = useBangkokToday()
  const isDesk = !useMediaQuery(NARROW_QUERY)
  const isPhone = useMediaQuery(PHONE_QUERY)
  useEffect(() => {
    let stop = () => {}
    const cancel = runWhenIdle(() => {
      stop = pollForDataChanges()
      renewPushSubscription()
    })
    return () => {
      cancel()
      stop()
    }
  }, [])
  const entries = getNavEntries({ user, organisation, isDemo: demo })
  const account = (
    <LazyBoundary>
      <AccountPanel user={user} />
    </LazyBoundary>
  )
  const bell = (variant: 'header' | 'phone-bar') => (
    <LazyBoundary silent>
      <NotificationBell variant={variant} status={user.notification_updated_status} preload={NotificationPanel.preload}>
        {(close) => (
          <LazyBoundary fallback={<div className="h-40" />}>
            <NotificationPanel user={user} today={today} onClose={close} />
          </LazyBoundary>
        )}
      </NotificationBell>
    </LazyBoundary>
  )
  return (
    <>
      <SkipLink />
      <HeaderBar>
        <NavDrawer entries={entries} top={(close) => <CommandPaletteButton variant="drawer" onOpen={close} />}>
          {account}
        </NavDrawer>
        <Link
          to={entries[0]?.path as '/report'}
          search={entries[0]?.search ?? {}}
          className="flex min-w-0 items-center overflow-hidden rounded-control whitespace-nowrap touch:min-h-11"
          aria-label={`ตามงาน ไปหน้า${entries[0]?.name}`}
        >
          <Logo compact />
        </Link>
        {isDesk && <NavTabs entries={entries} />}
        <div className="ml-auto flex items-center gap-2 lg:gap-3">
          {isDesk && <CommandPaletteButton variant="header" />}
          {!isPhone && bell('header')}
          {isDesk && (
            <UserMenu user={user} preload={AccountPanel.preload}>
              {account}
            </UserMenu>
          )}
        </div>
      </HeaderBar>
      <ConnectionBar />
      {/* Not after idle: a star set offline right after the page opened must show that it waits. */}
      <LazyBoundary silent>
        <InstalledAppHost user={user} hasReport={!organisation.is_access_budget_year_only} />
      </LazyBoundary>
      <SessionEndBar />
      {sampleArrives() && <DemoImportProgress />}
      {demo && <DemoBanner />}
      <OurWorkTabs />
      <MainContent>{children}</MainContent>
      {isPhone && (
        <PhoneBar entries={entries}>
          <CommandPaletteButton variant="phone-bar" />
          {bell('phone-bar')}
        </PhoneBar>
      )}
      <ReportManagerHost />
      <ScrollToTop />
      <CommandPaletteHost />
      <ReauthenticationDialogHost />
      <PursuitConflictDialogHost />
      <ToastRegion />
    </>
  )
}

export function AppRouteLayout() {
  return (
    <AppLayout>
      <Outlet />
    </AppLayout>
  )
}
