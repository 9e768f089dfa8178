import sql from 'sql-template-tag'
import { isSameDisplayName, type Label } from '#contract/account/label.ts'
import { getActionTargetProjectIds, MAX_MARKED_PROJECTS } from '#contract/report/project-targets.ts'
import type { LabelAction } from '#contract/report/user-patch.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { UsageActionDescription } from '#server/platform/route/usage-events.ts'
import { assertProjectsExist, describeTargetProjects, getTargetProjectIdsOrThrow } from './patch-user-marks.ts'
import { formatNumberWithSeparators, throwUserPatchError } from './throw-user-patch-error.ts'
import type { UserPatchHandler, UserPatchOwner } from './user-patch-handler.ts'

type Field = 'label_action' | 'project_label_assignments'

const refuseAction = (text: string) => throwUserPatchError('label_action', text)

export const labelHandler: UserPatchHandler = {
  apply: async (tx, owner, { label_action: action, project_label_assignments: assignments }) => {
    if (!action && !assignments) return []
    const labels = await tx.query<Label>(
      sql`select id, name, color from labels where user_id = ${owner.userId}::int order by created_at, id`,
    )
    if (action) {
      await applyAction(tx, owner, action, labels)
      return [describeLabelAction(action, labels)]
    }
    if (!assignments) return []
    await setAssignments(tx, owner.userId, assignments, labels)
    const info = describeTargetProjects({ project_ids: Object.keys(assignments) })
    return [{ type: 'label', description: 'เลือกป้ายกำกับของโครงการ', info }]
  },
}

async function applyAction(
  tx: Db,
  owner: UserPatchOwner,
  action: LabelAction,
  labels: readonly Label[],
): Promise<void> {
  const { userId } = owner
  const update = async (labelId: string, change: Partial<Label>) => {
    const label = { ...getLabelOrThrow(labels, labelId), ...change }
    await tx.execute(
      sql`update labels set name = ${label.name}, color = ${label.color} where user_id = ${userId}::int and id = ${label.id}`,
    )
  }
  switch (action.action) {
    case 'create_label': {
      const label = { id: action.label_id, name: action.label_name, color: action.label_color }
      await createLabel(tx, owner, label, labels)
      return assign(tx, userId, action.label_id, getActionTargetProjectIds(action))
    }
    case 'assign_label': {
      const targets = getTargetProjectIdsOrThrow('label_action', action)
      getLabelOrThrow(labels, action.label_id)
      return assign(tx, userId, action.label_id, targets)
    }
    case 'unassign_label':
      return removeLabelAssignments(tx, userId, getTargetProjectIdsOrThrow('label_action', action), action.label_id)
    case 'remove_assignment':
      return removeLabelAssignments(tx, userId, getTargetProjectIdsOrThrow('label_action', action))
    case 'delete_label':
      // The database then deletes the label's assignments as well.
      await tx.execute(sql`delete from labels where user_id = ${userId}::int and id = ${action.label_id}`)
      return
    case 'rename_label':
      getLabelOrThrow(labels, action.label_id)
      assertFreeName(labels, action.label_id, action.label_name)
      return update(action.label_id, { name: action.label_name })
    case 'recolor_label':
      return update(action.label_id, { color: action.label_color })
  }
}

const getLabelOrThrow = (labels: readonly Label[], labelId: string): Label =>
  labels.find(({ id }) => id === labelId) ?? refuseAction('ไม่พบป้ายกำกับนี้ อาจถูกลบไปแล้ว')

function assertFreeName(labels: readonly Label[], exceptId: string, name: string): void {
  if (labels.some((label) => label.id !== exceptId && isSameDisplayName(label.name, name)))
    refuseAction(`มีป้ายกำกับชื่อ “${name}” แล้ว`)
}

/**
 * Appends a label. `created_at` is bumped past the newest one, so that two inserts in one clock tick keep their order.
 * Does nothing if the same id and name are sent again (R46).
 */
async function createLabel(
  tx: Db,
  { userId, maxLabels }: UserPatchOwner,
  { id, name, color }: Label,
  labels: readonly Label[],
): Promise<void> {
  const existing = labels.find((label) => label.id === id)
  if (existing && isSameDisplayName(existing.name, name)) return
  if (existing) refuseAction('รหัสป้ายกำกับนี้มีอยู่แล้วในชื่ออื่น')
  assertFreeName(labels, id, name)
  if (labels.length >= maxLabels)
    refuseAction(`สร้างป้ายกำกับได้ไม่เกิน ${formatNumberWithSeparators(maxLabels)} ป้าย ตอนนี้สร้างได้อีก 0 ป้าย ลบป้ายที่ไม่ใช้ก่อน`)
  await tx.execute(sql`
    insert into labels (user_id, id, name, color, created_at)
    values (${userId}::int, ${id}, ${name}, ${color},
      greatest(clock_timestamp(), (select max(l.created_at) + interval '1 microsecond' from labels l where l.user_id = ${userId}::int)))`)
}

async function assign(tx: Db, userId: number, labelId: string, projectIds: readonly string[]): Promise<void> {
  const pairs = projectIds.map((projectId) => ({ projectId, labelId }))
  await addWithinLimit(tx, 'label_action', userId, pairs)
}

type LabelAssignment = { readonly projectId: string; readonly labelId: string }

async function addWithinLimit(tx: Db, field: Field, userId: number, pairs: readonly LabelAssignment[]): Promise<void> {
  if (pairs.length === 0) return
  await assertProjectsExist(tx, field, [...new Set(pairs.map(({ projectId }) => projectId))])
  const added = await tx.execute(sql`
    insert into label_assignments (user_id, project_id, label_id, created_at)
    select ${userId}::int, t.project_id, t.label_id, clock_timestamp() + t.place * interval '1 microsecond'
    from unnest(${pairs.map((pair) => pair.projectId)}::text[], ${pairs.map((pair) => pair.labelId)}::text[])
      with ordinality t (project_id, label_id, place)
    on conflict do nothing`)
  if (added === 0) return
  const [row] = await tx.query<{ labelled: number }>(
    sql`select count(distinct project_id) as labelled from label_assignments where user_id = ${userId}::int`,
  )
  if (row!.labelled > MAX_MARKED_PROJECTS)
    throwUserPatchError(field, `ติดป้ายกำกับได้ไม่เกิน ${formatNumberWithSeparators(MAX_MARKED_PROJECTS)} โครงการ`)
}

async function setAssignments(
  tx: Db,
  userId: number,
  labelsByProject: Readonly<Record<string, readonly string[]>>,
  labels: readonly Label[],
): Promise<void> {
  const pairs = Object.entries(labelsByProject).flatMap(([projectId, projectLabels]) =>
    [...new Set(projectLabels)].map((labelId) => ({ projectId, labelId })),
  )
  const labelIds = new Set(labels.map(({ id }) => id))
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
