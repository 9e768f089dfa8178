import { FileSearch, GitCompareArrows } from 'lucide-react'
import { useId } from 'react'
import { DOCUMENT_KIND_LABELS } from '#contract/documents/document.ts'
import {
  CLAUSE_CHANGE_TOPICS,
  type ClauseChange,
  type ComparedClause,
  type DocumentComparison,
} from '#contract/documents/document-comparison.ts'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import { DocumentLink } from '#src/documents/document-link.tsx'
import { formatDocumentFactValue, getDocumentFactLabel } from '#src/documents/project-documents/fact-text.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import type { DocumentComparisonState } from './use-document-comparison.ts'

const nameOf = ({ kind, name }: Pick<ProjectDocument, 'kind' | 'name'>) =>
  kind === null || kind === 'other' ? name : `${DOCUMENT_KIND_LABELS[kind]} · ${name}`

type ComparisonPaneProps = { comparison: DocumentComparisonState; onChoose: (id: string) => void }

export function DocumentComparisonPane({ comparison, onChoose }: ComparisonPaneProps) {
  const { otherDocuments, before, query } = comparison
  if (otherDocuments?.length === 0) {
    return (
      <div className="px-5 py-6 text-sm text-ink-muted">
        <GitCompareArrows aria-hidden className="mb-2 size-5 text-ink-faint" />
        <p>โครงการนี้ยังไม่มีฉบับอื่นที่อ่านข้อความได้ เพิ่มร่างหรือฉบับก่อนหน้าที่หน้าโครงการ แล้วระบบจะบอกว่าข้อไหนเปลี่ยน (ภาพสแกนเทียบไม่ได้)</p>
      </div>
    )
  }
  return (
    <>
      {otherDocuments && <DocumentChooser otherDocuments={otherDocuments} before={before} onChoose={onChoose} />}
      {otherDocuments && !before ? (
        <p className="px-5 py-2 text-sm text-ink-muted">เลือกฉบับก่อนหน้าที่จะเทียบ</p>
      ) : (
        <QueryView
          query={query}
          task="เทียบเอกสาร"
          notesStale
          errorClassName="m-4"
          barsClassName="flex flex-col gap-3 px-5 py-4"
          bars={['w-2/3', 'h-16 w-full', 'h-16 w-full']}
        >
          {(documentComparison) => <Differences data={documentComparison} comparison={comparison} />}
        </QueryView>
      )}
    </>
  )
}

type DocumentChooserProps = Pick<ComparisonPaneProps, 'onChoose'> & {
  otherDocuments: readonly ProjectDocument[]
  before: ProjectDocument | undefined
}

function DocumentChooser({ otherDocuments, before, onChoose }: DocumentChooserProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1 px-5 pt-3 pb-2">
      <label htmlFor={id} className="text-xs text-ink-muted">
        เทียบกับฉบับเดิม
      </label>
      <select
        id={id}
        value={before?.id ?? ''}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        className="h-9 w-full min-w-0 truncate rounded-control border border-line-strong bg-surface px-2 text-sm touch:h-11"
      >
        {!before && <option value="">เลือกเอกสาร</option>}
        {otherDocuments.map((candidate) => (
          <option key={candidate.id} value={candidate.id}>
            {nameOf(candidate)} (เพิ่ม {formatThaiDateTime(candidate.added_at)})
          </option>
        ))}
      </select>
    </div>
  )
}

function Differences({ data, comparison }: { data: DocumentComparison; comparison: DocumentComparisonState }) {
  const { facts, differences, total, clauses, outcome, before } = data
  const { current } = comparison
  if (outcome === 'different' && facts.length === 0) {
    return (
      <p className="px-5 py-2 text-sm text-ink-muted">
        สองฉบับนี้ต่างกันมากเกินกว่าจะเทียบรายข้อ อาจเป็นเอกสารคนละเรื่อง เลือกฉบับอื่น หรือเปิดอ่านคู่กันเอง
      </p>
    )
  }
  return (
    <>
      <p role="status" className="px-5 pb-2 text-xs text-ink-muted">
        {outcome === 'different'
          ? 'ต่างกันมากเกินกว่าจะเทียบรายข้อ แสดงเฉพาะข้อมูลที่ต่างกัน'
          : total === 0 && facts.length === 0
            ? `ไม่พบข้อที่ต่างกัน จาก ${clauses} ข้อ (ไม่นับการเว้นวรรค การขึ้นบรรทัด และเลขหน้า)`
            : `ต่างกัน ${total} ข้อ จาก ${clauses} ข้อ · `}
        {total > 0 && (
          <>
            <del className={GONE_CLASS}>ของเดิม</del> <ins className={NEW_CLASS}>ของใหม่</ins>
          </>
        )}
      </p>
      <ol className="divide-y divide-line border-y border-line">
        {facts.map(({ fact, before: oldFact, after }, at) => (
          <li key={fact} className={rowClass(at === current)}>
            <p className="flex items-center gap-2">
              <span className="min-w-0 flex-1 text-sm font-semibold">{getDocumentFactLabel(fact)}</span>
              <PageButton label={getDocumentFactLabel(fact)} page={after.page} comparison={comparison} at={at} />
            </p>
            <p className="mt-1 [overflow-wrap:anywhere] tabular-nums">
              <del className={GONE_CLASS}>{formatDocumentFactValue(oldFact.value)}</del> <span aria-hidden>→</span>{' '}
              <ins className={NEW_CLASS}>{formatDocumentFactValue(after.value)}</ins>
            </p>
          </li>
        ))}
        {differences.map((difference, index) => {
          const at = facts.length + index
          return (
            <li key={`${difference.kind} ${at}`} className={rowClass(at === current)}>
              <ClauseDifference difference={difference} beforeDocument={before.id} comparison={comparison} at={at} />
            </li>
          )
        })}
      </ol>
      {total > differences.length && (
        <p className="px-5 py-3 text-sm text-ink-muted">
          แสดง {differences.length} จาก {total} ข้อ ฉบับที่ต่างกันมากควรเปิดอ่านคู่กัน
        </p>
      )}
    </>
  )
}

