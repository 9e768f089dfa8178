import { useMutation } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { getErrorText, isRetryableError } from '#src/lib/problem-error.ts'
import { ErrorNotice } from '#src/ui/error-notice.tsx'

/** Delay before an automatic retry, plus up to 50 % jitter; a restarting server is back within seconds. */
const RETRY_DELAY_MS = 10_000

export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const canRetry = isRetryableError(error)
  useEffect(() => {
    console.error(error)
  }, [error])
  const { mutate: retry, isPending } = useMutation({ mutationFn: () => router.invalidate(), onSuccess: reset })
  useEffect(() => {
    if (!canRetry || isPending) return
    const timer = setTimeout(retry, RETRY_DELAY_MS * (1 + Math.random() / 2))
    return () => clearTimeout(timer)
  })
  return (
    <div className="mx-auto max-w-xl px-4 py-16">
      <h1 className="mb-3 text-xl font-semibold">เปิดหน้านี้ไม่สำเร็จ</h1>
      <ErrorNotice
        title="เกิดปัญหาระหว่างโหลด"
        error={error}
        reason={canRetry ? `${getErrorText(error)} ระบบกำลังลองใหม่ให้เองเป็นระยะ` : undefined}
        onRetry={retry}
        retrying={isPending}
      />
    </div>
  )
}
