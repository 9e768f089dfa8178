import { useMutation } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Keyword } from '#contract/account/organisation.ts'
import type { KeywordTerm } from '#contract/matching/keyword-term.ts'
import { changeKeywordTerms } from '#src/matching/api/keyword-terms.ts'
import { Badge } from '#src/ui/badge.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { showDoneToast, showFailureToast } from '#src/ui/overlay/outcome-toasts.ts'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { KeywordTermPicker } from './keyword-term-picker.tsx'
import { type AiTermListCode, selectActiveKeywordTerms } from './term-text.ts'

type KeywordTermsCardProps = {
  keyword: Keyword
  list: AiTermListCode
  terms: readonly KeywordTerm[] | undefined
  /** False if the training data of the similar terms does not contain the word. */
  known?: boolean | undefined
  locked?: boolean | undefined
  onDelete?: (() => void) | undefined
  onHide?: ((term: string) => void) | undefined
  lesson?: ReactNode
  changes?: ReactNode
  leading?: ReactNode
  figures?: ReactNode
}

export function KeywordTermsCard({
  keyword,
  list,
  terms,
  known: isKnown = true,
  locked = false,
  onDelete,
  onHide,
  lesson,
  changes,
  leading,
  figures,
}: KeywordTermsCardProps) {
  const { mutate: save } = useMutation({
    mutationFn: (change: Parameters<typeof changeKeywordTerms>[1]) => changeKeywordTerms(keyword.id, change),
    onError: (error, change) => showFailureToast(`บันทึกคำใกล้เคียงของ ${keyword.word} ไม่สำเร็จ`, error, () => save(change)),
  })
  const toggle = (term: KeywordTerm, on: boolean) => save(on ? { approve: [term.term] } : { reject: [term.term] })
  const reset = (before: readonly KeywordTerm[]) => {
    const termsInState = (state: KeywordTerm['state']) =>
      before.filter((term) => term.state === state).map(({ term }) => term)
    save({ reset: true })
    showDoneToast(`คืนค่าเริ่มต้นของ ${keyword.word} แล้ว`, () =>
      save({ approve: termsInState('approved'), reject: termsInState('rejected') }),
    )
  }
  return (
    <article aria-label={keyword.word} className="rounded-control border border-line px-3 py-2.5">
      <div className="mb-1.5 flex flex-wrap items-center gap-x-2 gap-y-1">
        {leading}
        <h3 className="min-w-0 font-semibold wrap-anywhere">{keyword.word}</h3>
        {terms && (
          <span className="text-sm text-ink-muted">ขยายเป็น {selectActiveKeywordTerms(list, terms).length} คำ</span>
        )}
        {!keyword.approved && <Badge tone="updated">รอตรวจ</Badge>}
        {figures}
        {onDelete && !locked && (
          <IconButton
            icon={Trash2}
            label={`ลบ ${keyword.word}`}
            size="sm"
            onClick={onDelete}
            className="-my-1 ml-auto touch:-my-2"
          />
        )}
      </div>
      {terms === undefined ? (
        <SkeletonGroup label="กำลังหาคำใกล้เคียง" className="flex gap-1.5" bars={['h-7 w-28', 'h-7 w-20', 'h-7 w-24']} />
      ) : (
        <>
          <SimilarTermListNote list={list} isKnown={isKnown} />
          {changes}
          <KeywordTermPicker
            word={keyword.word}
            list={list}
            terms={terms}
            locked={locked}
            onTurn={toggle}
            onAdd={(term) => save({ add: [term] })}
            onReset={() => reset(terms)}
            lesson={lesson}
            onHide={onHide}
          />
        </>
      )}
    </article>
  )
}

export function SimilarTermSourceNote({ engine }: { engine: string | undefined }) {
  return <>{engine === undefined ? 'คำใกล้เคียงจากชื่อโครงการ e-GP' : engine} ตรวจและเลือกได้ทุกคำ</>
}

export function SimilarTermListNote({ list, isKnown }: { list: AiTermListCode; isKnown: boolean }) {
  if (!isKnown) {
    return (
      <p className="mb-1.5 text-sm text-updated">
        ระบบไม่เคยพบคำนี้ในชื่อโครงการที่เรียนรู้ จึงหาเฉพาะชื่อที่มีคำนี้ตรงตัว เพิ่มคำที่ใช้แทนกันเองได้
      </p>
    )
  }
  if (list === 'ai_include') return null
  return (
    <p className="mb-1.5 text-sm text-ink-muted">ซ่อนเฉพาะโครงการที่มีคำนี้ตรงตัวหรือคำที่คุณเลือกไว้ คำแนะนำที่ยังไม่เลือกไม่ซ่อนอะไร</p>
  )
}