const rowClass = (isCurrent: boolean) =>
  classNames('border-l-3 px-5 py-3', isCurrent ? 'border-accent bg-accent-soft' : 'border-transparent')

const GONE_CLASS = 'rounded-[3px] bg-urgent-soft px-0.5 text-urgent line-through'
const NEW_CLASS =
  'rounded-[3px] bg-accent-soft px-0.5 text-accent-ink underline decoration-accent-line underline-offset-2'

type PageButtonProps = { label: string; page: number; comparison: DocumentComparisonState; at: number }

function PageButton({ label, page, comparison: { current, open }, at }: PageButtonProps) {
  return (
    <TextButton
      aria-pressed={at === current}
      aria-label={`${label} หน้า ${page}`}
      onClick={() => open(at)}
      className="inline-flex shrink-0 items-center gap-1 text-xs"
    >
      <FileSearch aria-hidden className="size-3.5" /> หน้า {page}
    </TextButton>
  )
}

function badgesOf({ kind, topic, direction }: ClauseChange): { text: string; tone: BadgeTone }[] {
  const touches = CLAUSE_CHANGE_TOPICS[topic]
  const kindBadge = {
    changed: direction && ({ text: direction === 'more' ? 'เพิ่มขึ้น' : 'ลดลง', tone: 'neutral' } as const),
    moved: { text: 'ย้ายที่', tone: 'neutral' } as const,
    new: { text: 'ข้อใหม่', tone: 'accent' } as const,
    gone: { text: 'ตัดออก', tone: 'urgent' } as const,
  }[kind]
  return [
    ...(touches === '' || kind === 'moved' ? [] : [{ text: touches, tone: 'updated' } as const]),
    ...(kindBadge ? [kindBadge] : []),
  ]
}

type ClauseDifferenceProps = {
  difference: ClauseChange
  beforeDocument: string
  comparison: DocumentComparisonState
  at: number
}

function ClauseDifference({ difference, beforeDocument, comparison, at }: ClauseDifferenceProps) {
  const { number, section, pieces, before, after } = difference
  const title = number === '' ? 'ส่วนต้นเอกสาร' : `ข้อ ${number}`
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="text-sm font-semibold tabular-nums">{title}</span>
        {badgesOf(difference).map(({ text, tone }) => (
          <Badge key={text} tone={tone}>
            {text}
          </Badge>
        ))}
        <span className="flex-1" />
        {after && <PageButton label={title} page={after.page} comparison={comparison} at={at} />}
      </p>
      {section !== '' && <p className="truncate text-xs text-ink-muted">{section}</p>}
      <p className="mt-1 [overflow-wrap:anywhere] text-sm leading-6">
        <Pieces pieces={pieces} />
      </p>
      {before && comparison.before && (
        <DocumentLink
          projectId={comparison.before.project_id}
          documentId={beforeDocument}
          search={{ page: before.page }}
          target="_blank"
          className="mt-1 inline-block text-xs text-ink-muted hover:underline touch:min-h-11"
        >
          ฉบับเดิม หน้า {before.page}
          <span className="sr-only"> เปิดในแท็บใหม่</span>
        </DocumentLink>
      )}
    </>
  )
}

function Pieces({ pieces }: { pieces: readonly ComparedClause[] }) {
  return pieces.map(({ kind, text }, at) => {
    const key = `${at} ${kind}`
    if (kind === 'same') return <span key={key}>{text}</span>
    return kind === 'gone' ? (
      <del key={key} className={GONE_CLASS}>
        <span className="sr-only">เดิม </span>
        {text}
      </del>
    ) : (
      <ins key={key} className={NEW_CLASS}>
        <span className="sr-only">ใหม่ </span>
        {text}
      </ins>
    )
  })
}
