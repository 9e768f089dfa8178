import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { REGISTRATION_PASSWORD_RULES } from '#contract/account/new-password.ts'
import {
  emailCheckRequestSchema,
  type RegistrationStepOneForm,
  registrationStepOneFormSchema,
} from '#contract/account/registration-form.ts'
import { submitRegistrationStepOne } from '#src/account/api/registration.ts'
import { FormSubmitError, useFormSubmit } from '#src/account/form-refusal/form-submit-error.tsx'
import { NewPasswordFields, revalidatePasswordConfirmation } from '#src/account/new-password/new-password-fields.tsx'
import { TermsOfServiceField } from '#src/account/terms/terms-of-service-field.tsx'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import type { RegistrationDraft } from './registration-draft.ts'
import { RegistrationFieldStatus } from './registration-field-status.tsx'
import { getRegistrationFieldCheckText, useRegistrationFieldCheck } from './use-registration-field-check.ts'

/** Maximum length that the server accepts for each visitor field (C27). */
const MAX_TEXT_LENGTH = 2000

/**
 * Returns the origin and device of the visitor for step one (specification section 7); nothing that identifies the
 * person.
 */
function visitorInfo(): { query_string: string; client_info: Record<string, string> } {
  return {
    query_string: location.search.slice(0, MAX_TEXT_LENGTH),
    client_info: {
      language: navigator.language,
      screen: `${screen.width}x${screen.height}`,
      referrer: document.referrer.slice(0, 200),
    },
  }
}

type StepOneProps = {
  draft: RegistrationDraft
  hasRunOut: boolean
  onDraft: (draft: RegistrationDraft) => void
  onNext: () => void
}

export function RegistrationAccountStep({ draft, hasRunOut, onDraft, onNext }: StepOneProps) {
  const [isReentering, setReentering] = useState(false)
  if (draft.code !== undefined && !isReentering) {
    return (
      <div className="space-y-4">
        <div className="rounded-control border border-line bg-surface-muted px-4 py-3">
          <p className="font-medium wrap-anywhere">{draft.email}</p>
          <p className="text-sm text-ink-muted">ตั้งรหัสผ่านและยอมรับข้อกำหนดแล้ว</p>
        </div>
        <Button variant="primary" size="lg" className="w-full" onClick={onNext}>
          ไปต่อ
        </Button>
        <Button variant="quiet" className="w-full" onClick={() => setReentering(true)}>
          เปลี่ยนอีเมลหรือรหัสผ่าน
        </Button>
      </div>
    )
  }
  return <AccountForm draft={draft} hasRunOut={hasRunOut} onDraft={onDraft} onNext={onNext} />
}

function AccountForm({ draft, hasRunOut, onDraft, onNext }: StepOneProps) {
  const form = useForm<RegistrationStepOneForm>({
    resolver: standardSchemaResolver(registrationStepOneFormSchema),
    mode: 'onTouched',
    // An unticked checkbox has the value false, which the form's type does not include.
    defaultValues: {
      email: draft.email ?? '',
      password: '',
      confirm_password: '',
      terms_accepted: false as unknown as true,
    },
  })
  const checkAgain = () => revalidatePasswordConfirmation(form)
  const email = emailCheckRequestSchema.safeParse({ email: form.watch('email') }).data?.email
  const check = useRegistrationFieldCheck('email', email)
  const words = getRegistrationFieldCheckText(check, 'ใช้อีเมลนี้สมัครได้')
  const emailError = form.formState.errors.email?.message ?? words.error

  const { submit, refusal, field, isSubmitting } = useFormSubmit(
    form,
    ['email', 'password', 'terms_accepted'],
    async ({ email, password, terms_accepted }) => {
      if (check?.is === 'taken') return form.setFocus('email')
      const response = await submitRegistrationStepOne({ ...visitorInfo(), email, password, terms_accepted })
      const { organisation } = draft
      onDraft({
        email,
        code: response.register_form_code,
        endsAtMs: Date.now() + response.expires_in * 1000,
        ...(organisation === undefined ? {} : { organisation }),
      })
      onNext()
    },
  )
  return (
    <form noValidate onSubmit={submit} aria-busy={isSubmitting} className="space-y-4">
      {hasRunOut && (
        <p role="alert" className="rounded-control border border-updated-line bg-updated-soft px-3 py-2 text-updated">
          เกินเวลา 60 นาทีแล้ว ตั้งรหัสผ่านอีกครั้งเพื่อสมัครต่อ ข้อมูลองค์กรที่กรอกไว้ยังอยู่
        </p>
      )}
      <FormSubmitError refusal={refusal} />
      <TextField
        label="อีเมลที่ทำงาน"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="name@company.co.th"
        error={emailError}
        hint={<RegistrationFieldStatus text={words.hint} isGood={check?.is === 'free'} error={emailError} />}
        {...form.register('email')}
      />
      {check?.is === 'taken' && (
        <p className="-mt-3 text-sm">
          <Link to="/login" className="inline-flex items-center text-accent-ink underline touch:min-h-11">
            เข้าสู่ระบบ
          </Link>{' '}
          หรือ{' '}
          <Link to="/reset-password" className="inline-flex items-center text-accent-ink underline touch:min-h-11">
            ลืมรหัสผ่าน
          </Link>
        </p>
      )}
      <NewPasswordFields
        rules={REGISTRATION_PASSWORD_RULES}
        value={form.watch('password')}
        known={[form.watch('email')]}
        password={field('password', { onChange: checkAgain })}
        confirmation={field('confirm_password')}
      />
      <TermsOfServiceField {...field('terms_accepted')} />
      <Button type="submit" variant="primary" size="lg" className="w-full" pending={isSubmitting}>
        ต่อไป
      </Button>
    </form>
  )
}
