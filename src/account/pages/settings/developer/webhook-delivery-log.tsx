import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowLeft, ChevronDown, RotateCw } from 'lucide-react'
import { useId, useState } from 'react'
import { z } from 'zod/mini'
import {
  TEST_WEBHOOK_EVENT,
  WEBHOOK_DELIVERY_RETENTION_DAYS,
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryState,
} from '#contract/account/webhook.ts'
import { getChoiceLabel } from '#contract/catalogue/project.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import {
  resendWebhookDeliveriesSince,
  resendWebhookDelivery,
  webhookDeliveriesQuery,
  webhookDeliveryQuery,
} from '#src/account/api/webhooks.ts'
import { ActionButton } from '#src/account/form-refusal/action-button.tsx'
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { thaiDateSchema } from '#src/lib/thai-date-schema.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { focusOnMount } from '#src/ui/focus-on-mount.ts'
import { ListboxField } from '#src/ui/form/listbox-field.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { CopyableText } from './copyable-text.tsx'
import { WebhookVerificationSnippet } from './created-webhook-secret.tsx'
import { DEAD_WEBHOOK_DELIVERY_TEXTS, getWebhookDeliveryFaultText } from './webhook-delivery-fault-text.ts'

type StateFilter = WebhookDeliveryState | 'all'
const STATES = [
  { value: 'all' as StateFilter, th: 'ทั้งหมด' },
  ...WEBHOOK_DELIVERY_STATES.map(({ code, th }) => ({ value: code as StateFilter, th })),
]

export function WebhookDeliveryLog({ webhook, onBack }: { webhook: Webhook; onBack: () => void }) {
  const [state, setState] = useState<StateFilter>('all')
  const log = useInfiniteQuery(webhookDeliveriesQuery(webhook.id, state === 'all' ? undefined : state))
  const { error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = log
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries)
  return (
    <>
      <Button ref={focusOnMount} variant="link" icon={ArrowLeft} onClick={onBack}>
        เว็บฮุกทั้งหมด
      </Button>
      <SettingsSection
        title={`บันทึกการส่งของ “${webhook.name}”`}
        description={`เก็บ ${WEBHOOK_DELIVERY_RETENTION_DAYS} วัน ลำดับที่ถึงปลายทางอาจไม่ตรงกับลำดับที่เกิด และเหตุการณ์หนึ่งอาจถึงมากกว่าหนึ่งครั้งด้วย webhook-id เดิม`}
        flush
      >
        <div className="flex flex-wrap items-end gap-x-4 gap-y-3 border-b border-line px-4 py-3 sm:px-5">
          <ListboxField label="สถานะ" value={state} options={STATES} onChange={setState} />
          <Button variant="quiet" icon={RotateCw} pending={isFetching} onClick={() => void refetch()}>
            ดูใหม่
          </Button>
          <ResendSince webhook={webhook} />
        </div>
        <div role="status" className="sr-only">
          {deliveries && !isFetching ? `${deliveries.length} รายการ` : ''}
        </div>
        <QueryView
          query={{ data: deliveries, error, isFetching, refetch }}
          task="โหลดบันทึกการส่ง"
          errorClassName="m-4 sm:mx-5"
          barsClassName="m-4"
          bars={['h-40']}
          isEmpty={(list) => list.length === 0}
          empty={
            <p className="px-4 py-4 text-ink-muted sm:px-5">
              {state === 'all' ? 'ยังไม่มีอะไรส่งไปที่นี่ กด “ส่งทดสอบ” ที่รายการเว็บฮุก หรือรอเหตุการณ์แรก' : 'ไม่มีรายการในสถานะนี้'}
            </p>
          }
        >
          {(list) => (
            <ul className="divide-y divide-line">
              {list.map((delivery) => (
                <WebhookDeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} />
              ))}
            </ul>
          )}
        </QueryView>
        {hasNextPage && (
          <div className="border-t border-line px-4 py-3 sm:px-5">
            <Button pending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              ดูก่อนหน้านี้
            </Button>
          </div>
        )}
      </SettingsSection>
      <SettingsSection title="ตรวจว่ามาจากตามงานจริง">
        <WebhookVerificationSnippet />
      </SettingsSection>
    </>
  )
}

