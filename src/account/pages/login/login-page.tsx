import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { BellRing, Building2, Fingerprint, ListChecks, Telescope } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ORGANISATION_LOGIN_META_TAG_NAME } from '#contract/account/organisation-login.ts'
import type { SecondLoginStep as Step } from '#contract/account/second-factor.ts'
import { type DemoLogin, demoLoginSchema, loginRequestSchema } from '#contract/account/session.ts'
import { getRoleLabel } from '#contract/account/user.ts'
import { findScreenByPath } from '#contract/screen.ts'
import { isServedFromDomainName } from '#src/account/api/is-domain-name-host.ts'
import { logIn, logInWithAutofilledPasskey, logInWithPasskey } from '#src/account/api/log-in.ts'
import { findLoginEmailProblem, redirectToIdentityProvider } from '#src/account/api/organisation-login.ts'
import { FormSubmitError } from '#src/account/form-refusal/form-submit-error.tsx'
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { readPageMetadata } from '#src/lib/page-metadata.ts'
import { getFieldErrors } from '#src/lib/problem-error.ts'
import { PlainLayout } from '#src/shell/navigation/plain-layout.tsx'
import { DEMO_LOGIN_META_NAME, hasDemoLogin } from '#src/shell/session/has-demo-login.ts'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { TEXT_LINK_CLASSES } from '#src/ui/text-link-classes.ts'
import { DemoEntryPrompt } from './demo-entry-prompt.tsx'
import { LoginProgress } from './login-progress.tsx'

const POINTS = [
  { icon: Telescope, th: 'บอกคำและหน่วยงานที่สนใจครั้งเดียว ระบบคัดโครงการ e-GP ที่ตรงมาให้ทุกเช้า' },
  { icon: ListChecks, th: 'เห็นวันยื่น งบประมาณ ราคากลาง และคู่แข่งในตารางเดียว กรองและส่งต่อได้ทันที' },
  { icon: BellRing, th: 'โครงการที่ติดดาวเปลี่ยนหรือใกล้ปิดยื่น ระบบแจ้งเตือนและส่งอีเมลให้' },
] as const

