import { useMutation } from '@tanstack/react-query'
import { WEBHOOK_SECRET_OVERLAP_HOURS, type Webhook } from '#contract/account/webhook.ts'
import { replaceWebhookSecret } from '#src/account/api/webhooks.ts'
import { FormSubmitError } from '#src/account/form-refusal/form-submit-error.tsx'
import { Button } from '#src/ui/button.tsx'
import { InlineConfirmation } from '#src/ui/inline-confirmation.tsx'
import { CreatedWebhookSecret } from './created-webhook-secret.tsx'

export function RotateWebhookSecretDialog({
  webhook: { id, name },
  onClose,
}: {
  webhook: Webhook
  onClose: () => void
}) {
  const {
    mutate: replace,
    data: created,
    isPending,
    error,
  } = useMutation({ mutationFn: () => replaceWebhookSecret(id) })
  if (created)
    return (
      <div className="space-y-2">
        <CreatedWebhookSecret secret={created.secret} />
        <Button size="sm" onClick={onClose}>
          เก็บรหัสลับแล้ว
        </Button>
      </div>
    )
  return (
    <div className="space-y-3 rounded-control border border-line bg-surface-muted px-3 py-3">
      <FormSubmitError refusal={error} />
      <InlineConfirmation
        label={`เปลี่ยนรหัสลับของ ${name}`}
        no="ไม่เปลี่ยน"
        yes="ออกรหัสลับใหม่"
        onNo={onClose}
        onYes={replace}
        pending={isPending}
        className="text-sm"
      >
        ออกรหัสลับใหม่ รหัสเดิมยังใช้ตรวจได้อีก {WEBHOOK_SECRET_OVERLAP_HOURS} ชั่วโมง ระหว่างนั้นทุกคำขอมีลายเซ็นของทั้งสองรหัส
      </InlineConfirmation>
    </div>
  )
}
