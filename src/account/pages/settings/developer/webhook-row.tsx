import { useMutation, useQuery } from '@tanstack/react-query'
import { EllipsisVertical, ScrollText, Send } from 'lucide-react'
import { useEffect, useState } from 'react'
import { WEBHOOK_EVENTS, WEBHOOK_SECRET_OVERLAP_HOURS, type Webhook } from '#contract/account/webhook.ts'
import { getChoiceLabel } from '#contract/catalogue/project.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import {
  deleteWebhook,
  refetchWebhooks,
  replaceWebhookSecret,
  testWebhook,
  updateWebhook,
  webhookDeliveryQuery,
} from '#src/account/api/webhooks.ts'
import { FormSubmitError } from '#src/account/form-refusal/form-submit-error.tsx'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { InlineConfirmation } from '#src/ui/inline-confirmation.tsx'
import { Menu, MenuItem } from '#src/ui/overlay/menu.tsx'
import { toastMutationResult } from '#src/ui/overlay/outcome-toasts.ts'
import { CreatedWebhookSecret } from './created-webhook-secret.tsx'
import { getWebhookDeliveryFaultText } from './webhook-delivery-fault-text.ts'

type WebhookRowProps = { webhook: Webhook; onLog: () => void; onEdit: () => void }

export function WebhookRow({ webhook, onLog, onEdit }: WebhookRowProps) {
  const { id, name, url, is_on, paused, events, view, made_by, created_at, old_secret_until } = webhook
  const [pendingAction, setPendingAction] = useState<'delete' | 'secret'>()
  const { mutate: setEnabled } = useMutation({
    mutationFn: (isOn: boolean) => updateWebhook(id, { is_on: isOn }),
    ...toastMutationResult('ไม่สำเร็จ', (isOn: boolean) => (isOn ? `เปิดใช้ “${name}” แล้ว` : `ปิด “${name}” แล้ว`)),
  })
  const { mutate: test, data: tested } = useMutation({
    mutationFn: () => testWebhook(id),
    ...toastMutationResult('ส่งทดสอบไม่สำเร็จ', 'ส่งทดสอบแล้ว'),
  })
  const { mutate: remove, isPending } = useMutation({
    mutationFn: () => deleteWebhook(id),
    ...toastMutationResult('ลบไม่สำเร็จ', `ลบ “${name}” แล้ว`),
  })
  const isActive = is_on && paused === null
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            <span className="wrap-anywhere">{name}</span>
            <StateBadge webhook={webhook} />
          </p>
          <p className="text-sm wrap-anywhere">
            <code>{url}</code>
          </p>
          <p className="text-sm text-ink-muted">
            {events.map((event) => getChoiceLabel(WEBHOOK_EVENTS, event)).join(', ')}
            {view !== null &&
              (view.name === null ? (
                <span className="text-urgent"> · มุมมองทีมที่เลือกไม่มีแล้ว จึงไม่ส่งเรื่องโครงการ เลือกใหม่</span>
              ) : (
                ` · เฉพาะมุมมองทีม “${view.name}”`
              ))}
          </p>
          <LastDelivery webhook={webhook} />
          {tested !== undefined && <TestResult id={id} delivery={tested} />}
          <p className="text-sm wrap-anywhere text-ink-muted">
            สร้างโดย {made_by ?? 'บัญชีที่ถูกลบ'} {formatThaiDateTime(created_at)}
            {old_secret_until !== null && ` · รหัสลับเดิมใช้ได้ถึง ${formatThaiDateTime(old_secret_until)}`}
          </p>
        </div>
        <div className="flex items-center gap-1">
          {!isActive && (
            <Button size="sm" variant="primary" onClick={() => setEnabled(true)}>
              เปิดใช้
            </Button>
          )}
          <Button size="sm" icon={Send} of={name} onClick={() => test()}>
            ส่งทดสอบ
          </Button>
          <Button size="sm" icon={ScrollText} aria-label={`บันทึกการส่งของ ${name}`} onClick={onLog}>
            บันทึก
          </Button>
          <Menu
            label={`จัดการ ${name}`}
            trigger={(props) => <IconButton {...props} icon={EllipsisVertical} label={`จัดการ ${name}`} />}
          >
            <MenuItem onSelect={onEdit}>แก้ไข</MenuItem>
            {isActive && <MenuItem onSelect={() => setEnabled(false)}>ปิดไว้ก่อน</MenuItem>}
            <MenuItem onSelect={() => setPendingAction('secret')}>เปลี่ยนรหัสลับ</MenuItem>
            <MenuItem danger onSelect={() => setPendingAction('delete')}>
              ลบ
            </MenuItem>
          </Menu>
        </div>
      </div>
      {pendingAction === 'secret' && (
        <RotateWebhookSecretDialog webhook={webhook} onClose={() => setPendingAction(undefined)} />
      )}
      {pendingAction === 'delete' && (
        <InlineConfirmation
          label={`ลบเว็บฮุก ${name}`}
          no="ไม่ลบ"
          yes="ลบเว็บฮุก"
          onNo={() => setPendingAction(undefined)}
          onYes={remove}
          pending={isPending}
          className="rounded-control border border-urgent-line bg-urgent-soft px-3 py-2"
        >
          หยุดส่งทันที และบันทึกการส่งของ “{name}” จะหายไปด้วย
        </InlineConfirmation>
      )}
    </div>
  )
}

