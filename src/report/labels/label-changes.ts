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

function sendLabelAction(
  scope: LabelScope,
  action: SharedLabelAction,
  message: ChangeResultMessages,
): Promise<boolean> {
  return scope === 'team' ? patchTeamLabels(action, message) : patchUser({ label_action: action }, message)
}

type ProjectIds = readonly string[]
const quoted = (label: Pick<Label, 'name'>) => `“${label.name}”`
const countPhrase = (projectIds: ProjectIds, preposition: string) =>
  projectIds.length > 1 ? ` ${preposition}${formatCount(projectIds.length)} โครงการ` : ''

export function createLabel(
  name: string,
  labels: readonly Label[],
  projectIds: ProjectIds,
  scope: LabelScope = 'mine',
): Promise<boolean> {
  const label_name = name.trim()
  const description = `สร้าง${LABEL_SCOPE_NAMES[scope]} “${label_name}”`
  const action = {
    action: 'create_label',
    label_id: createClientGeneratedId(label_name, Date.now()),
    label_name,
    label_color: pickNextLabelColor(labels),
    ...(projectIds.length > 0 ? { project_ids: [...projectIds] } : {}),
  } as const
  return sendLabelAction(scope, action, {
    failed: `${description} ไม่สำเร็จ`,
    done: projectIds.length > 1 ? `${description} และติด${countPhrase(projectIds, 'ให้ ')}แล้ว` : undefined,
  })
}

const messages = (description: string, done?: string): ChangeResultMessages => ({
  failed: `${description} ไม่สำเร็จ`,
  done,
})

export function assignLabel(label: Label, projectIds: ProjectIds, scope: LabelScope = 'mine'): Promise<boolean> {
  const description = `ติด${LABEL_SCOPE_NAMES[scope]} ${quoted(label)}${countPhrase(projectIds, 'ให้ ')}`
  return sendLabelAction(
    scope,
    { action: 'assign_label', label_id: label.id, project_ids: [...projectIds] },
    messages(description, projectIds.length > 1 ? `${description}แล้ว` : undefined),
  )
}

export function unassignLabel(label: Label, projectIds: ProjectIds, scope: LabelScope = 'mine'): Promise<boolean> {
  const description = `เอา${LABEL_SCOPE_NAMES[scope]} ${quoted(label)} ออก${countPhrase(projectIds, 'จาก ')}`
  return sendLabelAction(
    scope,
    { action: 'unassign_label', label_id: label.id, project_ids: [...projectIds] },
    messages(description, `${description}แล้ว`),
  )
}

export function removeAllProjectLabels(projectIds: ProjectIds): Promise<boolean> {
  const description = `ล้างป้ายทั้งหมด${countPhrase(projectIds, 'ของ ')}`
  return patchUser(
    { label_action: { action: 'remove_assignment', project_ids: [...projectIds] } },
    messages(description, `${description}แล้ว`),
  )
}

export function renameLabel(label: Label, name: string, scope: LabelScope = 'mine'): Promise<boolean> {
  const action = { action: 'rename_label', label_id: label.id, label_name: name.trim() } as const
  return sendLabelAction(scope, action, messages(`เปลี่ยนชื่อ${LABEL_SCOPE_NAMES[scope]} ${quoted(label)}`))
}

export function recolorLabel(label: Label, color: LabelColor, scope: LabelScope = 'mine'): Promise<boolean> {
  const action = { action: 'recolor_label', label_id: label.id, label_color: color } as const
  return sendLabelAction(scope, action, messages(`เปลี่ยนสี${LABEL_SCOPE_NAMES[scope]} ${quoted(label)}`))
}

export function deleteLabel(label: Label, scope: LabelScope = 'mine'): Promise<boolean> {
  const description = `ลบ${LABEL_SCOPE_NAMES[scope]} ${quoted(label)}`
  return sendLabelAction(
    scope,
    { action: 'delete_label', label_id: label.id },
    messages(description, `${description} แล้ว`),
  )
}
