import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useController } from 'react-hook-form'
import { REGISTRATION_OTP_LENGTH } from '#contract/account/registration.ts'
import { registrationFinalStepFormSchema } from '#contract/account/registration-form.ts'
import { normaliseDigits } from '#contract/account/typed-text.ts'
import { completeRegistration } from '#src/account/api/registration.ts'
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { getErrorText, getFieldErrors, ProblemError } from '#src/lib/problem-error.ts'
import { useSecondsUntil } from '#src/lib/use-seconds-until.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import type { RegistrationDraft } from './registration-draft.ts'
import { sendRegistrationCode } from './send-registration-code.ts'

type ResendCodeProps = {
  draft: RegistrationDraft & { readonly code: string }
  onSent: (draft: RegistrationDraft) => void
  onFailed: (error: unknown) => void
  onRunOut: () => void
}

function ResendCode({ draft, onSent, onFailed, onRunOut }: ResendCodeProps) {
  const seconds = useSecondsUntil(draft.resendAtMs)
  const {
    mutate: resend,
    data: result,
    isPending,
  } = useMutation({
    mutationFn: sendRegistrationCode,
    onSuccess: ({ draft: nextDraft, error }, sentDraft) => {
      if (error === undefined) return onSent(nextDraft)
      if (getFieldErrors(error, ['register_form_code']).length > 0) return onRunOut()
      if (nextDraft !== sentDraft) onSent(nextDraft)
      onFailed(error)
    },
  })
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span role="status" className="text-sm text-new">
        {result && result.error === undefined && 'ส่งรหัสใหม่แล้ว รหัสเดิมใช้ไม่ได้แล้ว'}
      </span>
      {seconds > 0 ? (
        <span className="text-ink-muted tabular-nums">ขอรหัสใหม่ได้ใน {clockText(seconds)}</span>
      ) : (
        <Button variant="link" pending={isPending} onClick={() => resend(draft)}>
          ส่งรหัสอีกครั้ง
        </Button>
      )}
    </div>
  )
}

const clockText = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

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
  /** One key per code, so that resending it after a lost response counts as the same attempt (R46). */
  const [keys] = useState(() => new Map<string, string>())
  const send = async ({ otp }: { otp: string }): Promise<void> => {
    const key = keys.get(otp) ?? newKey()
    keys.set(otp, key)
    try {
      await completeRegistration(draft.code, otp, key)
    } catch (error) {
      if (getFieldErrors(error, ['register_form_code']).length > 0) return onRunOut()
      const [otpError] = getFieldErrors(error, ['otp'])
      const isRefused = error instanceof ProblemError && error.status === 400
      if (!otpError && !isRefused) throw error
      form.setError('otp', { message: otpError?.[1] ?? getErrorText(error) })
      return form.setFocus('otp', { shouldSelect: true })
    }
    onDone()
  }
  const form = useSchemaForm(
    {
      schema: registrationFinalStepFormSchema,
      reValidateMode: 'onSubmit',
      defaultValues: { otp: '' },
      initialRefusal: sendingFailed,
    },
    send,
  )
  const { field, fieldState } = useController({ control: form.control, name: 'otp' })
  const type = (text: string) => {
    const typed = digitsOf(text)
    const isComplete = typed.length === REGISTRATION_OTP_LENGTH && typed !== field.value
    field.onChange(typed.slice(0, REGISTRATION_OTP_LENGTH))
    form.clearErrors('otp')
    if (isComplete) form.submit()
  }
  const intro = (
    <p>
      ส่งรหัส 6 หลักไปที่ <span className="font-medium wrap-anywhere">{draft.email ?? draft.mailedTo}</span> แล้ว
      ถ้าไม่เห็นในกล่องจดหมาย ลองดูในอีเมลขยะ
    </p>
  )
  return (
    <SchemaForm form={form} intro={intro}>
      <TextField
        {...field}
        autoFocus
        label="รหัสยืนยัน 6 หลัก"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="000000"
        error={fieldState.error?.message}
        onChange={(event) => type(event.currentTarget.value)}
        className="[&_input]:text-center [&_input]:text-xl [&_input]:tabular-nums [&>div]:h-12"
      />
      <Button type="submit" variant="primary" size="lg" className="w-full" pending={form.isSubmitting}>
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
            form.resetField('otp')
            form.showRefusal(undefined)
            form.setFocus('otp')
          }}
          onFailed={form.showRefusal}
          onRunOut={onRunOut}
        />
      </div>
    </SchemaForm>
  )
}

const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
