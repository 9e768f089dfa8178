import { getRouteApi, Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { PlainLayout } from '#src/shell/navigation/plain-layout.tsx'
import { RegistrationAccountStep } from './registration-account-step.tsx'
import { RegistrationCodeStep } from './registration-code-step.tsx'
import {
  clearRegistrationDraft,
  getFurthestRegistrationStep,
  REGISTRATION_STEPS,
  type RegistrationDraft,
  type RegistrationStep,
  readRegistrationDraft,
  writeRegistrationDraft,
} from './registration-draft.ts'
import { RegistrationOrganisationStep } from './registration-organisation-step.tsx'
import { sendRegistrationCode } from './send-registration-code.ts'

function StepList({ present }: { present: RegistrationStep }) {
  return (
    <ol className="flex items-center gap-2 text-sm">
      {REGISTRATION_STEPS.map(({ step, name }) => {
        const isDone = step < present
        const isPresent = step === present
        return (
          <li
            key={step}
            aria-current={isPresent ? 'step' : undefined}
            className={classNames(
              'flex items-center gap-1.5',
              step > 1 && 'before:h-px before:w-4 before:bg-line-strong sm:before:w-8',
              isPresent ? 'font-medium text-ink' : 'text-ink-muted',
            )}
          >
            <span
              aria-hidden
              className={classNames(
                'inline-flex size-6 items-center justify-center rounded-full border text-xs tabular-nums',
                isPresent
                  ? 'border-accent bg-accent text-on-accent'
                  : isDone
                    ? 'border-accent-line bg-accent-soft text-accent-ink'
                    : 'border-line-strong',
              )}
            >
              {isDone ? <Check className="size-3.5" /> : step}
            </span>
            {name}
            {isDone && <span className="sr-only"> เสร็จแล้ว</span>}
          </li>
        )
      })}
    </ol>
  )
}

const route = getRouteApi('/register')
const HEADINGS: Record<RegistrationStep, string> = { 1: 'สมัครใช้งาน', 2: 'ข้อมูลองค์กร', 3: 'ยืนยันอีเมล' }

/**
 * Registration in three steps. The step is in the URL (`?step=`), so Back goes to the previous step; the draft is
 * stored per tab.
 */
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
    const { email, organisation } = draft
    saveDraft({ ...(email === undefined ? {} : { email }), ...(organisation === undefined ? {} : { organisation }) })
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
          <Link
            to="/login"
            className="inline-flex items-center rounded-control font-medium text-accent-ink hover:underline touch:min-h-11"
          >
            เข้าสู่ระบบ
          </Link>
        </p>
      }
    >
      <div className="mb-5 space-y-3">
        <StepList present={step} />
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
