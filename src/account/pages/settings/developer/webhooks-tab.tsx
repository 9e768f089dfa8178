import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { MAX_WEBHOOKS, type Webhook, type Webhooks } from '#contract/account/webhook.ts'
import { webhooksQuery } from '#src/account/api/webhooks.ts'
import { LimitUsageBar, SettingsList, SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { CreatedWebhookSecret } from './created-webhook-secret.tsx'
import { WebhookDeliveryLog } from './webhook-delivery-log.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookRow } from './webhook-row.tsx'

export function WebhooksTab() {
  const webhooks = useQuery(webhooksQuery)
  const [logOf, setLogOf] = useState<number>()
  return (
    <QueryView query={webhooks} task="โหลดเว็บฮุก" barsClassName="space-y-3" bars={['h-96', 'h-32']}>
      {(data) => {
        const openWebhook = data.webhooks.find(({ id }) => id === logOf)
        if (openWebhook) return <WebhookDeliveryLog webhook={openWebhook} onBack={() => setLogOf(undefined)} />
        return <WebhookList {...data} onLog={setLogOf} />
      }}
    </QueryView>
  )
}

function WebhookList({ webhooks, most: maxWebhooks, views, onLog }: Webhooks & { onLog: (id: number) => void }) {
  const [secret, setSecret] = useState<string>()
  const [edited, setEdited] = useState<Webhook>()
  const editor = useRef<HTMLDivElement>(null)
  return (
    <>
      <div ref={editor}>
        <SettingsSection
          title={edited ? `แก้เว็บฮุก “${edited.name}”` : 'สร้างเว็บฮุก'}
          description="ตามงานส่งเหตุการณ์ไปยังโปรแกรมของบริษัททันทีที่เกิด ส่งเฉพาะข้อมูลสาธารณะของโครงการกับลิงก์ ไม่ส่งโน้ต ป้าย ราคา หรือชื่อคน"
        >
          <div className="space-y-4">
            <WebhookForm
              key={edited?.id ?? 'new'}
              webhook={edited}
              views={views}
              onCreated={setSecret}
              onDone={() => setEdited(undefined)}
            />
            {secret !== undefined && <CreatedWebhookSecret secret={secret} />}
          </div>
        </SettingsSection>
      </div>
      <SettingsList
        title="เว็บฮุกที่มีอยู่"
        rows={webhooks}
        getKey={({ id }) => id}
        summary={<LimitUsageBar label="เว็บฮุกขององค์กร" used={webhooks.length} limit={maxWebhooks} unit="รายการ" />}
        empty={`ยังไม่มีเว็บฮุก สร้างแยกให้แต่ละโปรแกรมได้ไม่เกิน ${MAX_WEBHOOKS} รายการ แล้วกด “ส่งทดสอบ” เพื่อดูว่าถึงปลายทาง`}
      >
        {(webhook) => (
          <WebhookRow
            webhook={webhook}
            onLog={() => onLog(webhook.id)}
            onEdit={() => {
              setSecret(undefined)
              setEdited(webhook)
              editor.current?.scrollIntoView?.({ block: 'start' })
            }}
          />
        )}
      </SettingsList>
    </>
  )
}
