import { getProjectHref } from '#src/lib/project-url.ts'

export function openProjectInNewTab(id: string): void {
  window.open(getProjectHref(id), '_blank', 'noopener')
}
