import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { KeywordTerm } from '#contract/matching/keyword-term.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { type AiTermListCode, findAddKeywordTermProblem, findEquivalentKeywordTerm } from './term-text.ts'

type AddTermFieldProps = {
  word: string
  list: AiTermListCode
  terms: readonly KeywordTerm[]
  onTurn: (term: KeywordTerm, on: boolean) => void
  onAdd: (term: string) => void
}

export function AddKeywordTermField({ word, list, terms, onTurn, onAdd }: AddTermFieldProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const opener = useRef<HTMLButtonElement>(null)

  const close = () => {
    setIsOpen(false)
    setTyped('')
    setProblem(undefined)
    // Focus the button in the next frame, because only then is it mounted again.
    requestAnimationFrame(() => opener.current?.focus())
  }
  const add = () => {
    const newProblem = findAddKeywordTermProblem(typed, list, terms)
    setProblem(newProblem)
    if (newProblem !== undefined) return
    const existing = findEquivalentKeywordTerm(typed, terms)
    if (existing) onTurn(existing, true)
    else onAdd(typed.trim())
    setTyped('')
  }
  if (!isOpen) {
    return (
      <Button ref={opener} variant="link" size="sm" icon={Plus} onClick={() => setIsOpen(true)}>
        เพิ่มคำเอง
      </Button>
    )
  }
  return (
    <div className="flex min-w-0 flex-1 basis-full items-start gap-2">
      <TextField
        label={`คำที่ใช้แทน ${word}`}
        hideLabel
        autoFocus
        autoComplete="off"
        spellCheck={false}
        placeholder="พิมพ์คำแล้วกด Enter"
        value={typed}
        error={problem}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setProblem(undefined)
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter') {
            event.preventDefault()
            add()
          }
          if (event.key === 'Escape') {
            event.stopPropagation()
            close()
          }
        }}
        className="min-w-0 flex-1"
      />
      <Button onClick={add}>เพิ่ม</Button>
      <Button variant="quiet" onClick={close}>
        ปิด
      </Button>
    </div>
  )
}
