import { type ReactNode, useId, useRef } from 'react'
import type { KeywordListCode } from '#contract/account/organisation.ts'
import { classNames } from '#src/lib/class-names.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import {
  findKeywordListByCode,
  getKeywordListAppearance,
  KEYWORD_LIST_APPEARANCES,
} from '#src/matching/keywords/keyword-list-appearances.ts'
import { createEntryKeyHandler } from '#src/ui/form/entry-key-handler.ts'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import type { KeywordDraftCheck } from './check-keyword-draft.ts'

function ErrorPosition({ word, position }: { word: string; position: number }) {
  const tail = [...word.slice(position)]
  return (
    <span aria-hidden className="block truncate text-xs text-ink-muted">
      {word.slice(0, position)}
      <span className="rounded-[2px] bg-urgent-soft text-urgent underline decoration-wavy">
        {tail[0] ?? '\u00A0\u00A0'}
      </span>
      {tail.slice(1).join('')}
    </span>
  )
}

type WordFieldProps = {
  list: KeywordListCode
  onListChange: (list: KeywordListCode) => void
  word: string
  onChange: (word: string) => void
  onPasteMany: (text: string) => void
  check: KeywordDraftCheck
  disabled: boolean
  onEnter: () => void
  tools: ReactNode
  children?: ReactNode
}

const SIGNS = [
  { sign: '##', th: 'และ' },
  { sign: '||', th: 'หรือ' },
  { sign: '<<', th: 'ไม่เอา' },
] as const
const EXAMPLES: Readonly<Record<KeywordListCode, string>> = {
  include: 'เช่น กล้องวงจรปิด หรือ กล้อง||CCTV',
  exclude: 'เช่น ซ่อมแซม',
  ai_include: 'เช่น กล้องวงจรปิด',
  ai_exclude: 'เช่น งานปรับปรุงภูมิทัศน์',
  deptsub_include: 'ชื่อหน่วยงานตามทะเบียน',
}

export function KeywordInputField({
  list,
  onListChange,
  word,
  onChange,
  onPasteMany,
  check,
  disabled,
  onEnter,
  tools,
  children,
}: WordFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const noteId = useId()
  const hasSigns = list === 'include' || list === 'exclude'
  const isWrong = check.state === 'wrong' && !check.isBeginning
  const insert = (sign: string) => {
    const start = input.current?.selectionStart ?? word.length
    const end = input.current?.selectionEnd ?? word.length
    onChange(word.slice(0, end) + sign + word.slice(end))
    const caret = (end > start ? end : start) + sign.length
    // The caret can be set only after React has rendered the new value.
    requestAnimationFrame(() => {
      input.current?.focus()
      input.current?.setSelectionRange(caret, caret)
    })
  }
  return (
    <div>
      <div
        className={classNames(
          'flex items-center gap-1 rounded-control border bg-surface focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent-ink',
          isWrong ? 'border-urgent' : 'border-control',
          disabled && 'opacity-60',
        )}
      >
        <input
          ref={(element) => {
            input.current = element
            return nameElement('addWord')(element)
          }}
          type="text"
          data-autofocus
          aria-label={`คำใหม่ ${getKeywordListAppearance(list).name}`}
          aria-invalid={isWrong ? true : undefined}
          aria-describedby={noteId}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="done"
          placeholder={EXAMPLES[list]}
          disabled={disabled}
          value={word}
          onChange={(event) => onChange(event.currentTarget.value)}
          // Handle pasted columns here, because a text input would drop the line breaks.
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text')
            if (!/[\r\n\t]/.test(pasted.trim())) return
            event.preventDefault()
            onPasteMany(pasted)
          }}
          onKeyDown={createEntryKeyHandler({ onEnter, ...(word !== '' && { onEscape: () => onChange('') }) })}
          className="h-10 min-w-0 flex-1 bg-transparent pl-3 text-md outline-none placeholder:text-ink-faint touch:h-11 touch:text-lg"
        />
        <Listbox
          label="เพิ่มในรายการ"
          variant="quiet"
          disabled={disabled}
          value={getKeywordListAppearance(list).code}
          options={KEYWORD_LIST_APPEARANCES.map(({ code, short }) => ({ value: code, th: short }))}
          onChange={(code) => onListChange(findKeywordListByCode(code) ?? list)}
          className="mr-1 h-8 max-w-40 shrink-0 text-xs text-ink-muted touch:h-11"
        />
      </div>
      <div className="mt-1.5 flex flex-wrap items-center justify-between gap-x-2">
        <div className="flex rounded-control text-xs">
          {(hasSigns ? SIGNS : []).map(({ sign, th }) => (
            <button
              key={sign}
              type="button"
              disabled={disabled}
              aria-label={`ใส่เครื่องหมาย ${th}`}
              onClick={() => insert(sign)}
              className="h-6 border border-r-0 border-line px-2 text-ink-muted first:rounded-l-[5px] last:rounded-r-[5px] last:border-r enabled:hover:bg-surface-muted touch:h-11 touch:px-4"
            >
              {th} <span className="text-ink-faint">{sign}</span>
            </button>
          ))}
        </div>
        {tools}
      </div>
      <div id={noteId} aria-live="polite" className="mt-1 text-xs text-ink-muted">
        <DraftNote check={check} word={word} onTake={onChange} />
      </div>
      {children}
    </div>
  )
}

type DraftNoteProps = { check: KeywordDraftCheck; word: string; onTake: (word: string) => void }

function DraftNote({ check, word, onTake }: DraftNoteProps) {
  if (check.state === 'empty') return null
  if (check.state === 'wrong') {
    const lead = word.length - word.trimStart().length
    return (
      <div className={check.isBeginning ? undefined : 'text-urgent'}>
        {check.text}
        {check.position !== undefined && ` (ตัวที่ ${check.position + 1})`}
        {check.position !== undefined && <ErrorPosition word={word.slice(lead)} position={check.position} />}
      </div>
    )
  }
  return (
    <>
      {check.echo && <p>{check.echo}</p>}
      {check.hint && (
        <p className="text-ink-faint">
          อ่านว่า <span className="whitespace-nowrap">{check.hint}</span>
        </p>
      )}
      {check.form && <p className="text-ink-faint">เทียบเป็น “{check.form}”</p>}
      {check.offer && (
        <p>
          ต้องการแบบนี้ไหม{' '}
          <TextButton onClick={() => onTake(check.offer ?? word)} className="font-medium">
            ใช้ {check.offer}
          </TextButton>
        </p>
      )}
    </>
  )
}
