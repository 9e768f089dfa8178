import type { ComponentProps } from 'react'
import type { Keyword, KeywordListCode } from '#contract/account/organisation.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { Popover } from '#src/ui/overlay/popover.tsx'
import type { WatchListEditingContext } from './watch-list-tools.ts'

const KeywordDetails = lazyComponent(() => import('./keyword-details.tsx'), 'KeywordDetails')

type KeywordPopoverProps = Pick<ComponentProps<typeof Popover>, 'open' | 'onClose' | 'anchor'> & {
  list: KeywordListCode
  keyword: Keyword
  tools: WatchListEditingContext
  onDelete: () => void
}

export function KeywordPopover({ open, onClose, anchor, list, keyword, tools, onDelete }: KeywordPopoverProps) {
  return (
    <Popover open={open} onClose={onClose} anchor={anchor} label={`รายละเอียดของ ${keyword.word}`} className="w-80">
      <LazyBoundary fallback={<div className="h-88" />}>
        <KeywordDetails
          list={list}
          keyword={keyword}
          tools={tools}
          onDelete={() => {
            onClose()
            onDelete()
          }}
        />
      </LazyBoundary>
    </Popover>
  )
}
