import { getRouteApi } from '@tanstack/react-router'
import { Settings } from 'lucide-react'
import type { ComponentType } from 'react'
import type { Organisation } from '#contract/account/organisation.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { useUser } from '#src/account/api/users.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { IgnoredParamsNotice } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { getButtonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { UnsavedChangesGuard } from './form/unsaved-changes.tsx'

export const SETTINGS_TABS = [
  { value: 'profile', label: 'โปรไฟล์' },
  { value: 'security', label: 'ความปลอดภัย' },
  { value: 'notifications', label: 'การแจ้งเตือน' },
  { value: 'saved-filters', label: 'ตัวกรองที่บันทึก' },
  { value: 'labels', label: 'ป้ายกำกับ' },
  { value: 'columns', label: 'คอลัมน์' },
  { value: 'display', label: 'การแสดงผล' },
  { value: 'organisation', label: 'องค์กร' },
  { value: 'team', label: 'ทีมงาน' },
  { value: 'pursuits', label: 'งานของเรา' },
  { value: 'qualification', label: 'คุณสมบัติ' },
  { value: 'api-keys', label: 'คีย์ API' },
  { value: 'webhooks', label: 'เว็บฮุก' },
] as const
type SettingsTab = (typeof SETTINGS_TABS)[number]['value']

/** Tabs for organisations with budget-only access. The other tabs belong to the report, which they cannot open. */
const BUDGET_ONLY_TABS: readonly SettingsTab[] = ['profile', 'security', 'notifications', 'organisation', 'team']

const SUPER_USER_TABS: readonly SettingsTab[] = ['team', 'pursuits', 'qualification', 'api-keys', 'webhooks']

export function getSettingsTabs(
  { is_access_budget_year_only: only }: Pick<Organisation, 'is_access_budget_year_only'>,
  role: string,
) {
  return SETTINGS_TABS.filter(
    ({ value }) =>
      (!only || BUDGET_ONLY_TABS.includes(value)) && (!SUPER_USER_TABS.includes(value) || role === 'super_user'),
  )
}

/**
 * Maximum tabs in one row; with more, the organisation's tabs start a second row, because a single row would overflow
 * even the widest window.
 */
const MAX_TABS_PER_ROW = 9

const inRows = (items: ReturnType<typeof getSettingsTabs>) =>
  items.map((item) => ({ ...item, startsRow: item.value === 'organisation' && items.length > MAX_TABS_PER_ROW }))

const route = getRouteApi('/_app/settings')
const PANEL_ID = 'settings-panel'
const PARAMS = [{ name: 'tab', th: 'แท็บ' }]

const TABS: Record<SettingsTab, ComponentType> = {
  profile: lazyComponent(() => import('./account/profile-tab.tsx'), 'ProfileTab'),
  security: lazyComponent(() => import('./security/security-tab.tsx'), 'SecurityTab'),
  notifications: lazyComponent(() => import('./notification/notifications-tab.tsx'), 'NotificationsTab'),
  'saved-filters': lazyComponent(() => import('./report/saved-filters-tab.tsx'), 'SavedFiltersTab'),
  labels: lazyComponent(() => import('./report/labels-tab.tsx'), 'LabelsTab'),
  columns: lazyComponent(() => import('./report/columns-tab.tsx'), 'ColumnsTab'),
  display: lazyComponent(() => import('./account/display-tab.tsx'), 'DisplayTab'),
  organisation: lazyComponent(() => import('./team/organisation-tab.tsx'), 'OrganisationTab'),
  team: lazyComponent(() => import('./team/team-tab.tsx'), 'TeamTab'),
  pursuits: lazyComponent(() => import('./pursuit/pursuits-tab.tsx'), 'PursuitsTab'),
  qualification: lazyComponent(() => import('./qualification/qualification-tab.tsx'), 'QualificationTab'),
  'api-keys': lazyComponent(() => import('./developer/api-keys-tab.tsx'), 'ApiKeysTab'),
  webhooks: lazyComponent(() => import('./developer/webhooks-tab.tsx'), 'WebhooksTab'),
}

export function SettingsPage() {
  const { tab: requestedTab } = route.useSearch()
  const navigate = route.useNavigate()
  const organisation = useOrganisation()
  const { role, second_factor_due: isDue } = useUser()
  const items = getSettingsTabs(organisation, role).filter(({ value }) => !isDue || value === 'security')
  const matchedTab = items.find(({ value }) => value === requestedTab)?.value
  const tab = isDue ? 'security' : (matchedTab ?? 'profile')
  const isUnused = requestedTab !== undefined && matchedTab === undefined && !isDue
  const unavailableTab = isUnused ? SETTINGS_TABS.find(({ value }) => value === requestedTab) : undefined
  const ignored = isUnused && !unavailableTab ? [{ name: 'tab', value: requestedTab, reason: 'unknown' as const }] : []
  const Content = TABS[tab]
  if (isDemoSession()) return <NotInDemo />
  return (
    <div className="mx-auto w-full max-w-4xl px-4 py-5 lg:px-5">
      <h1 className="mb-3 text-2xl font-semibold">ตั้งค่า</h1>
      <IgnoredParamsNotice params={PARAMS} ignored={ignored} />
      {unavailableTab && (
        <div role="status">
          <Notice warns>
            {role === 'super_user' || !SUPER_USER_TABS.includes(unavailableTab.value)
              ? `แพ็กเกจขององค์กรไม่มีส่วน “${unavailableTab.label}” ติดต่อทีมงานถ้าต้องการใช้`
              : `บัญชีของคุณไม่มีสิทธิ์เปิดส่วน “${unavailableTab.label}” ผู้ดูแลองค์กร (Super User) เปิดได้`}
          </Notice>
        </div>
      )}
      <Tabs
        label="ส่วนของการตั้งค่า"
        items={inRows(items)}
        value={tab}
        onChange={(value) => void navigate({ search: value === 'profile' ? {} : { tab: value }, replace: true })}
        panelId={PANEL_ID}
        scrollsToSelected
        className="mt-3 border-b border-line sm:flex-wrap max-sm:-mx-4 max-sm:px-4"
      />
      <div id={PANEL_ID} role="tabpanel" aria-label={items.find(({ value }) => value === tab)?.label} className="mt-5">
        <UnsavedChangesGuard>
          <LazyBoundary fallback={<div className="min-h-96" />}>
            <div className="space-y-5">
              <Content />
            </div>
          </LazyBoundary>
        </UnsavedChangesGuard>
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