function StateBadge({ webhook: { is_on, paused, failing_since } }: { webhook: Webhook }) {
  if (!is_on) return <Badge>ปิดอยู่</Badge>
  if (paused?.reason === 'gone') return <Badge tone="urgent">พักอยู่ ปลายทางไม่รับแล้ว</Badge>
  if (paused) return <Badge tone="urgent">พักอยู่ ส่งไม่ถึงสามวัน</Badge>
  return failing_since === null ? <Badge tone="new">เปิดอยู่</Badge> : <Badge tone="updated">ส่งไม่ถึง กำลังลองใหม่</Badge>
}

const TEST_POLL_MS = 1_000

function TestResult({ id, delivery }: { id: number; delivery: string }) {
  const { data } = useQuery({
    ...webhookDeliveryQuery(id, delivery),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.state === 'waiting' ? TEST_POLL_MS : false),
  })
  const isFinished = data !== undefined && data.state !== 'waiting'
  useEffect(() => {
    if (isFinished) refetchWebhooks()
  }, [isFinished])
  const met = data?.last ? ` ${getWebhookDeliveryFaultText(data.last)}` : ''
  return (
    <p role="status" className="text-sm wrap-anywhere">
      {!isFinished ? (
        <span className="text-ink-muted">กำลังส่งทดสอบ</span>
      ) : data.state === 'delivered' ? (
        <span className="text-new">ทดสอบถึงปลายทางแล้ว{met}</span>
      ) : (
        <span className="text-urgent">ทดสอบไม่ถึงปลายทาง{met}</span>
      )}
    </p>
  )
}

function LastDelivery({ webhook: { last, counts, paused, failing_since } }: { webhook: Webhook }) {
  return (
    <>
      <p className="text-sm text-ink-muted">
        {last === null ? 'ยังไม่เคยส่ง' : `ล่าสุด ${formatThaiDateTime(last.at)} ${getWebhookDeliveryFaultText(last)}`}
        {' · 30 วัน: '}ถึงแล้ว {formatCount(counts.delivered)} · รอส่ง {formatCount(counts.waiting)} · ไม่ถึง{' '}
        {formatCount(counts.dead)}
      </p>
      {paused ? (
        <p className="text-sm text-urgent">
          พักตั้งแต่ {formatThaiDateTime(paused.at)} เหตุการณ์ระหว่างนี้เก็บไว้ 30 วัน เปิดใช้แล้วส่งซ้ำได้ในบันทึกการส่ง
        </p>
      ) : (
        failing_since !== null && <p className="text-sm text-updated">ส่งไม่ถึงตั้งแต่ {formatThaiDateTime(failing_since)}</p>
      )}
    </>
  )
}

function RotateWebhookSecretDialog({ webhook: { id, name }, onClose }: { webhook: Webhook; onClose: () => void }) {
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
