import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import {
  API_KEY_LIFETIMES,
  API_KEY_SCOPES,
  type ApiKey,
  type ApiKeyLifetime,
  type ApiKeyScope,
  type ApiKeys,
  type NewApiKey,
  newApiKeySchema,
} from '#contract/account/api-key.ts'
import { apiKeysQuery, createApiKey, revokeApiKey } from '#src/account/api/api-keys.ts'
import { FormSubmitError, useFormSubmit } from '#src/account/form-refusal/form-submit-error.tsx'
import { toastMutationResult } from '#src/account/form-refusal/toast-result.ts'
import { LimitUsageBar, SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { useUnsavedChanges } from '#src/account/pages/settings/form/unsaved-changes.tsx'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { ListboxField } from '#src/ui/form/listbox-field.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { InlineConfirmation } from '#src/ui/inline-confirmation.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { CopyableText } from './copyable-text.tsx'

export function ApiKeysTab() {
  const apiKeys = useQuery(apiKeysQuery)
  return (
    <QueryView query={apiKeys} task="โหลดคีย์ API" barsClassName="space-y-3" bars={['h-72', 'h-32']}>
      {(data) => (
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
          <KeyList {...data} />
        </>
      )}
    </QueryView>
  )
}

function KeyList({ keys, most: maxKeys }: ApiKeys) {
  return (
    <SettingsSection title="คีย์ที่มีอยู่" flush>
      <div className="border-b border-line px-4 py-3 sm:px-5">
        <LimitUsageBar
          label="คีย์ขององค์กร"
          used={keys.length}
          limit={maxKeys}
          text={`${keys.length} จาก ${maxKeys} คีย์`}
        />
      </div>
      {keys.length === 0 ? (
        <p className="px-4 py-4 text-ink-muted sm:px-5">ยังไม่มีคีย์ สร้างคีย์แยกให้แต่ละโปรแกรม เพื่อยกเลิกทีละตัวได้</p>
      ) : (
        <ul className="divide-y divide-line">
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
    </SettingsSection>
  )
}

const scopeName = (code: string) => API_KEY_SCOPES.find((scope) => scope.code === code)?.th ?? code

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, scopes, ending, made_by, is_owner_open, created_at, expires_at, is_over, used_at } = apiKey
  const [isConfirming, setConfirming] = useState(false)
  const { mutate: revoke, isPending } = useMutation({
    mutationFn: () => revokeApiKey(id),
    ...toastMutationResult('ยกเลิกคีย์ไม่สำเร็จ', `ยกเลิกคีย์ “${name}” แล้ว`),
  })
  if (isConfirming)
    return (
      <li className="px-4 py-3 sm:px-5">
        <InlineConfirmation
          label={`ยกเลิกคีย์ ${name}`}
          no="ใช้ต่อ"
          yes="ยกเลิกคีย์"
          onNo={() => setConfirming(false)}
          onYes={revoke}
          pending={isPending}
        >
          โปรแกรมที่ใช้คีย์ “{name}” จะอ่านข้อมูลไม่ได้ทันที
        </InlineConfirmation>
      </li>
    )
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="wrap-anywhere">{name}</span>
          <code className="text-sm font-normal text-ink-muted">tng_…{ending}</code>
          {is_over && <Badge tone="updated">หมดอายุแล้ว</Badge>}
          {!is_owner_open && <Badge tone="updated">ใช้ไม่ได้ บัญชีผู้สร้างถูกปิด</Badge>}
        </p>
        <p className="text-sm text-ink-muted">
          อ่าน {scopes.map(scopeName).join(', ')} ·{' '}
          {used_at === null ? 'ยังไม่มีโปรแกรมใช้' : `ใช้ล่าสุด ${formatThaiDateTime(used_at)}`}
        </p>
        <p className="text-sm wrap-anywhere text-ink-muted">
          สร้างโดย {made_by} {formatThaiDateTime(created_at)} ·{' '}
          {expires_at === null ? 'ไม่หมดอายุ' : `${is_over ? 'หมดอายุ' : 'ใช้ได้ถึง'} ${formatThaiDateTime(expires_at)}`}
        </p>
      </div>
      <Button size="sm" variant="quiet" aria-label={`ยกเลิกคีย์ ${name}`} onClick={() => setConfirming(true)}>
        ยกเลิก
      </Button>
    </li>
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
  const form = useForm<NewApiKey>({
    resolver: standardSchemaResolver(newApiKeySchema),
    defaultValues: EMPTY,
  })
  const { errors, isDirty } = form.formState
  useUnsavedChanges(isDirty)
  const [createdKey, setCreatedKey] = useState<CreatedKey>()
  const { submit, refusal, field, isSubmitting } = useFormSubmit(form, ['name', 'scopes'], async (values) => {
    setCreatedKey(undefined)
    setCreatedKey({ text: await createApiKey(values), scope: values.scopes[0]! })
    form.reset(EMPTY)
  })
  const scopes = form.watch('scopes')
  const choose = (code: ApiKeyScope, isChosen: boolean) =>
    form.setValue('scopes', isChosen ? [...scopes, code] : scopes.filter((scope) => scope !== code), {
      shouldDirty: true,
      shouldValidate: true,
    })
  return (
    <div className="space-y-4">
      <form noValidate onSubmit={submit} aria-busy={isSubmitting} className="space-y-4">
        <FormSubmitError refusal={refusal} />
        <div className="flex flex-wrap items-start gap-3">
          <TextField
            label="ชื่อ"
            autoComplete="off"
            placeholder="เช่น รายงานใน Power BI"
            className="min-w-0 flex-1 basis-64"
            {...field('name')}
          />
          <ListboxField
            label="อายุ"
            value={form.watch('days') ?? NEVER}
            options={LIFETIME_OPTIONS}
            onChange={(days) => form.setValue('days', (days || null) as ApiKeyLifetime, { shouldDirty: true })}
          />
        </div>
        <fieldset aria-describedby={errors.scopes ? 'api-key-scopes-error' : undefined}>
          <legend className="mb-1 font-medium">คีย์นี้อ่านอะไรได้</legend>
          {API_KEY_SCOPES.map(({ code, th, hint }) => (
            <Checkbox key={code} checked={scopes.includes(code)} onChange={(isChosen) => choose(code, isChosen)}>
              {th} <span className="text-sm text-ink-muted">{hint}</span>
            </Checkbox>
          ))}
          {errors.scopes && (
            <p id="api-key-scopes-error" className="mt-1 text-sm text-urgent">
              {errors.scopes.message}
            </p>
          )}
        </fieldset>
        <Button type="submit" variant="primary" icon={KeyRound} pending={isSubmitting} className="max-sm:w-full">
          สร้างคีย์
        </Button>
      </form>
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
