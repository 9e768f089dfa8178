import { Check, Trash2, Undo2, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import type { KeywordTraining, KeywordTrainingAnswerValue } from '#contract/matching/keyword-training.ts'
import type { KeywordTrainingAnswer } from '#src/matching/api/lessons.ts'
import { Button } from '#src/ui/button.tsx'
import { Collapsible } from '#src/ui/collapsible.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { EventDelegationBox } from '#src/ui/event-delegation-box.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { type QueryState, QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { KeywordTrainingFigures } from './keyword-training-figures.tsx'
import { KeywordTrainingQuestion } from './keyword-training-question.tsx'

type LessonFrameProps = {
  query: QueryState<KeywordTraining>
  isSaving: boolean
  onAnswer: (answers: readonly KeywordTrainingAnswer[]) => void
  footer: ReactNode
  onClose: () => void
}

/** Physical key codes, because a Thai layout has other letters on these keys. */
const ANSWERS: Readonly<Record<string, boolean>> = {
  KeyJ: true,
  KeyY: true,
  ArrowRight: true,
  KeyK: false,
  KeyN: false,
  ArrowLeft: false,
}

export function KeywordTrainingFrame({ query, isSaving, onAnswer, footer, onClose }: LessonFrameProps) {
  const lesson = query.data
  const [announcement, setAnnouncement] = useState('')
  const title = useRef<HTMLDivElement>(null)
  const saveAnswers = (answers: readonly KeywordTrainingAnswer[], text: string) => {
    setAnnouncement(text)
    // The pressed button may have unmounted, so restore the focus; otherwise the keys stop working.
    setTimeout(() => {
      if (document.activeElement === document.body) title.current?.focus()
    })
    onAnswer(answers)
  }
  const answer = (title: KeywordTrainingAnswer['title'], isWanted: boolean) =>
    saveAnswers([{ title, isWanted }], isWanted ? 'ตอบว่าเกี่ยว' : 'ตอบว่าไม่เกี่ยว')
  const last = lesson?.answers[0]
  const undo = last && (() => saveAnswers([{ title: last, isWanted: null }], 'ย้อนคำตอบแล้ว'))
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isWanted = ANSWERS[event.code]
    if (isWanted !== undefined && lesson?.next) answer(lesson.next, isWanted)
    else if (event.code === 'KeyU' && undo) undo()
    else return
    event.preventDefault()
  }
  const forget = ({ answers }: KeywordTraining) => {
    const withdrawals = answers
      .toReversed()
      .map((title): KeywordTrainingAnswer => ({ title, isWanted: title.is_wanted }))
    saveAnswers(
      answers.map((title) => ({ title, isWanted: null })),
      'ล้างคำตอบแล้ว',
    )
    showToast({
      tone: 'done',
      text: `ล้าง ${answers.length} คำตอบแล้ว`,
      action: { label: 'เลิกทำ', run: () => saveAnswers(withdrawals, 'คืนคำตอบแล้ว') },
    })
  }
  return (
    <Modal
      open
      onClose={onClose}
      title={lesson ? `สอน “${lesson.word}” ด้วยตัวอย่าง` : 'สอนด้วยตัวอย่าง'}
      className="sm:max-w-2xl!"
      footer={lesson && footer}
    >
      {/* Each shortcut also has a button. */}
      <EventDelegationBox className="space-y-4 p-4" onKeyDown={onKey}>
        <QueryView
          query={query}
          errorTitle="เปิดบทเรียนไม่สำเร็จ"
          skeleton={<SkeletonGroup label="กำลังเลือกชื่อโครงการ" className="flex flex-col gap-3" bars={['h-28', 'h-11']} />}
          notFound={<ErrorNotice title="ไม่พบคำนี้ในคำติดตาม" reason="อาจถูกลบไปแล้ว หรือเป็นคำที่สอนด้วยตัวอย่างไม่ได้" />}
        >
          {(lesson) => (
            <>
              <KeywordTrainingQuestion
                titleRef={title}
                lesson={lesson}
                isChoosing={!lesson.next && isSaving}
                onAnswer={answer}
                undo={
                  <Button size="sm" variant="quiet" icon={Undo2} disabled={!undo} onClick={undo} aria-keyshortcuts="U">
                    ย้อน
                  </Button>
                }
              />
              <p role="status" className="sr-only">
                {announcement}
              </p>
              <LessonMarks
                lesson={lesson}
                onTake={(marks) =>
                  saveAnswers(
                    marks.toReversed().map((title) => ({ title, isWanted: title.is_wanted })),
                    'ใช้ดาวและที่ซ่อนเป็นคำตอบแล้ว',
                  )
                }
              />
              <KeywordTrainingFigures lesson={lesson} />
              <LessonAnswers
                lesson={lesson}
                onTurn={(title, isWanted) => saveAnswers([{ title, isWanted }], 'เปลี่ยนคำตอบแล้ว')}
                onForget={() => forget(lesson)}
              />
            </>
          )}
        </QueryView>
      </EventDelegationBox>
    </Modal>
  )
}

type LessonMarksProps = { lesson: KeywordTraining; onTake: (marks: readonly KeywordTrainingAnswerValue[]) => void }

function LessonMarks({ lesson: { marks, word }, onTake }: LessonMarksProps) {
  if (marks.length === 0) return null
  const starred = marks.filter(({ is_wanted: isWanted }) => isWanted).length
  const hidden = marks.length - starred
  const parts = [starred > 0 && `ติดดาว ${starred}`, hidden > 0 && `ซ่อน ${hidden}`].filter(Boolean)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-line bg-surface-muted p-3 text-sm">
      <p className="min-w-0 flex-1 basis-56">
        คุณ{parts.join(' และ')} โครงการที่ “{word}” คำเดียวนำเข้ารายงาน
      </p>
      <Button size="sm" onClick={() => onTake(marks)}>
        ใช้เป็นคำตอบ {marks.length} ข้อ
      </Button>
    </div>
  )
}

type LessonAnswersProps = {
  lesson: KeywordTraining
  onTurn: (answer: KeywordTrainingAnswerValue, isWanted: boolean) => void
  onForget: () => void
}

function LessonAnswers({ lesson: { answers }, onTurn, onForget }: LessonAnswersProps) {
  if (answers.length === 0) return null
  return (
    <Collapsible title={`คำตอบที่ให้ไว้ ${answers.length} ข้อ`}>
      <ul className="divide-y divide-line">
        {answers.map((answer) => (
          <li key={answer.project_id} className="flex items-center gap-2 py-1.5 text-sm">
            <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">{answer.name}</span>
            <Button
              size="sm"
              icon={answer.is_wanted ? Check : X}
              aria-label={`${answer.is_wanted ? 'เกี่ยว' : 'ไม่เกี่ยว'} กดเพื่อเปลี่ยน ${answer.name}`}
              onClick={() => onTurn(answer, !answer.is_wanted)}
            >
              {answer.is_wanted ? 'เกี่ยว' : 'ไม่เกี่ยว'}
            </Button>
          </li>
        ))}
      </ul>
      <Button variant="link" size="sm" icon={Trash2} onClick={onForget}>
        ล้างคำตอบทั้งหมด
      </Button>
    </Collapsible>
  )
}
