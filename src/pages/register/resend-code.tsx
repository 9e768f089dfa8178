import { useEffect, useRef, useState } from 'react'
import { fieldErrorsOf } from '#src/api/field-errors.ts'
import { Button } from '#src/ui/button.tsx'
import type { RegistrationDraft } from './registration-draft.ts'
import { sendCode } from './send-code.ts'

type ResendCodeProps = {
  draft: RegistrationDraft & { readonly code: string }
  onSent: (draft: RegistrationDraft) => void
  onFailed: (error: unknown) => void
  onRunOut: () => void
}

/** Asks for another code, once the server would send one. The wait is shown, not read out every second. */
export function ResendCode({ draft, onSent, onFailed, onRunOut }: ResendCodeProps) {
  const seconds = useSecondsUntil(draft.resendAtMs)
  const [isSending, setSending] = useState(false)
  const [said, setSaid] = useState('')
  const isBusy = useRef(false)
  const resend = async () => {
    if (isBusy.current) return
    isBusy.current = true
    setSending(true)
    setSaid('')
    const { draft: sent, error } = await sendCode(draft)
    isBusy.current = false
    setSending(false)
    if (error === undefined) {
      onSent(sent)
      setSaid('ส่งรหัสใหม่แล้ว รหัสเดิมใช้ไม่ได้แล้ว')
    } else if (fieldErrorsOf(error, ['register_form_code']).length > 0) {
      onRunOut()
    } else {
      if (sent !== draft) onSent(sent)
      onFailed(error)
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span role="status" className="text-sm text-new">
        {said}
      </span>
      {seconds > 0 ? (
        <span className="text-ink-muted tabular-nums">ขอรหัสใหม่ได้ใน {clockText(seconds)}</span>
      ) : (
        <Button look="link" pending={isSending} onClick={() => void resend()}>
          ส่งรหัสอีกครั้ง
        </Button>
      )}
    </div>
  )
}

/** `1:05`. */
const clockText = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** Whole seconds until a moment of the device's clock; 0 when it has passed or there is none. */
function useSecondsUntil(atMs: number | undefined): number {
  const [nowMs, setNowMs] = useState(Date.now)
  const left = atMs === undefined ? 0 : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
  useEffect(() => {
    setNowMs(Date.now())
    if (atMs === undefined || atMs <= Date.now()) return
    const timer = setInterval(() => {
      setNowMs(Date.now())
      if (Date.now() >= atMs) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [atMs])
  return left
}
