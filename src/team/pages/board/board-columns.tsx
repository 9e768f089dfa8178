import { DndContext, DragOverlay, useDroppable } from '@dnd-kit/core'
import { ChevronsLeftRight, ChevronsRightLeft } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { useForm } from 'react-hook-form'
import type { PursuitSettings, PursuitStage } from '#contract/account/pursuit-settings.ts'
import { MAX_DECISION_REASON_LENGTH } from '#contract/team/pursuit.ts'
import { formatBahtCompact } from '#contract/thai/thai-number.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/doubtful-amounts-note.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { useLastDefinedValue } from '#src/lib/use-last-defined-value.ts'
import { useTeamLabelsAndViews } from '#src/report/api/team-labels-and-views.ts'
import { Button } from '#src/ui/button.tsx'
import { createEntryKeyHandler } from '#src/ui/form/entry-key-handler.ts'
import { TextArea } from '#src/ui/form/text-area.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import type { DisplayedLabel } from '#src/ui/project/label-chip.tsx'
import { BoardCard, BoardCardContent } from './board-card.tsx'
import { BoardCardList } from './board-card-list.tsx'
import { type BoardColumn, findDeclinedStage } from './board-column-data.ts'
import { useBoardCardMoves } from './use-board-card-moves.ts'
import { usePhoneBoardColumns } from './use-phone-board-columns.ts'

type BoardColumnsProps = {
  columns: readonly BoardColumn[]
  settings: PursuitSettings
  today: string
  isPhone: boolean
  onFold: (stage: string) => void
  onColumn: (stage: string) => void
  stage: string | undefined
}

/**
 * Board columns. Cards move by mouse, touch, menu and keyboard: Space picks up, arrows choose the column, Space drops,
 * Esc cancels; ↑ ↓ move between cards.
 */
export function BoardColumns({ columns, settings, today, isPhone, onFold, onColumn, stage }: BoardColumnsProps) {
  const board = useRef<HTMLDivElement>(null)
  const { stages, members } = settings
  const { dragContext, lifted, focusTarget, onFocused, question, setQuestion, answerQuestion, ...moves } =
    useBoardCardMoves({ columns, stages })
  const labelsOf = useCardLabels()
  const { nearnessOf, lowered, topOfBoard } = usePhoneBoardColumns({ board, isPhone, columns, stage, onColumn })

  return (
    <DndContext {...dragContext}>
      <div
        ref={board}
        className={classNames(
          // `relative` contains the cards' visually hidden elements, which would otherwise widen the page.
          'relative flex items-stretch gap-3 overflow-x-auto overflow-y-hidden pb-2',
          isPhone && '-mx-4 min-h-[80dvh] scroll-mt-16 snap-x snap-mandatory gap-0 [scrollbar-width:none]',
        )}
      >
        {columns.map((column) => (
          <BoardColumnView
            key={column.stage.id}
            column={column}
            isPhone={isPhone}
            lowered={nearnessOf(column.stage.id) === 'shown' ? undefined : lowered}
            onFold={onFold}
          >
            <BoardCardList
              cards={column.cards}
              isPhone={isPhone}
              nearness={nearnessOf(column.stage.id)}
              topOfBoard={topOfBoard}
              focusTarget={focusTarget?.stage === column.stage.id ? focusTarget : undefined}
              renderCard={(card, of) => (
                <BoardCard
                  key={card.project_id}
                  card={card}
                  today={today}
                  owner={members.find(({ id }) => id === card.owner)}
                  labels={labelsOf.get(card.project_id)}
                  stages={stages}
                  hasFocusRequest={focusTarget?.stage === column.stage.id && focusTarget.id === card.project_id}
                  onFocused={onFocused}
                  {...of}
                  {...moves}
                />
              )}
            />
          </BoardColumnView>
        ))}
      </div>
      <DragOverlay dropAnimation={null} className="cursor-grabbing">
        {lifted && (
          <div inert className="rotate-2 rounded-[9px] border border-accent-line bg-surface px-3 py-2.5 shadow-float">
            <BoardCardContent
              card={lifted}
              today={today}
              owner={members.find(({ id }) => id === lifted.owner)}
              labels={labelsOf.get(lifted.project_id)}
              stages={[]}
              onMove={moves.onMove}
            />
          </div>
        )}
      </DragOverlay>
      <MoveQuestionDialog
        question={question}
        setQuestion={setQuestion}
        answerQuestion={answerQuestion}
        declined={findDeclinedStage(stages)}
      />
    </DndContext>
  )
}

