import { Fingerprint } from 'lucide-react'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { IdentityProof, IdentityProofMethod, SecondFactorInput } from '#contract/account/second-factor.ts'
import { FormRefusal } from '#src/account/form-refusal/form-refusal.tsx'
import { fieldErrorsOf } from '#src/api/http/problem-error.ts'
import { useSingleSubmit } from '#src/lib/use-one-at-a-time.ts'
import { Button } from '#src/ui/button.tsx'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'

const METHOD_LABELS: Readonly<Record<IdentityProofMethod, string>> = {
  password: 'ใช้รหัสผ่าน',
  totp: 'ใช้รหัสจากแอป',
  passkey: 'ใช้พาสคีย์',
  recovery: 'ใช้รหัสกู้คืน',
}

const FIELDS = { password: 'password', totp: 'otp', passkey: 'passkey', recovery: 'recovery_code' } as const
const REQUIRED_MESSAGES: Readonly<Record<Exclude<IdentityProofMethod, 'passkey'>, string>> = {
  password: 'กรอกรหัสผ่าน',
  totp: 'กรอกรหัส 6 หลัก',
  recovery: 'กรอกรหัสกู้คืน',
}

type FactorFormProps = {
  methods: readonly IdentityProofMethod[]
  submit: string
  sign: () => Promise<SecondFactorInput['passkey']>
  onAnswer: (proof: IdentityProof) => Promise<void>
  onCancel: () => void
  children?: ReactNode
}

export function FactorForm({ methods, submit, sign, onAnswer, onCancel, children }: FactorFormProps) {
  const [method, setMethod] = useState<IdentityProofMethod>(methods[0] ?? 'password')
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [refusal, setRefusal] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  const refuse = (message: string) => {
    setWrong(message)
    form.current?.querySelector('input')?.focus()
  }
  const send = async () => {
    if (method !== 'passkey' && text.trim() === '') return refuse(REQUIRED_MESSAGES[method])
    setPending(true)
    setWrong(undefined)
    setRefusal(undefined)
    try {
      const value = method === 'passkey' ? await sign() : text
      if (value !== undefined) await onAnswer({ [FIELDS[method]]: value })
    } catch (error) {
      const [fieldError] = fieldErrorsOf(error, [FIELDS[method]])
      if (fieldError && method !== 'passkey') refuse(fieldError[1])
      else setRefusal(error)
    }
    setPending(false)
  }
  const run = useSingleSubmit(send)
  const choose = (nextMethod: IdentityProofMethod) => {
    setMethod(nextMethod)
    setText('')
    setWrong(undefined)
    setRefusal(undefined)
  }
  const field = {
    value: text,
    error: wrong,
    autoFocus: true,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => setText(currentTarget.value),
  }
  return (
    <form
      ref={form}
      noValidate
      aria-busy={isPending}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void run()
      }}
      className="space-y-4"
    >
      <FormRefusal refusal={refusal} />
      {method === 'password' && <PasswordField key={method} label="รหัสผ่านของคุณ" {...field} />}
      {method === 'totp' && (
        <TextField
          key={method}
          label="รหัส 6 หลักจากแอปยืนยันตัวตน"
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="123 456"
          {...field}
        />
      )}
      {method === 'recovery' && (
        <TextField
          key={method}
          label="รหัสกู้คืน"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="abcd-efgh-ijkl-mnop"
          hint="แต่ละรหัสใช้ได้ครั้งเดียว"
          {...field}
        />
      )}
      {method === 'passkey' && <p className="text-ink-muted">ใช้ลายนิ้วมือ ใบหน้า หรือรหัสปลดล็อกของเครื่องที่มีพาสคีย์</p>}
      {children}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          type="submit"
          variant="primary"
          {...(method === 'passkey' && { icon: Fingerprint })}
          pending={isPending}
          autoFocus={method === 'passkey'}
          className="max-sm:w-full"
        >
          {method === 'passkey' ? 'ใช้พาสคีย์' : submit}
        </Button>
        <Button onClick={onCancel} className="max-sm:w-full">
          ยกเลิก
        </Button>
      </div>
      {methods.length > 1 && (
        <div className="flex flex-wrap gap-x-3 border-t border-line pt-3">
          {methods
            .filter((option) => option !== method)
            .map((option) => (
              <Button key={option} variant="link" size="sm" onClick={() => choose(option)}>
                {METHOD_LABELS[option]}
              </Button>
            ))}
        </div>
      )}
    </form>
  )
}
