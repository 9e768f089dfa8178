import { CircleCheck, Search, TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { DocumentFact } from '#contract/documents/document.ts'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import type { PdfFile } from '#src/documents/document-page/pdf-file.ts'
import { HighlightedExcerpt } from '#src/documents/document-passages/highlighted-excerpt.tsx'
import {
  formatDocumentFactValue,
  getDocumentFactLabel,
  getMissingDocumentFactReason,
} from '#src/documents/project-documents/fact-text.ts'
import { DOCUMENT_READ_FROM_IMAGE_TEXT } from '#src/documents/project-documents/image-reading-status.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import { useIsNearViewport } from '#src/lib/use-in-view.ts'
import { TextField } from '#src/ui/form/text-field.tsx'
import { DocumentPassageButton, PassageMark } from './document-passage-button.tsx'
import type { DocumentPassage, DocumentReaderState } from './use-document-reader.ts'

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
            <DocumentPassageButton
              label={getDocumentFactLabel(fact.fact)}
              mark={
                fact.state === 'clear' ? (
                  <PassageMark icon={CircleCheck}>ชัดเจน</PassageMark>
                ) : (
                  <PassageMark icon={TriangleAlert} warns>
                    {getMissingDocumentFactReason(fact)}
                  </PassageMark>
                )
              }
              page={fact.page}
              isCurrent={fact === current}
              onOpen={() => onFact(fact)}
              className="pb-3"
            >
              <span
                className={classNames(
                  'mt-1 block [overflow-wrap:anywhere]',
                  fact.state === 'clear' ? 'font-medium tabular-nums' : 'text-sm text-ink-muted',
                )}
              >
                {formatDocumentFactValue(fact.value) ?? `“${fact.sentence}”`}
              </span>
            </DocumentPassageButton>
          </li>
        ))}
      </ul>
    </>
  )
}

export function DocumentSearchPane({ reader }: { reader: DocumentReaderState }) {
  const { typed, type, problem, hits, page, openHits, file } = reader
  return (
    <>
      <TextField
        ref={nameElement('documentSearch')}
        type="search"
        label="ค้นในเอกสารนี้"
        hideLabel
        icon={Search}
        placeholder="ค้นในเอกสารนี้"
        value={typed}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        className="m-4"
      />
      <p role="status" className="px-4 pb-2 text-sm text-ink-muted">
        {problem ?? (hits && (hits.count === 0 ? 'ไม่พบในเอกสารนี้' : `${hits.count} แห่ง ใน ${hits.pages.length} หน้า`))}
      </p>
      {typed.trim() === '' && file && <Thumbnails {...reader} file={file} />}
      <ul>
        {hits?.pages.map((pageHits) => (
          <li key={pageHits.page}>
            <button
              type="button"
              aria-current={pageHits.page === page || undefined}
              onClick={() => openHits(pageHits.page)}
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

const DRAWN_WIDTH = 2 * 88
const PRELOAD_MARGIN = '200px'

type ThumbnailsProps = Pick<DocumentReaderState, 'pageCount' | 'page' | 'open'> & { file: PdfFile }

const scrollToNearest = (thumbnail: Element | null) => thumbnail?.scrollIntoView?.({ block: 'nearest' })

function Thumbnails({ file, pageCount, page, open }: ThumbnailsProps) {
  return (
    <ul aria-label="หน้าทั้งหมด" className="grid grid-cols-2 gap-2 px-4 pb-4">
      {Array.from({ length: pageCount }, (_, at) => at + 1).map((number) => (
        <li key={number} ref={number === page ? scrollToNearest : undefined}>
          <Thumbnail file={file} number={number} isCurrent={number === page} onOpen={() => open(number)} />
        </li>
      ))}
    </ul>
  )
}

type ThumbnailProps = { file: PdfFile; number: number; isCurrent: boolean; onOpen: () => void }

function Thumbnail({ file, number, isCurrent, onOpen }: ThumbnailProps) {
  const button = useRef<HTMLButtonElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const isNear = useIsNearViewport(button, PRELOAD_MARGIN)
  useEffect(() => {
    const thumbnailCanvas = canvas.current
    if (!isNear || !thumbnailCanvas) return
    const stop = new AbortController()
    thumbnailCanvas.width = DRAWN_WIDTH
    file.draw(number, thumbnailCanvas, stop.signal).then(
      () => button.current?.setAttribute('data-drawn', ''),
      () => undefined,
    )
    return () => stop.abort()
  }, [file, number, isNear])
  return (
    <button
      ref={button}
      type="button"
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onOpen}
      className={classNames(
        'block w-full rounded-control border p-1 text-center text-xs tabular-nums hover:bg-surface-muted',
        isCurrent ? 'border-accent bg-accent-soft font-semibold text-accent-ink' : 'border-line text-ink-muted',
      )}
    >
      <span className="block aspect-[595/842] overflow-hidden bg-white">
        {isNear && <canvas ref={canvas} aria-hidden className="block w-full" />}
      </span>
      หน้า {number}
    </button>
  )
}