function useCardLabels(): ReadonlyMap<string, readonly DisplayedLabel[]> {
  const team = useTeamLabelsAndViews()
  const labels = new Map(team?.labels.map((label) => [label.id, { ...label, isTeam: true }]))
  return new Map(
    Object.entries(team?.assignments ?? {}).map(([id, of]) => [id, of.flatMap((labelId) => labels.get(labelId) ?? [])]),
  )
}

type MoveQuestionDialogProps = Pick<
  ReturnType<typeof useBoardCardMoves>,
  'question' | 'setQuestion' | 'answerQuestion'
> & {
  declined: PursuitStage | undefined
}

/**
 * Asks for the reason before a card moves to a lost or declined stage, and for the bid decision when it moves past the
 * decision stage. Closing or skipping the latter moves the card undecided. One dialog asks both, because a second dialog
 * would lose the focus when the first one restores it.
 */
function MoveQuestionDialog({ question, setQuestion, answerQuestion, declined }: MoveQuestionDialogProps) {
  const lastQuestion = useLastDefinedValue(question)
  if (!lastQuestion) return null
  const { card, stage, asks } = lastQuestion
  const to = asks === 'decline' && declined ? declined : stage
  return (
    <Modal
      open={question !== undefined}
      onClose={() => (asks === 'reason' ? answerQuestion() : answerQuestion(stage))}
      title={`ย้ายไป “${to.name}”`}
      description={card.name}
    >
      {asks === 'decision' ? (
        <div className="p-4">
          <p className="font-medium">ตัดสินใจแล้วหรือยัง</p>
          <p className="mt-1 text-sm text-ink-muted">ข้ามได้ ตัดสินใจทีหลังในหน้าโครงการ</p>
          <div className="mt-4 flex flex-wrap justify-end gap-2">
            <Button variant="quiet" onClick={() => answerQuestion(stage)} className="mr-auto">
              ข้าม
            </Button>
            {declined && <Button onClick={() => setQuestion({ ...lastQuestion, asks: 'decline' })}>ไม่ยื่น</Button>}
            <Button variant="primary" data-autofocus onClick={() => answerQuestion(stage, { decision: 'bid' })}>
              ยื่น
            </Button>
          </div>
        </div>
      ) : (
        <StageReasonForm
          label={to.kind === 'lost' ? 'แพ้เพราะอะไร' : 'ไม่ยื่นเพราะอะไร'}
          onDone={(reason) => answerQuestion(to, { reason })}
          onClose={() => (asks === 'decline' ? setQuestion({ ...lastQuestion, asks: 'decision' }) : answerQuestion())}
        />
      )}
    </Modal>
  )
}

type ReasonFormProps = { label: string; onDone: (reason: string) => void; onClose: () => void }

