import { Save, Webhook as WebhookIcon } from 'lucide-react'
import {
  type NewWebhook,
  newWebhookSchema,
  WEBHOOK_EVENTS,
  type Webhook,
  type Webhooks,
} from '#contract/account/webhook.ts'
import { createWebhook, updateWebhook } from '#src/account/api/webhooks.ts'
import { useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { CheckboxGroup } from '#src/account/pages/settings/form/checkbox-group.tsx'
import { SettingsForm } from '#src/account/pages/settings/form/settings-form.tsx'
import { Button } from '#src/ui/button.tsx'
import { ListboxField } from '#src/ui/form/listbox-field.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'

const EMPTY: NewWebhook = { name: '', url: '', events: ['match.new'], view: null }
const WHOLE_REPORT = ''
const EVENT_OPTIONS = WEBHOOK_EVENTS.map((event) => ({
  ...event,
  th: (
    <>
      {event.th} <code className="text-sm text-ink-muted">{event.code}</code>
    </>
  ),
}))
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
  const form = useSchemaForm(
    { schema: newWebhookSchema, fields: ['name', 'url', 'events', 'view'], defaultValues: start },
    async ({ view: selectedView, ...values }) => {
      onCreated(undefined)
      const chosen = selectedView && { owner: selectedView.owner, id: selectedView.id }
      if (webhook) await save(webhook, { ...values, view: chosen })
      else onCreated((await createWebhook({ ...values, view: chosen })).secret)
      form.reset(EMPTY)
      onDone()
    },
  )
  const view = form.choice('view')
  return (
    <SettingsForm form={form}>
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          autoFocus={webhook !== undefined}
          label="ชื่อ"
          autoComplete="off"
          placeholder="เช่น ระบบเสนอราคา"
          className="min-w-0 flex-1 basis-56"
          {...form.field('name')}
        />
        <TextField
          label="ที่อยู่ปลายทาง"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://example.com/tamngan"
          className="min-w-0 flex-2 basis-72"
          {...form.field('url')}
        />
      </div>
      <CheckboxGroup legend="ส่งเมื่อ" options={EVENT_OPTIONS} {...form.choice('events')} />
      <div>
        <ListboxField
          label="ของโครงการไหน"
          value={nameOf(view.value)}
          options={[
            { value: WHOLE_REPORT, th: 'ทุกโครงการในรายงาน' },
            ...views.map((candidate) => ({ value: nameOf(candidate), th: `มุมมองทีม “${candidate.name}”` })),
          ]}
          onChange={(name) => view.onChange(views.find((candidate) => nameOf(candidate) === name) ?? null)}
        />
        <p className="mt-1 text-sm text-ink-muted">
          {view.error ?? 'ใช้กับเหตุการณ์ของโครงการ ขั้นงานเปลี่ยนส่งทุกงานเสมอ แบ่งตัวกรองให้ทีมก่อนจึงเลือกได้ที่นี่'}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          icon={webhook ? Save : WebhookIcon}
          pending={form.isSubmitting}
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
    </SettingsForm>
  )
}

async function save(webhook: Webhook, { url, ...fields }: NewWebhook): Promise<void> {
  await updateWebhook(webhook.id, { ...fields, ...(url !== webhook.url && { url }) })
  showDoneToast(`บันทึก “${fields.name}” แล้ว`)
}
