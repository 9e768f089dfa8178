import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { splitPastedKeywords } from '#contract/matching/pasted-keywords.ts'
import { Chip } from '#src/ui/chip.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'

type SetupKeywordBoxProps = {
  label: string
  placeholder: string
  words: readonly string[]
  toneOf: (word: string) => 'accent' | 'negative'
  onRemove: (word: string) => void
  /** Adds words. Returns the rejected words, which remain in the box, and the reason. */
  onAdd: (words: readonly string[]) => { readonly rejected: readonly string[]; readonly problem: string | undefined }
}

/** Chips of the chosen words and a field that adds more. Pressing a chip moves its word back into the field. */
export function SetupKeywordBox({ label, placeholder, words, toneOf, onRemove, onAdd }: SetupKeywordBoxProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [value, setValue] = useState('')
  const [problem, setProblem] = useState<string>()
  const [announcement, setAnnouncement] = useState('')
  const remove = (word: string) => {
    onRemove(word)
    input.current?.focus()
  }
  const add = (added: readonly string[]) => {
    const { rejected, problem: wrong } = onAdd(added)
    setValue(rejected.join(', '))
    setProblem(wrong)
    const addedCount = added.length - rejected.length
    setAnnouncement(addedCount > 0 ? `เพิ่มแล้ว ${addedCount} คำ` : '')
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter') {
      event.preventDefault()
      const typed = splitPastedKeywords('include', value)
      if (typed.length > 0) add(typed)
    }
    const last = words.at(-1)
    if (event.key === 'Backspace' && value === '' && last !== undefined) remove(last)
  }
  return (
    <div className="flex flex-wrap items-start gap-1.5">
      {words.map((word) => (
        <Chip
          key={word}
          tone={toneOf(word)}
          onPress={() => {
            remove(word)
            setValue(word)
          }}
          removeLabel={`เอาคำ ${word} ออก`}
          onRemove={() => remove(word)}
        >
          {word}
        </Chip>
      ))}
      <div className="min-w-48 flex-1">
        <div className="flex gap-2">
          <input
            ref={input}
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
              setValue(event.currentTarget.value)
            }}
            onPaste={(event) => {
              const pasted = splitPastedKeywords('include', event.clipboardData.getData('text'))
              if (pasted.length < 2) return
              event.preventDefault()
              add([...splitPastedKeywords('include', value), ...pasted])
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
    </div>
  )
}
