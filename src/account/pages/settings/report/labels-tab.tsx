import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { MAX_LABEL_NAME_LENGTH } from '#contract/account/label.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useUser } from '#src/account/api/users.ts'
import { LimitUsageBar, SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { useUnsavedChanges } from '#src/account/pages/settings/form/unsaved-changes.tsx'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { createLabel } from '#src/report/labels/label-changes.ts'
import { LabelList, TeamLabelList } from '#src/report/labels/label-list.tsx'
import { createUniqueLabelSchema } from '#src/report/labels/unique-label-schema.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'

export function LabelsTab() {
  const { label_metadata: metadata } = useUser()
  return (
    <>
      <SettingsSection title="ป้ายกำกับ" description="เห็นเฉพาะคุณ ใช้จัดกลุ่มโครงการในรายงาน" flush>
        <div className="space-y-3 border-b border-line px-4 py-4 sm:px-5">
          <LimitUsageBar
            label="ป้ายที่ใช้"
            used={metadata.currentCount}
            limit={metadata.maxLabels}
            text={`ใช้ ${formatCountWithSeparators(metadata.currentCount)} จาก ${formatCountWithSeparators(metadata.maxLabels)} ป้าย เหลือ ${formatCountWithSeparators(metadata.remainingSlots)}`}
          />
          <CreateForm canCreate={metadata.canCreateMore} />
        </div>
        <LabelList>สร้างที่นี่ หรือจากปุ่ม “ป้าย” ใต้ชื่อโครงการ</LabelList>
      </SettingsSection>
      {!isDemoSession() && (
        <SettingsSection
          title="ป้ายทีม"
          description="ทุกคนในองค์กรเห็น สร้าง ติด และเอาออกได้ เปลี่ยนหรือลบได้เฉพาะคนสร้างกับผู้ดูแลองค์กร"
          flush
        >
          <TeamLabelList />
        </SettingsSection>
      )}
    </>
  )
}

function CreateForm({ canCreate }: { canCreate: boolean }) {
  const { project_labels: labels } = useUser()
  const { register, handleSubmit, formState, watch, reset } = useForm<{ name: string }>({
    resolver: standardSchemaResolver(createUniqueLabelSchema(labels)),
    defaultValues: { name: '' },
  })
  const reasonId = useId()
  useUnsavedChanges(watch('name').trim() !== '')
  const create = handleSubmit(({ name }) => {
    reset()
    void createLabel(name, labels, [])
  })
  return (
    <form noValidate onSubmit={(event) => void create(event)} className="flex flex-wrap items-start gap-2">
      <TextField
        label="ชื่อป้ายใหม่"
        hideLabel
        placeholder="ชื่อป้ายใหม่"
        autoComplete="off"
        maxLength={MAX_LABEL_NAME_LENGTH}
        disabled={!canCreate}
        aria-describedby={canCreate ? undefined : reasonId}
        error={formState.errors.name?.message}
        {...register('name')}
        className="min-w-40 flex-1 sm:max-w-sm"
      />
      <Button type="submit" disabled={!canCreate}>
        สร้างป้าย
      </Button>
      {!canCreate && (
        <p id={reasonId} className="w-full text-sm text-updated">
          ใช้ป้ายครบจำนวนแล้ว ลบป้ายที่ไม่ใช้ก่อน จึงจะสร้างเพิ่มได้
        </p>
      )}
    </form>
  )
}
