import { useRef } from 'react'
import type { PursuitSettings } from '#contract/account/pursuit-settings.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useTeamLabelsAndViews } from '#src/report/api/team-labels-and-views.ts'
import type { DisplayedLabel } from '#src/ui/project/label-chip.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { BidDecisionDialog } from './bid-decision-dialog.tsx'
import { BOARD_HELP_ELEMENT_ID, BoardCard, BoardCardContent } from './board-card.tsx'
import { BoardCardList } from './board-card-list.tsx'
import { type BoardColumn, findDeclinedStage } from './board-column-data.ts'
import { BoardColumnView } from './board-column-view.tsx'
import { StageReasonDialog } from './stage-reason-dialog.tsx'
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
  const ghost = useRef<HTMLDivElement>(null)
  const { stages, members } = settings
  const {
    drag,
    lifted,
    said: announcement,
    wanted: focusTarget,
    onFocused,
    asking,
    answer,
    deciding,
    decide,
    decline,
    ...moves
  } = useBoardCardMoves({
    columns,
    stages,
    board,
    ghost,
  })
  const labelsOf = useCardLabels()
  const { nearnessOf, lowered, topOfBoard } = usePhoneBoardColumns({ board, isPhone, columns, stage, onColumn })

  return (
    <>
      <p id={BOARD_HELP_ELEMENT_ID} className="sr-only">
        กดเว้นวรรคเพื่อยกการ์ด ลูกศรซ้ายขวาเลือกคอลัมน์ เว้นวรรคอีกครั้งเพื่อวาง Esc เพื่อวางกลับ ลูกศรขึ้นลงไปการ์ดอื่นในคอลัมน์
      </p>
      <VisuallyHidden live>{announcement}</VisuallyHidden>
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
            isTarget={drag?.over === column.stage.id}
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
              onFocused={onFocused}
              renderCard={(card, of) => (
                <BoardCard
                  key={card.project_id}
                  card={card}
                  today={today}
                  owner={members.find(({ id }) => id === card.owner)}
                  labels={labelsOf.get(card.project_id)}
                  stages={stages}
                  isLifted={drag?.id === card.project_id}
                  {...of}
                  {...moves}
                />
              )}
            />
          </BoardColumnView>
        ))}
      </div>
      {lifted && drag?.by === 'pointer' && (
        <div
          ref={ghost}
          inert
          className="pointer-events-none fixed top-0 left-0 z-50 w-60 rounded-[9px] border border-accent-line bg-surface px-3 py-2.5 shadow-float"
          style={{ transform: 'translate(-999px, 0)' }}
        >
          <BoardCardContent
            card={lifted}
            today={today}
            owner={members.find(({ id }) => id === lifted.owner)}
            labels={labelsOf.get(lifted.project_id)}
            stages={[]}
            isLifted={false}
            onHandleKey={moves.onHandleKey}
            onMove={moves.onMove}
          />
        </div>
      )}
      <StageReasonDialog
        stage={asking?.stage}
        name={asking?.card.name ?? ''}
        onClose={() => answer(undefined)}
        onDone={answer}
      />
      <BidDecisionDialog
        stage={deciding?.stage}
        declined={findDeclinedStage(stages)}
        name={deciding?.card.name ?? ''}
        onDone={decide}
        onDecline={decline}
      />
    </>
  )
}

function useCardLabels(): ReadonlyMap<string, readonly DisplayedLabel[]> {
  const team = useTeamLabelsAndViews()
  const labels = new Map(team?.labels.map((label) => [label.id, { ...label, isTeam: true }]))
  return new Map(
    Object.entries(team?.assignments ?? {}).map(([id, of]) => [id, of.flatMap((labelId) => labels.get(labelId) ?? [])]),
  )
}
