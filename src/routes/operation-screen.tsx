import { QueryClientProvider } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { ShieldAlert } from 'lucide-react'
import { OPERATOR_ROLE } from '#contract/operation/operator.ts'
import { whenChangeHasNews } from '#src/api/change-news.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { useUser } from '#src/api/user/users.ts'
import { ConnectionBar } from '#src/features/connection/connection-bar.tsx'
import { Logo } from '#src/features/navigation/logo.tsx'
import { AccountPanel } from '#src/features/session/account-panel.tsx'
import { SessionEndBar } from '#src/features/session/session-end-bar.tsx'
import { UserMenu } from '#src/features/session/user-menu.tsx'
import { LoadsPage } from '#src/pages/operation/loads-page.tsx'
import { SourcesPage } from '#src/pages/operation/sources-page.tsx'
import { buttonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { ToastRegion } from '#src/ui/overlay/toast-region.tsx'
import { showChangeToast } from './layout/change-toasts.ts'

whenChangeHasNews(showChangeToast)

/** The operator's screens have a frame of their own: none of the product's tabs is open to them (R61). */
export function OperationScreen() {
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
      <ToastRegion />
    </QueryClientProvider>
  )
}

function Frame() {
  const user = useUser()
  const isOperator = user.role === OPERATOR_ROLE
  const pathname = useLocation({ select: (location) => location.pathname })
  return (
    <>
      <a
        href="#main"
        className="fixed top-2 left-2 z-[70] -translate-y-20 rounded-control bg-accent px-4 py-2 font-medium text-on-accent focus:translate-y-0 print:hidden"
      >
        ข้ามไปที่เนื้อหา
      </a>
      <header className="sticky top-0 z-40 flex h-header items-center gap-3 border-b border-line bg-surface px-3 lg:px-5 print:hidden">
        <Logo compact />
        {isOperator && <Tabs />}
        <div className="ml-auto">
          <UserMenu user={user} preload={() => undefined}>
            <AccountPanel user={user} isDemo={false} />
          </UserMenu>
        </div>
      </header>
      <ConnectionBar />
      <SessionEndBar />
      <main id="main" tabIndex={-1} className="outline-none">
        {!isOperator ? <Forbidden /> : pathname.startsWith('/operation/loads') ? <LoadsPage /> : <SourcesPage />}
      </main>
    </>
  )
}

const TABS = [
  { to: '/operation/sources', name: 'แหล่งข้อมูล' },
  { to: '/operation/loads', name: 'ประวัติการนำเข้า' },
] as const

function Tabs() {
  return (
    <nav aria-label="หน้าของผู้ดูแลระบบ" className="flex h-full min-w-0 overflow-x-auto">
      {TABS.map(({ to, name }) => (
        <Link
          key={to}
          to={to}
          className="inline-flex h-full items-center border-b-2 border-transparent px-3 whitespace-nowrap text-ink-muted hover:text-ink aria-[current=page]:border-accent-ink aria-[current=page]:font-semibold aria-[current=page]:text-accent-ink"
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}

function Forbidden() {
  return (
    <>
      <h1 className="sr-only">หน้านี้สำหรับผู้ดูแลระบบ</h1>
      <EmptyState
        icon={ShieldAlert}
        title="หน้านี้สำหรับผู้ดูแลระบบตามงาน"
        actions={
          <a href="/report" className={buttonClasses()}>
            ไปที่รายงานโครงการ
          </a>
        }
      >
        บัญชีของคุณเปิดหน้านี้ไม่ได้ ถ้าข้อมูลในรายงานดูไม่ล่าสุด แจ้งทีมงานได้
      </EmptyState>
    </>
  )
}
