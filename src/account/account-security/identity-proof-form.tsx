import { Fingerprint } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { IdentityProof, IdentityProofMethod, SecondFactorInput } from '#contract/account/second-factor.ts'
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { Button } from '#src/ui/button.tsx'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'

const METHOD_LABELS: Readonly<Record<IdentityProofMethod, string>> = {
  password: 'ใช้รหัสผ่าน',
  totp: 'ใช้รหัสจากแอป',
  passkey: 'ใช้พาสคีย์',
  recovery: 'ใช้รหัสกู้คืน',
}

const FIELDS = { password: 'password', totp: 'otp', recovery: 'recovery_code' } as const
/** Errors of an empty field; the server explains what is wrong with a code. */
const EMPTY_TEXTS = { password: 'กรอกรหัสผ่าน', otp: 'กรอกรหัส 6 หลัก', recovery_code: 'กรอกรหัสกู้คืน' } as const

type FactorFormProps = {
  methods: readonly IdentityProofMethod[]
  submit: string
  sign: () => Promise<SecondFactorInput['passkey']>
  onAnswer: (proof: IdentityProof) => Promise<void>
  onCancel: () => void
  children?: ReactNode
}

export function IdentityProofForm({ methods, ...rest }: FactorFormProps) {
  const [method, setMethod] = useState<IdentityProofMethod>(methods[0] ?? 'password')
  const otherMethods = methods.filter((option) => option !== method)
  return (
    <MethodForm
      key={method}
      method={method}
      {...rest}
      footer={
        otherMethods.length > 0 && (
          <div className="flex flex-wrap gap-x-3 border-t border-line pt-3">
            {otherMethods.map((option) => (
              <Button key={option} variant="link" size="sm" onClick={() => setMethod(option)}>
                {METHOD_LABELS[option]}
              </Button>
            ))}
          </div>
        )
      }
    />
  )
}

type MethodFormProps = Omit<FactorFormProps, 'methods'> & { method: IdentityProofMethod; footer: ReactNode }

function MethodForm({ method, submit: submitText, sign, onAnswer, onCancel, children, footer }: MethodFormProps) {
  const form = useSchemaForm(
    { fields: Object.values(FIELDS), defaultValues: { password: '', otp: '', recovery_code: '' } },
    async (answer: Readonly<Record<keyof typeof EMPTY_TEXTS, string>>) => {
      if (method !== 'passkey') return onAnswer({ [FIELDS[method]]: answer[FIELDS[method]] })
      const passkey = await sign()
      if (passkey !== undefined) await onAnswer({ passkey })
    },
  )
  const field = (name: keyof typeof EMPTY_TEXTS) =>
    form.field(name, { validate: (text) => text.trim() !== '' || EMPTY_TEXTS[name] })
  return (
    <SchemaForm form={form}>
      {method === 'password' && <PasswordField autoFocus label="รหัสผ่านของคุณ" {...field('password')} />}
      {method === 'totp' && (
        <TextField
          autoFocus
          label="รหัส 6 หลักจากแอปยืนยันตัวตน"
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="123 456"
          {...field('otp')}
        />
      )}
      {method === 'recovery' && (
        <TextField
          autoFocus
          label="รหัสกู้คืน"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="abcd-efgh-ijkl-mnop"
          hint="แต่ละรหัสใช้ได้ครั้งเดียว"
          {...field('recovery_code')}
        />
      )}
      {method === 'passkey' && <p className="text-ink-muted">ใช้ลายนิ้วมือ ใบหน้า หรือรหัสปลดล็อกของเครื่องที่มีพาสคีย์</p>}
      {children}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          type="submit"
          variant="primary"
          {...(method === 'passkey' && { icon: Fingerprint })}
          pending={form.isSubmitting}
          autoFocus={method === 'passkey'}
          className="max-sm:w-full"
        >
          {method === 'passkey' ? 'ใช้พาสคีย์' : submitText}
        </Button>
        <Button onClick={onCancel} className="max-sm:w-full">
          ยกเลิก
        </Button>
      </div>
      {footer}
    </SchemaForm>
  )
}
