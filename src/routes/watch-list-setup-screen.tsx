import { LogOut } from 'lucide-react'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { logout } from '#src/account/api/sessions.ts'
import { WatchListSetupPage } from '#src/matching/pages/group-watch/watch-list-setup-page.tsx'
import { ConnectionBar } from '#src/shell/connection/connection-bar.tsx'
import { Logo } from '#src/shell/navigation/logo.tsx'
import { DemoBanner } from '#src/shell/session/demo-banner.tsx'
import { SessionEndBar } from '#src/shell/session/session-end-bar.tsx'
import { Button } from '#src/ui/button.tsx'
import { ToastRegion } from '#src/ui/overlay/toast-region.tsx'

/** Full width and without tabs (specification section 2): users leave by finishing the set-up or logging out. */
export function WatchListSetupScreen() {
  const { name } = useOrganisation()
  return (
    <>
      <header className="flex h-header items-center gap-3 border-b border-line bg-surface px-3 sm:px-6">
        <span className="shrink-0 whitespace-nowrap">
          <Logo compact />
        </span>
        <p className="ml-auto min-w-0 truncate text-ink-muted">{name}</p>
        {!isDemoSession() && (
          <Button variant="quiet" icon={LogOut} onClick={() => void logout()}>
            ออกจากระบบ
          </Button>
        )}
      </header>
      {isDemoSession() && <DemoBanner />}
      <ConnectionBar />
      <SessionEndBar />
      <main id="main">
        <WatchListSetupPage />
      </main>
      <ToastRegion />
    </>
  )
}
