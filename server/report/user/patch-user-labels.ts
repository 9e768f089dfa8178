import sql from 'sql-template-tag'
import { isSameDisplayName, type Label } from '#contract/account/label.ts'
import { getActionTargetProjectIds, MAX_MARKED_PROJECTS } from '#contract/report/project-targets.ts'
import type { LabelAction } from '#contract/report/user-patch.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { UsageActionDescription } from '#server/platform/route/usage-events.ts'
import { assertProjectsExist, describeTargetProjects, getTargetProjectIdsOrThrow } from './patch-user-marks.ts'
import { formatGroupedNumber, throwUserPatchError } from './throw-user-patch-error.ts'
import type { UserPatchHandler, UserPatchOwner } from './user-patch-handler.ts'

type Field = 'label_action' | 'project_label_assignments'

const refuseAction = (text: string) => throwUserPatchError('label_action', text)

export const labelHandler: UserPatchHandler = {
  apply: async (tx, owner, { label_action: action, project_label_assignments: assignments }) => {
    if (action) {
      const labelsBefore = await findUserLabels(tx, owner.userId)
      await applyAction(tx, owner, action)
      return [describeLabelAction(action, labelsBefore)]
    }
    if (!assignments) return []
    await setAssignments(tx, owner.userId, assignments)
    const info = describeTargetProjects({ project_ids: Object.keys(assignments) })
    return [{ type: 'label', description: 'เลือกป้ายกำกับของโครงการ', info }]
  },
}

async function applyAction(tx: Db, owner: UserPatchOwner, action: LabelAction): Promise<void> {
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
async function createLabel(tx: Db, { userId, maxLabels }: UserPatchOwner, label: Label): Promise<void> {
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

const LABEL_ACTION_TEXTS = {
  create_label: 'สร้างป้ายกำกับ',
  assign_label: 'ติดป้ายกำกับ',
  unassign_label: 'ถอดป้ายกำกับ',
  remove_assignment: 'ถอดป้ายกำกับทั้งหมด',
  delete_label: 'ลบป้ายกำกับ',
  rename_label: 'เปลี่ยนชื่อป้ายกำกับ',
  recolor_label: 'เปลี่ยนสีป้ายกำกับ',
} as const

function describeLabelAction(action: LabelAction, labelsBefore: readonly Label[]): UsageActionDescription {
  const before = 'label_id' in action ? labelsBefore.find(({ id }) => id === action.label_id)?.name : undefined
  const name = 'label_name' in action ? action.label_name : before
  const value = action.action === 'rename_label' && before ? `${before} → ${name}` : name
  return {
    type: 'label',
    description: LABEL_ACTION_TEXTS[action.action],
    info: [
      ...(value === undefined ? [] : [{ name: 'ป้าย', value }]),
      ...('project_id' in action || 'project_ids' in action ? describeTargetProjects(action) : []),
    ],
  }
}

async function findUserLabels(tx: Db, userId: number): Promise<Label[]> {
  return tx.query<Label>(sql`select id, name, color from labels where user_id = ${userId}::int order by created_at, id`)
}

async function insertUserLabel(tx: Db, userId: number, { id, name, color }: Label): Promise<void> {
  await tx.execute(sql`
    insert into labels (user_id, id, name, color, created_at)
    values (${userId}::int, ${id}, ${name}, ${color},
      greatest(clock_timestamp(), (select max(l.created_at) + interval '1 microsecond' from labels l where l.user_id = ${userId}::int)))`)
}

async function updateUserLabel(tx: Db, userId: number, label: Label): Promise<void> {
  await tx.execute(
    sql`update labels set name = ${label.name}, color = ${label.color} where user_id = ${userId}::int and id = ${label.id}`,
  )
}

/** Deletes a label. The database then deletes the label's assignments as well. */
async function deleteUserLabel(tx: Db, userId: number, labelId: string): Promise<void> {
  await tx.execute(sql`delete from labels where user_id = ${userId}::int and id = ${labelId}`)
}

type LabelAssignment = { readonly projectId: string; readonly labelId: string }

async function addLabelAssignments(tx: Db, userId: number, pairs: readonly LabelAssignment[]): Promise<number> {
  return tx.execute(sql`
    insert into label_assignments (user_id, project_id, label_id, created_at)
    select ${userId}::int, t.project_id, t.label_id, clock_timestamp() + t.place * interval '1 microsecond'
    from unnest(${pairs.map((pair) => pair.projectId)}::text[], ${pairs.map((pair) => pair.labelId)}::text[])
      with ordinality t (project_id, label_id, place)
    on conflict do nothing`)
}

async function removeLabelAssignments(
  tx: Db,
  userId: number,
  projectIds: readonly string[],
  labelId?: string,
): Promise<void> {
  const label = labelId ?? null
  await tx.execute(sql`
    delete from label_assignments
    where user_id = ${userId}::int and project_id = any (${projectIds}::text[]) and (${label}::text is null or label_id = ${label}::text)`)
}

async function countLabelledProjects(tx: Db, userId: number): Promise<number> {
  const [row] = await tx.query<{ labelled: number }>(
    sql`select count(distinct project_id) as labelled from label_assignments where user_id = ${userId}::int`,
  )
  return row!.labelled
}
