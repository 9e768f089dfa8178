import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import {
  type OrganisationJoinAcceptance,
  type OrganisationJoinOffer,
  type OrganisationLoginCallback,
  organisationJoinAcceptanceSchema,
} from '#contract/account/organisation-login.ts'
import { findScreenByPath } from '#contract/screen.ts'
import {
  finishIdentityProviderLogin,
  joinOrganisation,
  takeStoredLoginTarget,
} from '#src/account/api/organisation-login.ts'
import { FormSubmitError, useFormSubmit } from '#src/account/form-refusal/form-submit-error.tsx'
import { TermsOfServiceField } from '#src/account/terms/terms-of-service-field.tsx'
import { getErrorRequestId, getErrorText } from '#src/lib/problem-error.ts'
import { loadStartViewUrl } from '#src/report/api/start-view.ts'
import { PlainLayout } from '#src/shell/navigation/plain-layout.tsx'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/form/form-error.tsx'
import { NameFields } from '#src/ui/form/name-fields.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { resolveReturnPath } from './login-page.tsx'
import { SecondLoginStepForm } from './second-login-step-form.tsx'

const route = getRouteApi('/organisation-login')
const needsLogin = (pathname: string) => findScreenByPath(pathname)?.needsLogin === true

/**
 * Screen to which the identity provider redirects. It removes the login code from the URL and sends it to the server
 * once.
 */
export function IdentityProviderReturnPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [expired, setExpired] = useState<unknown>()
  const continueAfterLogin = async () => {
    const target = resolveReturnPath(takeStoredLoginTarget(), needsLogin)
    await navigate({ href: target ?? (await loadStartViewUrl()), replace: true })
  }
  const toLogin = () => void navigate({ to: '/login', replace: true })
  const {
    mutate: finish,
    data: remaining,
    error,
  } = useMutation({
    mutationFn: async (callback: OrganisationLoginCallback) => {
      const step = await finishIdentityProviderLogin(callback)
      if (step === undefined) await continueAfterLogin()
      return step
    },
  })
  const refusal = expired ?? error ?? undefined
  const hasSent = useRef(false)
  const finishLogin = useEffectEvent(() => {
    const { state, code, iss, error } = search
    if (state === undefined) return toLogin()
    void navigate({ search: {}, replace: true })
    finish({ state, ...(code && { code }), ...(iss && { iss }), ...(error && { error }) })
  })
  useEffect(() => {
    // Strict mode runs effects twice, but the code is valid only once.
    if (hasSent.current) return
    hasSent.current = true
    finishLogin()
  }, [])

  return (
    <PlainLayout>
      {refusal !== undefined ? (
        <LoginRefusal error={refusal} onBack={toLogin} />
      ) : remaining === undefined ? (
        <div className="flex flex-col items-center gap-3 py-6 text-ink-muted">
          <Spinner className="text-accent-ink" />
          <h1 role="status" className="text-md">
            กำลังเข้าสู่ระบบ
          </h1>
        </div>
      ) : 'step' in remaining ? (
        <SecondLoginStepForm
          loginMethod="organisation"
          step={remaining.step}
          onDone={() => void continueAfterLogin()}
          onBack={(error) => (error === undefined ? toLogin() : setExpired(error))}
        />
      ) : (
        <JoinForm offer={remaining.join} onDone={() => void continueAfterLogin()} />
      )}
    </PlainLayout>
  )
}

function LoginRefusal({ error, onBack }: { error: unknown; onBack: () => void }) {
  return (
    <div className="space-y-3">
      <h1 className="text-xl font-semibold">ยังเข้าสู่ระบบไม่ได้</h1>
      <FormError text={getErrorText(error)} requestId={getErrorRequestId(error)} />
      <div className="flex justify-end pt-2">
        <Button variant="primary" onClick={onBack}>
          กลับไปหน้าเข้าสู่ระบบ
        </Button>
      </div>
    </div>
  )
}

const FIELDS = ['first_name', 'last_name', 'terms_accepted'] as const

function JoinForm({ offer, onDone }: { offer: OrganisationJoinOffer; onDone: () => void }) {
  const { token, organisation, email, first_name, last_name } = offer
  const form = useForm<OrganisationJoinAcceptance>({
    resolver: standardSchemaResolver(organisationJoinAcceptanceSchema),
    mode: 'onTouched',
    defaultValues: { token, first_name, last_name, terms_accepted: false as unknown as true },
  })
  const { submit, refusal, field, isSubmitting } = useFormSubmit(form, FIELDS, async (values) => {
    await joinOrganisation(values)
    onDone()
  })
  return (
    <form noValidate onSubmit={submit} aria-busy={isSubmitting} className="space-y-4">
      <div>
        <h1 className="text-2xl font-semibold">เข้าร่วม {organisation}</h1>
        <p className="text-ink-muted">
          คุณได้รับเชิญเข้าทีมด้วยอีเมล <span className="font-medium text-ink wrap-anywhere">{email}</span>{' '}
          ต่อไปเข้าด้วยบัญชีองค์กรนี้ได้เลย ไม่ต้องตั้งรหัสผ่าน
        </p>
      </div>
      <FormSubmitError refusal={refusal} />
      <NameFields first={field('first_name')} last={field('last_name')} />
      <TermsOfServiceField {...field('terms_accepted')} />
      <Button type="submit" variant="primary" size="lg" className="w-full" pending={isSubmitting}>
        เข้าร่วมทีม
      </Button>
    </form>
  )
}
