import { Fingerprint, Plus } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod/mini'
import { MAX_PASSKEYS, passkeyNameSchema, type SecondFactorState } from '#contract/account/second-factor.ts'
import { addPasskey, removePasskey } from '#src/account/api/second-factor.ts'
import { ConfirmedAction } from '#src/account/form-refusal/action-button.tsx'
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { ItemRow } from '#src/ui/item-row.tsx'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'

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
  const lastUse = used_at === null ? 'ยังไม่เคยใช้' : `ใช้ล่าสุด ${formatThaiDateTime(used_at)}`
  return (
    <li className="py-3">
      <ConfirmedAction
        label={`เอาพาสคีย์ ${name} ออก`}
        question={`พาสคีย์ “${name}” จะเข้าสู่ระบบไม่ได้อีก`}
        no="ใช้ต่อ"
        yes="เอาออก"
        run={() => removePasskey(id)}
        failed="เอาพาสคีย์ออกไม่สำเร็จ"
        done={`เอาพาสคีย์ “${name}” ออกแล้ว`}
      >
        {(ask) => (
          <ItemRow icon={Fingerprint} title={name} details={`${lastUse} · เพิ่มเมื่อ ${formatThaiDateTime(created_at)}`}>
            <Button size="sm" variant="quiet" aria-label={`เอาพาสคีย์ ${name} ออก`} onClick={ask}>
              เอาออก
            </Button>
          </ItemRow>
        )}
      </ConfirmedAction>
    </li>
  )
}

type OnCodes = (recoveryCodes: readonly string[] | null) => void

function NewPasskeyForm({ onDone, onCancel }: { onDone: OnCodes; onCancel: () => void }) {
  const form = useSchemaForm(
    { schema: newPasskeyFormSchema, fields: ['name'], defaultValues: { name: deviceName() } },
    async ({ name }) => {
      const codes = await addPasskey(name).catch((error: Error) => {
        if (error.message !== 'known') throw error
        return 'known' as const
      })
      if (codes === 'known') setNameError('เครื่องนี้มีพาสคีย์ของบัญชีนี้อยู่แล้ว')
      else if (codes === undefined) setNameError('ยังไม่ได้เพิ่ม เพราะปิดหน้าต่างของเบราว์เซอร์ไป ลองอีกครั้งได้')
      else {
        showDoneToast(`เพิ่มพาสคีย์ “${name}” แล้ว`)
        onDone(codes)
      }
    },
  )
  const setNameError = (message: string) => form.setError('name', { message })
  const nameField = form.field('name')
  return (
    <SchemaForm form={form} className="space-y-3 py-3">
      <TextField autoFocus label="ชื่อพาสคีย์" autoComplete="off" maxLength={60} className="max-w-sm" {...nameField} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" icon={Fingerprint} pending={form.isSubmitting}>
          สร้างพาสคีย์
        </Button>
        <Button onClick={onCancel}>ยกเลิก</Button>
      </div>
    </SchemaForm>
  )
}

export function PasskeyList({ passkeys, onCodes }: { passkeys: readonly Passkey[]; onCodes: OnCodes }) {
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
