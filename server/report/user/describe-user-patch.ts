import type { UsageLogDetail } from '#contract/account/usage-log.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import type { UsageActionDescription } from '#server/platform/route/usage-events.ts'

const LABEL_ACTION_TEXTS = {
  create_label: 'สร้างป้ายกำกับ',
  assign_label: 'ติดป้ายกำกับ',
  unassign_label: 'ถอดป้ายกำกับ',
  remove_assignment: 'ถอดป้ายกำกับทั้งหมด',
  delete_label: 'ลบป้ายกำกับ',
  rename_label: 'เปลี่ยนชื่อป้ายกำกับ',
  recolor_label: 'เปลี่ยนสีป้ายกำกับ',
} as const

const FILTER_ACTION_TEXTS = {
  add: 'บันทึกตัวกรอง',
  remove: 'ลบตัวกรองที่บันทึก',
  email_toggle: 'เปลี่ยนการส่งอีเมลของตัวกรอง',
  start: 'เปลี่ยนมุมมองเริ่มต้น',
  share: 'แบ่งตัวกรองให้ทีม',
  rename: 'เปลี่ยนชื่อตัวกรอง',
  update: 'แก้ไขตัวกรองที่บันทึก',
} as const

const MAX_LISTED_PROJECTS = 20

type Targets = { readonly project_id?: string | undefined; readonly project_ids?: readonly string[] | undefined }

function projectInfo({ project_id: id, project_ids: ids }: Targets): UsageLogDetail[] {
  const projectIds = [...new Set([...(id === undefined ? [] : [id]), ...(ids ?? [])])]
  if (projectIds.length === 0) return []
  const moreText =
    projectIds.length > MAX_LISTED_PROJECTS ? ` และอีก ${projectIds.length - MAX_LISTED_PROJECTS} โครงการ` : ''
  return [{ name: 'โครงการ', value: `${projectIds.slice(0, MAX_LISTED_PROJECTS).join(', ')}${moreText}` }]
}

const onOff = (isOn: boolean | undefined) => (isOn === undefined ? [] : [{ name: 'ตั้งเป็น', value: isOn ? 'เปิด' : 'ปิด' }])

export function describeUserPatch(patch: UserPatch, labelNames: ReadonlyMap<string, string>): UsageActionDescription[] {
  const { bookmark_action: star, hide_action: hide, label_action: label, filter_action: filter } = patch
  const lines: UsageActionDescription[] = []
  if (star)
    lines.push({
      type: 'bookmark',
      description: star.action === 'add' ? 'ติดดาวโครงการ' : 'เอาดาวออก',
      info: projectInfo(star),
    })
  else if (patch.project_bookmark)
    lines.push({
      type: 'bookmark',
      description: 'ตั้งรายการติดดาวใหม่',
      info: projectInfo({ project_ids: patch.project_bookmark }),
    })
  if (hide)
    lines.push({
      type: 'hide',
      description: hide.action === 'add' ? 'ซ่อนโครงการ' : 'เลิกซ่อนโครงการ',
      info: projectInfo(hide),
    })
  if (label) {
    const before = 'label_id' in label ? labelNames.get(label.label_id) : undefined
    const name = 'label_name' in label ? label.label_name : before
    const info = [
      ...(name === undefined
        ? []
        : [{ name: 'ป้าย', value: label.action === 'rename_label' && before ? `${before} → ${name}` : name }]),
      ...('project_id' in label || 'project_ids' in label ? projectInfo(label) : []),
    ]
    lines.push({ type: 'label', description: LABEL_ACTION_TEXTS[label.action], info })
  } else if (patch.project_label_assignments)
    lines.push({
      type: 'label',
      description: 'เลือกป้ายกำกับของโครงการ',
      info: projectInfo({ project_ids: Object.keys(patch.project_label_assignments) }),
    })
  if (filter)
    lines.push({
      type: 'filter',
      description: FILTER_ACTION_TEXTS[filter.action],
      info: [
        ...('filterName' in filter ? [{ name: 'ตัวกรอง', value: filter.filterName }] : []),
        ...('is_send' in filter ? onOff(filter.is_send) : []),
        ...(filter.action === 'start' ? onOff(filter.is_start) : []),
        ...(filter.action === 'share' ? onOff(filter.is_shared) : []),
      ],
    })
  if (patch.customize_report_table) lines.push({ type: 'settings', description: 'จัดคอลัมน์ของรายงาน', info: [] })
  if (patch.is_send_report_email !== undefined)
    lines.push({ type: 'settings', description: 'ตั้งค่าอีเมลรายงาน', info: onOff(patch.is_send_report_email) })
  if (patch.is_noti_e_bidding !== undefined)
    lines.push({ type: 'settings', description: 'ตั้งค่าแจ้งเตือน e-bidding', info: onOff(patch.is_noti_e_bidding) })
  if (patch.shares_looks !== undefined)
    lines.push({ type: 'settings', description: 'ให้ทีมเห็นว่าดูโครงการใดแล้ว', info: onOff(patch.shares_looks) })
  const names = [patch.first_name, patch.last_name].filter((name) => name !== undefined)
  if (names.length > 0)
    lines.push({ type: 'settings', description: 'เปลี่ยนชื่อ', info: [{ name: 'ชื่อ', value: names.join(' ') }] })
  return lines
}
