import { Link, useLocation } from '@tanstack/react-router'
import { FileQuestion, ShieldAlert } from 'lucide-react'
import { type ComponentType, useEffect } from 'react'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { ReauthenticationDialogHost } from '#src/account/account-security/reauthentication-dialog-host.tsx'
import { useUser } from '#src/account/api/users.ts'
import { setChangeNoticeListener } from '#src/api/change-notice.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { OperatorNotificationChannelsPage } from '#src/operation/pages/operation/channels-page.tsx'
import { OperatorDocumentsPage } from '#src/operation/pages/operation/documents-page.tsx'
import { OperatorJobsPage } from '#src/operation/pages/operation/jobs-page.tsx'
import { OperatorKeywordsPage } from '#src/operation/pages/operation/keywords-page.tsx'
import { OperatorDataLoadsPage } from '#src/operation/pages/operation/loads-page.tsx'
import { OperatorAccountPage } from '#src/operation/pages/operation/operator-account-page.tsx'
import { OperatorOrganisationsPage } from '#src/operation/pages/operation/organisations-page.tsx'
import { OperatorOverviewPage } from '#src/operation/pages/operation/overview-page.tsx'
import { OperatorDataSourcesPage } from '#src/operation/pages/operation/sources-page.tsx'
import { ConnectionBar } from '#src/shell/connection/connection-bar.tsx'
import { Logo } from '#src/shell/navigation/logo.tsx'
import { AccountPanel } from '#src/shell/session/account-panel.tsx'
import { SessionEndBar } from '#src/shell/session/session-end-bar.tsx'
import { UserMenu } from '#src/shell/session/user-menu.tsx'
import { getButtonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { ToastRegion } from '#src/ui/overlay/toast-region.tsx'
import { showChangeToast } from './layout/change-toasts.ts'
import { HeaderBar, MainContent, SkipLink } from './layout/frame-parts.tsx'

setChangeNoticeListener(showChangeToast)

type OperationSection = { readonly to: string; readonly name: string; readonly Page: ComponentType }

const ACCOUNT_SECTION: OperationSection = { to: '/operation/account', name: 'บัญชีของฉัน', Page: OperatorAccountPage }

const SECTIONS: readonly OperationSection[] = [
  { to: '/operation', name: 'ภาพรวม', Page: OperatorOverviewPage },
  { to: '/operation/sources', name: 'แหล่งข้อมูล', Page: OperatorDataSourcesPage },
  { to: '/operation/loads', name: 'ประวัติการนำเข้า', Page: OperatorDataLoadsPage },
  { to: '/operation/organisations', name: 'องค์กร', Page: OperatorOrganisationsPage },
  { to: '/operation/keywords', name: 'คำติดตาม', Page: OperatorKeywordsPage },
  { to: '/operation/documents', name: 'ข้อเท็จจริง', Page: OperatorDocumentsPage },
  { to: '/operation/jobs', name: 'งานและอีเมล', Page: OperatorJobsPage },
  { to: '/operation/channels', name: 'ช่องทาง', Page: OperatorNotificationChannelsPage },
  ACCOUNT_SECTION,
]

/** Operator screens have their own frame, because operators can open none of the regular tabs (R61). */
export function OperatorScreen() {
  const user = useUser()
  const isOperator = user.role === OPERATOR_ROLE
  const pathname = useLocation({ select: (location) => location.pathname.replace(/\/$/, '') })
  const isWide = useMediaQuery('(min-width: 1024px)')
  // Until an operator has set up a second factor, the server refuses everything else.
  const isSecondFactorDue = isOperator && user.second_factor_due === true
  const section = isSecondFactorDue ? ACCOUNT_SECTION : SECTIONS.find(({ to }) => to === pathname)
  // The guard has one title for all operator screens, because their names would enlarge the bundle of /login.
  useEffect(() => {
    if (section) document.title = `${section.name} · ตามงาน`
  }, [section])
  return (
    <>
      <SkipLink />
      <HeaderBar>
        <Logo compact />
        {isOperator && !isSecondFactorDue && isWide && <Tabs at={pathname} />}
        <div className="ml-auto">
          <UserMenu user={user}>
            <AccountPanel user={user} />
          </UserMenu>
        </div>
      </HeaderBar>
      {isOperator && !isSecondFactorDue && !isWide && (
        <div className="h-11 border-b border-line bg-surface">
          <Tabs at={pathname} />
        </div>
      )}
      <ConnectionBar />
      <SessionEndBar />
      <ReauthenticationDialogHost />
      <MainContent>{!isOperator ? <Forbidden /> : section ? <section.Page /> : <Unknown />}</MainContent>
      <ToastRegion />
    </>
  )
}

const scrollToCenter = (tab: Element | null) => tab?.scrollIntoView?.({ inline: 'center', block: 'nearest' })

function Tabs({ at }: { at: string }) {
  return (
    <nav aria-label="หน้าของผู้ดูแลระบบ" className="flex h-full min-w-0 overflow-x-auto">
      {SECTIONS.map(({ to, name }) => (
        <Link
          key={to}
          ref={to === at ? scrollToCenter : undefined}
          to={to}
          activeOptions={{ exact: true }}
          className="inline-flex h-full items-center border-b-2 border-transparent px-3 whitespace-nowrap text-ink-muted hover:text-ink aria-[current=page]:border-accent-ink aria-[current=page]:font-semibold aria-[current=page]:text-accent-ink"
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}

function Unknown() {
  return (
    <>
      <h1 className="sr-only">ไม่พบหน้านี้</h1>
      <EmptyState
        icon={FileQuestion}
        title="ไม่พบหน้านี้"
        actions={
          <Link to="/operation" className={getButtonClasses()}>
            ไปที่ภาพรวม
          </Link>
        }
      >
        ลิงก์อาจพิมพ์ผิดหรือถูกย้าย
      </EmptyState>
    </>
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
          <a href="/report" className={getButtonClasses()}>
            ไปที่รายงานโครงการ
          </a>
        }
      >
        บัญชีของคุณเปิดหน้านี้ไม่ได้ ถ้าข้อมูลในรายงานดูไม่ล่าสุด แจ้งทีมงานได้
      </EmptyState>
    </>
  )
}
