import { Link } from '@tanstack/react-router'
import { GraduationCap, Info } from 'lucide-react'
import { useRef } from 'react'
import type { Keyword } from '#contract/account/organisation.ts'
import type { KeywordWithTerms } from '#contract/matching/keyword-term.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { queryClient, startQueryInBackground } from '#src/api/http/query-client.ts'
import { hasServerId } from '#src/matching/api/keyword-edits.ts'
import { keywordTrainingQuery } from '#src/matching/api/lessons.ts'
import { KeywordTermsCard } from '#src/matching/keyword-terms/keyword-terms-card.tsx'
import { KeywordTermChangesPanel } from '#src/matching/keyword-terms/term-changes-panel.tsx'
import type { AiTermListCode } from '#src/matching/keyword-terms/term-text.ts'
import { getButtonClasses } from '#src/ui/button.tsx'
import { BARE_CHECKBOX_CLASSES, Checkbox } from '#src/ui/form/checkbox.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { usePopover } from '#src/ui/overlay/popover.tsx'
import { excludeTerm, tryDeleteKeywords } from './keyword-changes.ts'
import { type KeywordChipsProps, toggleKeywordSelection } from './keyword-chips.tsx'
import { getKeywordListAppearance } from './keyword-list-appearances.ts'
import { KeywordPopover } from './keyword-popover.tsx'
import { useWatchLists } from './watch-list-tools.ts'

type TermWordsProps = Omit<KeywordChipsProps, 'list' | 'children'> & {
  list: AiTermListCode
  terms: readonly KeywordWithTerms[] | undefined
}

export function KeywordTermList({ list, label, words, selection, onSelect, terms }: TermWordsProps) {
  const { isLocked } = useWatchLists()
  const order = words.map(({ id }) => id)
  const isRange = useRef(false)
  if (words.length === 0) return null
  return (
    <ul aria-label={label} className="mt-3 space-y-2">
      {words.map((keyword) => {
        const entry = terms?.find(({ keyword_id }) => keyword_id === keyword.id)
        const isStored = hasServerId(keyword)
        const canTeach = list === 'ai_include' && isStored && !isDemoSession()
        return (
          <li
            key={keyword.id}
            onClickCapture={(event) => {
              isRange.current = event.shiftKey
            }}
            onKeyDownCapture={(event) => {
              isRange.current = event.shiftKey
            }}
          >
            <KeywordTermsCard
              keyword={keyword}
              list={list}
              entry={entry}
              locked={isLocked || isDemoSession()}
              lesson={canTeach && <LessonLink keyword={keyword} />}
              changes={
                canTeach && <KeywordTermChangesPanel keyword={keyword} terms={entry?.terms ?? []} locked={isLocked} />
              }
              leading={
                selection &&
                isStored && (
                  <Checkbox
                    checked={selection.ids.has(keyword.id)}
                    ariaLabel={`เลือก ${keyword.word}`}
                    onChange={() => onSelect(toggleKeywordSelection(selection, order, keyword.id, isRange.current))}
                    className={BARE_CHECKBOX_CLASSES}
                  />
                )
              }
              figures={isStored && <TermWordDetails list={list} keyword={keyword} />}
              onDelete={() => void tryDeleteKeywords(list, [keyword])}
              onHide={
                list === 'ai_include' ? (term) => void excludeTerm(term, `เพิ่ม “${term}” ในคำไม่รวมแล้ว`) : undefined
              }
            />
          </li>
        )
      })}
    </ul>
  )
}

function LessonLink({ keyword: { id, word } }: { keyword: Keyword }) {
  const prefetch = () => startQueryInBackground(queryClient, keywordTrainingQuery(id))
  return (
    <Link
      to="/watch"
      search={(current) => ({ ...current, lesson: id })}
      resetScroll={false}
      onPointerEnter={prefetch}
      onFocus={prefetch}
      className={getButtonClasses('link', 'sm')}
    >
      <GraduationCap aria-hidden className="size-4 shrink-0" />
      สอนด้วยตัวอย่าง
      <span className="sr-only"> ว่า {word} คืออะไร</span>
    </Link>
  )
}

function TermWordDetails({ list, keyword }: { list: AiTermListCode; keyword: Keyword }) {
  const { buttonProps, popoverProps } = usePopover()
  const hits = useWatchLists().figures?.get(keyword.id)?.hits
  const isExclusion = getKeywordListAppearance(list).isExclusion
  return (
    <>
      {hits !== undefined && (
        <span className="text-xs text-ink-faint tabular-nums">
          <span className="sr-only">{isExclusion ? 'ตัดออก' : 'พบ'} </span>
          <span aria-hidden>{isExclusion && hits > 0 ? '−' : ''}</span>
          {formatCount(hits)} โครงการ
        </span>
      )}
      <IconButton
        {...buttonProps}
        icon={Info}
        size="sm"
        label={`รายละเอียดของ ${keyword.word}`}
        className="-my-1 touch:-my-2"
      />
      <KeywordPopover
        {...popoverProps}
        list={list}
        keyword={keyword}
        onDelete={() => void tryDeleteKeywords(list, [keyword])}
      />
    </>
  )
}
