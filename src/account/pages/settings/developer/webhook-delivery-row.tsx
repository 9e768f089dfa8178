import { useMutation, useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import {
  TEST_WEBHOOK_EVENT,
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryAttempt,
} from '#contract/account/webhook.ts'
import { resendWebhookDelivery, webhookDeliveryQuery } from '#src/account/api/webhooks.ts'
import { toastMutationResult } from '#src/account/form-refusal/toast-result.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getErrorText } from '#src/lib/problem-error.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { CopyableText } from './copyable-text.tsx'
import { DEAD_WEBHOOK_DELIVERY_TEXTS, getWebhookDeliveryFaultText } from './webhook-delivery-fault-text.ts'

const TONES: Readonly<Record<WebhookDelivery['state'], BadgeTone>> = {
  waiting: 'updated',
  delivered: 'new',
  dead: 'urgent',
}
const typeName = (type: string) =>
  type === TEST_WEBHOOK_EVENT ? 'ทดสอบ' : (WEBHOOK_EVENTS.find(({ code }) => code === type)?.th ?? type)
const seconds = (ms: number) => `${(ms / 1000).toLocaleString('th-TH', { maximumFractionDigits: 2 })} วินาที`

type DeliveryRowProps = { webhook: Webhook; delivery: WebhookDelivery }

export function WebhookDeliveryRow({ webhook, delivery }: DeliveryRowProps) {
  const { type, project_id, at, state, reason, attempts, next_at, last } = delivery
  const [isOpen, setOpen] = useState(false)
  const panel = useId()
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-11 w-full items-start gap-3 px-4 py-2.5 text-left hover:bg-surface-muted focus-visible:-outline-offset-2 sm:px-5"
      >
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium">{typeName(type)}</span>{' '}
            {project_id !== null && <span className="text-sm text-ink-muted tabular-nums">{project_id}</span>}{' '}
            <Badge tone={TONES[state]}>{WEBHOOK_DELIVERY_STATES.find(({ code }) => code === state)?.th}</Badge>
          </span>
          <span className="block text-sm text-ink-muted tabular-nums">
            {formatThaiDateTime(at)}
            {attempts > 0 && ` · ส่งแล้ว ${attempts} ครั้ง`}
            {last && ` · ${getWebhookDeliveryFaultText(last)}${last.status === null ? '' : ` ใน ${seconds(last.ms)}`}`}
            {reason !== null && ` · ${DEAD_WEBHOOK_DELIVERY_TEXTS[reason]}`}
            {next_at !== null && attempts > 0 && ` · ลองอีก ${formatThaiDateTime(next_at)}`}
          </span>
        </span>
        <ChevronDown
          aria-hidden
          className={classNames('mt-1 size-4 shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-180')}
        />
      </button>
      {isOpen && (
        <div id={panel} className="space-y-3 bg-surface-muted px-4 py-3 sm:px-5">
          <DeliveryDetail webhook={webhook} delivery={delivery} />
        </div>
      )}
    </li>
  )
}

function DeliveryDetail({ webhook, delivery: { id, type, state } }: DeliveryRowProps) {
  const { data, error, refetch } = useQuery(webhookDeliveryQuery(webhook.id, id))
  const isSending = webhook.is_on && webhook.paused === null
  const { mutate: resend, isPending } = useMutation({
    mutationFn: () => resendWebhookDelivery(webhook.id, id),
    ...toastMutationResult('ส่งซ้ำไม่สำเร็จ', 'กำลังส่งซ้ำ'),
  })
  if (data === undefined)
    return error === null ? (
      <Skeleton className="h-24" />
    ) : (
      <p role="alert" className="text-sm">
        {getErrorText(error)}{' '}
        <Button size="sm" variant="link" onClick={() => void refetch()}>
          ลองอีกครั้ง
        </Button>
      </p>
    )
  return (
    <>
      <p className="text-sm wrap-anywhere">
        webhook-id <code className="select-all">{id}</code>
      </p>
      <CopyableText text={data.body} displayText={pretty(data.body)} label="ข้อมูลที่ส่ง" isCode />
      {data.tries.length === 0 ? (
        <p className="text-sm text-ink-muted">ยังไม่ได้ลองส่ง</p>
      ) : (
        <ol aria-label="แต่ละครั้งที่ส่ง" className="space-y-2">
          {data.tries.map((attempt) => (
            <AttemptRow key={`${attempt.at} ${attempt.ms}`} attempt={attempt} />
          ))}
        </ol>
      )}
      {type !== TEST_WEBHOOK_EVENT && state !== 'waiting' && isSending && (
        <Button size="sm" pending={isPending} onClick={() => resend()}>
          ส่งซ้ำ
        </Button>
      )}
    </>
  )
}

function AttemptRow({ attempt }: { attempt: WebhookDeliveryAttempt }) {
  const { at, ms, answer } = attempt
  return (
    <li className="text-sm">
      <span className="tabular-nums">
        {formatThaiDateTime(at)} · {getWebhookDeliveryFaultText(attempt)} · {seconds(ms)}
      </span>
      {answer !== '' && (
        <pre
          tabIndex={0}
          role="region"
          aria-label="คำตอบของปลายทาง"
          className="mt-1 max-h-40 overflow-auto rounded-control border border-line bg-surface px-2.5 py-1.5 whitespace-pre-wrap wrap-anywhere"
        >
          {answer}
        </pre>
      )}
    </li>
  )
}

/** Indents the payload for display; the signed and copied text has no line breaks. */
const pretty = (body: string) => JSON.stringify(JSON.parse(body), null, 2)
