import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import {
  API_KEY_LIFETIMES,
  API_KEY_SCOPES,
  type ApiKeyLifetime,
  type ApiKeyScope,
  type NewApiKey,
  newApiKeySchema,
} from '#contract/account/api-key.ts'
import { createApiKey } from '#src/account/api/api-keys.ts'
import { FormSubmitError, useFormSubmit } from '#src/account/form-refusal/form-submit-error.tsx'
import { useUnsavedChanges } from '#src/account/pages/settings/form/unsaved-changes.tsx'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { CopyableText } from './copyable-text.tsx'

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

export function ApiKeyForm() {
  const { register, handleSubmit, formState, watch, setValue, setError, reset } = useForm<NewApiKey>({
    resolver: standardSchemaResolver(newApiKeySchema),
    defaultValues: EMPTY,
  })
  const { errors, isDirty, isSubmitting } = formState
  useUnsavedChanges(isDirty)
  const [createdKey, setCreatedKey] = useState<CreatedKey>()
  const { submit, refusal } = useFormSubmit({ handleSubmit, setError }, ['name', 'scopes'], async (form) => {
    setCreatedKey(undefined)
    setCreatedKey({ text: await createApiKey(form), scope: form.scopes[0]! })
    reset(EMPTY)
  })
  const scopes = watch('scopes')
  const choose = (code: ApiKeyScope, isChosen: boolean) =>
    setValue('scopes', isChosen ? [...scopes, code] : scopes.filter((scope) => scope !== code), {
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
            error={errors.name?.message}
            className="min-w-0 flex-1 basis-64"
            {...register('name')}
          />
          <div>
            <p className="mb-1 font-medium">อายุ</p>
            <Listbox
              label="อายุ"
              value={watch('days') ?? NEVER}
              options={LIFETIME_OPTIONS}
              onChange={(days) => setValue('days', (days || null) as ApiKeyLifetime, { shouldDirty: true })}
              className="h-9 touch:h-11.5"
            />
          </div>
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
