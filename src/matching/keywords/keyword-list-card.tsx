import { useQuery } from '@tanstack/react-query'
import { ClipboardPaste, Copy, Download, Ellipsis, FolderInput, ListChecks, Plus, Trash2, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { Keyword, KeywordListCode } from '#contract/account/organisation.ts'
import { escapeSpreadsheetCell } from '#contract/spreadsheet-formula.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { saveBlobAsFile } from '#src/api/http/save-blob-as-file.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { classNames } from '#src/lib/class-names.ts'
import { hasServerId } from '#src/matching/api/keyword-edits.ts'
import { keywordTermsQuery } from '#src/matching/api/keyword-terms.ts'
import { SimilarTermSourceNote } from '#src/matching/keyword-terms/keyword-terms-card.tsx'
import { KeywordGroupField, NO_KEYWORD_GROUP } from '#src/matching/keywords/add/keyword-group-field.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { copyWithToast } from '#src/ui/overlay/copy-with-toast.ts'
import { Menu, MenuItem, MenuSeparator } from '#src/ui/overlay/menu.tsx'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'
import { type KeywordGroupChoice, moveKeywordsToGroup, tryDeleteKeywords } from './keyword-changes.ts'
import { EMPTY_KEYWORD_SELECTION, KeywordChips, type KeywordSelection } from './keyword-chips.tsx'
import { getKeywordListAppearance, getKeywordListItemNoun, getKeywordListUsage } from './keyword-list-appearances.ts'
import { KeywordListActionResultLine } from './keyword-list-status-line.tsx'
import { KeywordTermList } from './keywords-with-terms.tsx'
import { useWatchLists } from './watch-list-tools.ts'

/** Returns the words of a list, one per line, in the format that bulk paste reads. */
export function formatKeywordList(keywords: readonly Keyword[]): string {
  return keywords.map(({ word }) => word).join('\n')
}

const cell = (word: string) => (/[",\n]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word)

/** Returns the list as CSV. It starts with a byte order mark, which makes Excel read the file as UTF-8. */
export function formatKeywordListCsv(keywords: readonly Keyword[]): string {
  return `\uFEFF${keywords.map(({ word }) => `${cell(escapeSpreadsheetCell(word))}\r\n`).join('')}`
}

type KeywordCardProps = {
  list: KeywordListCode
  words: readonly Keyword[]
  isFiltered: boolean
  isTarget: boolean
  scrollsIntoView: boolean
  isOff: boolean
  onAdd: () => void
  onPaste: () => void
}

const scrollToNearest = (card: Element | null) => card?.scrollIntoView?.({ block: 'nearest' })

export function KeywordListCard({
  list,
  words,
  isFiltered,
  isTarget,
  scrollsIntoView,
  isOff,
  onAdd,
  onPaste,
}: KeywordCardProps) {
  const id = useId()
  const { organisation, isLocked } = useWatchLists()
  const { ai_include, ai_exclude } = organisation
  const byMeaning = list === 'ai_include' || list === 'ai_exclude' ? list : undefined
  const terms = useQuery({
    ...useOptimisticQueryOptions(keywordTermsQuery),
    // A request sent before a new word is saved would return without its terms.
    enabled: byMeaning !== undefined && [...ai_include, ...ai_exclude].some(hasServerId),
  })
  const look = getKeywordListAppearance(list)
  const { used, limit, left } = getKeywordListUsage(organisation, list)
  const [selection, setSelection] = useState<KeywordSelection>()
  const menuButton = useRef<HTMLButtonElement>(null)
  const chosen = words.filter((word) => selection?.ids.has(word.id) && hasServerId(word))
  const all = organisation[list]
  const noun = getKeywordListItemNoun(list)
  const copy = () =>
    copyWithToast(formatKeywordList(all), `คัดลอก ${formatCount(all.length)} ${noun}แล้ว`, 'คัดลอกไม่ได้ ใช้ดาวน์โหลดไฟล์แทน')
  const download = () =>
    saveBlobAsFile(
      new Blob([formatKeywordListCsv(all)], { type: 'text/csv;charset=utf-8' }),
      `tamngan-${look.code}.csv`,
    )
  const select = (next: KeywordSelection) => setSelection(next.ids.size === 0 && !selection ? undefined : next)
  const listProps = { label: look.name, words, selection, onSelect: select }
  const hint = list === 'ai_include' && terms.data ? <SimilarTermSourceNote engine={terms.data.engine} /> : look.hint
  const add = (
    <Button variant="link" size="sm" icon={Plus} onClick={onAdd} disabled={isLocked || left === 0}>
      {list === 'deptsub_include' ? 'เลือกหน่วยงาน' : 'เพิ่มคำ'}
      <span className="sr-only"> ใน{look.name}</span>
    </Button>
  )
  return (
    <Card
      ref={scrollsIntoView ? scrollToNearest : undefined}
      as="section"
      aria-labelledby={id}
      className={classNames('scroll-mt-20 p-4', isTarget && 'lg:border-accent-line')}
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 id={id} className="flex items-center gap-2.5 text-md font-semibold">
            <span aria-hidden className={classNames('size-2.5 shrink-0 rounded-[3px]', look.dot)} />
            {look.name}
          </h2>
          <p className="text-sm text-ink-muted">{isOff ? 'ปิดการค้นแบบนี้อยู่ คำในรายการยังไม่มีผล' : hint}</p>
        </div>
        <p className="shrink-0 pt-0.5 text-sm text-ink-muted tabular-nums">
          <span className="sr-only">ใช้ </span>
          {formatCount(used)}
          <span aria-hidden>/</span>
          <span className="sr-only"> จาก </span>
          {formatCount(limit)}
        </p>
        <Menu
          label={`จัดการ ${look.name}`}
          triggerRef={menuButton}
          trigger={(props) => <IconButton {...props} icon={Ellipsis} label={`จัดการ ${look.name}`} size="sm" />}
        >
          <MenuItem icon={ClipboardPaste} disabled={isLocked} onSelect={onPaste}>
            วางหลาย{noun}
          </MenuItem>
          <MenuItem
            icon={ListChecks}
            disabled={all.length === 0}
            onSelect={() => setSelection(EMPTY_KEYWORD_SELECTION)}
          >
            เลือกหลาย{noun}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={Copy} disabled={all.length === 0} onSelect={() => void copy()}>
            คัดลอกทั้งรายการ
          </MenuItem>
          <MenuItem icon={Download} disabled={all.length === 0} onSelect={download}>
            ดาวน์โหลด CSV
          </MenuItem>
        </Menu>
      </div>
      <div aria-hidden className="mt-2 h-1 overflow-hidden rounded-full bg-surface-muted">
        <div
          className={classNames('h-full rounded-full', look.dot)}
          style={{ width: `${usedShare(used, limit) * 100}%` }}
        />
      </div>
      {left === 0 && (
        <p className="mt-2 text-sm text-updated">
          ครบ {formatCount(limit)} {noun}ตามแพ็กเกจแล้ว ลบบางคำ หรือติดต่อทีมงานเพื่อเพิ่มจำนวน
        </p>
      )}
      {selection && (
        <KeywordSelectionBar
          list={list}
          chosen={chosen}
          total={words.filter(hasServerId).length}
          onSelectAll={() =>
            setSelection({ ids: new Set(words.filter(hasServerId).map((word) => word.id)), anchor: undefined })
          }
          onClose={() => {
            setSelection(undefined)
            // The selection bar unmounts with the focus inside it, so move the focus to the card's menu.
            requestAnimationFrame(() => menuButton.current?.focus())
          }}
        />
      )}
      {isFiltered && words.length === 0 && used > 0 && (
        <p className="mt-3 text-sm text-ink-faint">ไม่มีคำที่ตรงกับการค้น จากทั้งหมด {formatCount(used)} คำ</p>
      )}
      {byMeaning && !terms.isError ? (
        <>
          <KeywordTermList {...listProps} list={byMeaning} terms={terms.data?.keywords} />
          <div className="mt-2">{add}</div>
        </>
      ) : (
        <KeywordChips {...listProps} list={list}>
          <li>{add}</li>
        </KeywordChips>
      )}
      <KeywordListActionResultLine list={list} />
    </Card>
  )
}

const usedShare = (used: number, limit: number) => (limit > 0 ? Math.min(1, used / limit) : used > 0 ? 1 : 0)

type SelectionBarProps = {
  list: KeywordListCode
  chosen: readonly Keyword[]
  total: number
  onSelectAll: () => void
  onClose: () => void
}

function KeywordSelectionBar({ list, chosen, total, onSelectAll, onClose }: SelectionBarProps) {
  const [choice, setChoice] = useState<KeywordGroupChoice>(NO_KEYWORD_GROUP)
  const { buttonProps, popoverProps } = usePopover()
  const isIdle = useWatchLists().isLocked || chosen.length === 0
  return (
    <div
      role="toolbar"
      aria-label="จัดการคำที่เลือก"
      className="mt-3 flex flex-wrap items-center gap-2 rounded-control bg-surface-muted px-3 py-1.5 text-sm"
    >
      <span role="status" className="tabular-nums">
        เลือก {formatCount(chosen.length)} {getKeywordListItemNoun(list)}
      </span>
      {chosen.length < total && (
        <Button size="sm" variant="link" onClick={onSelectAll}>
          เลือกทั้งหมด {formatCount(total)}
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
          <p className="text-sm font-medium">ย้าย {formatCount(chosen.length)} คำไปกลุ่ม</p>
          <KeywordGroupField label="กลุ่ม" value={choice} onChange={setChoice} />
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
