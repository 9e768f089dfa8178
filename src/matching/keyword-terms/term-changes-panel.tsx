import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Sparkles } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { KeywordTerm } from '#contract/matching/keyword-term.ts'
import type { KeywordTermChanges } from '#contract/matching/term-changes.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { useOnChange } from '#src/lib/use-on-change.ts'
import { keywordTermChangesQuery } from '#src/matching/api/keyword-terms.ts'
import { Button } from '#src/ui/button.tsx'
import { KeywordTermChangesList } from './term-changes-list.tsx'

type TermChangesPanelProps = {
  keyword: { readonly id: number; readonly word: string }
  terms: readonly KeywordTerm[]
  locked: boolean
}

export function KeywordTermChangesPanel({ keyword, terms, locked }: TermChangesPanelProps) {
  const { data } = useQuery(useOptimisticQueryOptions(keywordTermChangesQuery))
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()
  const container = useRef<HTMLDivElement>(null)
  const changes = data?.keywords.find(({ keyword_id }) => keyword_id === keyword.id)
  const count = changes ? changes.gained.length + changes.lost.length : 0
  // The pressed button unmounts with its row, so keep the keyboard focus on this panel.
  const [isPressed, setIsPressed] = useState(false)
  useOnChange(isPressed ? count : undefined, (remaining) => {
    if (remaining !== undefined && document.activeElement === document.body) container.current?.focus()
  })
  if (!isPressed && (!changes || count === 0)) return null
  return (
    <div
      ref={container}
      tabIndex={-1}
      role="group"
      aria-label={`คำใหม่ของ ${keyword.word}`}
      className="mb-1.5 outline-none"
    >
      {changes && count > 0 ? (
        <>
          <Button
            variant="link"
            size="sm"
            icon={Sparkles}
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            onClick={() => setIsOpen(!isOpen)}
          >
            {changesText(changes)}
            {isOpen ? <ChevronUp aria-hidden className="size-4" /> : <ChevronDown aria-hidden className="size-4" />}
          </Button>
          {isOpen && (
            <KeywordTermChangesList
              id={listId}
              keyword={keyword}
              terms={terms}
              changes={changes}
              locked={locked}
              onAnswer={() => setIsPressed(true)}
            />
          )}
        </>
      ) : (
        <p className="sr-only">ดูคำใหม่ครบแล้ว</p>
      )}
    </div>
  )
}

function changesText({ gained, lost }: KeywordTermChanges): string {
  if (lost.length === 0) return `มีคำใกล้เคียงใหม่ ${gained.length} คำ`
  if (gained.length === 0) return `มี ${lost.length} คำที่ระบบไม่แนะนำแล้ว`
  return `มีคำใกล้เคียงใหม่ ${gained.length} คำ และ ${lost.length} คำที่ไม่แนะนำแล้ว`
}
