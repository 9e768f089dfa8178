import { getProjectLabelIds, type Label, type LabelAssignments } from '../account/label.ts'
import { getActionTargetProjectIds } from './project-targets.ts'
import type { LabelAction } from './user-patch.ts'

type LabelState = { readonly labels: Label[]; readonly assignments: Record<string, string[]> }

export function reassignProjectLabels(
  assignments: LabelAssignments,
  projectIds: readonly string[],
  change: (labels: readonly string[], projectId: string) => readonly string[],
): Record<string, string[]> {
  const labelsByProject = new Map(Object.entries(assignments).map(([id, labels]) => [id, [...labels]]))
  for (const id of projectIds) {
    const labels = [...new Set(change(labelsByProject.get(id) ?? [], id))]
    if (labels.length > 0) labelsByProject.set(id, labels)
    else labelsByProject.delete(id)
  }
  return Object.fromEntries(labelsByProject)
}

/** Applies a label action. An action on a missing label is a no-op. The server enforces limits and unique names. */
export function applyActionToLabelState({ labels, assignments }: LabelState, action: LabelAction): LabelState {
  if (action.action === 'remove_assignment')
    return { labels, assignments: reassignProjectLabels(assignments, getActionTargetProjectIds(action), () => []) }
  const { label_id: id } = action
  const exists = labels.some((label) => label.id === id)
  const withChange = (change: Partial<Label>): LabelState => ({
    labels: labels.map((label) => (label.id === id ? { ...label, ...change } : label)),
    assignments,
  })
  switch (action.action) {
    case 'create_label': {
      const label = { id, name: action.label_name, color: action.label_color }
      return {
        labels: exists ? labels : [...labels, label],
        assignments: reassignProjectLabels(assignments, getActionTargetProjectIds(action), (current) => [
          ...current,
          id,
        ]),
      }
    }
    case 'assign_label':
      return exists
        ? {
            labels,
            assignments: reassignProjectLabels(assignments, getActionTargetProjectIds(action), (current) => [
              ...current,
              id,
            ]),
          }
        : { labels, assignments }
    case 'unassign_label':
      return {
        labels,
        assignments: reassignProjectLabels(assignments, getActionTargetProjectIds(action), (current) =>
          current.filter((labelId) => labelId !== id),
        ),
      }
    case 'delete_label':
      return {
        labels: labels.filter((label) => label.id !== id),
        assignments: reassignProjectLabels(assignments, Object.keys(assignments), (current) =>
          current.filter((labelId) => labelId !== id),
        ),
      }
    case 'rename_label':
      return withChange({ name: action.label_name })
    case 'recolor_label':
      return withChange({ color: action.label_color })
  }
}

/**
 * Returns the action that undoes `action`, given the previous labels. Undefined if `action` changed nothing, or removed
 * all labels from projects, which no single action can undo.
 */
export function invertLabelAction({ labels, assignments }: LabelState, action: LabelAction): LabelAction | undefined {
  if (action.action === 'remove_assignment') return undefined
  const { label_id } = action
  const hasLabel = (projectId: string) => getProjectLabelIds(assignments, projectId).includes(label_id)
  const label = labels.find(({ id }) => id === label_id)
  const actionOn = (name: 'assign_label' | 'unassign_label', project_ids: string[]): LabelAction | undefined =>
    project_ids.length === 0 ? undefined : { action: name, label_id, project_ids }
  switch (action.action) {
    case 'create_label':
    case 'assign_label':
      if (!label) return action.action === 'create_label' ? { action: 'delete_label', label_id } : undefined
      return actionOn(
        'unassign_label',
        getActionTargetProjectIds(action).filter((id) => !hasLabel(id)),
      )
    case 'unassign_label':
      return actionOn('assign_label', getActionTargetProjectIds(action).filter(hasLabel))
    case 'delete_label': {
      if (!label) return undefined
      const project_ids = Object.keys(assignments).filter(hasLabel)
      return {
        action: 'create_label',
        label_id,
        label_name: label.name,
        label_color: label.color,
        ...(project_ids.length > 0 ? { project_ids } : {}),
      }
    }
    case 'rename_label':
      return label && { action: 'rename_label', label_id, label_name: label.name }
    case 'recolor_label':
      return label && { action: 'recolor_label', label_id, label_color: label.color }
  }
}
