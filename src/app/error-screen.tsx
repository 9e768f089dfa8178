import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { errorRequestId, errorText } from '#src/api/problem-error.ts'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { reportError } from './sentry-boot.ts'

/** Shown in place of a screen that failed, whether by its code, its data or its drawing. Retry loads the route again. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const [retrying, setRetrying] = useState(false)
  useEffect(() => {
    console.error(error)
    reportError(error)
  }, [error])
  const retry = async () => {
    setRetrying(true)
    await router.invalidate()
    setRetrying(false)
    reset()
  }
  return (
    <div className="mx-auto max-w-xl px-4 py-16">
      <h1 className="mb-3 text-xl font-semibold">เปิดหน้านี้ไม่สำเร็จ</h1>
      <ErrorNotice
        title="เกิดปัญหาระหว่างโหลด"
        reason={errorText(error)}
        requestId={errorRequestId(error)}
        onRetry={() => void retry()}
        retrying={retrying}
      />
    </div>
  )
}
