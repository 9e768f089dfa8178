import type { UserPatch } from '#contract/user/user-patch.ts'
import { type Marks, sameMarks } from './queue-state.ts'

/** The change that marks a project as it was; undefined when it is so already. Labels deleted since cannot come back. */
export function restorePatch(
  id: string,
  now: Marks,
  wanted: Marks,
  existing: ReadonlySet<string>,
): UserPatch | undefined {
  const labels = wanted.labels.filter((label) => existing.has(label))
  const to: Marks = { ...wanted, labels }
  if (sameMarks(now, to)) return undefined
  const action = (on: boolean) => ({ action: on ? ('add' as const) : ('remove' as const), project_ids: [id] })
  return {
    ...(now.starred === to.starred ? {} : { bookmark_action: action(to.starred) }),
    ...(now.hidden === to.hidden ? {} : { hide_action: action(to.hidden) }),
    ...(sameMarks({ ...now, starred: to.starred, hidden: to.hidden }, to)
      ? {}
      : { project_label_assignments: { [id]: labels } }),
  }
}
