import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import {
  API_KEY_LIFETIMES,
  API_KEY_SCOPES,
  type ApiKey,
  type ApiKeyLifetime,
  type ApiKeyScope,
  type NewApiKey,
  newApiKeySchema,
} from '#contract/account/api-key.ts'
import { getChoiceLabel } from '#contract/catalogue/project.ts'
import { apiKeysQuery, createApiKey, revokeApiKey } from '#src/account/api/api-keys.ts'
import { ConfirmedAction } from '#src/account/form-refusal/action-button.tsx'
import { useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { CheckboxGroup } from '#src/account/pages/settings/form/checkbox-group.tsx'
import { SettingsForm } from '#src/account/pages/settings/form/settings-form.tsx'
import { LimitUsageBar, SettingsList, SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { ListboxField } from '#src/ui/form/listbox-field.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { ItemRow } from '#src/ui/item-row.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { CopyableText } from './copyable-text.tsx'

export function ApiKeysTab() {
  const apiKeys = useQuery(apiKeysQuery)
  return (
    <QueryView query={apiKeys} task="โหลดคีย์ API" barsClassName="space-y-3" bars={['h-72', 'h-32']}>
      {({ keys, most: maxKeys }) => (
        <>
          <SettingsSection
            title="สร้างคีย์ API"
            description="ให้โปรแกรมของบริษัทอ่านข้อมูลในตามงาน อ่านได้อย่างเดียว แก้อะไรไม่ได้ และไม่เห็นสมาชิกหรือการตั้งค่า"
          >
            <ApiKeyForm />
            <p className="mt-4 text-sm text-ink-muted">
              ผู้ช่วย AI เช่น Claude และ VS Code ใช้คีย์เดียวกันนี้ที่{' '}
              <code className="wrap-anywhere select-all">{location.origin}/api/mcp</code>
            </p>
          </SettingsSection>
          <SettingsList
            title="คีย์ที่มีอยู่"
            rows={keys}
            getKey={({ id }) => id}
            summary={<LimitUsageBar label="คีย์ขององค์กร" used={keys.length} limit={maxKeys} unit="คีย์" />}
            empty="ยังไม่มีคีย์ สร้างคีย์แยกให้แต่ละโปรแกรม เพื่อยกเลิกทีละตัวได้"
          >
            {(key) => <KeyRow apiKey={key} />}
          </SettingsList>
        </>
      )}
    </QueryView>
  )
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, scopes, ending, made_by, is_owner_open, created_at, expires_at, is_over, used_at } = apiKey
  const title = (
    <>
      {name}
      <code className="text-sm font-normal text-ink-muted">tng_…{ending}</code>
      {is_over && <Badge tone="updated">หมดอายุแล้ว</Badge>}
      {!is_owner_open && <Badge tone="updated">ใช้ไม่ได้ บัญชีผู้สร้างถูกปิด</Badge>}
    </>
  )
  const details = (
    <>
      <p>
        อ่าน {scopes.map((scope) => getChoiceLabel(API_KEY_SCOPES, scope)).join(', ')} ·{' '}
        {used_at === null ? 'ยังไม่มีโปรแกรมใช้' : `ใช้ล่าสุด ${formatThaiDateTime(used_at)}`}
      </p>
      <p>
        สร้างโดย {made_by} {formatThaiDateTime(created_at)} ·{' '}
        {expires_at === null ? 'ไม่หมดอายุ' : `${is_over ? 'หมดอายุ' : 'ใช้ได้ถึง'} ${formatThaiDateTime(expires_at)}`}
      </p>
    </>
  )
  return (
    <ConfirmedAction
      label={`ยกเลิกคีย์ ${name}`}
      question={`โปรแกรมที่ใช้คีย์ “${name}” จะอ่านข้อมูลไม่ได้ทันที`}
      no="ใช้ต่อ"
      yes="ยกเลิกคีย์"
      run={() => revokeApiKey(id)}
      failed="ยกเลิกคีย์ไม่สำเร็จ"
      done={`ยกเลิกคีย์ “${name}” แล้ว`}
    >
      {(ask) => (
        <ItemRow title={title} details={details}>
          <Button size="sm" variant="quiet" aria-label={`ยกเลิกคีย์ ${name}`} onClick={ask}>
            ยกเลิก
          </Button>
        </ItemRow>
      )}
    </ConfirmedAction>
  )
}

const EMPTY: NewApiKey = { name: '', scopes: ['report'], days: 90 }
/** A listbox cannot represent null, so 0 means no expiry. */
const NEVER = 0
const LIFETIME_OPTIONS = API_KEY_LIFETIMES.map((days) => ({
  value: days ?? NEVER,
  th: days === null ? 'ไม่หมดอายุ' : `${days} วัน`,
}))

const EXAMPLE_PATHS: Readonly<Record<ApiKeyScope, string>> = {
  report: '/api/v2/projects?page_size=20',
  pursuits: '/api/v2/pursuits',
  companies: '/api/v2/companies',
}

type CreatedKey = { readonly text: string; readonly scope: ApiKeyScope }

function ApiKeyForm() {
  const [createdKey, setCreatedKey] = useState<CreatedKey>()
  const form = useSchemaForm(
    { schema: newApiKeySchema, fields: ['name', 'scopes'], defaultValues: EMPTY },
    async (values) => {
      setCreatedKey(undefined)
      setCreatedKey({ text: await createApiKey(values), scope: values.scopes[0]! })
      form.reset(EMPTY)
    },
  )
  const lifetime = form.choice('days')
  return (
    <div className="space-y-4">
      <SettingsForm form={form}>
        <div className="flex flex-wrap items-start gap-3">
          <TextField
            label="ชื่อ"
            autoComplete="off"
            placeholder="เช่น รายงานใน Power BI"
            className="min-w-0 flex-1 basis-64"
            {...form.field('name')}
          />
          <ListboxField
            label="อายุ"
            value={lifetime.value ?? NEVER}
            options={LIFETIME_OPTIONS}
            onChange={(days) => lifetime.onChange((days || null) as ApiKeyLifetime)}
          />
        </div>
        <CheckboxGroup legend="คีย์นี้อ่านอะไรได้" options={API_KEY_SCOPES} {...form.choice('scopes')} />
        <Button type="submit" variant="primary" icon={KeyRound} pending={form.isSubmitting} className="max-sm:w-full">
          สร้างคีย์
        </Button>
      </SettingsForm>
      {createdKey && <CreatedKeyPanel {...createdKey} />}
    </div>
  )
}

function CreatedKeyPanel({ text, scope }: CreatedKey) {
  const curl = `curl -H "Authorization: Bearer ${text}" "${location.origin}${EXAMPLE_PATHS[scope]}"`
  return (
    <div role="status" className="space-y-3 rounded-card border border-accent-line bg-accent-soft p-3">
      <p className="font-medium">คีย์พร้อมใช้ เก็บไว้ในที่ปลอดภัยตอนนี้ เพราะจะไม่แสดงอีก</p>
      <CopyableText text={text} label="คีย์" />
      <p className="text-sm">ลองใช้ในเทอร์มินัล</p>
      <CopyableText text={curl} label="คำสั่ง" />
      <p className="text-sm text-ink-muted">อย่าใส่คีย์ในโค้ดหรือส่งทางแชต ถ้าคีย์หลุด ยกเลิกจากรายการด้านล่างแล้วสร้างใหม่</p>
    </div>
  )
}
