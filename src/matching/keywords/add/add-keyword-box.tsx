import { useQuery } from '@tanstack/react-query'
import { Building2, ClipboardPaste } from 'lucide-react'
import { useState } from 'react'
import type { CustomerConfig, KeywordListCode } from '#contract/account/organisation.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useDebouncedText } from '#src/lib/use-debounced-text.ts'
import { keywordCheckQuery } from '#src/matching/api/keywords.ts'
import { KeywordPreviewPanel } from '#src/matching/keyword-impact/keyword-preview-panel.tsx'
import { UnsavedKeywordTermPicker } from '#src/matching/keyword-terms/draft-term-picker.tsx'
import {
  getKeywordListAppearance,
  getKeywordListItemNoun,
  getKeywordListUsage,
} from '#src/matching/keywords/keyword-list-appearances.ts'
import { KeywordListActionResultLine } from '#src/matching/keywords/keyword-list-status-line.tsx'
import { useWatchLists } from '#src/matching/keywords/watch-list-tools.ts'
import { Button } from '#src/ui/button.tsx'
import { BulkAddKeywordsBox } from './bulk-add-keywords-box.tsx'
import { checkKeywordDraft } from './check-keyword-draft.ts'
import { KeywordGroupField } from './keyword-group-field.tsx'
import { KeywordInputField } from './keyword-input-field.tsx'
import { useAddKeywordDraft } from './use-add-keyword-draft.ts'

type AddBoxProps = {
  list: KeywordListCode
  onListChange: (list: KeywordListCode) => void
  /** Word that prefills the box; passing a new object replaces the word in the box. */
  startWord?: { readonly word: string } | undefined
  isBulk: boolean
  onBulkChange: (isBulk: boolean) => void
  onPickDepartments: () => void
  onClose?: (() => void) | undefined
}

/** True if the list's search mode is off; exclusions always apply (D8). */
export function isKeywordListDisabled(list: KeywordListCode, config: CustomerConfig): boolean {
  if (list === 'include') return !config.search_by_name
  if (list === 'ai_include') return !config.search_by_ai
  return list === 'deptsub_include' && !config.search_by_deptsub
}

