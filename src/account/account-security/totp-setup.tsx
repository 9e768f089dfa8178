import { type TotpEnrolment, totpConfirmationSchema } from '#contract/account/second-factor.ts'
import { confirmTotp } from '#src/account/api/second-factor.ts'
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { QrCode } from '#src/account/qr-code/qr-code.tsx'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'

type TotpSetUpProps = {
  enrolment: TotpEnrolment
  onDone: (recoveryCodes: readonly string[] | null) => void
  onCancel: () => void
}

export function TotpSetup({ enrolment, onDone, onCancel }: TotpSetUpProps) {
  const form = useSchemaForm(
    { schema: totpConfirmationSchema, fields: ['otp'], defaultValues: { otp: '' } },
    async ({ otp }) => onDone(await confirmTotp(otp)),
  )
  return (
    <SchemaForm form={form}>
      <ol className="list-decimal space-y-1 pl-5">
        <li>เปิดแอปยืนยันตัวตนในโทรศัพท์ เช่น Google Authenticator, Microsoft Authenticator หรือ 1Password</li>
        <li>สแกนรูปนี้ หรือพิมพ์รหัสตั้งค่าด้านล่างลงในแอป</li>
        <li>กรอกรหัส 6 หลักที่แอปแสดง</li>
      </ol>
      <div className="flex flex-wrap items-start gap-4">
        <QrCode text={enrolment.uri} label="คิวอาร์สำหรับแอปยืนยันตัวตน" />
        <div className="min-w-0 flex-1 basis-64 space-y-4">
          <div>
            <p className="font-medium">รหัสตั้งค่า</p>
            <code className="text-sm wrap-anywhere text-ink-muted select-all">
              {enrolment.secret.match(/.{1,4}/g)?.join(' ')}
            </code>
          </div>
          <TextField
            autoFocus
            label="รหัส 6 หลักจากแอป"
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="123 456"
            className="max-w-60"
            {...form.field('otp')}
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" pending={form.isSubmitting}>
              เปิดใช้
            </Button>
            <Button onClick={onCancel}>ยกเลิก</Button>
          </div>
        </div>
      </div>
    </SchemaForm>
  )
}
