import type { ReactNode } from 'react'
import { errorRequestId, errorText } from '#src/api/http/problem-error.ts'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { PlainLayout } from './plain-layout.tsx'

type LinkLayoutProps = {
  title: string
  /**
   * State of the link check: `asked` while it is running, `unknown` if it failed. Otherwise `children` show the result.
   */
  link: { readonly is: string; readonly error?: unknown }
  onRetry: () => void
  children: ReactNode
}

export function LinkCheckLayout({ title, link, onRetry, children }: LinkLayoutProps) {
  return (
    <PlainLayout>
      {/* The URL contains the account key, so it must not leak as a referrer, whatever headers the server sends (R21). */}
      <meta name="referrer" content="no-referrer" />
      {link.is === 'asked' && (
        <div role="status" className="flex flex-col items-center gap-3 py-6 text-ink-muted">
          <Spinner className="text-accent-ink" />
          กำลังตรวจสอบลิงก์
        </div>
      )}
      {link.is === 'unknown' && (
        <div className="space-y-4">
          <h1 className="text-2xl font-semibold">{title}</h1>
          <ErrorNotice
            title="ตรวจสอบลิงก์ไม่สำเร็จ"
            reason={errorText(link.error)}
            requestId={errorRequestId(link.error)}
            onRetry={onRetry}
          />
        </div>
      )}
      {children}
    </PlainLayout>
  )
}
