import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { MAX_LABEL_NAME_LENGTH } from '#contract/account/label.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useUser } from '#src/account/api/users.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { Popover } from '#src/ui/overlay/popover.tsx'
import { createLabel } from './label-changes.ts'
import { closeLabelPanel, type LabelPanelState, openLabelManager } from './label-panel.ts'
import { LabelPicker } from './label-picker.tsx'
import { createUniqueLabelSchema, LabelList, TeamLabelList } from './label-row.tsx'

export function LabelManager({ onClose }: { onClose: () => void }) {
  const { label_metadata: metadata } = useUser()
  return (
    <Modal
      open
      isTall
      onClose={onClose}
      title="จัดการป้ายกำกับ"
      description={`ใช้ ${formatCount(metadata.currentCount)} จาก ${formatCount(metadata.maxLabels)} ป้าย`}
    >
      <CreateLabelForm canCreate={metadata.canCreateMore} />
      <LabelList>สร้างที่นี่ หรือจากปุ่ม “ป้าย” ใต้ชื่อโครงการ</LabelList>
      {!isDemoSession() && (
        <section aria-labelledby="team-labels" className="border-t border-line">
          <h3 id="team-labels" className="px-4 pt-3 font-semibold">
            ป้ายทีม
          </h3>
          <TeamLabelList />
        </section>
      )}
    </Modal>
  )
}

/**
 * Minimum window size for a popover below the button; on smaller screens the picker is a bottom sheet above the
 * keyboard.
 */
const POPOVER_MEDIA = '(min-width: 40rem)'

export function LabelPanels({ panel }: { panel: LabelPanelState }) {
  const isRoomy = useMediaQuery(POPOVER_MEDIA)
  const { anchor, opener } = panel.kind === 'picker' ? panel : { anchor: null, opener: null }
  const anchorRef = { current: anchor }
  const openerRef = { current: opener }
  if (panel.kind === 'manager') return <LabelManager onClose={closeLabelPanel} />
  const close = () => {
    closeLabelPanel()
    opener?.focus()
  }
  const manage = () => {
    // Focus the opener first, because the label manager later returns the focus to the element that has it now.
    opener?.focus()
    openLabelManager()
  }
  const picker = <LabelPicker projectIds={panel.projectIds} onManage={manage} onClose={close} />
  return isRoomy && anchor ? (
    <Popover
      open
      onClose={closeLabelPanel}
      anchor={anchorRef}
      focusBack={openerRef}
      label="ป้ายกำกับ"
      focus="none"
      className="w-72"
    >
      {picker}
    </Popover>
  ) : (
    <Modal open onClose={close} title="ป้ายกำกับ">
      {picker}
    </Modal>
  )
}

function CreateLabelForm({ canCreate }: { canCreate: boolean }) {
  const { project_labels: labels } = useUser()
  const { register, handleSubmit, formState, reset } = useForm<{ name: string }>({
    resolver: standardSchemaResolver(createUniqueLabelSchema(labels)),
    defaultValues: { name: '' },
  })
  const reasonId = useId()
  const create = handleSubmit(({ name }) => {
    reset()
    void createLabel(name, labels, [])
  })
  return (
    <form
      noValidate
      onSubmit={(event) => void create(event)}
      className="flex flex-wrap items-start gap-2 border-b border-line px-4 py-3"
    >
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
        className="min-w-40 flex-1"
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
