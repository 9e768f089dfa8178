import type { ReactNode } from 'react'
import { getProjectHref } from '#src/lib/project-url.ts'

/** Link that opens the project in a new tab, so that the user's edits on this page are not lost. */
export function ProjectLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <a
      href={getProjectHref(id)}
      target="_blank"
      rel="noopener"
      title="เปิดหน้าโครงการในแท็บใหม่"
      className="rounded-control decoration-line-strong underline-offset-4 hover:underline"
    >
      {children}
    </a>
  )
}