export function AddKeywordBox({
  list,
  onListChange,
  startWord,
  isBulk,
  onBulkChange,
  onPickDepartments,
  onClose,
}: AddBoxProps) {
  const draft = useAddKeywordDraft(list)
  const [started, setStarted] = useState<typeof startWord>()
  if (startWord !== undefined && startWord !== started) {
    setStarted(startWord)
    draft.setWord(startWord.word)
  }
  const [pasted, setPasted] = useState('')
  const { organisation, isLocked } = useWatchLists()
  const { left, limit } = getKeywordListUsage(organisation, list)
  const isDisabled = isLocked || left === 0
  const word = draft.word.trim()
  const check = checkKeywordDraft(list, draft.word, organisation[list])
  const canSave = check.state === 'good' && !isDisabled
  const serverCheck = useServerCheck(list, word, canSave && !isBulk)
  if (isBulk) {
    return <BulkAddKeywordsBox list={list} text={pasted} onTextChange={setPasted} onClose={() => onBulkChange(false)} />
  }
  return (
    <div>
      {left === 0 && (
        <p role="status" className="mb-3 rounded-control bg-updated-soft px-3 py-2 text-sm text-updated">
          {getKeywordListAppearance(list).name}ครบ {formatCount(limit)} {getKeywordListItemNoun(list)}
          ตามแพ็กเกจแล้ว ลบบางคำ หรือติดต่อทีมงานเพื่อเพิ่มจำนวน
        </p>
      )}
      <KeywordInputField
        list={list}
        onListChange={onListChange}
        word={draft.word}
        onChange={draft.setWord}
        onPasteMany={(text) => {
          setPasted(text)
          onBulkChange(true)
        }}
        check={check}
        disabled={isDisabled}
        onEnter={() => canSave && void draft.save()}
        tools={
          <Button
            size="sm"
            variant="link"
            icon={ClipboardPaste}
            disabled={isDisabled}
            onClick={() => onBulkChange(true)}
          >
            วางหลาย{getKeywordListItemNoun(list)}
          </Button>
        }
      >
        {serverCheck && (
          <p role="status" className={serverCheck.isRefused ? 'text-sm text-urgent' : 'text-sm text-updated'}>
            {serverCheck.text}
          </p>
        )}
        {draft.failed.map((failure) => (
          <p key={failure.word} role="alert" className="mt-1 text-sm text-urgent">
            “{failure.word}” {failure.reason}{' '}
            <button
              type="button"
              onClick={() => {
                onListChange(failure.list)
                draft.setWord(failure.word)
                draft.setFailed(draft.failed.filter((entry) => entry !== failure))
              }}
              className="min-h-6 font-medium underline touch:min-h-11"
            >
              แก้คำนี้
            </button>
          </p>
        ))}
      </KeywordInputField>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {list === 'deptsub_include' ? (
          <Button size="sm" icon={Building2} disabled={isDisabled} onClick={onPickDepartments}>
            เลือกจากรายชื่อหน่วยงาน
          </Button>
        ) : (
          <div className="flex min-w-0 items-center gap-2 text-sm text-ink-muted">
            กลุ่ม
            <KeywordGroupField
              label="กลุ่มของคำใหม่"
              value={draft.group}
              onChange={draft.setGroup}
              disabled={isDisabled}
            />
          </div>
        )}
      </div>
      {!isDisabled && (
        <div className="mt-4 space-y-4">
          {(list === 'ai_include' || list === 'ai_exclude') && check.state === 'good' && (
            <UnsavedKeywordTermPicker
              list={list}
              word={word}
              chosen={draft.terms}
              onChange={(approve, reject, terms) => draft.change({ terms: { approve, reject, terms } })}
              lesson={draft.lesson}
              onLesson={list === 'ai_include' && !isDemoSession() ? (lesson) => draft.change({ lesson }) : undefined}
              onHide={
                list === 'ai_include'
                  ? (term) => draft.change({ excluded: [...new Set([...draft.excluded, term])] })
                  : undefined
              }
            />
          )}
          {(check.state === 'good' || check.state === 'empty') && (
            <KeywordPreviewPanel
              draft={{ list, word: draft.word, terms: draft.terms?.terms }}
              excluded={draft.excluded}
              onExcluded={(excluded) => draft.change({ excluded })}
              isListOff={isKeywordListDisabled(list, organisation.customer_config)}
            />
          )}
        </div>
      )}
      {/* The list itself is covered by the sheet. */}
      {onClose && <KeywordListActionResultLine list={list} />}
      <div className="sticky bottom-0 mt-4 flex gap-2 bg-surface py-1">
        {(word !== '' || draft.excluded.length > 0) && (
          <Button
            variant="primary"
            disabled={!canSave}
            onClick={() => void draft.save()}
            className="h-auto! min-h-9 min-w-0 flex-1 shrink! py-1 whitespace-normal! wrap-anywhere touch:min-h-11"
          >
            {word === '' ? 'เพิ่มคำ' : `เพิ่ม “${word}”`}
            {draft.excluded.length > 0 && ` และคำไม่รวม ${formatCount(draft.excluded.length)} คำ`}
          </Button>
        )}
        {(word !== '' || onClose) && (
          <Button onClick={() => (word === '' ? onClose?.() : draft.clear())}>{word === '' ? 'ปิด' : 'ยกเลิก'}</Button>
        )}
      </div>
    </div>
  )
}

function useServerCheck(list: KeywordListCode, word: string, isGood: boolean) {
  const debounced = useDebouncedText(word)
  const { data } = useQuery({ ...keywordCheckQuery(list, [debounced]), enabled: isGood && debounced === word })
  if (!isGood || debounced !== word) return undefined
  const [refused] = data?.lines ?? []
  const [waiting] = [...(data?.waiting ?? []), ...(data?.silent ?? [])]
  if (refused) return { text: refused.message, isRefused: true }
  return waiting && { text: waiting.message, isRefused: false }
}
