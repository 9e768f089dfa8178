import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import {
  type InvitationAcceptance,
  type InvitationPreview,
  type InvitationProblem,
  invitationAcceptanceSchema,
} from '#contract/account/invitation.ts'
import { NEW_PASSWORD_RULES } from '#contract/account/new-password.ts'
import { getRoleLabel } from '#contract/account/user.ts'
import { acceptInvitation, getInvitationProblem, invitationQuery } from '#src/account/api/members.ts'
import { FormSubmitError, useFormSubmit } from '#src/account/form-refusal/form-submit-error.tsx'
import { NewPasswordFields, revalidatePasswordConfirmation } from '#src/account/new-password/new-password-fields.tsx'
import { TermsOfServiceField } from '#src/account/terms/terms-of-service-field.tsx'
import { loadStartViewUrl } from '#src/report/api/start-view.ts'
import { PlainLayout } from '#src/shell/navigation/plain-layout.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { NameFields } from '#src/ui/form/name-fields.tsx'
import { Spinner } from '#src/ui/spinner.tsx'

const route = getRouteApi('/invitation/$token')
const FIELDS = ['first_name', 'last_name', 'new_password', 'confirm_password', 'terms_accepted'] as const

export function InvitationPage() {
  const { token } = route.useParams()
  const { data, error, isFetching, refetch } = useQuery(invitationQuery(token))
  const [submitProblem, setSubmitProblem] = useState<InvitationProblem>()
  const problem = submitProblem ?? getInvitationProblem(error)
  return (
    <PlainLayout>
      {/* The address grants access to an account, so it must not leak to other sites as a referrer (R21). */}
      <meta name="referrer" content="no-referrer" />
      {problem !== undefined ? (
        <BadLink why={problem} />
      ) : data !== undefined ? (
        <JoinForm token={token} invitation={data} onBadLink={setSubmitProblem} />
      ) : error !== null ? (
        <div className="space-y-4">
          <h1 className="text-2xl font-semibold">เข้าร่วมทีม</h1>
          <ErrorNotice title="ตรวจสอบคำเชิญไม่สำเร็จ" error={error} onRetry={() => void refetch()} retrying={isFetching} />
        </div>
      ) : (
        <div role="status" className="flex flex-col items-center gap-3 py-6 text-ink-muted">
          <Spinner className="text-accent-ink" />
          กำลังตรวจสอบคำเชิญ
        </div>
      )}
    </PlainLayout>
  )
}

type JoinFormProps = {
  token: string
  invitation: InvitationPreview
  onBadLink: (why: InvitationProblem) => void
}

function JoinForm({ token, invitation, onBadLink }: JoinFormProps) {
  const { organisation, email, role, invited_by } = invitation
  const navigate = route.useNavigate()
  const form = useForm<InvitationAcceptance>({
    resolver: standardSchemaResolver(invitationAcceptanceSchema),
    mode: 'onTouched',
    defaultValues: {
      first_name: '',
      last_name: '',
      new_password: '',
      confirm_password: '',
      terms_accepted: false as unknown as true,
    },
  })
  const { submit, refusal, field, isSubmitting } = useFormSubmit(form, FIELDS, async (values) => {
    try {
      await acceptInvitation(token, values)
    } catch (error) {
      const why = getInvitationProblem(error)
      if (why === undefined) throw error
      return onBadLink(why)
    }
    await navigate({ href: await loadStartViewUrl(), replace: true })
  })
  const personalTexts = [email, form.watch('first_name'), form.watch('last_name'), organisation].filter(
    (text) => text !== '',
  )
  return (
    <form noValidate onSubmit={submit} aria-busy={isSubmitting} className="space-y-4">
      <div>
        <h1 className="text-2xl font-semibold">เข้าร่วม {organisation}</h1>
        <p className="text-ink-muted">
          {invited_by === null ? 'คุณได้รับเชิญ' : `${invited_by} เชิญคุณ`}เข้าทีมในฐานะ {getRoleLabel(role)} เข้าสู่ระบบด้วยอีเมล{' '}
          <span className="font-medium text-ink wrap-anywhere">{email}</span>
        </p>
      </div>
      <FormSubmitError refusal={refusal} />
      {/* Lets password managers store the new password with this user name. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <NameFields first={field('first_name')} last={field('last_name')} />
      <NewPasswordFields
        rules={NEW_PASSWORD_RULES}
        value={form.watch('new_password')}
        known={personalTexts}
        label="ตั้งรหัสผ่าน"
        password={field('new_password', {
          onChange: () => revalidatePasswordConfirmation(form),
        })}
        confirmation={field('confirm_password')}
      />
      <TermsOfServiceField {...field('terms_accepted')} />
      <Button type="submit" variant="primary" size="lg" className="w-full" pending={isSubmitting}>
        เข้าร่วมทีม
      </Button>
    </form>
  )
}

const PROBLEM_TEXTS: Record<InvitationProblem, { readonly title: string; readonly text: string }> = {
  invitation_over: {
    title: 'คำเชิญนี้ใช้ไม่ได้แล้ว',
    text: 'คำเชิญหมดอายุหลัง 7 วัน หรือผู้เชิญยกเลิกไปแล้ว ขอให้ผู้เชิญส่งให้ใหม่',
  },
  invitation_used: {
    title: 'คำเชิญนี้ใช้ไปแล้ว',
    text: 'มีบัญชีจากคำเชิญนี้แล้ว เข้าสู่ระบบด้วยอีเมลและรหัสผ่านของคุณได้เลย',
  },
  invitation_email_taken: {
    title: 'อีเมลนี้มีบัญชีอยู่แล้ว',
    text: 'หนึ่งอีเมลอยู่ได้องค์กรเดียว เข้าสู่ระบบด้วยบัญชีเดิม หรือขอให้ผู้เชิญส่งถึงอีเมลอื่นของคุณ',
  },
  invitation_unknown: {
    title: 'ลิงก์นี้ใช้ไม่ได้',
    text: 'ลิงก์อาจคัดลอกมาไม่ครบ หรือมีคำเชิญใหม่หลังจากนี้ เปิดจากอีเมลฉบับล่าสุด หรือขอให้ผู้เชิญส่งใหม่',
  },
}

function BadLink({ why }: { why: InvitationProblem }) {
  const { title, text } = PROBLEM_TEXTS[why]
  return (
    <div className="space-y-4">
      <h1 className="text-2xl font-semibold">{title}</h1>
      <p role="alert" className="text-ink-muted">
        {text}
      </p>
      <Link to="/login" className={getButtonClasses('primary', 'lg', 'w-full')}>
        เข้าสู่ระบบ
      </Link>
    </div>
  )
}
