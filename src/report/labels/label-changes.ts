import { createClientGeneratedId, type Label, pickNextLabelColor } from '#contract/account/label.ts'
import type { LabelColor } from '#contract/account/label-palette.ts'
import type { LabelAction } from '#contract/report/user-patch.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import type { ChangeResultMessages } from '#src/api/optimistic-changes.ts'
import { patchTeamLabels } from '#src/report/api/team-label-patches.ts'
import { patchUser } from '#src/report/api/user-patches.ts'

export type LabelScope = 'mine' | 'team'
export const LABEL_SCOPE_NAMES: Readonly<Record<LabelScope, string>> = { mine: 'ป้าย', team: 'ป้ายทีม' }

type SharedLabelAction = Exclude<LabelAction, { action: 'remove_assignment' }>

const toMessages = (description: string, done?: string): ChangeResultMessages => ({
  failed: `${description} ไม่สำเร็จ`,
  done,
})

function sendLabelAction(
  scope: LabelScope,
  action: SharedLabelAction,
  description: string,
  done?: string,
): Promise<boolean> {
  const messages = toMessages(description, done)
  return scope === 'team' ? patchTeamLabels(action, messages) : patchUser({ label_action: action }, messages)
}

type ProjectIds = readonly string[]
const quoted = (scope: LabelScope, { name }: Pick<Label, 'name'>) => `${LABEL_SCOPE_NAMES[scope]} “${name}”`
const countPhrase = (projectIds: ProjectIds, preposition: string) =>
  projectIds.length > 1 ? ` ${preposition}${formatCount(projectIds.length)} โครงการ` : ''

export function createLabel(name: string, labels: readonly Label[], projectIds: ProjectIds, scope: LabelScope) {
  const label_name = name.trim()
  const description = `สร้าง${quoted(scope, { name: label_name })}`
  const action = {
    action: 'create_label',
    label_id: createClientGeneratedId(label_name, Date.now()),
    label_name,
    label_color: pickNextLabelColor(labels),
    ...(projectIds.length > 0 ? { project_ids: [...projectIds] } : {}),
  } as const
  const done = projectIds.length > 1 ? `${description} และติด${countPhrase(projectIds, 'ให้ ')}แล้ว` : undefined
  return sendLabelAction(scope, action, description, done)
}

export function assignLabel(label: Label, projectIds: ProjectIds, scope: LabelScope) {
  const description = `ติด${quoted(scope, label)}${countPhrase(projectIds, 'ให้ ')}`
  const action = { action: 'assign_label' as const, label_id: label.id, project_ids: [...projectIds] }
  return sendLabelAction(scope, action, description, projectIds.length > 1 ? `${description}แล้ว` : undefined)
}

export function unassignLabel(label: Label, projectIds: ProjectIds, scope: LabelScope) {
  const description = `เอา${quoted(scope, label)} ออก${countPhrase(projectIds, 'จาก ')}`
  const action = { action: 'unassign_label' as const, label_id: label.id, project_ids: [...projectIds] }
  return sendLabelAction(scope, action, description, `${description}แล้ว`)
}

export function removeAllProjectLabels(projectIds: ProjectIds) {
  const description = `ล้างป้ายทั้งหมด${countPhrase(projectIds, 'ของ ')}`
  return patchUser(
    { label_action: { action: 'remove_assignment', project_ids: [...projectIds] } },
    toMessages(description, `${description}แล้ว`),
  )
}

export function renameLabel(label: Label, name: string, scope: LabelScope) {
  const action = { action: 'rename_label', label_id: label.id, label_name: name.trim() } as const
  return sendLabelAction(scope, action, `เปลี่ยนชื่อ${quoted(scope, label)}`)
}

export function recolorLabel(label: Label, color: LabelColor, scope: LabelScope) {
  const action = { action: 'recolor_label', label_id: label.id, label_color: color } as const
  return sendLabelAction(scope, action, `เปลี่ยนสี${quoted(scope, label)}`)
}

export function deleteLabel(label: Label, scope: LabelScope) {
  const description = `ลบ${quoted(scope, label)}`
  return sendLabelAction(scope, { action: 'delete_label', label_id: label.id }, description, `${description} แล้ว`)
}
