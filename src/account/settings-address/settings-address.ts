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

export type SettingsPartCode =
  | 'profile'
  | 'security'
  | 'display'
  | 'notifications'
  | 'members'
  | 'stages'
  | 'qualifications'
  | 'package'
  | 'api-keys'
  | 'webhooks'

export const SETTINGS_TABS: readonly SettingsTab[] = [
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
]

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
  return SETTINGS_TABS.map((place) => ({ ...place, parts: place.parts.filter(isVisible) })).filter(
    ({ parts }) => parts.length > 0,
  )
}

export type SettingsView =
  | { readonly kind: 'moved'; readonly search: SettingsSearch }
  | { readonly kind: 'moved-to-report'; readonly manager: ReportManagerCode }
  | {
      readonly kind: 'place'
      readonly places: readonly SettingsTab[]
      readonly place: SettingsTab
      readonly part: SettingsPart
      /** The part that the URL names but the account cannot open, and whether the package or the role forbids it. */
      readonly unavailable?: { readonly label: string; readonly lacks: 'package' | 'role' } | undefined
      readonly ignored: readonly { readonly name: 'tab' | 'part'; readonly value: string; readonly reason: 'unknown' }[]
    }

export function resolveSettings({ tab, part }: SettingsSearch, account: SettingsAccount): SettingsView {
  const places = listSettingsTabs(account)
  const [firstPlace] = places as [SettingsTab]
  const { isBudgetOnly, isSecondFactorDue, role } = account
  if (isSecondFactorDue) return { kind: 'place', places, place: firstPlace, part: firstPlace.parts[0]!, ignored: [] }
  if (tab !== undefined && Object.hasOwn(MOVED_TABS, tab)) return { kind: 'moved', search: MOVED_TABS[tab]! }
  if (tab !== undefined && isReportManagerCode(tab) && !isBudgetOnly) return { kind: 'moved-to-report', manager: tab }

  const place = places.find(({ value }) => value === tab) ?? firstPlace
  const chosenPart = place.parts.find(({ value }) => value === part)
  const requestedPlace = SETTINGS_TABS.find(({ value }) => value === (tab ?? firstPlace.value))
  const requestedPart = requestedPlace?.parts.find(({ value }) => value === part)
  const lacks = (parts: readonly SettingsPart[]) =>
    role !== 'super_user' && parts.every(({ needsSuperUser }) => needsSuperUser)
      ? ('role' as const)
      : ('package' as const)

  const findUnavailable = () => {
    if (tab !== undefined && isReportManagerCode(tab)) return { label: MOVED_TO_REPORT[tab], lacks: 'package' as const }
    if (requestedPart && !chosenPart) return { label: requestedPart.label, lacks: lacks([requestedPart]) }
    if (requestedPlace && requestedPlace.value !== place.value)
      return { label: requestedPlace.label, lacks: lacks(requestedPlace.parts) }
    return undefined
  }
  const unavailable = findUnavailable()
  const isUnknownTab = tab !== undefined && requestedPlace === undefined && unavailable === undefined
  const isUnknownPart = part !== undefined && requestedPlace !== undefined && requestedPart === undefined
  return {
    kind: 'place',
    places,
    place,
    part: chosenPart ?? place.parts[0]!,
    unavailable,
    ignored: [
      ...(isUnknownTab ? [{ name: 'tab' as const, value: tab, reason: 'unknown' as const }] : []),
      ...(isUnknownPart ? [{ name: 'part' as const, value: part, reason: 'unknown' as const }] : []),
    ],
  }
}

/** Returns the address of a part without the defaults: /settings opens the first tab, and a tab opens its first part. */
export function getSettingsSearch(place: SettingsTab, part: SettingsPartCode | undefined): SettingsSearch {
  const [firstPart] = place.parts
  if (part !== undefined && part !== firstPart?.value) return { tab: place.value, part }
  return place.value === SETTINGS_TABS[0]?.value ? {} : { tab: place.value }
}
