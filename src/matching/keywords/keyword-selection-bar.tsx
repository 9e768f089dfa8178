import { FolderInput, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import type { Keyword, KeywordListCode } from '#contract/account/organisation.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { Button } from '#src/ui/button.tsx'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'
import { KeywordGroupField, NO_KEYWORD_GROUP } from './add/keyword-group-field.tsx'
import { type KeywordGroupChoice, moveKeywordsToGroup, tryDeleteKeywords } from './keyword-changes.ts'
import { getKeywordListItemNoun } from './keyword-list-appearances.ts'
import type { WatchListEditingContext } from './watch-list-tools.ts'

type SelectionBarProps = {
  list: KeywordListCode
  chosen: readonly Keyword[]
  total: number
  tools: WatchListEditingContext
  onSelectAll: () => void
  onClose: () => void
}

export function KeywordSelectionBar({ list, chosen, total, tools, onSelectAll, onClose }: SelectionBarProps) {
  const [choice, setChoice] = useState<KeywordGroupChoice>(NO_KEYWORD_GROUP)
  const { buttonProps, popoverProps } = usePopover()
  const isIdle = chosen.length === 0 || tools.isLocked
  return (
    <div
      role="toolbar"
      aria-label="จัดการคำที่เลือก"
      className="mt-3 flex flex-wrap items-center gap-2 rounded-control bg-surface-muted px-3 py-1.5 text-sm"
    >
      <span role="status" className="tabular-nums">
        เลือก {formatCountWithSeparators(chosen.length)} {getKeywordListItemNoun(list)}
      </span>
      {chosen.length < total && (
        <Button size="sm" variant="link" onClick={onSelectAll}>
          เลือกทั้งหมด {formatCountWithSeparators(total)}
        </Button>
      )}
      <span className="flex-1" />
      {list !== 'deptsub_include' && (
        <Button {...buttonProps} size="sm" icon={FolderInput} disabled={isIdle}>
          ย้ายกลุ่ม
        </Button>
      )}
      <Button
        size="sm"
        icon={Trash2}
        disabled={isIdle}
        onClick={() => {
          void tryDeleteKeywords(list, chosen)
          onClose()
        }}
      >
        ลบ
      </Button>
      <Button size="sm" variant="quiet" icon={X} onClick={onClose}>
        เลิกเลือก
      </Button>
      <Popover {...popoverProps} label="ย้ายกลุ่ม" className="w-72 p-4">
        <div className="space-y-3">
          <p className="text-sm font-medium">ย้าย {formatCountWithSeparators(chosen.length)} คำไปกลุ่ม</p>
          <KeywordGroupField
            label="กลุ่ม"
            groups={tools.organisation.keyword_groups}
            value={choice}
            onChange={setChoice}
          />
          <Button
            variant="primary"
            size="sm"
            onClick={() => {
              void moveKeywordsToGroup(list, chosen, choice)
              popoverProps.onClose()
              onClose()
            }}
          >
            ย้าย
          </Button>
        </div>
      </Popover>
    </div>
  )
}
