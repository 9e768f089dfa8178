import { type KeyboardEvent, type Ref, useId, useState } from 'react'
import { splitPastedKeywords } from '#contract/matching/pasted-keywords.ts'
import { TextButton } from '#src/ui/text-button.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'

type WordEntryProps = {
  label: string
  placeholder: string
  inputRef?: Ref<HTMLInputElement>
  value: string
  onValue: (text: string) => void
  /** Adds words. Returns the rejected words, which remain in the box, and the reason. */
  onAdd: (words: readonly string[]) => { readonly left: readonly string[]; readonly problem: string | undefined }
  onRemoveLast: () => void
}

export function SetupKeywordInput({
  label,
  placeholder,
  inputRef,
  value,
  onValue,
  onAdd,
  onRemoveLast,
}: WordEntryProps) {
  const id = useId()
  const [problem, setProblem] = useState<string>()
  const [announcement, setAnnouncement] = useState('')
  const add = (words: readonly string[]) => {
    const { left, problem: wrong } = onAdd(words)
    onValue(left.join(', '))
    setProblem(wrong)
    const addedCount = words.length - left.length
    setAnnouncement(addedCount > 0 ? `เพิ่มแล้ว ${addedCount} คำ` : '')
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter') {
      event.preventDefault()
      const words = splitPastedKeywords('include', value)
      if (words.length > 0) add(words)
    }
    if (event.key === 'Backspace' && value === '') onRemoveLast()
  }
  return (
    <div className="min-w-48 flex-1">
      <div className="flex gap-2">
        <input
          ref={inputRef}
          type="text"
          aria-label={label}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? id : undefined}
          placeholder={placeholder}
          autoComplete="off"
          enterKeyHint="done"
          value={value}
          onChange={(event) => {
            setProblem(undefined)
            onValue(event.currentTarget.value)
          }}
          onPaste={(event) => {
            const words = splitPastedKeywords('include', event.clipboardData.getData('text'))
            if (words.length < 2) return
            event.preventDefault()
            add([...splitPastedKeywords('include', value), ...words])
          }}
          onKeyDown={onKeyDown}
          className="h-8 min-w-0 flex-1 rounded-control border border-control bg-surface px-2.5 outline-none placeholder:text-ink-faint focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent-ink touch:h-11 touch:text-lg"
        />
        {value.trim() !== '' && (
          <TextButton onClick={() => add(splitPastedKeywords('include', value))} className="px-2 font-medium">
            เพิ่ม
          </TextButton>
        )}
      </div>
      {problem && (
        <p id={id} role="alert" className="mt-1 text-sm text-urgent">
          {problem}
        </p>
      )}
      <VisuallyHidden live>{announcement}</VisuallyHidden>
    </div>
  )
}
