import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQuery } from '@tanstack/react-query'
import { Lock, Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { createClientGeneratedId, isSameDisplayName } from '#contract/account/label.ts'
import {
  MAX_SAVED_QUESTIONS,
  SAVED_QUESTION_PROBLEMS,
  type SavedQuestion,
  type SavedQuestionsPatch,
  savedQuestionNameSchema,
} from '#contract/market/saved-question.ts'
import { buildSavedQuestionParams, formatSavedQuestion } from '#contract/market/who-wins.ts'
import { getSearchFilterTexts } from '#contract/report/filter-text.ts'
import { parseReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useUser } from '#src/account/api/users.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { patchSavedQuestions, savedQuestionsQuery } from '#src/market/api/questions.ts'
import { suggestSavedFilterName } from '#src/report/saved-filters/filter-name.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { focusOnMount } from '#src/ui/focus-on-mount.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { createEntryKeyHandler } from '#src/ui/form/entry-key-handler.ts'
import { TextField } from '#src/ui/form/text-field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
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
    <QueryView query={savedQuestions} task="โหลดคำถามที่บันทึก" bars={['m-4 h-64']}>
      {(settings) => (
        <div className="flex flex-col gap-4 p-4">
          <SaveQuestionForm search={search} questions={settings.questions} />
          <section aria-labelledby="kept-questions">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <h3 id="kept-questions" className="font-semibold">
                บันทึกไว้แล้ว
              </h3>
              <p className="text-xs text-ink-muted tabular-nums">
                {formatCount(settings.questions.length)} จาก {MAX_SAVED_QUESTIONS} คำถาม
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

function List({ questions, onOpen }: { questions: readonly SavedQuestion[]; onOpen: SavedQuestionsProps['onOpen'] }) {
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

function SaveQuestionForm({ search, questions }: { search: ReportSearch; questions: readonly SavedQuestion[] }) {
  const { project_labels: labels } = useUser()
  const section = useRef<HTMLElement>(null)
  const address = buildSavedQuestionParams(search)
  const text = new URLSearchParams(address).toString()
  // Compare formatted URLs, because the server does not preserve parameter order.
  const textOf = (question: SavedQuestion) =>
    new URLSearchParams(buildSavedQuestionParams(parseReportSearch(question.address).search)).toString()
  const savedQuestion = questions.find((question) => textOf(question) === text)
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="present-question"
      className="rounded-control border border-line p-3 outline-none"
    >
      <h3 id="present-question" className="font-semibold">
        คำถามปัจจุบัน
      </h3>
      <p className="text-sm text-ink-muted wrap-anywhere">{formatSavedQuestion(search, labels)}</p>
      {savedQuestion ? (
        <p className="mt-2 text-sm">บันทึกไว้แล้วในชื่อ “{savedQuestion.name}”</p>
      ) : questions.length >= MAX_SAVED_QUESTIONS ? (
        <p className="mt-2 text-sm text-updated">บันทึกครบ {MAX_SAVED_QUESTIONS} คำถามแล้ว ลบคำถามที่ไม่ใช้ก่อน</p>
      ) : (
        <SaveForm
          key={text}
          suggested={
            suggestSavedFilterName(getSearchFilterTexts(search, labels)) || (search.market ? 'ทั้งตลาด' : 'โครงการของเรา')
          }
          address={address}
          questions={questions}
          onSaved={() => section.current?.focus()}
        />
      )}
    </section>
  )
}

type SaveFormProps = {
  suggested: string
  address: Readonly<Record<string, string>>
  questions: readonly SavedQuestion[]
  onSaved: () => void
}

function SaveForm({ suggested, address, questions, onSaved }: SaveFormProps) {
  const { register, handleSubmit, formState } = useNameForm(suggested, questions)
  const [isMonthly, setMonthly] = useState(true)
  const [isOnChange, setOnChange] = useState(true)
  const save = handleSubmit(({ name }) => {
    onSaved()
    void patchSavedQuestions(
      {
        add: {
          id: createClientGeneratedId(name, Date.now()),
          name,
          address,
          monthly: isMonthly,
          on_change: isOnChange,
        },
      },
      { failed: `บันทึกคำถาม “${name}” ไม่สำเร็จ`, done: `บันทึกคำถาม “${name}” แล้ว` },
    )
  })
  return (
    <form noValidate onSubmit={(event) => void save(event)} className="mt-3 space-y-2">
      <TextField label="ชื่อคำถาม" autoComplete="off" error={formState.errors.name?.message} {...register('name')} />
      <Checkbox checked={isMonthly} onChange={setMonthly}>
        ส่งอีเมลทุกวันที่ 1 ของเดือน
      </Checkbox>
      <Checkbox checked={isOnChange} onChange={setOnChange}>
        บอกเมื่อมีผู้ชนะรายใหม่ หรือสามอันดับแรกเปลี่ยน
      </Checkbox>
      <div className="flex justify-end">
        <Button type="submit" variant="primary">
          บันทึกคำถาม
        </Button>
      </div>
    </form>
  )
}

type QuestionRowProps = {
  question: SavedQuestion
  /** True after the rename form has closed, which returns the focus to the rename button. */
  wasRenaming: boolean
  onOpen: () => void
  onRename: () => void
  onDelete: () => void
}

function SavedQuestionRow({ question, wasRenaming, onOpen, onRename, onDelete }: QuestionRowProps) {
  const { id, name, address, monthly, on_change: isOnChange, problem, is_wide: isWide } = question
  const { project_labels: labels } = useUser()
  const change = (patch: Omit<NonNullable<SavedQuestionsPatch['change']>, 'id'>) =>
    void patchSavedQuestions({ change: { id, ...patch } }, { failed: `เปลี่ยนการแจ้งของ “${name}” ไม่สำเร็จ` })
  return (
    <>
      <div className="flex items-start gap-1">
        <TextButton onClick={onOpen} className="min-h-7 min-w-0 flex-1 text-left font-semibold wrap-anywhere">
          {name}
        </TextButton>
        <IconButton
          icon={Pencil}
          label={`เปลี่ยนชื่อ ${name}`}
          size="sm"
          ref={wasRenaming ? focusOnMount : undefined}
          onClick={onRename}
        />
        <IconButton icon={Trash2} label={`ลบ ${name}`} size="sm" onClick={onDelete} />
      </div>
      <p className="line-clamp-3 text-sm text-ink-muted wrap-anywhere">
        {formatSavedQuestion(parseReportSearch(address).search, labels)}
      </p>
      {problem !== null && (
        <div className="my-1 rounded-control bg-surface-muted px-3 py-2 text-sm">
          <p className="text-updated">หยุดแจ้งแล้ว {SAVED_QUESTION_PROBLEMS.find(({ code }) => code === problem)?.th}</p>
          <Button size="sm" variant="quiet" className="-ml-1.5" onClick={() => change({ again: true })}>
            แจ้งต่อ<span className="sr-only"> {name}</span>
          </Button>
        </div>
      )}
      <div className="mt-1 flex flex-wrap gap-x-5 gap-y-1">
        <Checkbox checked={monthly} onChange={(on) => change({ monthly: on })}>
          อีเมลทุกวันที่ 1<span className="sr-only"> {name}</span>
        </Checkbox>
        <Checkbox checked={isOnChange} onChange={(on) => change({ on_change: on })}>
          เมื่อเปลี่ยน<span className="sr-only"> {name}</span>
        </Checkbox>
      </div>
      {isWide && isOnChange && (
        <p className="text-xs text-ink-muted">ผู้ชนะมีมากเกินกว่าจะจำทีละราย จึงบอกเฉพาะเมื่อสามอันดับแรกเปลี่ยน</p>
      )}
    </>
  )
}

type RenameQuestionProps = {
  question: SavedQuestion
  questions: readonly SavedQuestion[]
  onDone: () => void
}

function RenameSavedQuestionForm({ question: { id, name: currentName }, questions, onDone }: RenameQuestionProps) {
  const otherQuestions = questions.filter((question) => question.id !== id)
  const { register, handleSubmit, setFocus, formState } = useNameForm(currentName, otherQuestions)
  useEffect(() => setFocus('name', { shouldSelect: true }), [setFocus])
  const rename = handleSubmit(({ name }) => {
    if (name !== currentName)
      void patchSavedQuestions(
        { change: { id, name } },
        { failed: `เปลี่ยนชื่อ “${currentName}” ไม่สำเร็จ`, done: `เปลี่ยนชื่อเป็น “${name}” แล้ว` },
      )
    onDone()
  })
  return (
    <form noValidate onSubmit={(event) => void rename(event)} className="space-y-2">
      <TextField
        label="ชื่อใหม่"
        autoComplete="off"
        error={formState.errors.name?.message}
        {...register('name')}
        onKeyDown={createEntryKeyHandler({ onEscape: onDone })}
      />
      <div className="flex justify-end gap-2">
        <Button size="sm" onClick={onDone}>
          ยกเลิก
        </Button>
        <Button size="sm" type="submit" variant="primary">
          เปลี่ยนชื่อ
        </Button>
      </div>
    </form>
  )
}

function useNameForm(name: string, otherQuestions: readonly SavedQuestion[]) {
  const isUnused = (text: string) => !otherQuestions.some((question) => isSameDisplayName(question.name, text))
  const schema = savedQuestionNameSchema.check(z.refine(isUnused, 'มีคำถามชื่อนี้แล้ว ตั้งชื่ออื่น'))
  return useForm<{ name: string }>({
    resolver: standardSchemaResolver(z.object({ name: schema })),
    mode: 'onChange',
    defaultValues: { name },
  })
}
