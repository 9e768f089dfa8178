import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { encode } from 'uqr'
import type { TotpEnrolment } from '#contract/account/second-factor.ts'
import { confirmTotp } from '#src/account/api/second-factor.ts'
import { FormRefusal } from '#src/account/form-refusal/form-refusal.tsx'
import { fieldErrorsOf } from '#src/api/http/problem-error.ts'
import { useSingleSubmit } from '#src/lib/use-one-at-a-time.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'

/** Always dark on light, because some cameras cannot read inverted codes. */
function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => {
    const { size, data } = encode(text, { border: 2 })
    const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('')
    return { size, path }
  }, [text])
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="คิวอาร์สำหรับแอปยืนยันตัวตน"
      shapeRendering="crispEdges"
      className="size-48 shrink-0 rounded-control border border-line"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#0f172a" />
    </svg>
  )
}

type TotpSetUpProps = {
  enrolment: TotpEnrolment
  onDone: (recoveryCodes: readonly string[] | null) => void
  onCancel: () => void
}

export function TotpSetUp({ enrolment, onDone, onCancel }: TotpSetUpProps) {
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [refusal, setRefusal] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const focus = () => form.current?.querySelector('input')?.focus()
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const submit = useSingleSubmit(async () => {
    setPending(true)
    setWrong(undefined)
    setRefusal(undefined)
    try {
      onDone(await confirmTotp(code))
    } catch (error) {
      const [fieldError] = fieldErrorsOf(error, ['otp'])
      if (fieldError) {
        setWrong(fieldError[1])
        focus()
      } else setRefusal(error)
      setPending(false)
    }
  })
  return (
    <form
      ref={form}
      noValidate
      aria-busy={isPending}
      onSubmit={(event: FormEvent) => submit(event as FormEvent<HTMLFormElement>)}
      className="space-y-4"
    >
      <FormRefusal refusal={refusal} />
      <ol className="list-decimal space-y-1 pl-5">
        <li>เปิดแอปยืนยันตัวตนในโทรศัพท์ เช่น Google Authenticator, Microsoft Authenticator หรือ 1Password</li>
        <li>สแกนรูปนี้ หรือพิมพ์รหัสตั้งค่าด้านล่างลงในแอป</li>
        <li>กรอกรหัส 6 หลักที่แอปแสดง</li>
      </ol>
      <div className="flex flex-wrap items-start gap-4">
        <QrCode text={enrolment.uri} />
        <div className="min-w-0 flex-1 basis-64 space-y-4">
          <div>
            <p className="font-medium">รหัสตั้งค่า</p>
            <code className="text-sm wrap-anywhere text-ink-muted select-all">
              {enrolment.secret.match(/.{1,4}/g)?.join(' ')}
            </code>
          </div>
          <TextField
            label="รหัส 6 หลักจากแอป"
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="123 456"
            className="max-w-60"
            value={code}
            error={wrong}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" pending={isPending}>
              เปิดใช้
            </Button>
            <Button onClick={onCancel}>ยกเลิก</Button>
          </div>
        </div>
      </div>
    </form>
  )
}
