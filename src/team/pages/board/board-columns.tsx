import { DndContext, DragOverlay } from '@dnd-kit/core'
import { useRef } from 'react'
import type { PursuitSettings } from '#contract/account/pursuit-settings.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useTeamLabelsAndViews } from '#src/report/api/team-labels-and-views.ts'
import type { DisplayedLabel } from '#src/ui/project/label-chip.tsx'
import { BidDecisionDialog } from './bid-decision-dialog.tsx'
import { BoardCard, BoardCardContent } from './board-card.tsx'
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
  const { stages, members } = settings
  const { dragContext, lifted, focusTarget, onFocused, asking, answer, deciding, decide, decline, ...moves } =
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
