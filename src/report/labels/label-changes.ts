import { type Label, markIdOf, nextLabelColor } from '#contract/account/label.ts'
import type { LabelColor } from '#contract/account/label-palette.ts'
import type { LabelAction } from '#contract/report/user-patch.ts'
import type { ChangeMessage } from '#src/api/optimistic.ts'
import { countText } from '#src/lib/money-text.ts'
import { patchUser } from '#src/report/api/patch-user.ts'
import { patchTeamLabels } from '#src/report/api/team-label-patches.ts'

export type LabelScope = 'mine' | 'team'
export const LABEL_WORDS: Readonly<Record<LabelScope, string>> = { mine: 'ป้าย', team: 'ป้ายทีม' }

type OneLabelAction = Exclude<LabelAction, { action: 'remove_assignment' }>

function send(scope: LabelScope, action: OneLabelAction, message: ChangeMessage): Promise<boolean> {
  return scope === 'team' ? patchTeamLabels(action, message) : patchUser({ label_action: action }, message)
}

type Projects = readonly string[]
const quoted = (label: Pick<Label, 'name'>) => `“${label.name}”`
const many = (projectIds: Projects, before: string) =>
  projectIds.length > 1 ? ` ${before}${countText(projectIds.length)} โครงการ` : ''

/** Creates a label in the first unused colour and assigns it to the projects. */
export function createLabel(
  name: string,
  labels: readonly Label[],
  projectIds: Projects,
  scope: LabelScope = 'mine',
): Promise<boolean> {
  const label_name = name.trim()
  const what = `สร้าง${LABEL_WORDS[scope]} “${label_name}”`
  const action = {
    action: 'create_label',
    label_id: markIdOf(label_name, Date.now()),
    label_name,
    label_color: nextLabelColor(labels),
    ...(projectIds.length > 0 ? { project_ids: [...projectIds] } : {}),
  } as const
  return send(scope, action, {
    failed: `${what} ไม่สำเร็จ`,
    done: projectIds.length > 1 ? `${what} และติด${many(projectIds, 'ให้ ')}แล้ว` : undefined,
  })
}

export function assignLabel(label: Label, projectIds: Projects, scope: LabelScope = 'mine'): Promise<boolean> {
  const what = `ติด${LABEL_WORDS[scope]} ${quoted(label)}${many(projectIds, 'ให้ ')}`
  return send(
    scope,
    { action: 'assign_label', label_id: label.id, project_ids: [...projectIds] },
    { failed: `${what} ไม่สำเร็จ`, done: projectIds.length > 1 ? `${what}แล้ว` : undefined },
  )
}

export function unassignLabel(label: Label, projectIds: Projects, scope: LabelScope = 'mine'): Promise<boolean> {
  const what = `เอา${LABEL_WORDS[scope]} ${quoted(label)} ออก${many(projectIds, 'จาก ')}`
  return send(
    scope,
    { action: 'unassign_label', label_id: label.id, project_ids: [...projectIds] },
    { failed: `${what} ไม่สำเร็จ`, done: `${what}แล้ว` },
  )
}

/** Removes all labels from projects (D19). */
export function clearLabels(projectIds: Projects): Promise<boolean> {
  const what = `ล้างป้ายทั้งหมด${many(projectIds, 'ของ ')}`
  return patchUser(
    { label_action: { action: 'remove_assignment', project_ids: [...projectIds] } },
    { failed: `${what} ไม่สำเร็จ`, done: `${what}แล้ว` },
  )
}

export function renameLabel(label: Label, name: string, scope: LabelScope = 'mine'): Promise<boolean> {
  return send(
    scope,
    { action: 'rename_label', label_id: label.id, label_name: name.trim() },
    { failed: `เปลี่ยนชื่อ${LABEL_WORDS[scope]} ${quoted(label)} ไม่สำเร็จ` },
  )
}

export function recolorLabel(label: Label, color: LabelColor, scope: LabelScope = 'mine'): Promise<boolean> {
  return send(
    scope,
    { action: 'recolor_label', label_id: label.id, label_color: color },
    { failed: `เปลี่ยนสี${LABEL_WORDS[scope]} ${quoted(label)} ไม่สำเร็จ` },
  )
}

/** Deletes a label and its assignments; undo restores both. */
export function deleteLabel(label: Label, scope: LabelScope = 'mine'): Promise<boolean> {
  const what = `ลบ${LABEL_WORDS[scope]} ${quoted(label)}`
  return send(scope, { action: 'delete_label', label_id: label.id }, { failed: `${what} ไม่สำเร็จ`, done: `${what} แล้ว` })
}
