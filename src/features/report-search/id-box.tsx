import { type KeyboardEvent, type Ref, useState } from 'react'
import { countText } from '#src/lib/money-text.ts'
import { readProjectIds } from './operator-offer.ts'
import { type BoxProps, SearchFrame } from './search-frame.tsx'
import { useSearchWriter } from './use-search-writer.ts'
import { WordList } from './word-list.tsx'

type IdBoxProps = BoxProps & { inputRef: Ref<HTMLInputElement> }

const NAME = 'project_id__in'
const NOT_AN_ID = 'เลขที่โครงการมีแต่ตัวเลข วางได้หลายเลขคั่นด้วยจุลภาค เว้นวรรค หรือขึ้นบรรทัดใหม่'
/** A whole e-GP number; the address waits for it rather than asking for every beginning of one. */
const ID_LENGTH = 11

/** Project numbers, any of them; a pasted column of numbers becomes one chip each. */
export function IdBox({ field, search, change, total, inputRef, tools }: IdBoxProps) {
  const ids = search[NAME] ?? []
  const [draft, setDraft] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const writer = useSearchWriter(
    NAME,
    search,
    change,
    (text) => text.split('||'),
    () => setDraft(''),
  )
  const add = (text: string) => {
    const read = readProjectIds(text)
    if (!read) return setRefusal(NOT_AN_ID)
    setDraft('')
    setRefusal(undefined)
    writer.commit([...new Set([...ids, ...read])].join('||'))
  }
  const onType = (text: string) => {
    setRefusal(undefined)
    const read = readProjectIds(text)
    // Several numbers at once, or one that is whole, need no Enter.
    if (read && (read.length > 1 || read[0]?.length === ID_LENGTH)) add(text)
    else setDraft(text)
  }
  const remove = (index: number) => writer.commit(ids.toSpliced(index, 1).join('||'))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && draft.trim() !== '') add(draft)
    if (event.key === 'Backspace' && draft === '' && ids.length > 0) remove(ids.length - 1)
    if (event.key === 'Escape') setDraft('')
  }
  return (
    <SearchFrame
      {...tools}
      refusal={refusal}
      below={
        ids.length > 0 && (
          <p className="text-xs text-ink-muted">
            {field.th}: {countText(ids.length)} เลข{total === null ? '' : ` — พบ ${countText(total)} โครงการ`}
          </p>
        )
      }
    >
      <WordList
        items={ids.length === 0 ? [] : [{ key: NAME, value: ids, negation: false }]}
        onRemove={(_item, index) => remove(index)}
        onOpenExpression={() => undefined}
      />
      <input
        ref={inputRef}
        type="text"
        inputMode="numeric"
        enterKeyHint="search"
        autoComplete="off"
        aria-label="เลขที่โครงการ"
        aria-invalid={refusal ? true : undefined}
        placeholder={ids.length === 0 ? field.placeholder : ''}
        value={draft}
        onChange={(event) => onType(event.currentTarget.value)}
        // A pasted column keeps its line breaks only here: a text input drops them.
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text')
          if (!/\s/.test(pasted.trim())) return
          event.preventDefault()
          add(pasted)
        }}
        onKeyDown={onKeyDown}
        className="sticky right-0 h-[34px] min-w-16 flex-1 bg-surface pl-1 text-ellipsis outline-none placeholder:text-ink-faint group-focus-within/search:min-w-24 touch:h-[42px] touch:text-lg"
      />
    </SearchFrame>
  )
}
