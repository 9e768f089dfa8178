import { type Label, type LabelAssignments, labelsOfProject } from '../account/label.ts'
import { targetsOf } from './bookmark.ts'
import type { LabelAction } from './user-patch.ts'

export type LabelBook = { readonly labels: Label[]; readonly assignments: Record<string, string[]> }

/** Removes projects left without labels. */
export function reassign(
  assignments: LabelAssignments,
  projectIds: readonly string[],
  change: (labels: readonly string[], projectId: string) => readonly string[],
): Record<string, string[]> {
  const next = new Map(Object.entries(assignments).map(([id, labels]) => [id, [...labels]]))
  for (const id of projectIds) {
    const labels = [...new Set(change(next.get(id) ?? [], id))]
    if (labels.length > 0) next.set(id, labels)
    else next.delete(id)
  }
  return Object.fromEntries(next)
}

/** An action about a missing item is a no-op; the server enforces limits and name clashes. */
export function applyToLabelBook({ labels, assignments }: LabelBook, action: LabelAction): LabelBook {
  if (action.action === 'remove_assignment')
    return { labels, assignments: reassign(assignments, targetsOf(action), () => []) }
  const { label_id: id } = action
  const isKnown = labels.some((label) => label.id === id)
  const changed = (change: Partial<Label>): LabelBook => ({
    labels: labels.map((label) => (label.id === id ? { ...label, ...change } : label)),
    assignments,
  })
  switch (action.action) {
    case 'create_label': {
      const label = { id, name: action.label_name, color: action.label_color }
      return {
        labels: isKnown ? labels : [...labels, label],
        assignments: reassign(assignments, targetsOf(action), (had) => [...had, id]),
      }
    }
    case 'assign_label':
      return isKnown
        ? { labels, assignments: reassign(assignments, targetsOf(action), (had) => [...had, id]) }
        : { labels, assignments }
    case 'unassign_label':
      return {
        labels,
        assignments: reassign(assignments, targetsOf(action), (had) => had.filter((one) => one !== id)),
      }
    case 'delete_label':
      return {
        labels: labels.filter((label) => label.id !== id),
        assignments: reassign(assignments, Object.keys(assignments), (had) => had.filter((one) => one !== id)),
      }
    case 'rename_label':
      return changed({ name: action.label_name })
    case 'recolor_label':
      return changed({ color: action.label_color })
  }
}

/**
 * Returns the action that undoes `action`, given the previous labels. Undefined when it changed nothing, or cleared
 * projects, which no single action can undo.
 */
export function undoOnLabelBook({ labels, assignments }: LabelBook, action: LabelAction): LabelAction | undefined {
  if (action.action === 'remove_assignment') return undefined
  const { label_id } = action
  const has = (projectId: string) => labelsOfProject(assignments, projectId).includes(label_id)
  const label = labels.find(({ id }) => id === label_id)
  const ofProjects = (name: 'assign_label' | 'unassign_label', project_ids: string[]): LabelAction | undefined =>
    project_ids.length === 0 ? undefined : { action: name, label_id, project_ids }
  switch (action.action) {
    case 'create_label':
    case 'assign_label':
      // Creating an existing label only assigns it.
      if (!label) return action.action === 'create_label' ? { action: 'delete_label', label_id } : undefined
      return ofProjects(
        'unassign_label',
        targetsOf(action).filter((id) => !has(id)),
      )
    case 'unassign_label':
      return ofProjects('assign_label', targetsOf(action).filter(has))
    case 'delete_label': {
      if (!label) return undefined
      const project_ids = Object.keys(assignments).filter(has)
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
