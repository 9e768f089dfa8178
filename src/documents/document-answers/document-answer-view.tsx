import { Link } from '@tanstack/react-router'
import { FileSearch } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AnswerCitation, DocumentAnswer } from '#contract/documents/document-answer.ts'
import { HighlightedExcerpt } from '#src/documents/document-passages/highlighted-excerpt.tsx'

type AnswerViewProps = {
  projectId: string
  question: string
  answer: DocumentAnswer
  open?: { readonly id: string; readonly show: (quotation: AnswerCitation) => void }
}

const ROW_CLASS =
  'group block w-full rounded-control border border-line px-3 py-2.5 text-left hover:bg-surface-muted focus-visible:-outline-offset-2 wrap-anywhere'

/** Shows quoted sentences from the documents with their pages, but never text written by the model. */
export function DocumentAnswerView({ projectId, question, answer, open }: AnswerViewProps) {
  const { quotations, dropped, sent, page_count: pageCount } = answer
  return (
    <section aria-label="คำตอบจากเอกสาร" className="flex flex-col gap-2">
      <p className="text-ink-muted wrap-anywhere">
        ถาม “{question}”
        {quotations.length > 0 && ` · ${quotations.length} ประโยคจากเอกสาร อ่านในหน้าจริงก่อนใช้ อาจมีข้ออื่นที่ไม่ได้ชี้`}
      </p>
      {quotations.length === 0 && <NotFound answer={answer} />}
      <ul className="flex flex-col gap-2">
        {quotations.map((quotation) => (
          <li key={`${quotation.document_id} ${quotation.page} ${quotation.quote}`}>
            {quotation.document_id === open?.id ? (
              <button type="button" className={ROW_CLASS} onClick={() => open.show(quotation)}>
                <QuotationText quotation={quotation} />
              </button>
            ) : (
              <Link
                to="/report/$id/documents/$doc"
                params={{ id: projectId, doc: quotation.document_id }}
                search={{ page: quotation.page, passage: quotation.quote }}
                className={ROW_CLASS}
              >
                <QuotationText quotation={quotation} />
              </Link>
            )}
          </li>
        ))}
      </ul>
      {dropped > 0 && <p className="text-xs text-ink-muted">ตัดออก {dropped} ข้อความ เพราะไม่ตรงกับถ้อยคำในหน้าที่อ้าง</p>}
      {sent.length > 0 && (
        <details className="text-xs text-ink-muted">
          <summary className="cursor-pointer py-1">
            ส่งไป {sent.length} จาก {pageCount} หน้า
          </summary>
          <ul className="list-disc pl-5">
            {sent.map(({ document_id: id, document_name: name, page }) => (
              <li key={`${id} ${page}`} className="wrap-anywhere">
                {name} หน้า {page}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function QuotationText({
  quotation: { excerpt, document_name: name, page },
}: {
  quotation: AnswerCitation
}): ReactNode {
  return (
    <>
      <span className="block text-ink-muted">
        <HighlightedExcerpt excerpt={excerpt} />
      </span>
      <span className="mt-1 flex items-start gap-1 text-xs text-accent-ink group-hover:underline">
        <FileSearch aria-hidden className="mt-0.5 size-3.5 shrink-0" /> {name} หน้า {page}
      </span>
    </>
  )
}

function NotFound({ answer: { page_count: pageCount, sent } }: Pick<AnswerViewProps, 'answer'>) {
  return (
    <p>
      <b className="font-semibold">ไม่พบในเอกสาร</b>{' '}
      <span className="text-ink-muted">
        {pageCount === 0
          ? 'โครงการนี้ยังไม่มีเอกสารที่ระบบอ่านข้อความได้ ภาพสแกนถามไม่ได้'
          : sent.length === 0
            ? `ไม่มีคำในคำถามอยู่ใน ${pageCount} หน้าของเอกสาร จึงไม่ได้ส่งอะไรออกไป ลองถามด้วยคำที่เอกสารน่าจะใช้`
            : 'ไม่ได้แปลว่าไม่มีในเอกสาร ลองถามด้วยคำที่เอกสารน่าจะใช้ หรือค้นคำในเอกสาร'}
      </span>
    </p>
  )
}
