import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { NEW_PASSWORD_RULES } from '#contract/account/new-password.ts'
import type { PasswordResetProblem } from '#contract/account/password.ts'
import { passwordResetConfirmationSchema } from '#contract/account/password-form.ts'
import { confirmPasswordReset, getPasswordResetProblem, passwordResetLinkQuery } from '#src/account/api/passwords.ts'
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { LinkOutcome } from '#src/account/mailed-link/link-outcome.tsx'
import { NewPasswordFields } from '#src/account/new-password/new-password-fields.tsx'
import { RevokePasswordlessAccessCheckbox } from '#src/account/new-password/revoke-other-access-checkbox.tsx'
import { endSession } from '#src/lib/session-store.ts'
import { EmailLinkPageLayout } from '#src/shell/navigation/email-link-page-layout.tsx'
import { Button } from '#src/ui/button.tsx'

type ResetFormProps = {
  token: string
  email: string
  onDone: () => void
  onBadLink: (why: PasswordResetProblem['code']) => void
}

export function ResetPasswordForm({ token, email, onDone, onBadLink }: ResetFormProps) {
  const form = useSchemaForm(
    {
      schema: passwordResetConfirmationSchema,
      fields: ['new_password', 'confirm_password'],
      mode: 'onTouched',
      defaultValues: { new_password: '', confirm_password: '', end_secret_addresses: false },
    },
    async (values) => {
      try {
        await confirmPasswordReset(token, values)
      } catch (error) {
        const why = getPasswordResetProblem(error)
        if (why === undefined) throw error
        return onBadLink(why)
      }
      onDone()
    },
  )
  const lead = (
    <>
      ของบัญชี <span className="wrap-anywhere">{email}</span> เมื่อตั้งแล้วจะออกจากระบบทุกอุปกรณ์
    </>
  )
  return (
    <SchemaForm form={form} title="ตั้งรหัสผ่านใหม่" lead={lead}>
      <NewPasswordFields form={form} name="new_password" rules={NEW_PASSWORD_RULES} known={[email]} label="รหัสผ่านใหม่" />
      <RevokePasswordlessAccessCheckbox {...form.choice('end_secret_addresses')} />
      <Button type="submit" variant="primary" size="lg" className="w-full" pending={form.isSubmitting}>
        ตั้งรหัสผ่านใหม่
      </Button>
    </SchemaForm>
  )
}

const route = getRouteApi('/reset-password/$token')

/** Page that sets a new password. It does not log the user in (R21). */
export function PasswordResetLinkPage() {
  const { token } = route.useParams()
  const navigate = route.useNavigate()
  const [submitProblem, setSubmitProblem] = useState<PasswordResetProblem['code']>()
  const link = useQuery(passwordResetLinkQuery(token))
  const problem = submitProblem ?? getPasswordResetProblem(link.error)
  const finish = () => {
    // The reset ended all sessions of the account, possibly including this browser's.
    endSession('logout')
    void navigate({ to: '/login', search: { notice: 'password-changed' }, replace: true })
  }
  return (
    <EmailLinkPageLayout
      title="ตั้งรหัสผ่านใหม่"
      link={link}
      outcome={problem && <LinkOutcome {...PROBLEM_TEXTS[problem]} links={LINKS} isRefusal />}
    >
      {(email) => <ResetPasswordForm token={token} email={email} onDone={finish} onBadLink={setSubmitProblem} />}
    </EmailLinkPageLayout>
  )
}

const LINKS = [
  ['/reset-password', 'ขอลิงก์ใหม่'],
  ['/login', 'กลับไปเข้าสู่ระบบ'],
] as const
const PROBLEM_TEXTS: Record<PasswordResetProblem['code'], { readonly title: string; readonly text: string }> = {
  reset_link_expired: {
    title: 'ลิงก์นี้หมดอายุแล้ว',
    text: 'ลิงก์ตั้งรหัสผ่านใช้ได้ 60 นาทีหลังจากขอ ขอลิงก์ใหม่แล้วเปิดจากอีเมลฉบับล่าสุด',
  },
  reset_link_used: {
    title: 'ลิงก์นี้ใช้ไปแล้ว',
    text: 'รหัสผ่านถูกเปลี่ยนด้วยลิงก์นี้แล้ว ลองเข้าสู่ระบบด้วยรหัสผ่านใหม่ ถ้าไม่ใช่คุณที่เปลี่ยน ให้ขอลิงก์ใหม่ทันที',
  },
  reset_link_unknown: {
    title: 'ลิงก์นี้ใช้ไม่ได้',
    text: 'ลิงก์อาจคัดลอกมาไม่ครบ หรือมีการขอลิงก์ใหม่หลังจากนี้ เปิดจากอีเมลฉบับล่าสุด หรือขอลิงก์ใหม่',
  },
}
