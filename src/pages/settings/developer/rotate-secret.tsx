import { useState } from 'react'
import { SECRET_OVERLAP_HOURS, type Webhook } from '#contract/account/webhook.ts'
import { replaceSecret } from '#src/api/account/webhooks.ts'
import { fieldErrorsOf } from '#src/api/http/problem-error.ts'
import { FormRefusal } from '#src/features/form-refusal/form-refusal.tsx'
import { useOneAtATime } from '#src/lib/use-one-at-a-time.ts'
import { Button } from '#src/ui/button.tsx'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { MadeSecret } from './made-secret.tsx'

/** Asks for the password, then tells the new secret once. The one before goes on for a day, so that programs can be changed without a gap. */
export function RotateSecret({ webhook: { id, name }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [password, setPassword] = useState('')
  const [isPending, setPending] = useState(false)
  const [refusal, setRefusal] = useState<unknown>()
  const [wrong, setWrong] = useState<string>()
  const [secret, setSecret] = useState<string>()
  const submit = useOneAtATime(async () => {
    setRefusal(undefined)
    setWrong(password === '' ? 'กรอกรหัสผ่านของคุณ' : undefined)
    if (password === '') return
    setPending(true)
    try {
      setSecret((await replaceSecret(id, password)).secret)
    } catch (error) {
      const [field] = fieldErrorsOf(error, ['password'])
      if (field) setWrong(field[1])
      else setRefusal(error)
    } finally {
      setPending(false)
    }
  })
  if (secret !== undefined)
    return (
      <div className="space-y-2">
        <MadeSecret secret={secret} />
        <Button size="sm" onClick={onClose}>
          เก็บรหัสลับแล้ว
        </Button>
      </div>
    )
  return (
    <form
      noValidate
      aria-label={`เปลี่ยนรหัสลับของ ${name}`}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      className="space-y-3 rounded-control border border-line bg-surface-muted px-3 py-3"
    >
      <FormRefusal refusal={refusal} />
      <p className="text-sm">
        ออกรหัสลับใหม่ รหัสเดิมยังใช้ตรวจได้อีก {SECRET_OVERLAP_HOURS} ชั่วโมง ระหว่างนั้นทุกคำขอมีลายเซ็นของทั้งสองรหัส
      </p>
      <PasswordField
        label="รหัสผ่านของคุณ"
        autoComplete="current-password"
        // biome-ignore lint/a11y/noAutofocus: the form stands where the menu was that asked for it.
        autoFocus
        value={password}
        error={wrong}
        className="max-w-sm"
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" look="primary" pending={isPending}>
          ออกรหัสลับใหม่
        </Button>
        <Button size="sm" look="quiet" onClick={onClose}>
          ไม่เปลี่ยน
        </Button>
      </div>
    </form>
  )
}
