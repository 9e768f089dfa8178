import { buildLabelMetadata, getProjectLabelIds, type LabelAssignments } from '../../account/label.ts'
import type { User } from '../../account/user.ts'
import { applyActionToLabelState, invertLabelAction, reassignProjectLabels } from '../label-state.ts'
import { getActionTargetProjectIds, haveCommonProject } from '../project-targets.ts'
import type { LabelAction, UserPatch } from '../user-patch.ts'
import type { UserPatchPart } from './user-patch-part.ts'

/** Labels. `project_label_assignments` without an action replaces the labels of its projects. */
export const labelPatch: UserPatchPart = {
  name: 'labels',
  fields: ['label_action', 'project_label_assignments'],
  apply: (user, { label_action: action, project_label_assignments: assignments }) => {
    if (action) return applyLabelAction(user, action)
    return assignments ? setAssignments(user, assignments) : user
  },
  invert: (before, { label_action: action, project_label_assignments: assignments }) => {
    if (action) return invertAction(before, action)
    return assignments && { project_label_assignments: getLabelsBefore(before, Object.keys(assignments)) }
  },
  conflicts,
}

function applyLabelAction(user: User, action: LabelAction): User {
  const before = { labels: user.project_labels, assignments: user.project_label_assignments }
  const { labels, assignments } = applyActionToLabelState(before, action)
  return {
    ...user,
    project_labels: labels,
    project_label_assignments: assignments,
    label_metadata: buildLabelMetadata(user.label_metadata.maxLabels, labels.length),
  }
}

function setAssignments(user: User, changes: LabelAssignments): User {
  const knownLabelIds = new Set(user.project_labels.map((label) => label.id))
  return {
    ...user,
    project_label_assignments: reassignProjectLabels(user.project_label_assignments, Object.keys(changes), (_, id) =>
      getProjectLabelIds(changes, id).filter((label) => knownLabelIds.has(label)),
    ),
  }
}

function getLabelsBefore(before: User, projectIds: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(
    projectIds.map((id) => [id, [...getProjectLabelIds(before.project_label_assignments, id)]] as const),
  )
}

function invertAction(before: User, action: LabelAction): UserPatch | undefined {
  const assigned = before.project_label_assignments
  if (action.action === 'remove_assignment') {
    const labelledIds = getActionTargetProjectIds(action).filter((id) => getProjectLabelIds(assigned, id).length > 0)
    return labelledIds.length === 0 ? undefined : { project_label_assignments: getLabelsBefore(before, labelledIds) }
  }
  const undo = invertLabelAction({ labels: before.project_labels, assignments: assigned }, action)
  return undo && { label_action: undo }
}

function conflicts(a: UserPatch, b: UserPatch): boolean {
  if (!touchesLabels(a) || !touchesLabels(b)) return false
  const [assignmentA, assignmentB] = [assignmentOf(a), assignmentOf(b)]
  // Creating, renaming and deleting labels depend on each other through unique names and the label limit.
  if (!assignmentA && !assignmentB) return true
  if (assignmentA && assignmentB) {
    const sameLabel =
      assignmentA.label === undefined || assignmentB.label === undefined || assignmentA.label === assignmentB.label
    return sameLabel && haveCommonProject(assignmentA.projects, assignmentB.projects)
  }
  const definition = (assignmentA ? b : a).label_action!
  const { label } = assignmentA ?? assignmentB!
  // A label is created before its assignment and deleted after it; renames and recolours need no order.
  if (definition.action === 'rename_label' || definition.action === 'recolor_label') return false
  return label === undefined || label === labelIdOf(definition)
}

const touchesLabels = (patch: UserPatch) =>
  patch.label_action !== undefined || patch.project_label_assignments !== undefined

const labelIdOf = (action: LabelAction) => (action.action === 'remove_assignment' ? undefined : action.label_id)

type Assignment = { readonly projects: readonly string[]; readonly label: string | undefined }

function assignmentOf({ label_action: action, project_label_assignments: list }: UserPatch): Assignment | undefined {
  if (!action) return { projects: Object.keys(list ?? {}), label: undefined }
  switch (action.action) {
    case 'assign_label':
    case 'unassign_label':
    case 'remove_assignment':
      return { projects: getActionTargetProjectIds(action), label: labelIdOf(action) }
    default:
      return undefined
  }
}