function ProductIntro() {
  return (
    <section aria-labelledby="product" className="space-y-3">
      <h2 id="product" className="text-xl font-semibold text-balance lg:text-3xl">
        ติดตามโครงการจัดซื้อจัดจ้างภาครัฐที่ตรงกับธุรกิจของคุณ
      </h2>
      <ul className="space-y-2 text-ink-muted max-sm:hidden">
        {POINTS.map(({ icon: Icon, th }) => (
          <li key={th} className="flex gap-3">
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent-ink" />
            <span>{th}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Characters that browsers drop or convert to a slash when parsing a URL (`%09//evil`, `/\evil`). */
const UNSAFE_CHARACTERS = /[\\\s\p{Cc}]/u

/**
 * Returns where to go after login (R41): the requested path and search if it is a path of this site that `isAllowed`
 * accepts, otherwise undefined. Never another site, a scheme, or a path that a browser would parse as another host.
 */
export function resolveReturnPath(
  target: string | undefined,
  isAllowed: (pathname: string) => boolean,
): string | undefined {
  if (!target || target.length > 4000 || !/^\/(?!\/)/.test(target) || UNSAFE_CHARACTERS.test(target)) return undefined
  const base = 'https://tamngan.invalid'
  if (!URL.canParse(target, base)) return undefined
  const url = new URL(target, base)
  if (url.origin !== base || url.pathname.startsWith('//') || !isAllowed(url.pathname)) return undefined
  return `${url.pathname}${url.search}${url.hash}`
}

type LoginFormProps = {
  onDone: () => void
  onStep: (step: Step) => void
  refused?: unknown
}

function LoginForm({ onDone, onStep, refused }: LoginFormProps) {
  const { redirect: target, notice } = route.useSearch()
  const form = useSchemaForm(
    { schema: loginRequestSchema, defaultValues: { email: '', password: '' }, initialRefusal: refused },
    async (credentials) => {
      const step = await logIn(credentials)
      if (step) onStep(step)
      else onDone()
    },
  )
  const { showRefusal, field } = form
  const intro = (
    <div>
      <h1 className="text-2xl font-semibold">เข้าสู่ระบบ</h1>
      {notice && (
        <p role="status" className="mt-2 rounded-control border border-new-line bg-new-soft px-3 py-2 text-new">
          เปลี่ยนรหัสผ่านแล้ว เข้าสู่ระบบด้วยรหัสผ่านใหม่
        </p>
      )}
      {target !== undefined && <p className="text-ink-muted">เข้าสู่ระบบเพื่อเปิดหน้าที่ต้องการ</p>}
    </div>
  )
  return (
    <SchemaForm form={form} intro={intro}>
      <TextField
        label="อีเมล"
        type="email"
        autoComplete="username webauthn"
        placeholder="name@company.co.th"
        // Focus the field automatically only with a mouse, because on touch screens the keyboard would cover the form.
        autoFocus={window.matchMedia('(pointer: fine)').matches}
        {...field('email')}
      />
      <div>
        <PasswordField {...field('password')} />
        <div className="mt-1 text-right">
          <Link to="/reset-password" className={`text-sm ${TEXT_LINK_CLASSES}`}>
            ลืมรหัสผ่าน
          </Link>
        </div>
      </div>
      <Button type="submit" variant="primary" size="lg" className="w-full" pending={form.isSubmitting}>
        เข้าสู่ระบบ
      </Button>
      <PasskeyLoginButton onDone={onDone} onRefusal={showRefusal} />
      <OrganisationLoginButton
        email={() => form.getValues('email')}
        onEmailProblem={(message) => form.setError('email', { message }, { shouldFocus: true })}
        onRefusal={showRefusal}
      />
      <div className="flex items-center gap-3 text-xs text-ink-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        หรือ
      </div>
      <Link to="/login" search={{ refkey: 'demo' }} className={getButtonClasses('secondary', 'lg', 'w-full')}>
        ทดลองใช้งาน
      </Link>
      <p className="text-center text-xs text-ink-faint">ดูตัวอย่างได้ทันที ไม่ต้องมีบัญชี</p>
      <p className="text-center text-ink-muted">
        ยังไม่มีบัญชี{' '}
        <Link to="/register" className={`font-medium ${TEXT_LINK_CLASSES}`}>
          สมัครใช้งาน
        </Link>
      </p>
    </SchemaForm>
  )
}

const SecondStep = lazyComponent(() => import('./second-login-step-form.tsx'), 'SecondLoginStepForm')

const route = getRouteApi('/login')
const loadStartViewUrl = async () => (await import('#src/report/api/start-view.ts')).loadStartViewUrl()
const needsLogin = (pathname: string) => findScreenByPath(pathname)?.needsLogin === true

export function LoginPending() {
  const { refkey } = route.useSearch()
  return (
    <PlainLayout>
      <LoginProgress>{refkey === undefined ? 'กำลังเปิดหน้าแรก' : 'กำลังเข้าดูตัวอย่าง'}</LoginProgress>
    </PlainLayout>
  )
}

export function LoginPage() {
  const { redirect, refkey } = route.useSearch()
  const { demoRefusal } = route.useRouteContext()
  const navigate = route.useNavigate()
  const [step, setStep] = useState<Step>()
  const [refused, setRefused] = useState<unknown>()
  const enter = (target: string) => void navigate({ href: target, replace: true })
  const start = async () => enter(await loadStartViewUrl())
  const continueAfterLogin = () => {
    const target = resolveReturnPath(redirect, needsLogin)
    if (target === undefined) void start()
    else enter(target)
  }
  if (refkey !== undefined) {
    return (
      <PlainLayout>
        <DemoEntryPrompt
          refkey={refkey}
          refusal={demoRefusal}
          onDone={() => void start()}
          onCancel={() => enter('/login')}
        />
      </PlainLayout>
    )
  }
  return (
    <PlainLayout aside={<ProductIntro />} footer={hasDemoLogin() && <DemoAccountSection onDone={continueAfterLogin} />}>
      {step ? (
        <LazyBoundary fallback={<div className="min-h-96" />}>
          <SecondStep
            step={step}
            onDone={continueAfterLogin}
            onBack={(why) => {
              setRefused(why)
              setStep(undefined)
            }}
          />
        </LazyBoundary>
      ) : (
        <LoginForm onDone={continueAfterLogin} onStep={setStep} refused={refused} />
      )}
    </PlainLayout>
  )
}

type OrganisationLoginButtonProps = {
  email: () => string
  onEmailProblem: (message: string) => void
  onRefusal: (refusal: unknown) => void
}

function OrganisationLoginButton({ email, onEmailProblem, onRefusal }: OrganisationLoginButtonProps) {
  const { redirect: target } = route.useSearch()
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => redirectToIdentityProvider(email(), target),
    onError: (error) => {
      const [fieldError] = getFieldErrors(error, ['email'])
      if (fieldError) onEmailProblem(fieldError[1])
      else onRefusal(error)
    },
  })
  // The server writes the meta tag only if some organisation has its own identity provider.
  if (readPageMetadata(ORGANISATION_LOGIN_META_TAG_NAME) === undefined) return null
  const goToProvider = () => {
    const problem = findLoginEmailProblem(email())
    if (problem !== undefined) return onEmailProblem(problem)
    onRefusal(undefined)
    mutate()
  }
  return (
    <Button size="lg" icon={Building2} pending={isPending || isSuccess} onClick={goToProvider} className="w-full">
      เข้าสู่ระบบด้วยบัญชีองค์กร
    </Button>
  )
}

const canAutofillPasskeys = async () => (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true

function PasskeyLoginButton({ onDone, onRefusal }: { onDone: () => void; onRefusal: (refusal: unknown) => void }) {
  const { mutate: enter, isPending } = useMutation({
    mutationFn: logInWithPasskey,
    onSuccess: (isIn) => {
      if (isIn) onDone()
    },
    onError: onRefusal,
  })
  const isRequested = useRef(false)
  const isOffered = isServedFromDomainName() && 'PublicKeyCredential' in window
  const handleDone = useEffectEvent(onDone)
  useEffect(() => {
    if (!isOffered) return
    let isCancelled = false
    // The user did not start this request, so errors are ignored.
    void canAutofillPasskeys()
      .then((canAutofill) => canAutofill && logInWithAutofilledPasskey(() => !isCancelled && !isRequested.current))
      .then(
        (isIn) => {
          if (isIn && !isCancelled) handleDone()
        },
        () => undefined,
      )
    return () => {
      isCancelled = true
    }
  }, [isOffered])
  if (!isOffered) return null
  return (
    <Button
      size="lg"
      icon={Fingerprint}
      pending={isPending}
      onClick={() => {
        isRequested.current = true
        onRefusal(undefined)
        enter()
      }}
      className="w-full"
    >
      เข้าสู่ระบบด้วยพาสคีย์
    </Button>
  )
}

/** Reads the demo accounts that the server embeds in the page while demo data is installed; undefined otherwise. */
export function readDemoLogin(): DemoLogin | undefined {
  const text = readPageMetadata(DEMO_LOGIN_META_NAME)
  if (text === undefined) return undefined
  try {
    return demoLoginSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

function DemoAccountSection({ onDone }: { onDone: () => void }) {
  const [sample] = useState(readDemoLogin)
  return sample && <DemoAccountButtons {...sample} onDone={onDone} />
}

export function DemoAccountButtons({ password, accounts, onDone }: DemoLogin & { onDone: () => void }) {
  const { mutate, isPending, isSuccess, variables, error } = useMutation({
    mutationFn: async (email: string) => {
      if (await logIn({ email, password })) throw new Error('A sample account has a second factor')
    },
    onSuccess: onDone,
  })
  const chosen = isPending || isSuccess ? variables : undefined
  return (
    <section aria-labelledby="sample-accounts" className="space-y-2">
      <h2 id="sample-accounts" className="font-semibold">
        บัญชีตัวอย่าง <span className="font-normal text-ink-muted">กดเพื่อเข้าดูด้วยข้อมูลสมมติ</span>
      </h2>
      <FormSubmitError refusal={error} />
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
        {accounts.map(({ email, organisation, role, shows }) => (
          <li key={email}>
            <button
              type="button"
              title={organisation}
              aria-busy={chosen === email}
              onClick={() => chosen === undefined && mutate(email)}
              className="flex min-h-11 w-full items-center gap-3 px-3 py-1.5 text-left transition-colors hover:bg-surface-muted focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 flex-1">
                <span className="block">{shows}</span>
                <span className="block text-xs wrap-anywhere text-ink-muted">{email}</span>
              </span>
              {chosen === email ? (
                <Spinner className="text-accent-ink" />
              ) : (
                <span className="shrink-0 text-xs text-ink-muted">{getRoleLabel(role)}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
