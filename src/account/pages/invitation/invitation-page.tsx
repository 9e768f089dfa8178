import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type InvitationPreview,
  type InvitationProblem,
  invitationAcceptanceSchema,
} from '#contract/account/invitation.ts'
import { NEW_PASSWORD_RULES } from '#contract/account/new-password.ts'
import { getRoleLabel } from '#contract/account/user.ts'
import { acceptInvitation, getInvitationProblem, invitationQuery } from '#src/account/api/members.ts'
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { LinkOutcome } from '#src/account/mailed-link/link-outcome.tsx'
import { NewPasswordFields } from '#src/account/new-password/new-password-fields.tsx'
import { TermsOfServiceField } from '#src/account/terms/terms-of-service-field.tsx'
import { loadStartViewUrl } from '#src/report/api/start-view.ts'
import { EmailLinkPageLayout } from '#src/shell/navigation/email-link-page-layout.tsx'
import { Button } from '#src/ui/button.tsx'
import { NameFields } from '#src/ui/form/name-fields.tsx'

const route = getRouteApi('/invitation/$token')
const FIELDS = ['first_name', 'last_name', 'new_password', 'confirm_password', 'terms_accepted'] as const

export function InvitationPage() {
  const { token } = route.useParams()
  const link = useQuery(invitationQuery(token))
  const [submitProblem, setSubmitProblem] = useState<InvitationProblem>()
  const problem = submitProblem ?? getInvitationProblem(link.error)
  return (
    <EmailLinkPageLayout
      title="เข้าร่วมทีม"
      subject="คำเชิญ"
      link={link}
      outcome={problem && <LinkOutcome {...PROBLEM_TEXTS[problem]} links={[['/login', 'เข้าสู่ระบบ']]} isRefusal />}
    >
      {(invitation) => <JoinForm token={token} invitation={invitation} onBadLink={setSubmitProblem} />}
    </EmailLinkPageLayout>
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
  const form = useSchemaForm(
    {
      schema: invitationAcceptanceSchema,
      fields: FIELDS,
      mode: 'onTouched',
      defaultValues: {
        first_name: '',
        last_name: '',
        new_password: '',
        confirm_password: '',
        terms_accepted: false as unknown as true,
      },
    },
    async (values) => {
      try {
        await acceptInvitation(token, values)
      } catch (error) {
        const why = getInvitationProblem(error)
        if (why === undefined) throw error
        return onBadLink(why)
      }
      await navigate({ href: await loadStartViewUrl(), replace: true })
    },
  )
  const { field } = form
  const personalTexts = [email, form.watch('first_name'), form.watch('last_name'), organisation].filter(
    (text) => text !== '',
  )
  const lead = (
    <>
      {invited_by === null ? 'คุณได้รับเชิญ' : `${invited_by} เชิญคุณ`}เข้าทีมในฐานะ {getRoleLabel(role)} เข้าสู่ระบบด้วยอีเมล{' '}
      <span className="font-medium text-ink wrap-anywhere">{email}</span>
    </>
  )
  return (
    <SchemaForm form={form} title={`เข้าร่วม ${organisation}`} lead={lead}>
      {/* Lets password managers store the new password with this user name. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <NameFields first={field('first_name')} last={field('last_name')} />
      <NewPasswordFields
        form={form}
        name="new_password"
        rules={NEW_PASSWORD_RULES}
        known={personalTexts}
        label="ตั้งรหัสผ่าน"
      />
      <TermsOfServiceField {...field('terms_accepted')} />
      <Button type="submit" variant="primary" size="lg" className="w-full" pending={form.isSubmitting}>
        เข้าร่วมทีม
      </Button>
    </SchemaForm>
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
