import { Fingerprint } from 'lucide-react'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { FactorAnswer, Proof, ProofWay } from '#contract/account/second-factor.ts'
import { FormRefusal } from '#src/account/form-refusal/form-refusal.tsx'
import { fieldErrorsOf } from '#src/api/http/problem-error.ts'
import { useOneAtATime } from '#src/lib/use-one-at-a-time.ts'
import { Button } from '#src/ui/button.tsx'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'

const OTHER_WAY: Readonly<Record<ProofWay, string>> = {
  password: 'ใช้รหัสผ่าน',
  totp: 'ใช้รหัสจากแอป',
  passkey: 'ใช้พาสคีย์',
  recovery: 'ใช้รหัสกู้คืน',
}

const FIELDS = { password: 'password', totp: 'otp', passkey: 'passkey', recovery: 'recovery_code' } as const
const MISSING: Readonly<Record<Exclude<ProofWay, 'passkey'>, string>> = {
  password: 'กรอกรหัสผ่าน',
  totp: 'กรอกรหัส 6 หลัก',
  recovery: 'กรอกรหัสกู้คืน',
}

type FactorFormProps = {
  ways: readonly ProofWay[]
  submit: string
  /** Signs with a passkey; resolves to undefined when the user cancels. */
  sign: () => Promise<FactorAnswer['passkey']>
  /** Submits the proof; a thrown error is shown at the field. */
  onAnswer: (answer: Proof) => Promise<void>
  onCancel: () => void
  children?: ReactNode
}

export function FactorForm({ ways, submit, sign, onAnswer, onCancel, children }: FactorFormProps) {
  const [way, setWay] = useState<ProofWay>(ways[0] ?? 'password')
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
    if (way !== 'passkey' && text.trim() === '') return refuse(MISSING[way])
    setPending(true)
    setWrong(undefined)
    setRefusal(undefined)
    try {
      const value = way === 'passkey' ? await sign() : text
      if (value !== undefined) await onAnswer({ [FIELDS[way]]: value })
    } catch (error) {
      const [found] = fieldErrorsOf(error, [FIELDS[way]])
      if (found && way !== 'passkey') refuse(found[1])
      else setRefusal(error)
    }
    setPending(false)
  }
  const run = useOneAtATime(send)
  const choose = (next: ProofWay) => {
    setWay(next)
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
      {way === 'password' && <PasswordField key={way} label="รหัสผ่านของคุณ" {...field} />}
      {way === 'totp' && (
        <TextField
          key={way}
          label="รหัส 6 หลักจากแอปยืนยันตัวตน"
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="123 456"
          {...field}
        />
      )}
      {way === 'recovery' && (
        <TextField
          key={way}
          label="รหัสกู้คืน"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="abcd-efgh-ijkl-mnop"
          hint="แต่ละรหัสใช้ได้ครั้งเดียว"
          {...field}
        />
      )}
      {way === 'passkey' && <p className="text-ink-muted">ใช้ลายนิ้วมือ ใบหน้า หรือรหัสปลดล็อกของเครื่องที่มีพาสคีย์</p>}
      {children}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          type="submit"
          look="primary"
          {...(way === 'passkey' && { icon: Fingerprint })}
          pending={isPending}
          autoFocus={way === 'passkey'}
          className="max-sm:w-full"
        >
          {way === 'passkey' ? 'ใช้พาสคีย์' : submit}
        </Button>
        <Button onClick={onCancel} className="max-sm:w-full">
          ยกเลิก
        </Button>
      </div>
      {ways.length > 1 && (
        <div className="flex flex-wrap gap-x-3 border-t border-line pt-3">
          {ways
            .filter((one) => one !== way)
            .map((one) => (
              <Button key={one} look="link" size="sm" onClick={() => choose(one)}>
                {OTHER_WAY[one]}
              </Button>
            ))}
        </div>
      )}
    </form>
  )
}
