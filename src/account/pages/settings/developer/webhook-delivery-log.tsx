import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { ArrowLeft, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import {
  WEBHOOK_DELIVERY_RETENTION_DAYS,
  WEBHOOK_DELIVERY_STATES,
  type Webhook,
  type WebhookDeliveryState,
} from '#contract/account/webhook.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { resendWebhookDeliveriesSince, webhookDeliveriesQuery } from '#src/account/api/webhooks.ts'
import { toastMutationResult } from '#src/account/form-refusal/toast-result.ts'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { thaiDateSchema } from '#src/lib/thai-date-schema.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { Button } from '#src/ui/button.tsx'
import { focusOnMount } from '#src/ui/focus-on-mount.ts'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { WebhookVerificationSnippet } from './created-webhook-secret.tsx'
import { WebhookDeliveryRow } from './webhook-delivery-row.tsx'

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
          <div>
            <p className="mb-1 font-medium">สถานะ</p>
            <Listbox label="สถานะ" value={state} options={STATES} onChange={setState} className="h-9 touch:h-11.5" />
          </div>
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
          errorTitle="โหลดบันทึกการส่งไม่สำเร็จ"
          errorClassName="m-4 sm:mx-5"
          skeleton={<SkeletonGroup className="m-4" bars={['h-40']} />}
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
  const { register, handleSubmit, formState } = useForm<
    z.input<typeof resendFormSchema>,
    unknown,
    z.output<typeof resendFormSchema>
  >({
    resolver: standardSchemaResolver(resendFormSchema),
    mode: 'onChange',
    defaultValues: { since: formatThaiDate(today) },
  })
  const { mutate, isPending } = useMutation({
    mutationFn: (day: string) => resendWebhookDeliveriesSince(id, `${day}T00:00:00+07:00`),
    ...toastMutationResult('ส่งซ้ำไม่สำเร็จ'),
    onSuccess: (resent) =>
      showToast({
        text: resent === 0 ? 'ไม่มีรายการที่ส่งไม่ถึงตั้งแต่วันนั้น' : `ส่งซ้ำ ${resent.toLocaleString('th-TH')} รายการ`,
        tone: 'done',
      }),
  })
  if (!is_on || paused !== null)
    return <p className="min-w-0 flex-1 basis-56 text-sm text-ink-muted">เว็บฮุกหยุดอยู่ เปิดใช้ก่อนจึงส่งซ้ำได้</p>
  return (
    <form
      noValidate
      onSubmit={(event) => void handleSubmit(({ since }) => mutate(since ?? today))(event)}
      className="flex flex-wrap items-end gap-2 sm:ml-auto"
    >
      <TextField
        label="ส่งที่ไม่ถึงซ้ำ ตั้งแต่"
        placeholder={formatThaiDate(today)}
        autoComplete="off"
        error={formState.errors.since?.message}
        {...register('since')}
      />
      <Button type="submit" pending={isPending}>
        ส่งซ้ำทั้งหมด
      </Button>
    </form>
  )
}
