import { RefreshCw } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import type { User } from '#contract/account/user.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { startStoringResponses } from '#src/api/offline/stored-responses.ts'
import { StatusLine, StatusLineButton } from '#src/ui/status-line.tsx'
import { appUpdateOfferStore, startWatchingForAppUpdates } from './app-update.ts'
import { QueuedChangesBar } from './queued-changes-bar.tsx'

export function InstalledAppHost({ user, hasReport }: { user: User; hasReport: boolean }) {
  // The demo stores nothing because visitors share devices; operator data is never stored on a device.
  const canStoreOffline = !isDemoSession() && user.role !== OPERATOR_ROLE
  useEffect(startWatchingForAppUpdates, [])
  useEffect(() => {
    if (!canStoreOffline) return
    let isUnmounted = false
    let stops: readonly (() => void)[] = [startStoringResponses()]
    loadOfflineCode().then(
      ([{ startPersistingQueuedChanges: startStoringChanges }, { prefetchForOffline }]) => {
        // All prefetched data belongs to the report, which the server refuses to budget-only accounts.
        if (!isUnmounted) stops = [...stops, startStoringChanges(), ...(hasReport ? [prefetchForOffline()] : [])]
      },
      // If this code fails to load, changes are sent only while the tab is open.
      () => undefined,
    )
    return () => {
      isUnmounted = true
      for (const stop of stops) stop()
    }
  }, [canStoreOffline, hasReport])
  useBadge(user.notification_updated_status.notifications.filter(({ read }) => !read).length)
  return (
    <>
      <UpdateLine />
      <QueuedChangesBar isStored={canStoreOffline} />
    </>
  )
}

const loadOfflineCode = () =>
  Promise.all([
    import('#src/shell/installed-app/start-persisting-queued-changes.ts'),
    import('#src/shell/installed-app/prefetch-for-offline.ts'),
  ])

function useBadge(unread: number) {
  useEffect(() => {
    const { setAppBadge, clearAppBadge } = navigator as Partial<Navigator>
    if (!setAppBadge || !clearAppBadge) return
    setAppBadge.call(navigator, unread).catch(() => undefined)
    return () => void clearAppBadge.call(navigator).catch(() => undefined)
  }, [unread])
}

function UpdateLine() {
  const update = useSyncExternalStore(appUpdateOfferStore.subscribe, appUpdateOfferStore.get)
  return (
    <div role="status" className="print:hidden">
      {update && (
        <StatusLine calm icon={RefreshCw} words="มีเวอร์ชันใหม่" action={{ label: 'อัปเดต', run: update }}>
          <StatusLineButton label="ไว้ก่อน" run={() => appUpdateOfferStore.set(undefined)} />
        </StatusLine>
      )}
    </div>
  )
}
