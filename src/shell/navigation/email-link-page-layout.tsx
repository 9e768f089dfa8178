import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryView } from '#src/ui/query-view.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { PlainLayout } from './plain-layout.tsx'

type LinkLayoutProps<Data> = {
  title: string
  /** Thai noun for what was mailed, in the texts of the check. */
  subject?: string
  /** Checks the link; its data is what the form needs. */
  link: UseQueryResult<Data>
  /** Shown instead of the form once the link has been used or refused. */
  outcome: ReactNode
  children: (data: Data) => ReactNode
}

export function EmailLinkPageLayout<Data>(props: LinkLayoutProps<Data>) {
  const { title, subject = 'ลิงก์', link, outcome, children } = props
  return (
    <PlainLayout>
      {/* The URL contains the account key, so it must not leak as a referrer, whatever headers the server sends (R21). */}
      <meta name="referrer" content="no-referrer" />
      {outcome || (
        <QueryView
          query={link}
          task={`ตรวจสอบ${subject}`}
          skeleton={
            <div role="status" className="flex flex-col items-center gap-3 py-6 text-ink-muted">
              <Spinner className="text-accent-ink" />
              กำลังตรวจสอบ{subject}
            </div>
          }
          frame={(screen) => (
            <div className="space-y-4">
              {link.error && <h1 className="text-2xl font-semibold">{title}</h1>}
              {screen}
            </div>
          )}
        >
          {children}
        </QueryView>
      )}
    </PlainLayout>
  )
}
