import { CircleCheck, FileSearch, Search, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DocumentFact } from '#contract/documents/document.ts'
import type { DocumentMatches } from '#contract/documents/document-search.ts'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import { HighlightedExcerpt } from '#src/documents/document-passages/highlighted-excerpt.tsx'
import {
  formatDocumentFactValue,
  getDocumentFactLabel,
  getMissingDocumentFactReason,
} from '#src/documents/project-documents/fact-text.ts'
import { DOCUMENT_READ_FROM_IMAGE_TEXT } from '#src/documents/project-documents/image-reading-status.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import type { DocumentPassage } from './use-document-reader.ts'

type FactsPaneProps = {
  document: ProjectDocument
  current: DocumentPassage | undefined
  onFact: (fact: DocumentFact) => void
}

export function DocumentFactsPane({
  document: { facts, page_count, state, pictures },
  current,
  onFact,
}: FactsPaneProps) {
  if (facts.length === 0) {
    return (
      <p className="px-5 py-4 text-sm text-ink-muted">
        {state === 'scan' && pictures.state !== 'done'
          ? 'เอกสารเป็นภาพสแกน หรือข้อความในไฟล์เสีย ยังไม่มีข้อความให้อ่านข้อมูล'
          : 'ไม่พบข้อมูลที่ระบบรู้จักในเอกสารนี้'}
      </p>
    )
  }
  return (
    <>
      <p className="px-5 pt-3 pb-2 text-xs text-ink-muted">
        {state === 'scan' ? 'อ่านจากภาพ' : 'อ่านโดยระบบจาก'} {page_count} หน้า กดเพื่อดู{state === 'scan' ? 'หน้า' : 'ประโยค'}
        ในเอกสารก่อนใช้ทุกครั้ง
      </p>
      <ul className="divide-y divide-line border-y border-line">
        {facts.map((fact) => (
          <li key={`${fact.fact} ${fact.page} ${fact.offset}`}>
            <button
              type="button"
              aria-pressed={fact === current}
              onClick={() => onFact(fact)}
              className={classNames(
                'block w-full border-l-3 px-5 py-3 text-left hover:bg-surface-muted focus-visible:-outline-offset-2',
                fact === current ? 'border-accent bg-accent-soft' : 'border-transparent',
              )}
            >
              <span className="flex items-center gap-2 text-xs text-ink-muted">
                <span className="min-w-0 flex-1">{getDocumentFactLabel(fact.fact)}</span>
                {fact.state === 'clear' ? (
                  <span className="inline-flex items-center gap-1 text-accent-ink">
                    <CircleCheck aria-hidden className="size-3.5" /> ชัดเจน
                  </span>
                ) : (
                  <span className="inline-flex items-center gap-1 text-updated">
                    <TriangleAlert aria-hidden className="size-3.5" /> {getMissingDocumentFactReason(fact)}
                  </span>
                )}
                <span className="inline-flex items-center gap-1 text-accent-ink">
                  <FileSearch aria-hidden className="size-3.5" /> หน้า {fact.page}
                </span>
              </span>
              <span
                className={classNames(
                  'mt-1 block [overflow-wrap:anywhere]',
                  fact.state === 'clear' ? 'font-medium tabular-nums' : 'text-sm text-ink-muted',
                )}
              >
                {formatDocumentFactValue(fact.value) ?? `“${fact.sentence}”`}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

type SearchPaneProps = {
  typed: string
  onType: (text: string) => void
  problem: string | undefined
  hits: DocumentMatches | undefined
  page: number
  onPage: (page: number) => void
  pages?: ReactNode
}

export function DocumentSearchPane({ typed, onType, problem, hits, page, onPage, pages }: SearchPaneProps) {
  return (
    <>
      <label className="m-4 flex h-10 items-center gap-2 rounded-control border border-line-strong bg-surface px-3 focus-within:outline-2 focus-within:outline-accent">
        <Search aria-hidden className="size-4 text-ink-faint" />
        <input
          type="search"
          value={typed}
          onChange={({ currentTarget }) => onType(currentTarget.value)}
          placeholder="ค้นในเอกสารนี้"
          aria-label="ค้นในเอกสารนี้"
          ref={nameElement('documentSearch')}
          className="min-w-0 flex-1 bg-transparent outline-none"
        />
      </label>
      <p role="status" className="px-4 pb-2 text-sm text-ink-muted">
        {problem ?? (hits && (hits.count === 0 ? 'ไม่พบในเอกสารนี้' : `${hits.count} แห่ง ใน ${hits.pages.length} หน้า`))}
      </p>
      {typed.trim() === '' && pages}
      <ul>
        {hits?.pages.map((pageHits) => (
          <li key={pageHits.page}>
            <button
              type="button"
              aria-current={pageHits.page === page || undefined}
              onClick={() => onPage(pageHits.page)}
              className={classNames(
                'block w-full px-4 py-2.5 text-left text-sm hover:bg-surface-muted focus-visible:-outline-offset-2',
                pageHits.page === page && 'bg-accent-soft',
              )}
            >
              <span className="font-medium">หน้า {pageHits.page}</span>{' '}
              <span className="text-xs text-ink-muted">
                พบ {pageHits.count}
                {pageHits.is_from_picture && ` · ${DOCUMENT_READ_FROM_IMAGE_TEXT}`}
              </span>
              <span className="mt-0.5 line-clamp-2 block text-xs text-ink-muted">
                <HighlightedExcerpt excerpt={pageHits.excerpt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
