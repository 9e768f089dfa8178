import { projectHref } from '#src/lib/project-address.ts'

/** Opens the project page in a new tab, so that the comparison stays open. */
export function openProject(id: string): void {
  window.open(projectHref(id), '_blank', 'noopener')
}
