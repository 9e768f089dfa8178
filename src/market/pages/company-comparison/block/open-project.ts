import { projectHref } from '#src/lib/project-address.ts'

export function openProjectInNewTab(id: string): void {
  window.open(projectHref(id), '_blank', 'noopener')
}
