import { type SyntheticEvent, useState } from 'react'
import { MAX_KEYWORD_LENGTH } from '#contract/keyword.ts'
import type { Keyword, KeywordList } from '#contract/organisation.ts'
import { useOneAtATime } from '#src/lib/use-one-at-a-time.ts'
import { Button } from '#src/ui/button.tsx'
import { checkDraft } from './draft-check.ts'
import { rewordKeyword } from './keyword-changes.ts'

type EditWordFormProps = {
  list: KeywordList
  keyword: Keyword
  existing: readonly Keyword[]
  onDone: () => void
}

/** The text of a stored word, with the same live check as a new one. */
export function EditWordForm({ list, keyword, existing, onDone }: EditWordFormProps) {
  const [text, setText] = useState(keyword.word)
  const word = text.trim()
  const others = existing.filter(({ id }) => id !== keyword.id)
  const check = checkDraft(list, text, others)
  const save = useOneAtATime(async (event?: SyntheticEvent) => {
    event?.preventDefault()
    if (check.state !== 'good') return
    if (word !== keyword.word && !(await rewordKeyword(list, keyword, word)).ok) return
    onDone()
  })
  const problem = check.state === 'wrong' ? check.text : undefined
  return (
    <form onSubmit={save} className="space-y-2 p-4">
      <label className="block text-sm font-medium" htmlFor="edit-word">
        แก้คำ
      </label>
      <textarea
        id="edit-word"
        // biome-ignore lint/a11y/noAutofocus: the field takes the place of the button that asked for it
        autoFocus
        rows={2}
        spellCheck={false}
        maxLength={MAX_KEYWORD_LENGTH}
        aria-invalid={problem ? true : undefined}
        aria-describedby="edit-word-note"
        value={text}
        onChange={(event) => setText(event.currentTarget.value.replace(/(?<!\s)\s*\n\s*/g, ' '))}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter') save(event)
          if (event.key === 'Escape') {
            event.stopPropagation()
            onDone()
          }
        }}
        className="w-full rounded-control border border-control bg-surface px-2.5 py-1.5 touch:text-lg"
      />
      <p id="edit-word-note" role="status" className={problem ? 'text-sm text-urgent' : 'text-sm text-ink-muted'}>
        {problem ?? (check.state === 'good' ? check.echo : undefined)}
      </p>
      <div className="flex gap-2">
        <Button look="primary" size="sm" type="submit" disabled={check.state !== 'good'}>
          บันทึก
        </Button>
        <Button look="quiet" size="sm" onClick={onDone}>
          ยกเลิก
        </Button>
      </div>
    </form>
  )
}
