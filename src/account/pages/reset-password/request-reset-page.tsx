import { Link } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { passwordResetRequestSchema } from '#contract/account/password-form.ts'
import { requestPasswordReset } from '#src/account/api/passwords.ts'
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { PlainLayout } from '#src/shell/navigation/plain-layout.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { focusOnMount } from '#src/ui/focus-on-mount.ts'
import { TextField } from '#src/ui/form/text-field.tsx'

/** Shows the same response for every e-mail address, so that it does not reveal which accounts exist. */
export function RequestPasswordResetPage() {
  const [{ email, isSent }, setRequest] = useState({ email: '', isSent: false })
  return (
    <PlainLayout>
      {isSent ? (
        <SentNote email={email} onAgain={() => setRequest({ email, isSent: false })} />
      ) : (
        <RequestForm email={email} onSent={(sentTo) => setRequest({ email: sentTo, isSent: true })} />
      )}
    </PlainLayout>
  )
}

function RequestForm({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const form = useSchemaForm({ schema: passwordResetRequestSchema, defaultValues: { email } }, async (values) => {
    await requestPasswordReset(values.email)
    onSent(values.email)
  })
  const lead = 'กรอกอีเมลที่ใช้เข้าสู่ระบบ แล้วเราจะส่งลิงก์สำหรับตั้งรหัสผ่านใหม่ไปให้'
  return (
    <SchemaForm form={form} title="ลืมรหัสผ่าน" lead={lead}>
      <TextField
        label="อีเมล"
        type="email"
        autoComplete="username"
        placeholder="name@company.co.th"
        {...form.field('email')}
      />
      <Button type="submit" variant="primary" size="lg" className="w-full" pending={form.isSubmitting}>
        ส่งลิงก์
      </Button>
      <Link to="/login" className={getButtonClasses('quiet', 'lg', 'w-full')}>
        กลับไปเข้าสู่ระบบ
      </Link>
    </SchemaForm>
  )
}

function SentNote({ email, onAgain }: { email: string; onAgain: () => void }) {
  return (
    <div className="space-y-4 text-center">
      <span className="inline-flex size-12 items-center justify-center rounded-full bg-accent-soft text-accent-ink">
        <MailCheck aria-hidden className="size-6" />
      </span>
      <h1 ref={focusOnMount} tabIndex={-1} className="text-xl font-semibold">
        ดูอีเมลของคุณ
      </h1>
      <p className="text-ink-muted">
        ถ้า <span className="font-medium text-ink wrap-anywhere">{email}</span> มีบัญชีอยู่ จะได้รับลิงก์ภายในไม่กี่นาที
        ลิงก์ใช้ได้ครั้งเดียวภายใน 60 นาที
      </p>
      <p className="text-ink-muted">ไม่เห็นอีเมล ลองดูในอีเมลขยะ หรือขอลิงก์อีกครั้งหลังผ่านไปหนึ่งนาที</p>
      <Link to="/login" className={getButtonClasses('secondary', 'lg', 'w-full')}>
        กลับไปเข้าสู่ระบบ
      </Link>
      <Button variant="quiet" size="lg" className="w-full" onClick={onAgain}>
        ขอลิงก์อีกครั้ง หรือใช้อีเมลอื่น
      </Button>
    </div>
  )
}
