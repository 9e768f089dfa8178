import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Sparkles } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { KeywordTerm } from '#contract/matching/keyword-term.ts'
import type { NewsOfKeyword } from '#contract/matching/term-news.ts'
import { useOverlaid } from '#src/api/optimistic.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { termNewsQuery } from '#src/matching/api/keyword-terms.ts'
import { Button } from '#src/ui/button.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'

const TermNewsList = lazyComponent(() => import('./term-news-list.tsx'), 'TermNewsList')

type TermNewsProps = {
  keyword: { readonly id: number; readonly word: string }
  terms: readonly KeywordTerm[]
  locked: boolean
}

export function TermNews({ keyword, terms, locked }: TermNewsProps) {
  const { data } = useQuery(useOverlaid(termNewsQuery))
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()
  const place = useRef<HTMLDivElement>(null)
  const news = data?.keywords.find(({ keyword_id }) => keyword_id === keyword.id)
  const count = news ? news.gained.length + news.lost.length : 0
  // The pressed button unmounts with its row; keep keyboard focus here.
  const [isPressed, setIsPressed] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after a row was removed
  useEffect(() => {
    if (isPressed && document.activeElement === document.body) place.current?.focus()
  }, [count, isPressed])
  if (!isPressed && (!news || count === 0)) return null
  return (
    <div ref={place} tabIndex={-1} role="group" aria-label={`คำใหม่ของ ${keyword.word}`} className="mb-1.5 outline-none">
      {news && count > 0 ? (
        <>
          <Button
            look="link"
            size="sm"
            icon={Sparkles}
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            onClick={() => setIsOpen(!isOpen)}
          >
            {newsText(news)}
            {isOpen ? <ChevronUp aria-hidden className="size-4" /> : <ChevronDown aria-hidden className="size-4" />}
          </Button>
          {isOpen && (
            <LazyBoundary fallback={<div className="h-40" />}>
              <TermNewsList
                id={listId}
                keyword={keyword}
                terms={terms}
                news={news}
                locked={locked}
                onAnswer={() => setIsPressed(true)}
              />
            </LazyBoundary>
          )}
        </>
      ) : (
        <p className="sr-only">ดูคำใหม่ครบแล้ว</p>
      )}
    </div>
  )
}

/** `มีคำใกล้เคียงใหม่ 3 คำ`, plus the terms the engine no longer suggests. */
function newsText({ gained, lost }: NewsOfKeyword): string {
  if (lost.length === 0) return `มีคำใกล้เคียงใหม่ ${gained.length} คำ`
  if (gained.length === 0) return `มี ${lost.length} คำที่ระบบไม่แนะนำแล้ว`
  return `มีคำใกล้เคียงใหม่ ${gained.length} คำ และ ${lost.length} คำที่ไม่แนะนำแล้ว`
}
