import type { ReactNode } from 'react'
import { projectHref } from '#src/lib/project-address.ts'

/** A project of the report named beside other work, such as words being edited: its page opens in a tab of its own. */
export function ProjectLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <a
      href={projectHref(id)}
      target="_blank"
      rel="noopener"
      title="เปิดหน้าโครงการในแท็บใหม่"
      className="rounded-control decoration-line-strong underline-offset-4 hover:underline"
    >
      {children}
    </a>
  )
}
