import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { Popover } from '#src/ui/overlay/popover.tsx'
import { LabelManager } from './label-manager.tsx'
import { closeLabelPanel, type LabelPanelState, openLabelManager } from './label-panel.tsx'
import { LabelPicker } from './label-picker.tsx'

/** On smaller screens the picker is a bottom sheet above the keyboard. */
const POPOVER_MEDIA = '(min-width: 40rem)'

export function LabelPanels({ panel }: { panel: LabelPanelState }) {
  const isRoomy = useMediaQuery(POPOVER_MEDIA)
  if (panel.kind === 'manager') return <LabelManager onClose={closeLabelPanel} />
  const { projectIds, anchor, opener } = panel
  const close = () => {
    closeLabelPanel()
    opener?.focus()
  }
  const manage = () => {
    // Focus the opener first, because the label manager later returns the focus to the element that has it now.
    opener?.focus()
    openLabelManager()
  }
  const picker = <LabelPicker projectIds={projectIds} onManage={manage} onClose={close} />
  return isRoomy && anchor ? (
    <Popover
      open
      onClose={closeLabelPanel}
      anchor={{ current: anchor }}
      focusBack={{ current: opener }}
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
