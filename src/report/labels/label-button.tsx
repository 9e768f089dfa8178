import { Tag } from 'lucide-react'
import { useRef } from 'react'
import { nameElement } from '#src/lib/named-elements.ts'
import { closeLabelPanel, LazyLabelPanels, openLabelPicker, useIsLabelPickerAnchor } from './label-panel.ts'

type LabelButtonProps = {
  projectIds: readonly string[]
  name: string
}

export function LabelButton({ projectIds, name }: LabelButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const isOpen = useIsLabelPickerAnchor(button)
  return (
    <button
      ref={(element) => {
        button.current = element
        return nameElement(`labels ${projectIds[0]}`)(element)
      }}
      data-label-button
      type="button"
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-label={`ป้าย ${name}`}
      title="ติดป้ายกำกับ"
      onPointerEnter={LazyLabelPanels.preload}
      onFocus={LazyLabelPanels.preload}
      onClick={() => (isOpen ? closeLabelPanel() : openLabelPicker(projectIds, button.current))}
      className="-my-0.5 inline-flex h-6 shrink-0 items-center justify-center gap-0.5 rounded-control px-1 text-xs text-ink-muted hover:bg-surface-muted hover:text-ink touch:my-0 touch:h-11 touch:min-w-11 touch:justify-center"
    >
      <Tag aria-hidden className="size-3.5" />
      <span className="pointer-fine:sr-only">ป้าย</span>
    </button>
  )
}
