import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { Save, Webhook as WebhookIcon } from 'lucide-react'
import { useForm } from 'react-hook-form'
import {
  type NewWebhook,
  newWebhookSchema,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookEvent,
  type Webhooks,
} from '#contract/account/webhook.ts'
import { createWebhook, updateWebhook } from '#src/account/api/webhooks.ts'
import { FormSubmitError, useFormSubmit } from '#src/account/form-refusal/form-submit-error.tsx'
import { useUnsavedChanges } from '#src/account/pages/settings/form/unsaved-changes.tsx'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'

const EMPTY: NewWebhook = { name: '', url: '', events: ['match.new'], view: null }
const WHOLE_REPORT = ''
const nameOf = (view: NewWebhook['view']) => (view === null ? WHOLE_REPORT : `${view.owner} ${view.id}`)

type WebhookFormProps = {
  webhook: Webhook | undefined
  views: Webhooks['views']
  onCreated: (secret: string | undefined) => void
  onDone: () => void
}

export function WebhookForm({ webhook, views, onCreated, onDone }: WebhookFormProps) {
  const start: NewWebhook = webhook
    ? { name: webhook.name, url: webhook.url, events: webhook.events, view: webhook.view }
    : EMPTY
  const form = useForm<NewWebhook>({
    resolver: standardSchemaResolver(newWebhookSchema),
    defaultValues: start,
  })
  const { errors, isDirty } = form.formState
  useUnsavedChanges(isDirty)
  const [events, view] = [form.watch('events'), form.watch('view')]
  const { submit, refusal, field, isSubmitting } = useFormSubmit(
    form,
    ['name', 'url', 'events', 'view'],
    async ({ view: selectedView, ...values }) => {
      onCreated(undefined)
      const chosen = selectedView && { owner: selectedView.owner, id: selectedView.id }
      if (webhook) await save(webhook, { ...values, view: chosen })
      else onCreated((await createWebhook({ ...values, view: chosen })).secret)
      form.reset(EMPTY)
      onDone()
    },
  )
  const choose = (code: WebhookEvent, isChosen: boolean) =>
    form.setValue('events', isChosen ? [...events, code] : events.filter((event) => event !== code), {
      shouldDirty: true,
      shouldValidate: true,
    })
  return (
    <form noValidate onSubmit={submit} aria-busy={isSubmitting} className="space-y-4">
      <FormSubmitError refusal={refusal} />
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          autoFocus={webhook !== undefined}
          label="ชื่อ"
          autoComplete="off"
          placeholder="เช่น ระบบเสนอราคา"
          className="min-w-0 flex-1 basis-56"
          {...field('name')}
        />
        <TextField
          label="ที่อยู่ปลายทาง"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://example.com/tamngan"
          className="min-w-0 flex-2 basis-72"
          {...field('url')}
        />
      </div>
      <fieldset aria-describedby={errors.events ? 'webhook-events-error' : undefined}>
        <legend className="mb-1 font-medium">ส่งเมื่อ</legend>
        {WEBHOOK_EVENTS.map(({ code, th, hint }) => (
          <Checkbox key={code} checked={events.includes(code)} onChange={(isChosen) => choose(code, isChosen)}>
            {th} <code className="text-sm text-ink-muted">{code}</code>{' '}
            <span className="text-sm text-ink-muted">{hint}</span>
          </Checkbox>
        ))}
        {errors.events && (
          <p id="webhook-events-error" className="mt-1 text-sm text-urgent">
            {errors.events.message}
          </p>
        )}
      </fieldset>
      <div>
        <p className="mb-1 font-medium">ของโครงการไหน</p>
        <Listbox
          label="ของโครงการไหน"
          value={nameOf(view)}
          options={[
            { value: WHOLE_REPORT, th: 'ทุกโครงการในรายงาน' },
            ...views.map((candidate) => ({ value: nameOf(candidate), th: `มุมมองทีม “${candidate.name}”` })),
          ]}
          onChange={(name) =>
            form.setValue('view', views.find((candidate) => nameOf(candidate) === name) ?? null, { shouldDirty: true })
          }
          className="h-9 max-w-full touch:h-11.5"
        />
        <p className="mt-1 text-sm text-ink-muted">
          {errors.view?.message ?? 'ใช้กับเหตุการณ์ของโครงการ ขั้นงานเปลี่ยนส่งทุกงานเสมอ แบ่งตัวกรองให้ทีมก่อนจึงเลือกได้ที่นี่'}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          icon={webhook ? Save : WebhookIcon}
          pending={isSubmitting}
          className="max-sm:w-full"
        >
          {webhook ? 'บันทึก' : 'สร้างเว็บฮุก'}
        </Button>
        {webhook && (
          <Button variant="quiet" className="max-sm:w-full" onClick={onDone}>
            ไม่แก้
          </Button>
        )}
      </div>
    </form>
  )
}

async function save(webhook: Webhook, form: NewWebhook): Promise<void> {
  const { url, ...fields } = form
  const moves = url !== webhook.url
  await updateWebhook(webhook.id, { ...fields, ...(moves && { url }) })
  showToast({ text: `บันทึก “${form.name}” แล้ว`, tone: 'done' })
}
