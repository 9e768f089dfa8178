import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQuery } from '@tanstack/react-query'
import { FileSearch, MessageCircleQuestion } from 'lucide-react'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import {
  type AnswerCitation,
  type DocumentAnswer,
  documentQuestionSchema,
  MAX_DOCUMENT_QUESTION_LENGTH,
} from '#contract/documents/document-answer.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { documentAnswerSettingsQuery, requestDocumentAnswer } from '#src/documents/api/answers.ts'
import { DocumentLink } from '#src/documents/document-link.tsx'
import { HighlightedExcerpt } from '#src/documents/document-passages/highlighted-excerpt.tsx'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { useAbortOnUnmount } from '#src/lib/use-abort-on-unmount.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { createEntryKeyHandler } from '#src/ui/form/entry-key-handler.ts'
import { Spinner } from '#src/ui/spinner.tsx'
import { DocumentAnswerConsentSwitch } from './document-answer-consent-switch.tsx'

type DocumentQuestionFormProps = {
  projectId: string
  /** The document that is currently open in the reader, if any; quotations from it are shown in place. */
  open?: { readonly id: string; readonly show: (quotation: AnswerCitation) => void }
}

/** Undefined while loading, in the demo, or if no model is configured; the caller then hides the feature. */
export function useDocumentAnswerSettings() {
  const isOffered = !isDemoSession()
  const { data } = useQuery({ ...documentAnswerSettingsQuery, enabled: isOffered })
  return isOffered && data?.state !== 'unavailable' ? data : undefined
}

export function DocumentQuestionForm(props: DocumentQuestionFormProps) {
  const settings = useDocumentAnswerSettings()
  const askingRef = useAbortOnUnmount()
  const id = useId()
  const ask = useMutation({
    mutationFn: async (text: string) => {
      askingRef.current = new AbortController()
      return { text, answer: await requestDocumentAnswer(props.projectId, text, askingRef.current.signal) }
    },
  })
  const { register, handleSubmit, formState } = useForm<{ question: string }>({
    resolver: standardSchemaResolver(documentQuestionSchema),
    mode: 'onChange',
    defaultValues: { question: '' },
  })
  if (!settings) return null
  if (settings.state === 'off') return <DocumentAnswerConsentSwitch settings={settings} />
  const canAsk = !ask.isPending && settings.left_today > 0
  const submit = handleSubmit(({ question }) => {
    if (canAsk) ask.mutate(question)
  })
  const isStopped = ask.error?.name === 'AbortError'
  return (
    <div className="flex flex-col gap-3">
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          ถามเกี่ยวกับเอกสารของโครงการนี้
        </label>
        <textarea
          id={id}
          rows={2}
          maxLength={MAX_DOCUMENT_QUESTION_LENGTH}
          placeholder="เช่น ค่าปรับวันละเท่าไร"
          aria-describedby={`${id}-help`}
          {...register('question')}
          onKeyDown={createEntryKeyHandler({ onEnter: (event) => void submit(event), isMultiline: true })}
          className="block w-full resize-none rounded-control border border-control bg-surface px-2.5 py-2 placeholder:text-ink-faint touch:text-lg"
        />
        <div className="flex flex-wrap items-center gap-2">
          <p id={`${id}-help`} className="mr-auto text-xs text-ink-muted wrap-anywhere">
            ส่งไปยัง {settings.host} · วันนี้ถามได้อีก {settings.left_today} ข้อ
          </p>
          <Button type="submit" icon={MessageCircleQuestion} disabled={!canAsk || !formState.isValid}>
            ถาม
          </Button>
        </div>
      </form>
      <div role="status" className="flex flex-col gap-3 text-sm">
        {ask.isPending && (
          <p className="flex flex-wrap items-center gap-2 text-ink-muted">
            <Spinner /> กำลังหาประโยคที่ตอบ รอไม่เกิน 1 นาที
            <Button variant="quiet" size="sm" onClick={() => askingRef.current?.abort()}>
              ยกเลิก
            </Button>
          </p>
        )}
        {isStopped && <p className="text-ink-muted">ยกเลิกแล้ว</p>}
        {ask.error && !isStopped && <p className="text-urgent wrap-anywhere">{formatErrorMessage(ask.error)}</p>}
        {ask.data && <DocumentAnswerView {...props} question={ask.data.text} answer={ask.data.answer} />}
      </div>
    </div>
  )
}

export function DocumentQuestionCard({ projectId }: { projectId: string }) {
  if (!useDocumentAnswerSettings()) return null
  return (
    <Card as="section" aria-label="ถามเอกสาร" className="px-5 py-4 print:hidden">
      <h2 className="mb-2 text-md font-semibold">ถามเอกสาร</h2>
      <DocumentQuestionForm projectId={projectId} />
    </Card>
  )
}

type AnswerViewProps = DocumentQuestionFormProps & { question: string; answer: DocumentAnswer }

const ROW_CLASS =
  'group block w-full rounded-control border border-line px-3 py-2.5 text-left hover:bg-surface-muted focus-visible:-outline-offset-2 wrap-anywhere'

/** Shows quoted sentences from the documents with their pages, but never text written by the model. */
function DocumentAnswerView({ projectId, question, answer, open }: AnswerViewProps) {
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
              <DocumentLink
                projectId={projectId}
                documentId={quotation.document_id}
                search={{ page: quotation.page, passage: quotation.quote }}
                className={ROW_CLASS}
              >
                <QuotationText quotation={quotation} />
              </DocumentLink>
            )}
          </li>
        ))}
      </ul>
      {dropped > 0 && <p className="text-xs text-ink-muted">ตัดออก {dropped} ข้อความ เพราะไม่ตรงกับถ้อยคำในหน้าที่อ้าง</p>}
      {sent.length > 0 && (
        <details className="text-xs text-ink-muted">
          <summary className="cursor-pointer py-1 touch:py-3.5">
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

function QuotationText({ quotation: { excerpt, document_name: name, page } }: { quotation: AnswerCitation }) {
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
