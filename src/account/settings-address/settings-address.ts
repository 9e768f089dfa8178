/**
 * The tabs of /settings, their parts, and where former tabs have moved. `?tab=` names the tab, `?part=` a part other
 * than the first.
 */
type SettingsPart = {
  readonly value: SettingsPartCode
  readonly label: string
  readonly needsSuperUser?: true
  /** Hidden for organisations with budget-only access, which cannot open the report. */
  readonly needsReport?: true
}
type SettingsTab = { readonly value: string; readonly label: string; readonly parts: readonly SettingsPart[] }

const TABS = [
  {
    value: 'me',
    label: 'ฉัน',
    parts: [
      { value: 'profile', label: 'โปรไฟล์' },
      { value: 'security', label: 'ความปลอดภัย' },
      { value: 'display', label: 'การแสดงผล', needsReport: true },
    ],
  },
  { value: 'notifications', label: 'การแจ้งเตือน', parts: [{ value: 'notifications', label: 'การแจ้งเตือน' }] },
  {
    value: 'team',
    label: 'ทีม',
    parts: [
      { value: 'members', label: 'สมาชิก', needsSuperUser: true },
      { value: 'stages', label: 'ขั้นและรายการตรวจ', needsSuperUser: true, needsReport: true },
      { value: 'qualifications', label: 'คุณสมบัติ', needsSuperUser: true, needsReport: true },
      { value: 'package', label: 'แพ็กเกจ' },
    ],
  },
  {
    value: 'connect',
    label: 'เชื่อมต่อ',
    parts: [
      { value: 'api-keys', label: 'คีย์ API', needsSuperUser: true, needsReport: true },
      { value: 'webhooks', label: 'เว็บฮุก', needsSuperUser: true, needsReport: true },
    ],
  },
] as const
export type SettingsPartCode = (typeof TABS)[number]['parts'][number]['value']
export const SETTINGS_TABS: readonly SettingsTab[] = TABS

export type SettingsSearch = { readonly tab?: string; readonly part?: string }
export type ReportManagerCode = 'saved-filters' | 'labels' | 'columns'

const MOVED_TABS: Readonly<Record<string, SettingsSearch>> = {
  profile: {},
  security: { tab: 'me', part: 'security' },
  display: { tab: 'me', part: 'display' },
  organisation: { tab: 'team', part: 'package' },
  pursuits: { tab: 'team', part: 'stages' },
  qualification: { tab: 'team', part: 'qualifications' },
  'api-keys': { tab: 'connect' },
  webhooks: { tab: 'connect', part: 'webhooks' },
}

/** Former tabs whose content the user manages on the report; each is a fragment of /report that opens its dialog. */
const MOVED_TO_REPORT: Readonly<Record<ReportManagerCode, string>> = {
  'saved-filters': 'ตัวกรองที่บันทึก',
  labels: 'ป้ายกำกับ',
  columns: 'คอลัมน์',
}

export const isReportManagerCode = (text: string): text is ReportManagerCode => Object.hasOwn(MOVED_TO_REPORT, text)

export type SettingsAccount = {
  readonly role: string
  readonly isBudgetOnly: boolean
  /** The organisation requires a second factor, and until it is set up only the security part works. */
  readonly isSecondFactorDue: boolean
}

export function listSettingsTabs({ role, isBudgetOnly, isSecondFactorDue }: SettingsAccount): SettingsTab[] {
  const isVisible = ({ value, needsSuperUser, needsReport }: SettingsPart) =>
    isSecondFactorDue
      ? value === 'security'
      : !(needsSuperUser && role !== 'super_user') && !(needsReport && isBudgetOnly)
  return SETTINGS_TABS.map((tab) => ({ ...tab, parts: tab.parts.filter(isVisible) })).filter(
    ({ parts }) => parts.length > 0,
  )
}

type SettingsView =
  | { readonly kind: 'moved'; readonly search: SettingsSearch }
  | { readonly kind: 'moved-to-report'; readonly manager: ReportManagerCode }
  | {
      readonly kind: 'tab'
      readonly tabs: readonly SettingsTab[]
      readonly tab: SettingsTab
      readonly part: SettingsPart
      /** The part that the URL names but the account cannot open, and whether the package or the role forbids it. */
      readonly unavailable?: { readonly label: string; readonly lacks: 'package' | 'role' } | undefined
      readonly ignored: readonly { readonly name: 'tab' | 'part'; readonly value: string; readonly reason: 'unknown' }[]
    }

export function resolveSettings({ tab: tabCode, part }: SettingsSearch, account: SettingsAccount): SettingsView {
  const tabs = listSettingsTabs(account)
  const [firstTab] = tabs as [SettingsTab]
  const { isBudgetOnly, isSecondFactorDue, role } = account
  if (isSecondFactorDue) return { kind: 'tab', tabs, tab: firstTab, part: firstTab.parts[0]!, ignored: [] }
  if (tabCode !== undefined && Object.hasOwn(MOVED_TABS, tabCode))
    return { kind: 'moved', search: MOVED_TABS[tabCode]! }
  if (tabCode !== undefined && isReportManagerCode(tabCode) && !isBudgetOnly)
    return { kind: 'moved-to-report', manager: tabCode }

  const tab = tabs.find(({ value }) => value === tabCode) ?? firstTab
  const chosenPart = tab.parts.find(({ value }) => value === part)
  const requestedTab = SETTINGS_TABS.find(({ value }) => value === (tabCode ?? firstTab.value))
  const requestedPart = requestedTab?.parts.find(({ value }) => value === part)
  const lacks = (parts: readonly SettingsPart[]) =>
    role !== 'super_user' && parts.every(({ needsSuperUser }) => needsSuperUser)
      ? ('role' as const)
      : ('package' as const)

  const findUnavailable = () => {
    if (tabCode !== undefined && isReportManagerCode(tabCode))
      return { label: MOVED_TO_REPORT[tabCode], lacks: 'package' as const }
    if (requestedPart && !chosenPart) return { label: requestedPart.label, lacks: lacks([requestedPart]) }
    if (requestedTab && requestedTab.value !== tab.value)
      return { label: requestedTab.label, lacks: lacks(requestedTab.parts) }
    return undefined
  }
  const unavailable = findUnavailable()
  const isUnknownTab = tabCode !== undefined && requestedTab === undefined && unavailable === undefined
  const isUnknownPart = part !== undefined && requestedTab !== undefined && requestedPart === undefined
  return {
    kind: 'tab',
    tabs,
    tab,
    part: chosenPart ?? tab.parts[0]!,
    unavailable,
    ignored: [
      ...(isUnknownTab ? [{ name: 'tab' as const, value: tabCode, reason: 'unknown' as const }] : []),
      ...(isUnknownPart ? [{ name: 'part' as const, value: part, reason: 'unknown' as const }] : []),
    ],
  }
}

/** Returns the address of a part without the defaults: /settings opens the first tab, and a tab opens its first part. */
export function getSettingsSearch(tab: SettingsTab, part: SettingsPartCode | undefined): SettingsSearch {
  const [firstPart] = tab.parts
  if (part !== undefined && part !== firstPart?.value) return { tab: tab.value, part }
  return tab.value === SETTINGS_TABS[0]?.value ? {} : { tab: tab.value }
}
