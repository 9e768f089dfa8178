import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { Link } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { resetRequestSchema } from '#contract/account/password-form.ts'
import { requestPasswordReset } from '#src/account/api/passwords.ts'
import { FormRefusal } from '#src/account/form-refusal/form-refusal.tsx'
import { useSingleSubmit } from '#src/lib/use-one-at-a-time.ts'
import { PlainLayout } from '#src/shell/navigation/plain-layout.tsx'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'

/** Shows the same response for every e-mail address, so that it does not reveal which accounts exist. */
export function RequestResetPage() {
  const [sentTo, setSentTo] = useState<string>()
  const [typed, setTyped] = useState('')
  return (
    <PlainLayout>
      {sentTo === undefined ? (
        <RequestForm
          email={typed}
          onSent={(email) => {
            setTyped(email)
            setSentTo(email)
          }}
        />
      ) : (
        <SentNote email={sentTo} onAgain={() => setSentTo(undefined)} />
      )}
    </PlainLayout>
  )
}

function RequestForm({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const { register, handleSubmit, formState } = useForm<{ email: string }>({
    resolver: standardSchemaResolver(resetRequestSchema),
    defaultValues: { email },
  })
  const { errors, isSubmitting } = formState
  const [refusal, setRefusal] = useState<unknown>()
  const submit = useSingleSubmit(
    handleSubmit(async (form) => {
      setRefusal(undefined)
      try {
        await requestPasswordReset(form.email)
      } catch (error) {
        return setRefusal(error)
      }
      onSent(form.email)
    }),
  )
  return (
    <form noValidate onSubmit={submit} aria-busy={isSubmitting} className="space-y-4">
      <div>
        <h1 className="text-2xl font-semibold">ลืมรหัสผ่าน</h1>
        <p className="text-ink-muted">กรอกอีเมลที่ใช้เข้าสู่ระบบ แล้วเราจะส่งลิงก์สำหรับตั้งรหัสผ่านใหม่ไปให้</p>
      </div>
      <FormRefusal refusal={refusal} />
      <TextField
        label="อีเมล"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="name@company.co.th"
        error={errors.email?.message}
        {...register('email')}
      />
      <Button type="submit" variant="primary" size="lg" className="w-full" pending={isSubmitting}>
        ส่งลิงก์
      </Button>
      <Link to="/login" className={buttonClasses('quiet', 'lg', 'w-full')}>
        กลับไปเข้าสู่ระบบ
      </Link>
    </form>
  )
}

function SentNote({ email, onAgain }: { email: string; onAgain: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="space-y-4 text-center">
      <span className="inline-flex size-12 items-center justify-center rounded-full bg-accent-soft text-accent-ink">
        <MailCheck aria-hidden className="size-6" />
      </span>
      <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold">
        ดูอีเมลของคุณ
      </h1>
      <p className="text-ink-muted">
        ถ้า <span className="font-medium text-ink wrap-anywhere">{email}</span> มีบัญชีอยู่ จะได้รับลิงก์ภายในไม่กี่นาที
        ลิงก์ใช้ได้ครั้งเดียวภายใน 60 นาที
      </p>
      <p className="text-ink-muted">ไม่เห็นอีเมล ลองดูในอีเมลขยะ หรือขอลิงก์อีกครั้งหลังผ่านไปหนึ่งนาที</p>
      <Link to="/login" className={buttonClasses('secondary', 'lg', 'w-full')}>
        กลับไปเข้าสู่ระบบ
      </Link>
      <Button variant="quiet" size="lg" className="w-full" onClick={onAgain}>
        ขอลิงก์อีกครั้ง หรือใช้อีเมลอื่น
      </Button>
    </div>
  )
}
