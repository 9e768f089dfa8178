import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useRef, useState } from 'react'
import { MAX_SAVED_QUESTIONS, type SavedQuestion } from '#contract/market/saved-question.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { patchSavedQuestions, savedQuestionsQuery } from '#src/market/api/questions.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { SaveQuestionForm } from './save-question.tsx'
import { RenameSavedQuestionForm, SavedQuestionRow } from './saved-question-row.tsx'
import { SavedQuestionSwitches } from './saved-question-switches.tsx'

type SavedQuestionsProps = {
  search: ReportSearch
  onOpen: (address: Readonly<Record<string, string>>) => void
  onClose: () => void
}

export function SavedQuestions({ onClose, ...props }: SavedQuestionsProps) {
  return (
    <Modal open onClose={onClose} variant="side" title="คำถามที่บันทึก">
      {isDemoSession() ? (
        <EmptyState icon={Lock} title="โหมดทดลองใช้งานบันทึกคำถามไม่ได้">
          ติดต่อเราเพื่อทดลองใช้เต็มรูปแบบ แล้วคำถามที่บันทึกจะส่งทางอีเมลได้ทุกเดือน หรือเมื่อมีผู้ชนะรายใหม่
        </EmptyState>
      ) : (
        <Content {...props} />
      )}
    </Modal>
  )
}

function Content({ search, onOpen }: Omit<SavedQuestionsProps, 'onClose'>) {
  const savedQuestions = useQuery(useOptimisticQueryOptions(savedQuestionsQuery))
  return (
    <QueryView
      query={savedQuestions}
      errorTitle="โหลดคำถามที่บันทึกไม่สำเร็จ"
      skeleton={<SkeletonGroup label="กำลังโหลดคำถามที่บันทึก" bars={['m-4 h-64']} />}
    >
      {(settings) => (
        <div className="flex flex-col gap-4 p-4">
          <SaveQuestionForm search={search} questions={settings.questions} />
          <section aria-labelledby="kept-questions">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <h3 id="kept-questions" className="font-semibold">
                บันทึกไว้แล้ว
              </h3>
              <p className="text-xs text-ink-muted tabular-nums">
                {formatCountWithSeparators(settings.questions.length)} จาก {MAX_SAVED_QUESTIONS} คำถาม
              </p>
            </div>
            <List questions={settings.questions} onOpen={onOpen} />
          </section>
          <SavedQuestionSwitches settings={settings} />
        </div>
      )}
    </QueryView>
  )
}

type ListProps = { questions: readonly SavedQuestion[]; onOpen: SavedQuestionsProps['onOpen'] }

function List({ questions, onOpen }: ListProps) {
  const [rename, setRename] = useState<{ readonly id: string; readonly isOpen: boolean }>()
  const list = useRef<HTMLUListElement>(null)
  if (questions.length === 0) return <p className="py-2 text-ink-muted">ยังไม่มีคำถามที่บันทึก ตั้งชื่อคำถามปัจจุบันแล้วกดบันทึก</p>
  return (
    <ul ref={list} tabIndex={-1} aria-labelledby="kept-questions" className="divide-y divide-line outline-none">
      {questions.map((question) => (
        <li key={question.id} className="py-3">
          {rename?.isOpen && rename.id === question.id ? (
            <RenameSavedQuestionForm
              question={question}
              questions={questions}
              onDone={() => setRename({ id: question.id, isOpen: false })}
            />
          ) : (
            <SavedQuestionRow
              question={question}
              onOpen={() => onOpen(question.address)}
              wasRenaming={rename?.id === question.id}
              onRename={() => setRename({ id: question.id, isOpen: true })}
              onDelete={() => {
                list.current?.focus()
                void patchSavedQuestions(
                  { remove: { id: question.id } },
                  { failed: `ลบคำถาม “${question.name}” ไม่สำเร็จ`, done: `ลบคำถาม “${question.name}” แล้ว` },
                )
              }}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
