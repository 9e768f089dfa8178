import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
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
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { TermsOfServiceField } from '#src/account/terms/terms-of-service-field.tsx'
import { loadStartViewUrl } from '#src/report/api/start-view.ts'
import { PlainLayout } from '#src/shell/navigation/plain-layout.tsx'
import { Button } from '#src/ui/button.tsx'
import { NameFields } from '#src/ui/form/name-fields.tsx'
import { resolveReturnPath } from './login-page.tsx'
import { LoginProblem, LoginProgress } from './login-progress.tsx'
import { SecondLoginStepForm } from './second-login-step-form.tsx'

const route = getRouteApi('/organisation-login')
const needsLogin = (pathname: string) => findScreenByPath(pathname)?.needsLogin === true

/** Removes the login code from the URL and sends it to the server once. */
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
        <LoginProblem
          title="ยังเข้าสู่ระบบไม่ได้"
          error={refusal}
          actions={
            <Button variant="primary" onClick={toLogin}>
              กลับไปหน้าเข้าสู่ระบบ
            </Button>
          }
        />
      ) : remaining === undefined ? (
        <LoginProgress>กำลังเข้าสู่ระบบ</LoginProgress>
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

function JoinForm({ offer, onDone }: { offer: OrganisationJoinOffer; onDone: () => void }) {
  const { token, organisation, email, first_name, last_name } = offer
  const form = useSchemaForm(
    {
      schema: organisationJoinAcceptanceSchema,
      fields: ['first_name', 'last_name', 'terms_accepted'],
      mode: 'onTouched',
      defaultValues: { token, first_name, last_name, terms_accepted: false as unknown as true },
    },
    async (values) => {
      await joinOrganisation(values)
      onDone()
    },
  )
  const lead = (
    <>
      คุณได้รับเชิญเข้าทีมด้วยอีเมล <span className="font-medium text-ink wrap-anywhere">{email}</span> ต่อไปเข้าด้วยบัญชีองค์กรนี้ได้เลย
      ไม่ต้องตั้งรหัสผ่าน
    </>
  )
  return (
    <SchemaForm form={form} title={`เข้าร่วม ${organisation}`} lead={lead}>
      <NameFields first={form.field('first_name')} last={form.field('last_name')} />
      <TermsOfServiceField {...form.field('terms_accepted')} />
      <Button type="submit" variant="primary" size="lg" className="w-full" pending={form.isSubmitting}>
        เข้าร่วมทีม
      </Button>
    </SchemaForm>
  )
}
