import type { Organisation } from '#contract/organisation.ts'

export const SETTINGS_TABS = [
  { value: 'profile', label: 'โปรไฟล์' },
  { value: 'notifications', label: 'การแจ้งเตือน' },
  { value: 'saved-filters', label: 'ตัวกรองที่บันทึก' },
  { value: 'labels', label: 'ป้ายกำกับ' },
  { value: 'columns', label: 'คอลัมน์' },
  { value: 'display', label: 'การแสดงผล' },
  { value: 'organisation', label: 'องค์กร' },
] as const
export type SettingsTab = (typeof SETTINGS_TABS)[number]['value']

/** Everything else is about the report, which an organisation with budget access only does not have. */
const BUDGET_ONLY: readonly SettingsTab[] = ['profile', 'notifications', 'organisation']

/** The tabs of an organisation. */
export function tabsFor({ is_access_budget_year_only: only }: Pick<Organisation, 'is_access_budget_year_only'>) {
  return only ? SETTINGS_TABS.filter(({ value }) => BUDGET_ONLY.includes(value)) : SETTINGS_TABS
}
