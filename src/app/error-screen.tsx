import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { errorRequestId, errorText, isWorthRetrying } from '#src/api/http/problem-error.ts'
import { ErrorNotice } from '#src/ui/error-notice.tsx'

/** A server that restarts is back within seconds; up to half as long again, so that not all tabs come at the same moment. */
const AGAIN_MS = 10_000

/** Shown in place of a screen that failed, whether by its code, its data or its drawing. Retry loads the route again. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const [retrying, setRetrying] = useState(false)
  const comesBack = isWorthRetrying(error)
  useEffect(() => {
    console.error(error)
  }, [error])
  const retry = async () => {
    setRetrying(true)
    await router.invalidate()
    setRetrying(false)
    reset()
  }
  useEffect(() => {
    if (!comesBack || retrying) return
    const timer = setTimeout(() => void retry(), AGAIN_MS * (1 + Math.random() / 2))
    return () => clearTimeout(timer)
  })
  return (
    <div className="mx-auto max-w-xl px-4 py-16">
      <h1 className="mb-3 text-xl font-semibold">เปิดหน้านี้ไม่สำเร็จ</h1>
      <ErrorNotice
        title="เกิดปัญหาระหว่างโหลด"
        reason={comesBack ? `${errorText(error)} ระบบกำลังลองใหม่ให้เองเป็นระยะ` : errorText(error)}
        requestId={errorRequestId(error)}
        onRetry={() => void retry()}
        retrying={retrying}
      />
    </div>
  )
}