const resendFormSchema = z.object({ since: thaiDateSchema })

/** Resends deliveries from a given time on. Duplicates are harmless, because receivers dedupe by `webhook-id`. */
function ResendSince({ webhook: { id, is_on, paused } }: { webhook: Webhook }) {
  const today = useBangkokToday()
  const form = useSchemaForm(
    {
      schema: resendFormSchema,
      fields: ['since'],
      mode: 'onChange',
      defaultValues: { since: formatThaiDate(today) },
    },
    async ({ since }) => {
      const resent = await resendWebhookDeliveriesSince(id, `${since ?? today}T00:00:00+07:00`)
      const text = resent === 0 ? 'ไม่มีรายการที่ส่งไม่ถึงตั้งแต่วันนั้น' : `ส่งซ้ำ ${resent.toLocaleString('th-TH')} รายการ`
      showDoneToast(text)
    },
  )
  if (!is_on || paused !== null)
    return <p className="min-w-0 flex-1 basis-56 text-sm text-ink-muted">เว็บฮุกหยุดอยู่ เปิดใช้ก่อนจึงส่งซ้ำได้</p>
  return (
    <SchemaForm form={form} className="space-y-4 sm:ml-auto">
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label="ส่งที่ไม่ถึงซ้ำ ตั้งแต่"
          placeholder={formatThaiDate(today)}
          autoComplete="off"
          {...form.field('since')}
        />
        <Button type="submit" pending={form.isSubmitting}>
          ส่งซ้ำทั้งหมด
        </Button>
      </div>
    </SchemaForm>
  )
}

const TONES: Readonly<Record<WebhookDelivery['state'], BadgeTone>> = {
  waiting: 'updated',
  delivered: 'new',
  dead: 'urgent',
}
const seconds = (ms: number) => `${(ms / 1000).toLocaleString('th-TH', { maximumFractionDigits: 2 })} วินาที`

type DeliveryRowProps = { webhook: Webhook; delivery: WebhookDelivery }

function WebhookDeliveryRow({ webhook, delivery }: DeliveryRowProps) {
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
            <span className="font-medium">
              {type === TEST_WEBHOOK_EVENT ? 'ทดสอบ' : getChoiceLabel(WEBHOOK_EVENTS, type)}
            </span>{' '}
            {project_id !== null && <span className="text-sm text-ink-muted tabular-nums">{project_id}</span>}{' '}
            <Badge tone={TONES[state]}>{getChoiceLabel(WEBHOOK_DELIVERY_STATES, state)}</Badge>
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
  const details = useQuery(webhookDeliveryQuery(webhook.id, id))
  const isSending = webhook.is_on && webhook.paused === null
  return (
    <QueryView query={details} task="โหลดการส่งนี้" bars={['h-24']}>
      {({ body, tries }) => (
        <>
          <p className="text-sm wrap-anywhere">
            webhook-id <code className="select-all">{id}</code>
          </p>
          <CopyableText text={body} displayText={pretty(body)} label="ข้อมูลที่ส่ง" isCode />
          {tries.length === 0 ? (
            <p className="text-sm text-ink-muted">ยังไม่ได้ลองส่ง</p>
          ) : (
            <ol aria-label="แต่ละครั้งที่ส่ง" className="space-y-2">
              {tries.map(({ at, ms, answer, ...result }) => (
                <li key={`${at} ${ms}`} className="text-sm">
                  <span className="tabular-nums">
                    {formatThaiDateTime(at)} · {getWebhookDeliveryFaultText(result)} · {seconds(ms)}
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
              ))}
            </ol>
          )}
          {type !== TEST_WEBHOOK_EVENT && state !== 'waiting' && isSending && (
            <ActionButton
              size="sm"
              run={() => resendWebhookDelivery(webhook.id, id)}
              failed="ส่งซ้ำไม่สำเร็จ"
              done="กำลังส่งซ้ำ"
            >
              ส่งซ้ำ
            </ActionButton>
          )}
        </>
      )}
    </QueryView>
  )
}

/** Indents the payload for display; the signed and copied text has no line breaks. */
const pretty = (body: string) => JSON.stringify(JSON.parse(body), null, 2)
