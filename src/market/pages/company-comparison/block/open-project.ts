import { projectHref } from '#src/lib/project-address.ts'

/** A project beside the comparison: its page opens in a tab of its own. */
export function openProject(id: string): void {
  window.open(projectHref(id), '_blank', 'noopener')
}
