import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  MAX_CHECKLIST_ITEM_LENGTH,
  MAX_PURSUIT_CHECKLIST_ITEMS,
  type PursuitSettings,
  type PursuitSettingsPatch,
} from '#contract/account/pursuit-settings.ts'
import { getRoleLabel, USER_ROLES } from '#contract/account/user.ts'
import { pursuitSettingsQuery, savePursuitSettings } from '#src/account/api/pursuit-settings.ts'
import { getSettingsSaveProblemText } from '#src/account/pages/settings/form/save-problem.ts'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { useUnsavedChanges } from '#src/account/pages/settings/form/unsaved-changes.tsx'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { PursuitStagesForm } from './pursuit-stages-form.tsx'

export function PursuitsTab() {
  const pursuitSettings = useQuery(pursuitSettingsQuery)
  return (
    <QueryView
      query={pursuitSettings}
      errorTitle="โหลดการตั้งค่างานของเราไม่สำเร็จ"
      skeleton={<SkeletonGroup className="space-y-3" bars={['h-64', 'h-32']} />}
    >
      {(data) => (
        <>
          <SettingsSection
            title="ขั้นของงาน"
            description="ชื่อและลำดับเป็นของทีม ชนิดบอกระบบว่านับเป็นอะไรในผลงาน งานใหม่เริ่มที่ขั้นแรก"
          >
            <PursuitStagesForm
              key={JSON.stringify(data.stages)}
              stages={data.stages}
              onSave={(stages) => save({ stages })}
            />
          </SettingsSection>
          <SettingsSection title="รายการตรวจตั้งต้น" description="งานใหม่ทุกงานเริ่มด้วยรายการนี้ งานที่มีอยู่แล้วไม่เปลี่ยน">
            <TemplateForm key={JSON.stringify(data.template)} settings={data} />
          </SettingsSection>
          <SettingsSection title="ใครเห็นราคาที่เราจะเสนอ" description="คนที่ไม่ได้เลือกไว้ไม่เห็นและใส่ราคาไม่ได้">
            <PriceRoles roles={data.price_roles} />
          </SettingsSection>
        </>
      )}
    </QueryView>
  )
}

async function save(patch: PursuitSettingsPatch): Promise<void> {
  await savePursuitSettings(patch)
  showToast({ text: 'บันทึกการตั้งค่างานของเราแล้ว', tone: 'done' })
}

function TemplateForm({ settings: { template } }: { settings: PursuitSettings }) {
  const stored = template.join('\n')
  const [text, setText] = useState(stored)
  const { mutate, isPending, error } = useMutation({ mutationFn: save })
  const items = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const isDirty = items.join('\n') !== stored
  useUnsavedChanges(isDirty)
  const tooLong =
    items.some((item) => item.length > MAX_CHECKLIST_ITEM_LENGTH) || items.length > MAX_PURSUIT_CHECKLIST_ITEMS
  return (
    <div className="space-y-3">
      <textarea
        aria-label="รายการตรวจตั้งต้น บรรทัดละรายการ"
        rows={Math.min(12, Math.max(4, items.length + 1))}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        className="w-full rounded-control border border-control bg-surface px-2.5 py-1.5 touch:text-lg"
      />
      <p role="status" className={error || tooLong ? 'text-sm text-urgent' : 'text-sm text-ink-muted'}>
        {tooLong
          ? `มีได้ไม่เกิน ${MAX_PURSUIT_CHECKLIST_ITEMS} รายการ รายการละไม่เกิน ${MAX_CHECKLIST_ITEM_LENGTH} ตัวอักษร`
          : error
            ? getSettingsSaveProblemText(error)
            : `บรรทัดละรายการ ${items.length} รายการ`}
      </p>
      <Button disabled={!isDirty || tooLong} pending={isPending} onClick={() => mutate({ template: items })}>
        บันทึกรายการตรวจ
      </Button>
    </div>
  )
}

function PriceRoles({ roles }: { roles: readonly string[] }) {
  const { mutate, isPending } = useMutation({
    mutationFn: save,
    onError: (error) => showToast({ text: `บันทึกไม่สำเร็จ ${getSettingsSaveProblemText(error)}`, tone: 'error' }),
  })
  const set = (code: string, isOn: boolean) =>
    mutate({
      price_roles: USER_ROLES.map((role) => role.code).filter((roleCode) =>
        roleCode === code ? isOn : roles.includes(roleCode),
      ),
    })
  return (
    <div className="space-y-1">
      {USER_ROLES.map(({ code }) => (
        <Checkbox key={code} checked={roles.includes(code)} disabled={isPending} onChange={(isOn) => set(code, isOn)}>
          {getRoleLabel(code)}
        </Checkbox>
      ))}
    </div>
  )
}
