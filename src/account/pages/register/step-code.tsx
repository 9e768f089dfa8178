import { type FormEvent, useEffect, useRef, useState } from 'react'
import { OTP_LENGTH } from '#contract/account/registration.ts'
import { registerFinalStepFormSchema } from '#contract/account/registration-form.ts'
import { normaliseDigits } from '#contract/account/typed-text.ts'
import { completeRegistration } from '#src/account/api/registration.ts'
import { FormRefusal } from '#src/account/form-refusal/form-refusal.tsx'
import { errorText, fieldErrorsOf, ProblemError } from '#src/api/http/problem-error.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import type { RegistrationDraft } from './registration-draft.ts'
import { sendRegistrationCode } from './send-code.ts'

type ResendCodeProps = {
  draft: RegistrationDraft & { readonly code: string }
  onSent: (draft: RegistrationDraft) => void
  onFailed: (error: unknown) => void
  onRunOut: () => void
}

/** Button to resend the code. Its countdown is visible but not announced every second. */
function ResendCode({ draft, onSent, onFailed, onRunOut }: ResendCodeProps) {
  const seconds = useSecondsUntil(draft.resendAtMs)
  const [isSending, setSending] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  const isBusy = useRef(false)
  const resend = async () => {
    if (isBusy.current) return
    isBusy.current = true
    setSending(true)
    setAnnouncement('')
    const { draft: nextDraft, error } = await sendRegistrationCode(draft)
    isBusy.current = false
    setSending(false)
    if (error === undefined) {
      onSent(nextDraft)
      setAnnouncement('ส่งรหัสใหม่แล้ว รหัสเดิมใช้ไม่ได้แล้ว')
    } else if (fieldErrorsOf(error, ['register_form_code']).length > 0) {
      onRunOut()
    } else {
      if (nextDraft !== draft) onSent(nextDraft)
      onFailed(error)
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span role="status" className="text-sm text-new">
        {announcement}
      </span>
      {seconds > 0 ? (
        <span className="text-ink-muted tabular-nums">ขอรหัสใหม่ได้ใน {clockText(seconds)}</span>
      ) : (
        <Button variant="link" pending={isSending} onClick={() => void resend()}>
          ส่งรหัสอีกครั้ง
        </Button>
      )}
    </div>
  )
}

const clockText = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

function useSecondsUntil(atMs: number | undefined): number {
  const [nowMs, setNowMs] = useState(Date.now)
  const secondsLeft = atMs === undefined ? 0 : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
  useEffect(() => {
    setNowMs(Date.now())
    if (atMs === undefined || atMs <= Date.now()) return
    const timer = setInterval(() => {
      setNowMs(Date.now())
      if (Date.now() >= atMs) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [atMs])
  return secondsLeft
}

type StepCodeProps = {
  draft: RegistrationDraft & { readonly code: string; readonly mailedTo: string }
  sendingFailed: unknown
  onDraft: (draft: RegistrationDraft) => void
  onChangeEmail: () => void
  onRunOut: () => void
  onDone: () => void
}

/** Strips spaces and dashes between digits, because emails and phones format codes with them. */
const digitsOf = (text: string) => normaliseDigits(text).replace(/[\s-]/g, '')

export function RegistrationCodeStep({
  draft,
  sendingFailed,
  onDraft,
  onChangeEmail,
  onRunOut,
  onDone,
}: StepCodeProps) {
  const [otp, setOtp] = useState('')
  const [error, setError] = useState<string>()
  const [refusal, setRefusal] = useState<unknown>(sendingFailed)
  const [isChecking, setChecking] = useState(false)
  const field = useRef<HTMLDivElement>(null)
  const isBusy = useRef(false)
  /** Idempotency key per code: resending the same code after a lost response counts as the same attempt (R46). */
  const keys = useRef(new Map<string, string>())
  const focus = () => field.current?.querySelector('input')?.focus()
  useEffect(() => field.current?.querySelector('input')?.focus(), [])

  const send = async (typed: string) => {
    const form = registerFinalStepFormSchema.safeParse({ otp: typed })
    if (!form.success) {
      setError(form.error.issues[0]?.message)
      return focus()
    }
    if (isBusy.current) return
    isBusy.current = true
    setChecking(true)
    setError(undefined)
    setRefusal(undefined)
    const key = keys.current.get(typed) ?? newKey()
    keys.current.set(typed, key)
    try {
      await completeRegistration(draft.code, typed, key)
    } catch (problem) {
      if (fieldErrorsOf(problem, ['register_form_code']).length > 0) return onRunOut()
      const [otpError] = fieldErrorsOf(problem, ['otp'])
      const isRefused = problem instanceof ProblemError && problem.status === 400
      if (otpError) setError(otpError[1])
      else if (isRefused) setError(errorText(problem))
      else setRefusal(problem)
      if (otpError || isRefused) field.current?.querySelector('input')?.select()
      return
    } finally {
      isBusy.current = false
      setChecking(false)
    }
    onDone()
  }
  const type = (text: string) => {
    const typed = digitsOf(text)
    setOtp(typed.slice(0, OTP_LENGTH))
    setError(undefined)
    if (typed.length === OTP_LENGTH && typed !== otp) void send(typed)
  }
  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void send(otp)
      }}
      aria-busy={isChecking}
      className="space-y-4"
    >
      <p>
        ส่งรหัส 6 หลักไปที่ <span className="font-medium wrap-anywhere">{draft.email ?? draft.mailedTo}</span> แล้ว
        ถ้าไม่เห็นในกล่องจดหมาย ลองดูในอีเมลขยะ
      </p>
      <FormRefusal refusal={refusal} />
      <div ref={field}>
        <TextField
          label="รหัสยืนยัน 6 หลัก"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="000000"
          value={otp}
          error={error}
          onChange={(event) => type(event.currentTarget.value)}
          className="[&_input]:text-center [&_input]:text-xl [&_input]:tabular-nums [&>div]:h-12"
        />
      </div>
      <Button type="submit" variant="primary" size="lg" className="w-full" pending={isChecking}>
        ยืนยันและเริ่มใช้งาน
      </Button>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Button variant="link" onClick={onChangeEmail}>
          เปลี่ยนอีเมล
        </Button>
        <ResendCode
          draft={draft}
          onSent={(nextDraft) => {
            onDraft(nextDraft)
            setOtp('')
            setError(undefined)
            setRefusal(undefined)
            focus()
          }}
          onFailed={setRefusal}
          onRunOut={onRunOut}
        />
      </div>
    </form>
  )
}

const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
