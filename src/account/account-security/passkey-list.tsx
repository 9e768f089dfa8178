import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation } from '@tanstack/react-query'
import { Fingerprint, Plus } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { MAX_PASSKEYS, passkeyNameSchema, type SecondFactorState } from '#contract/account/second-factor.ts'
import { addPasskey, removePasskey } from '#src/account/api/second-factor.ts'
import { FormSubmitError, useFormSubmit } from '#src/account/form-refusal/form-submit-error.tsx'
import { toastMutationResult } from '#src/account/form-refusal/toast-result.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { InlineConfirmation } from '#src/ui/inline-confirmation.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'

const newPasskeyFormSchema = z.object({ name: passkeyNameSchema })

type Passkey = SecondFactorState['passkeys'][number]

function deviceName(): string {
  const agent = navigator.userAgent
  if (/iPhone/.test(agent)) return 'iPhone'
  if (/iPad/.test(agent)) return 'iPad'
  if (/Android/.test(agent)) return 'โทรศัพท์ Android'
  if (/Windows/.test(agent)) return 'Windows'
  return /Mac OS X/.test(agent) ? 'Mac' : 'เครื่องนี้'
}

function PasskeyRow({ passkey: { id, name, created_at, used_at } }: { passkey: Passkey }) {
  const [isConfirming, setConfirming] = useState(false)
  const { mutate: remove, isPending } = useMutation({
    mutationFn: () => removePasskey(id),
    ...toastMutationResult('เอาพาสคีย์ออกไม่สำเร็จ', `เอาพาสคีย์ “${name}” ออกแล้ว`),
    onSettled: () => setConfirming(false),
  })
  if (isConfirming)
    return (
      <li className="py-3">
        <InlineConfirmation
          label={`เอาพาสคีย์ ${name} ออก`}
          no="ใช้ต่อ"
          yes="เอาออก"
          onNo={() => setConfirming(false)}
          onYes={remove}
          pending={isPending}
        >
          พาสคีย์ “{name}” จะเข้าสู่ระบบไม่ได้อีก
        </InlineConfirmation>
      </li>
    )
  return (
    <li className="flex items-center gap-3 py-3">
      <Fingerprint aria-hidden className="size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm text-ink-muted">
          {used_at === null ? 'ยังไม่เคยใช้' : `ใช้ล่าสุด ${formatThaiDateTime(used_at)}`} · เพิ่มเมื่อ{' '}
          {formatThaiDateTime(created_at)}
        </p>
      </div>
      <Button size="sm" variant="quiet" aria-label={`เอาพาสคีย์ ${name} ออก`} onClick={() => setConfirming(true)}>
        เอาออก
      </Button>
    </li>
  )
}

function NewPasskeyForm({
  onDone,
  onCancel,
}: {
  onDone: (recoveryCodes: readonly string[] | null) => void
  onCancel: () => void
}) {
  const form = useForm<{ name: string }>({
    resolver: standardSchemaResolver(newPasskeyFormSchema),
    defaultValues: { name: deviceName() },
  })
  const setNameError = (message: string) => form.setError('name', { message })
  const { submit, refusal, field, isSubmitting } = useFormSubmit(form, ['name'], async ({ name }) => {
    const codes = await addPasskey(name).catch((error: Error) => {
      if (error.message !== 'known') throw error
      return 'known' as const
    })
    if (codes === 'known') setNameError('เครื่องนี้มีพาสคีย์ของบัญชีนี้อยู่แล้ว')
    else if (codes === undefined) setNameError('ยังไม่ได้เพิ่ม เพราะปิดหน้าต่างของเบราว์เซอร์ไป ลองอีกครั้งได้')
    else {
      showToast({ text: `เพิ่มพาสคีย์ “${name}” แล้ว`, tone: 'done' })
      onDone(codes)
    }
  })
  return (
    <form noValidate aria-busy={isSubmitting} onSubmit={submit} className="space-y-3 py-3">
      <FormSubmitError refusal={refusal} />
      <TextField autoFocus label="ชื่อพาสคีย์" autoComplete="off" maxLength={60} className="max-w-sm" {...field('name')} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" icon={Fingerprint} pending={isSubmitting}>
          สร้างพาสคีย์
        </Button>
        <Button onClick={onCancel}>ยกเลิก</Button>
      </div>
    </form>
  )
}

type PasskeyListProps = {
  passkeys: readonly Passkey[]
  onCodes: (recoveryCodes: readonly string[] | null) => void
}

export function PasskeyList({ passkeys, onCodes }: PasskeyListProps) {
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <ul className="divide-y divide-line">
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} />
        ))}
      </ul>
      {isAdding ? (
        <NewPasskeyForm
          onDone={(codes) => {
            setAdding(false)
            onCodes(codes)
          }}
          onCancel={() => setAdding(false)}
        />
      ) : (
        <Button icon={Plus} disabled={passkeys.length >= MAX_PASSKEYS} onClick={() => setAdding(true)} className="my-2">
          เพิ่มพาสคีย์
        </Button>
      )}
    </>
  )
}
