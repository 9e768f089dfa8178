import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { History, Settings } from 'lucide-react'
import type { ComponentType } from 'react'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { useUser } from '#src/account/api/users.ts'
import {
  getSettingsSearch,
  resolveSettings,
  type SettingsPartCode,
} from '#src/account/settings-address/settings-address.ts'
import { IgnoredParamsNotice } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { BlockErrorBoundary } from '#src/shell/block-error-boundary.tsx'
import { getButtonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { DisplayTab } from './account/display-tab.tsx'
import { ProfileTab } from './account/profile-tab.tsx'
import { ApiKeysTab } from './developer/api-keys-tab.tsx'
import { WebhooksTab } from './developer/webhooks-tab.tsx'
import { UnsavedChangesGuard } from './form/unsaved-changes.tsx'
import { NotificationsTab } from './notification/notifications-tab.tsx'
import { PursuitsTab } from './pursuit/pursuits-tab.tsx'
import { QualificationTab } from './qualification/qualification-tab.tsx'
import { SecurityTab } from './security/security-tab.tsx'
import { OrganisationTab } from './team/organisation-tab.tsx'
import { TeamTab } from './team/team-tab.tsx'

const route = getRouteApi('/_app/settings')
const TAB_PANEL_ID = 'settings-tab'
const PART_PANEL_ID = 'settings-part'
const PARAMS = [
  { name: 'tab', th: 'แท็บ' },
  { name: 'part', th: 'ส่วน' },
]

const PARTS: Record<SettingsPartCode, ComponentType> = {
  profile: ProfileTab,
  security: SecurityTab,
  display: DisplayTab,
  notifications: NotificationsTab,
  members: TeamTab,
  stages: PursuitsTab,
  qualifications: QualificationTab,
  package: OrganisationTab,
  'api-keys': ApiKeysTab,
  webhooks: WebhooksTab,
}

export function SettingsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { is_access_budget_year_only: isBudgetOnly } = useOrganisation()
  const { role, second_factor_due: isDue } = useUser()
  const view = resolveSettings(search, { role, isBudgetOnly, isSecondFactorDue: isDue === true })
  if (isDemoSession()) return <NotInDemo />
  if (view.kind === 'moved') return <Navigate to="/settings" search={view.search} replace />
  if (view.kind === 'moved-to-report') return <Navigate to="/report" hash={view.manager} replace />
  const { tabs, tab, part, unavailable, ignored } = view
  const Content = PARTS[part.value]
  return (
    <div className="mx-auto w-full max-w-4xl px-4 py-5 lg:px-5">
      <h1 className="mb-3 text-xl font-semibold">ตั้งค่า</h1>
      <IgnoredParamsNotice params={PARAMS} ignored={ignored} />
      {unavailable && (
        <div role="status">
          <Notice warns>
            {unavailable.lacks === 'package'
              ? `แพ็กเกจขององค์กรไม่มีส่วน “${unavailable.label}” ติดต่อทีมงานถ้าต้องการใช้`
              : `บัญชีของคุณไม่มีสิทธิ์เปิดส่วน “${unavailable.label}” ผู้ดูแลองค์กร (Super User) เปิดได้`}
          </Notice>
        </div>
      )}
      <Tabs
        label="ส่วนของการตั้งค่า"
        items={tabs}
        value={tab.value}
        onChange={(value) => {
          const next = tabs.find((candidate) => candidate.value === value)
          if (next) void navigate({ search: getSettingsSearch(next, undefined), replace: true })
        }}
        panelId={TAB_PANEL_ID}
        className="mt-3 border-b border-line max-sm:-mx-4 max-sm:px-4"
      />
      <div id={TAB_PANEL_ID} role="tabpanel" aria-label={tab.label} className="mt-4">
        {tab.parts.length > 1 && (
          <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1">
            <Tabs
              label={`ส่วนของ${tab.label}`}
              variant="segment"
              items={tab.parts}
              value={part.value}
              onChange={(value) => void navigate({ search: getSettingsSearch(tab, value), replace: true })}
              panelId={PART_PANEL_ID}
              className="max-w-full overflow-x-auto [scrollbar-width:none]"
            />
            {tab.value === 'team' && role === 'super_user' && !isBudgetOnly && (
              <Link to="/logs" className={getButtonClasses('quiet')}>
                <History aria-hidden className="size-4" />
                ประวัติการใช้งาน
              </Link>
            )}
          </div>
        )}
        <div id={PART_PANEL_ID} {...(tab.parts.length > 1 && { role: 'tabpanel', 'aria-label': part.label })}>
          <UnsavedChangesGuard>
            <BlockErrorBoundary name={part.label} resetKey={part.value} className="min-h-96">
              <div className="space-y-5">
                <Content />
              </div>
            </BlockErrorBoundary>
          </UnsavedChangesGuard>
        </div>
      </div>
    </div>
  )
}

/** Replaces the settings in the demo, whose visitors all share one user; the server rejects changes as well (C6). */
function NotInDemo() {
  return (
    <>
      <h1 className="sr-only">ตั้งค่า</h1>
      <EmptyState
        icon={Settings}
        title="บัญชีทดลองใช้งานไม่มีการตั้งค่า"
        actions={
          <a href="/register" className={getButtonClasses('primary')}>
            สมัครใช้งาน
          </a>
        }
      >
        สมัครใช้งานเพื่อมีบัญชี การแจ้งเตือน และตัวกรองของคุณเอง
      </EmptyState>
    </>
  )
}
