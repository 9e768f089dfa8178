import { isSameDisplayName, type Label } from '#contract/account/label.ts'
import { getActionTargetProjectIds, MAX_MARKED_PROJECTS } from '#contract/report/project-targets.ts'
import type { LabelAction, UserPatch } from '#contract/report/user-patch.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { assertProjectsExist, getTargetProjectIdsOrThrow } from './patch-user-marks.ts'
import { formatGroupedNumber, throwUserPatchError } from './throw-user-patch-error.ts'
import {
  addLabelAssignments,
  countLabelledProjects,
  deleteUserLabel,
  findUserLabels,
  insertUserLabel,
  type LabelAssignment,
  removeLabelAssignments,
  updateUserLabel,
} from './user-patch-queries.ts'

type Owner = { readonly userId: number; readonly maxLabels: number }
type Field = 'label_action' | 'project_label_assignments'

const refuseAction = (text: string) => throwUserPatchError('label_action', text)

export async function patchUserLabels(tx: Db, owner: Owner, patch: UserPatch): Promise<void> {
  if (patch.label_action) await applyAction(tx, owner, patch.label_action)
  else if (patch.project_label_assignments) await setAssignments(tx, owner.userId, patch.project_label_assignments)
}

async function applyAction(tx: Db, owner: Owner, action: LabelAction): Promise<void> {
  const { userId } = owner
  switch (action.action) {
    case 'create_label': {
      await createLabel(tx, owner, { id: action.label_id, name: action.label_name, color: action.label_color })
      return assign(tx, userId, action.label_id, getActionTargetProjectIds(action))
    }
    case 'assign_label': {
      const targets = getTargetProjectIdsOrThrow('label_action', action)
      await requireLabel(tx, userId, action.label_id)
      return assign(tx, userId, action.label_id, targets)
    }
    case 'unassign_label':
      return removeLabelAssignments(tx, userId, getTargetProjectIdsOrThrow('label_action', action), action.label_id)
    case 'remove_assignment':
      return removeLabelAssignments(tx, userId, getTargetProjectIdsOrThrow('label_action', action))
    case 'delete_label':
      return deleteUserLabel(tx, userId, action.label_id)
    case 'rename_label': {
      const { label, labels } = await requireLabel(tx, userId, action.label_id)
      assertFreeName(labels, action.label_id, action.label_name)
      return updateUserLabel(tx, userId, { ...label, name: action.label_name })
    }
    case 'recolor_label': {
      const { label } = await requireLabel(tx, userId, action.label_id)
      return updateUserLabel(tx, userId, { ...label, color: action.label_color })
    }
  }
}

async function requireLabel(tx: Db, userId: number, labelId: string): Promise<{ label: Label; labels: Label[] }> {
  const labels = await findUserLabels(tx, userId)
  const label = labels.find(({ id }) => id === labelId)
  return label ? { label, labels } : refuseAction('ไม่พบป้ายกำกับนี้ อาจถูกลบไปแล้ว')
}

function assertFreeName(labels: readonly Label[], exceptId: string, name: string): void {
  if (labels.some((label) => label.id !== exceptId && isSameDisplayName(label.name, name)))
    refuseAction(`มีป้ายกำกับชื่อ “${name}” แล้ว`)
}

/** Does nothing if the same id and name are sent again (R46). */
async function createLabel(tx: Db, { userId, maxLabels }: Owner, label: Label): Promise<void> {
  const labels = await findUserLabels(tx, userId)
  const existing = labels.find(({ id }) => id === label.id)
  if (existing && isSameDisplayName(existing.name, label.name)) return
  if (existing) refuseAction('รหัสป้ายกำกับนี้มีอยู่แล้วในชื่ออื่น')
  assertFreeName(labels, label.id, label.name)
  const remaining = Math.max(0, maxLabels - labels.length)
  if (remaining === 0)
    refuseAction(`สร้างป้ายกำกับได้ไม่เกิน ${formatGroupedNumber(maxLabels)} ป้าย ตอนนี้สร้างได้อีก 0 ป้าย ลบป้ายที่ไม่ใช้ก่อน`)
  await insertUserLabel(tx, userId, label)
}

async function assign(tx: Db, userId: number, labelId: string, projectIds: readonly string[]): Promise<void> {
  const pairs = projectIds.map((projectId) => ({ projectId, labelId }))
  await addWithinLimit(tx, 'label_action', userId, pairs)
}

async function addWithinLimit(tx: Db, field: Field, userId: number, pairs: readonly LabelAssignment[]): Promise<void> {
  if (pairs.length === 0) return
  await assertProjectsExist(tx, field, [...new Set(pairs.map(({ projectId }) => projectId))])
  const added = await addLabelAssignments(tx, userId, pairs)
  if (added > 0 && (await countLabelledProjects(tx, userId)) > MAX_MARKED_PROJECTS)
    throwUserPatchError(field, `ติดป้ายกำกับได้ไม่เกิน ${formatGroupedNumber(MAX_MARKED_PROJECTS)} โครงการ`)
}

async function setAssignments(
  tx: Db,
  userId: number,
  labelsByProject: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const pairs = Object.entries(labelsByProject).flatMap(([projectId, labels]) =>
    [...new Set(labels)].map((labelId) => ({ projectId, labelId })),
  )
  const labelIds = new Set((await findUserLabels(tx, userId)).map(({ id }) => id))
  if (pairs.some(({ labelId }) => !labelIds.has(labelId)))
    throwUserPatchError('project_label_assignments', 'มีป้ายกำกับที่ไม่พบ อาจถูกลบไปแล้ว')
  await removeLabelAssignments(tx, userId, Object.keys(labelsByProject))
  await addWithinLimit(tx, 'project_label_assignments', userId, pairs)
}