function StageReasonForm({ label, onDone, onClose }: ReasonFormProps) {
  const id = useId()
  const { register, handleSubmit, formState } = useForm({ defaultValues: { reason: '' } })
  const { reason: problem } = formState.errors
  const submit = handleSubmit(({ reason }) => onDone(reason.trim()))
  return (
    <form noValidate className="space-y-3 p-4" onSubmit={(event) => void submit(event)}>
      <div>
        <label htmlFor={id} className="mb-1 block font-medium">
          {label}
        </label>
        <TextArea
          id={id}
          autoFocus
          data-autofocus
          rows={3}
          maxLength={MAX_DECISION_REASON_LENGTH}
          aria-invalid={problem !== undefined}
          {...register('reason', {
            validate: (reason) => reason.trim() !== '' || 'ใส่เหตุผลหนึ่งอย่าง จะได้รู้ว่าเสียงานไปเพราะอะไร',
          })}
          onKeyDown={createEntryKeyHandler({ onEnter: (event) => void submit(event), isMultiline: true })}
        />
      </div>
      {problem && (
        <p role="alert" className="text-sm text-urgent">
          {problem.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>ยกเลิก</Button>
        <Button type="submit" variant="primary">
          ย้าย
        </Button>
      </div>
    </form>
  )
}

type ColumnProps = {
  column: BoardColumn
  isPhone: boolean
  /** Distance by which an inactive column is shifted down on a phone, px; undefined for the active column. */
  lowered: number | undefined
  onFold: (stage: string) => void
  children: ReactNode
}

function BoardColumnView({
  column: { stage, cards, total, isFolded },
  isPhone,
  lowered,
  onFold,
  children,
}: ColumnProps) {
  const count = `${cards.length} งาน`
  const { setNodeRef, isOver } = useDroppable({ id: stage.id })
  const ring = isOver && 'ring-2 ring-accent-ink'
  if (isFolded && !isPhone) {
    return (
      <section
        ref={setNodeRef}
        data-column={stage.id}
        aria-label={`${stage.name} ${count} พับอยู่`}
        className={classNames(
          'm-0.5 flex w-11 shrink-0 flex-col items-center gap-2 rounded-card bg-surface-muted py-2',
          ring,
        )}
      >
        <IconButton
          icon={ChevronsLeftRight}
          label={`กางคอลัมน์ ${stage.name}`}
          size="sm"
          onClick={() => onFold(stage.id)}
        />
        <span className="text-sm font-semibold tabular-nums">{cards.length}</span>
        <h2 className="text-sm font-medium whitespace-nowrap [writing-mode:vertical-rl]">{stage.name}</h2>
      </section>
    )
  }
  const content = (
    <>
      <div className={classNames('flex items-center gap-2 px-3 pt-2', isPhone && 'px-0')}>
        <h2 className={classNames('min-w-0 truncate font-semibold', isPhone && 'sr-only')}>{stage.name}</h2>
        {!isPhone && (
          <span className="rounded-full bg-surface px-2 text-xs font-semibold tabular-nums">{cards.length}</span>
        )}
        {!isPhone && (
          <IconButton
            icon={ChevronsRightLeft}
            label={`พับคอลัมน์ ${stage.name}`}
            size="sm"
            onClick={() => onFold(stage.id)}
            className="ml-auto"
          />
        )}
      </div>
      <p className={classNames('px-3 pb-1 text-xs text-ink-muted tabular-nums', isPhone && 'px-0')}>
        งบรวม {formatBahtCompact(total.budget)} บาท
        <DoubtfulAmountsNote count={total.inDoubt} />
      </p>
      {cards.length === 0 ? <p className="px-3 py-8 text-center text-sm text-ink-faint">ยังไม่มีงานในขั้นนี้</p> : children}
    </>
  )
  return (
    <section
      ref={setNodeRef}
      data-column={stage.id}
      aria-label={`${stage.name} ${count}`}
      className={classNames(
        'flex flex-col rounded-card bg-surface-muted',
        isPhone
          ? 'w-full shrink-0 snap-start snap-always bg-transparent px-4'
          : 'm-0.5 max-h-[calc(100dvh-168px)] min-h-96 min-w-[224px] flex-1',
        ring,
      )}
    >
      {lowered === undefined ? (
        content
      ) : (
        // The height is zero, so that only the active column determines the page height.
        <div className="h-0" style={{ transform: `translateY(${lowered}px)` }}>
          {content}
        </div>
      )}
    </section>
  )
}
