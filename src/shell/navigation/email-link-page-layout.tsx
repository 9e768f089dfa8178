import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getPasswordResetProblem } from '#src/account/api/passwords.ts'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { PlainLayout } from './plain-layout.tsx'

type LinkLayoutProps = {
  title: string
  /** Query that checks the link. Its data and the server's refusal of the link are shown by `children`. */
  link: UseQueryResult<unknown>
  children: ReactNode
}

export function EmailLinkPageLayout({
  title,
  link: { isPending, error, isFetching, refetch },
  children,
}: LinkLayoutProps) {
  return (
    <PlainLayout>
      {/* The URL contains the account key, so it must not leak as a referrer, whatever headers the server sends (R21). */}
      <meta name="referrer" content="no-referrer" />
      {isPending && (
        <div role="status" className="flex flex-col items-center gap-3 py-6 text-ink-muted">
          <Spinner className="text-accent-ink" />
          กำลังตรวจสอบลิงก์
        </div>
      )}
      {error !== null && getPasswordResetProblem(error) === undefined && (
        <div className="space-y-4">
          <h1 className="text-2xl font-semibold">{title}</h1>
          <ErrorNotice title="ตรวจสอบลิงก์ไม่สำเร็จ" error={error} onRetry={() => void refetch()} retrying={isFetching} />
        </div>
      )}
      {children}
    </PlainLayout>
  )
}
