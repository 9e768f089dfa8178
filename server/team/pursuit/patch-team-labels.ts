import { isSameDisplayName } from '#contract/account/label.ts'
import { canEditTeamLabel, MAX_TEAM_LABELS } from '#contract/report/apply-team-label-action.ts'
import { getActionTargetProjectIds, MAX_MARKED_PROJECTS } from '#contract/report/project-targets.ts'
import type { PackedTeamLabels, TeamLabel } from '#contract/report/team-label.ts'
import type { TeamLabelAction } from '#contract/report/team-label-action.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { recordUsageEvents } from '#server/platform/route/usage-events.ts'
import { appendPursuitEvents, bumpPursuitBoardVersion, lockPursuitBoard, type NewPursuitEvent } from './queries.ts'
import {
  assignTeamLabel,
  countInaccessibleProjects,
  countTeamLabelledProjects,
  deleteTeamLabel,
  insertTeamLabel,
  listTeamLabels,
  loadTeamLabels,
  unassignTeamLabel,
  updateTeamLabel,
} from './team-label-queries.ts'

const count = (number: number) => number.toLocaleString('en-US')

function refuse(text: string): never {
  throw new ProblemError('bad_input', { text, fields: { action: [text] } })
}

type Caller = { readonly tx: Db; readonly actor: Actor; readonly labels: readonly TeamLabel[] }
type LabelChange = { readonly name: string; readonly added?: readonly string[]; readonly removed?: readonly string[] }

/**
 * Applies one action under the board lock, serialised with colleagues' actions, and returns the resulting labels.
 * Affected projects get a history entry. Throws ProblemError 400 for a duplicate name, a deleted label, a limit or an
 * unknown project; 403 if the caller may not change the label.
 */
export async function patchTeamLabels(
  db: Db,
  actor: Actor,
  { action, now }: { readonly action: TeamLabelAction; readonly now: Date },
): Promise<PackedTeamLabels> {
  const { organisationId, userId } = actor
  const at = now.toISOString()
  return db.transaction(async (tx) => {
    const board = await lockPursuitBoard(tx, organisationId)
    const labels = await listTeamLabels(tx, organisationId)
    const { name, added = [], removed = [] } = await applyAction({ tx, actor, labels }, action)
    const events = [
      ...added.map(
        (projectId): NewPursuitEvent => ({ projectId, at, by: userId, action: 'add_label', from: null, to: name }),
      ),
      ...removed.map(
        (projectId): NewPursuitEvent => ({ projectId, at, by: userId, action: 'remove_label', from: name, to: null }),
      ),
    ]
    if (events.length > 0) await appendPursuitEvents(tx, organisationId, board.version, events)
    else await bumpPursuitBoardVersion(tx, organisationId)
    await recordUsageEvents(tx, [
      {
        ...{ organisationId, userId, at: now, type: 'pursuit', description: USAGE[action.action] },
        info: [
          { name: 'ป้ายทีม', value: name },
          ...(events.length > 0 ? [{ name: 'โครงการ', value: `${count(events.length)} โครงการ` }] : []),
        ],
      },
    ])
    return loadTeamLabels(tx, organisationId)
  })
}

const USAGE: Readonly<Record<TeamLabelAction['action'], string>> = {
  create_label: 'สร้างป้ายทีม',
  assign_label: 'ติดป้ายทีม',
  unassign_label: 'เอาป้ายทีมออก',
  delete_label: 'ลบป้ายทีม',
  rename_label: 'เปลี่ยนชื่อป้ายทีม',
  recolor_label: 'เปลี่ยนสีป้ายทีม',
}

