import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { REGISTRATION_PASSWORD_RULES } from '#contract/account/new-password.ts'
import { emailCheckRequestSchema, registrationStepOneFormSchema } from '#contract/account/registration-form.ts'
import { submitRegistrationStepOne } from '#src/account/api/registration.ts'
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { NewPasswordFields } from '#src/account/new-password/new-password-fields.tsx'
import { TermsOfServiceField } from '#src/account/terms/terms-of-service-field.tsx'
import { PlainLayout } from '#src/shell/navigation/plain-layout.tsx'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { StepList } from '#src/ui/step-list.tsx'
import { TEXT_LINK_CLASSES, UNDERLINED_LINK_CLASSES } from '#src/ui/text-link-classes.ts'
import { RegistrationCodeStep } from './registration-code-step.tsx'
import {
  clearRegistrationDraft,
  getFurthestRegistrationStep,
  pickTypedInput,
  REGISTRATION_STEPS,
  type RegistrationDraft,
  type RegistrationStep,
  readRegistrationDraft,
  writeRegistrationDraft,
} from './registration-draft.ts'
import { RegistrationOrganisationStep } from './registration-organisation-step.tsx'
import { sendRegistrationCode } from './send-registration-code.ts'
import { useRegistrationFieldCheck } from './use-registration-field-check.tsx'

const route = getRouteApi('/register')
const HEADINGS: Record<RegistrationStep, string> = { 1: 'สมัครใช้งาน', 2: 'ข้อมูลองค์กร', 3: 'ยืนยันอีเมล' }

/** The step is in the URL (`?step=`), so Back goes to the previous step; the draft is stored per tab. */
export function RegisterPage() {
  const { step: requestedStep = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const [draft, setDraft] = useState(readRegistrationDraft)
  const [hasRunOut, setRunOut] = useState(false)
  const [sendingFailed, setSendingFailed] = useState<unknown>()
  const saveDraft = (nextDraft: RegistrationDraft) => {
    writeRegistrationDraft(nextDraft)
    setDraft(nextDraft)
  }

  const { code, mailedTo } = draft
  // Continue at the furthest valid step if a link names a later step or the draft has expired.
  const step = requestedStep <= getFurthestRegistrationStep(draft) ? requestedStep : getFurthestRegistrationStep(draft)
  useEffect(() => {
    if (step !== requestedStep) void navigate({ search: { step }, replace: true })
  }, [step, requestedStep, navigate])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // Step three focuses its field, so the heading does not take the focus.
    if (step !== 3) heading.current?.focus()
  }, [step])

  const go = (to: RegistrationStep) => void navigate({ search: to === 1 ? {} : { step: to } })
  const runOut = () => {
    setRunOut(true)
    saveDraft(pickTypedInput(draft))
    go(1)
  }
  const goToCodeStep = async (nextDraft: RegistrationDraft & { readonly code: string }) => {
    // The first code may still be on its way, so going back and forth must not send another one too early.
    if (nextDraft.resendAtMs === undefined || nextDraft.resendAtMs <= Date.now()) {
      const result = await sendRegistrationCode(nextDraft)
      setSendingFailed(result.error)
      saveDraft(result.draft)
    } else {
      saveDraft(nextDraft)
    }
    go(3)
  }
  const finish = () => {
    clearRegistrationDraft()
    void navigate({ to: '/report', replace: true })
  }
  return (
    <PlainLayout
      wide={step === 2}
      footer={
        <p className="mt-6 text-center text-ink-muted">
          มีบัญชีแล้ว{' '}
          <Link to="/login" className={`font-medium ${TEXT_LINK_CLASSES}`}>
            เข้าสู่ระบบ
          </Link>
        </p>
      }
    >
      <div className="mb-5 space-y-3">
        <StepList label="ขั้นตอนการสมัคร" steps={REGISTRATION_STEPS} present={step} />
        <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold">
          {HEADINGS[step]}
        </h1>
      </div>
      {step === 1 && (
        <RegistrationAccountStep
          draft={draft}
          hasRunOut={hasRunOut}
          onDraft={(nextDraft) => {
            setRunOut(false)
            saveDraft(nextDraft)
          }}
          onNext={() => go(2)}
        />
      )}
      {step === 2 && code !== undefined && (
        <RegistrationOrganisationStep
          draft={{ ...draft, code }}
          onDraft={saveDraft}
          onBack={() => go(1)}
          onNext={(nextDraft) => goToCodeStep({ ...nextDraft, code })}
          onRunOut={runOut}
        />
      )}
      {step === 3 && code !== undefined && mailedTo !== undefined && (
        <RegistrationCodeStep
          draft={{ ...draft, code, mailedTo }}
          sendingFailed={sendingFailed}
          onDraft={saveDraft}
          onChangeEmail={() => go(1)}
          onRunOut={runOut}
          onDone={finish}
        />
      )}
    </PlainLayout>
  )
}

/** Maximum length that the server accepts for each visitor field (C27). */
const MAX_TEXT_LENGTH = 2000

/** Origin and device of the visitor (specification section 7); nothing that identifies the person. */
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
  const form = useSchemaForm(
    {
      schema: registrationStepOneFormSchema,
      fields: ['email', 'password', 'terms_accepted'],
      mode: 'onTouched',
      // An unticked checkbox has the value false, which the form's type does not include.
      defaultValues: {
        email: draft.email ?? '',
        password: '',
        confirm_password: '',
        terms_accepted: false as unknown as true,
      },
    },
    async ({ email, password, terms_accepted }): Promise<void> => {
      if (emailCheck.isTaken) return form.setFocus('email')
      const response = await submitRegistrationStepOne({ ...visitorInfo(), email, password, terms_accepted })
      onDraft({
        ...pickTypedInput(draft),
        email,
        code: response.register_form_code,
        endsAtMs: Date.now() + response.expires_in * 1000,
      })
      onNext()
    },
  )
  const { field } = form
  const typedEmail = emailCheckRequestSchema.safeParse({ email: form.watch('email') }).data?.email
  const emailCheck = useRegistrationFieldCheck('email', typedEmail, field('email'), 'ใช้อีเมลนี้สมัครได้')
  const runOutNotice = hasRunOut && (
    <p role="alert" className="rounded-control border border-updated-line bg-updated-soft px-3 py-2 text-updated">
      เกินเวลา 60 นาทีแล้ว ตั้งรหัสผ่านอีกครั้งเพื่อสมัครต่อ ข้อมูลองค์กรที่กรอกไว้ยังอยู่
    </p>
  )
  return (
    <SchemaForm form={form} intro={runOutNotice}>
      <TextField
        label="อีเมลที่ทำงาน"
        type="email"
        autoComplete="username"
        placeholder="name@company.co.th"
        {...emailCheck.field}
      />
      {emailCheck.isTaken && (
        <p className="-mt-3 text-sm">
          <Link to="/login" className={UNDERLINED_LINK_CLASSES}>
            เข้าสู่ระบบ
          </Link>{' '}
          หรือ{' '}
          <Link to="/reset-password" className={UNDERLINED_LINK_CLASSES}>
            ลืมรหัสผ่าน
          </Link>
        </p>
      )}
      <NewPasswordFields
        form={form}
        name="password"
        rules={REGISTRATION_PASSWORD_RULES}
        known={[form.watch('email')]}
      />
      <TermsOfServiceField {...field('terms_accepted')} />
      <Button type="submit" variant="primary" size="lg" className="w-full" pending={form.isSubmitting}>
        ต่อไป
      </Button>
    </SchemaForm>
  )
}
