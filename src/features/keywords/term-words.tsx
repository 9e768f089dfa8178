import { Info } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { Keyword, KeywordList } from '#contract/account/organisation.ts'
import { isStored } from '#src/api/keyword/keyword-edits.ts'
import { countText } from '#src/lib/money-text.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { deleteWords } from './keyword-changes.ts'
import { KeywordPopover } from './keyword-popover.tsx'
import { lookOf } from './list-looks.ts'
import type { WatchTools } from './watch-tools.ts'
import { toggleWord, type WordSelection } from './word-selection.ts'

/** What stands in the card of a word by meaning beside its terms, which another feature draws. */
export type TermWordSlots = {
  readonly keyword: Keyword
  readonly leading: ReactNode
  readonly figures: ReactNode
  readonly onDelete: () => void
}

type TermWordsProps = {
  list: KeywordList
  label: string
  words: readonly Keyword[]
  tools: WatchTools
  /** Undefined while words are not being selected. */
  selection: WordSelection | undefined
  onSelect: (selection: WordSelection) => void
  render: (slots: TermWordSlots) => ReactNode
}

/** The words of an AI list, each with the terms that it stands for. */
export function TermWords({ list, label, words, tools, selection, onSelect, render }: TermWordsProps) {
  const order = words.map(({ id }) => id)
  const isRange = useRef(false)
  if (words.length === 0) return null
  return (
    <ul aria-label={label} className="mt-3 space-y-2">
      {words.map((keyword) => (
        <li
          key={keyword.id}
          onClickCapture={(event) => {
            isRange.current = event.shiftKey
          }}
          onKeyDownCapture={(event) => {
            isRange.current = event.shiftKey
          }}
        >
          {render({
            keyword,
            leading: selection && isStored(keyword) && (
              <Checkbox
                checked={selection.ids.has(keyword.id)}
                ariaLabel={`เลือก ${keyword.word}`}
                onChange={() => onSelect(toggleWord(selection, order, keyword.id, isRange.current))}
              />
            ),
            figures: isStored(keyword) && <TermWordDetails list={list} keyword={keyword} tools={tools} />,
            onDelete: () => void deleteWords(list, [keyword]),
          })}
        </li>
      ))}
    </ul>
  )
}

/** What the word found, and the way to all about it. */
function TermWordDetails({ list, keyword, tools }: Pick<TermWordsProps, 'list' | 'tools'> & { keyword: Keyword }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const hits = tools.figures?.get(keyword.id)?.hits
  const isExclusion = lookOf(list).isExclusion
  return (
    <>
      {hits !== undefined && (
        <span className="text-xs text-ink-faint tabular-nums">
          <span className="sr-only">{isExclusion ? 'ตัดออก' : 'พบ'} </span>
          <span aria-hidden>{isExclusion && hits > 0 ? '−' : ''}</span>
          {countText(hits)} โครงการ
        </span>
      )}
      <IconButton
        ref={button}
        icon={Info}
        size="sm"
        label={`รายละเอียดของ ${keyword.word}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="-my-1 touch:-my-2"
      />
      <KeywordPopover
        open={isOpen}
        onClose={() => setOpen(false)}
        anchor={button}
        list={list}
        keyword={keyword}
        tools={tools}
        onDelete={() => void deleteWords(list, [keyword])}
      />
    </>
  )
}