async function applyAction(caller: Caller, action: TeamLabelAction): Promise<LabelChange> {
  const { tx, actor, labels } = caller
  const { organisationId } = actor
  const { label_id: id } = action
  const label = labels.find((candidate) => candidate.id === id)
  switch (action.action) {
    case 'create_label': {
      await createLabel(caller, { id, name: action.label_name, color: action.label_color, created_by: actor.userId })
      return { name: action.label_name, added: await assignLabel(caller, id, getActionTargetProjectIds(action)) }
    }
    case 'assign_label':
      if (!label) return refuse(NOT_FOUND_TEXT)
      return { name: label.name, added: await assignLabel(caller, id, requiredTargets(action)) }
    case 'unassign_label': {
      const removed = await unassignTeamLabel(tx, organisationId, id, requiredTargets(action))
      return { name: label?.name ?? '', removed }
    }
    case 'delete_label':
      if (!label) return { name: '' }
      assertMayChange(caller, label)
      return { name: label.name, removed: await deleteTeamLabel(tx, organisationId, id) }
    case 'rename_label':
      if (!label) return refuse(NOT_FOUND_TEXT)
      assertMayChange(caller, label)
      assertFreeName(labels, id, action.label_name)
      await updateTeamLabel(tx, organisationId, { ...label, name: action.label_name })
      return { name: action.label_name }
    case 'recolor_label':
      if (!label) return refuse(NOT_FOUND_TEXT)
      assertMayChange(caller, label)
      await updateTeamLabel(tx, organisationId, { ...label, color: action.label_color })
      return { name: label.name }
  }
}

const NOT_FOUND_TEXT = 'ไม่พบป้ายทีมนี้ อาจถูกลบไปแล้ว'

function requiredTargets(action: Parameters<typeof getActionTargetProjectIds>[0]): string[] {
  const targets = getActionTargetProjectIds(action)
  return targets.length === 0 ? refuse('บอกว่าโครงการใด') : targets
}

function assertMayChange({ actor: { userId, role } }: Caller, label: TeamLabel): void {
  if (!canEditTeamLabel(label, { id: userId, role }))
    throw new ProblemError('forbidden', { text: 'เปลี่ยนและลบป้ายทีมได้เฉพาะคนที่สร้างป้ายกับผู้ดูแลองค์กร' })
}

function assertFreeName(labels: readonly TeamLabel[], exceptId: string, name: string): void {
  if (labels.some((label) => label.id !== exceptId && isSameDisplayName(label.name, name)))
    refuse(`มีป้ายทีมชื่อ “${name}” แล้ว`)
}

/** Creates a label. Repeating the request with the same id and name is harmless (R46). */
async function createLabel({ tx, actor: { organisationId }, labels }: Caller, label: TeamLabel): Promise<void> {
  const existing = labels.find(({ id }) => id === label.id)
  if (existing && isSameDisplayName(existing.name, label.name)) return
  if (existing) refuse('รหัสป้ายทีมนี้มีอยู่แล้วในชื่ออื่น')
  assertFreeName(labels, label.id, label.name)
  if (labels.length >= MAX_TEAM_LABELS) refuse(`ทีมมีป้ายได้ไม่เกิน ${count(MAX_TEAM_LABELS)} ป้าย ลบป้ายที่ไม่ใช้ก่อน`)
  await insertTeamLabel(tx, organisationId, label)
}

/**
 * Assigns a label to projects. Accepts only projects the organisation has access to: in its report, on its board, or
 * with team notes or labels.
 */
async function assignLabel(
  { tx, actor: { organisationId } }: Caller,
  id: string,
  projectIds: readonly string[],
): Promise<string[]> {
  if (projectIds.length === 0) return []
  const strange = await countInaccessibleProjects(tx, organisationId, projectIds)
  if (strange > 0) refuse(`ไม่พบ ${count(strange)} โครงการที่ระบุ`)
  const added = await assignTeamLabel(tx, organisationId, id, projectIds)
  if (added.length > 0 && (await countTeamLabelledProjects(tx, organisationId)) > MAX_MARKED_PROJECTS)
    refuse(`ติดป้ายทีมได้ไม่เกิน ${count(MAX_MARKED_PROJECTS)} โครงการ`)
  return added
}
