import type { ComponentProps } from 'react'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { Popover } from '#src/ui/overlay/popover.tsx'

const KeywordDetails = lazyComponent(() => import('./keyword-details.tsx'), 'KeywordDetails')

type KeywordPopoverProps = Pick<ComponentProps<typeof Popover>, 'open' | 'onClose' | 'anchor'> &
  ComponentProps<typeof KeywordDetails>

export function KeywordPopover({ open, onClose, anchor, ...details }: KeywordPopoverProps) {
  const label = `รายละเอียดของ ${details.keyword.word}`
  return (
    <Popover open={open} onClose={onClose} anchor={anchor} label={label} className="w-80">
      <LazyBoundary fallback={<div className="h-88" />}>
        <KeywordDetails
          {...details}
          onDelete={() => {
            onClose()
            details.onDelete()
          }}
        />
      </LazyBoundary>
    </Popover>
  )
}
