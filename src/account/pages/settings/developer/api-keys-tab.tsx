import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { API_KEY_SCOPES, type ApiKey, type ApiKeys } from '#contract/account/api-key.ts'
import { apiKeysQuery, revokeApiKey } from '#src/account/api/api-keys.ts'
import { toastMutationResult } from '#src/account/form-refusal/toast-result.ts'
import { LimitUsageBar, SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { InlineConfirmation } from '#src/ui/inline-confirmation.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { ApiKeyForm } from './api-key-form.tsx'

export function ApiKeysTab() {
  const apiKeys = useQuery(apiKeysQuery)
  return (
    <QueryView
      query={apiKeys}
      errorTitle="โหลดคีย์ API ไม่สำเร็จ"
      skeleton={<SkeletonGroup className="space-y-3" bars={['h-72', 'h-32']} />}
    >
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
