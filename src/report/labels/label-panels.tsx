import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useUser } from '#src/account/api/users.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { Popover } from '#src/ui/overlay/popover.tsx'
import { CreateLabelForm } from './create-label-form.tsx'
import { LabelList, TeamLabelList } from './label-list.tsx'
import { closeLabelPanel, type LabelPanelState, openLabelManager } from './label-panel.ts'
import { LabelPicker } from './label-picker.tsx'

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
