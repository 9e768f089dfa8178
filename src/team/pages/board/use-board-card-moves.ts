import {
  type Announcements,
  type CollisionDetection,
  type DragEndEvent,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useRef, useState } from 'react'
import type { PursuitStage } from '#contract/account/pursuit-settings.ts'
import type { PursuitCard } from '#contract/team/pursuit.ts'
import type { PursuitAction } from '#contract/team/pursuit-action.ts'
import { patchPursuit } from '#src/team/api/pursuit-patches.ts'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'
import { type BoardColumn, moveNeedsBidDecision, stageNeedsReason } from './board-column-data.ts'

const DRAG_THRESHOLD_PX = 6

type MoveQuestion = {
  readonly card: PursuitCard
  readonly stage: PursuitStage
  readonly asks: 'reason' | 'decision' | 'decline'
}
type MoveAnswer = { readonly reason?: string; readonly decision?: 'bid' }
export type BoardCardFocusTarget = { readonly id: string; readonly stage: string }
type BoardState = { readonly columns: readonly BoardColumn[]; readonly stages: readonly PursuitStage[] }

const cardIn = ({ columns }: BoardState, id: unknown): PursuitCard | undefined =>
  columns.flatMap(({ cards }) => cards).find(({ project_id }) => project_id === id)
function nextIn({ columns }: BoardState, card: PursuitCard, key: string): PursuitCard | undefined {
  const cards = columns.find((column) => column.cards.includes(card))?.cards ?? []
  const at = cards.indexOf(card)
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: cards.length - 1 }[key]
  return to === undefined ? undefined : cards[to]
}
const nameIn = ({ stages }: BoardState, id: unknown) => stages.find((stage) => stage.id === id)?.name ?? ''

/**
 * Handles all ways of moving a card: pointer, keyboard and menu. Asks for a reason before lost and declined stages and
 * for the bid decision past the decision stage; `answerQuestion` moves the card of the `question` to a stage, or leaves it
 * where it is. Callbacks are stable, so that only the changed card re-renders.
 */
export function useBoardCardMoves({ columns, stages }: BoardState) {
  const [focusTarget, setFocusTarget] = useState<BoardCardFocusTarget>()
  const onFocused = () => setFocusTarget(undefined)
  const [question, setQuestion] = useState<MoveQuestion>()
  const boardState = useRef<BoardState>({ columns, stages })
  useEffect(() => {
    boardState.current = { columns, stages }
  })
  const onMove = (id: unknown, to: unknown, focusesCard = false) => {
    const card = cardIn(boardState.current, id)
    const stage = boardState.current.stages.find((item) => item.id === to)
    if (!card || !stage || card.stage === to) return
    if (stageNeedsReason(stage)) setQuestion({ card, stage, asks: 'reason' })
    else if (moveNeedsBidDecision(card, stage, boardState.current.stages))
      setQuestion({ card, stage, asks: 'decision' })
    else {
      if (focusesCard) setFocusTarget({ id: card.project_id, stage: stage.id })
      void moveCard(card, stage).then((isDone) => {
        // If the server refused, the card returns to its old column, so return the focus too.
        if (!isDone) setFocusTarget({ id: card.project_id, stage: card.stage })
      })
    }
  }
  const drag = useBoardDrag({ columns, stages }, onMove)
  const onHandleKey = ({ key }: ReactKeyboardEvent, id: string) => {
    const card = cardIn(boardState.current, id)
    const next = card && nextIn(boardState.current, card, key)
    if (next) setFocusTarget({ id: next.project_id, stage: card.stage })
    return next !== undefined
  }
  const answerQuestion = (stage?: PursuitStage, answer?: MoveAnswer) => {
    if (question && stage) void moveCard(question.card, stage, answer)
    setQuestion(undefined)
  }
  return { ...drag, focusTarget, onFocused, question, setQuestion, answerQuestion, onHandleKey, onMove }
}

const isKeyboard = ({ activatorEvent }: Pick<DragEndEvent, 'activatorEvent'>) => activatorEvent instanceof KeyboardEvent

/**
 * Options of the board's drag context. A mouse or a finger drops a card on the column below it; arrow keys choose the
 * column by its order, because folded columns are narrower than a card.
 */
function useBoardDrag(board: BoardState, onMove: (id: unknown, to: unknown, focusesCard: boolean) => void) {
  const [lifted, setLifted] = useState<PursuitCard>()
  const [keyTarget, setKeyTarget] = useState<string>()
  const chooseColumn: KeyboardCoordinateGetter = (event, { active, context: { over, droppableContainers } }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.code]
    if (step === undefined) return
    event.preventDefault()
    const stage = over?.id ?? cardIn(board, active)?.stage
    const next = board.stages[board.stages.findIndex(({ id }) => id === stage) + step]
    if (!next) return
    setKeyTarget(next.id)
    droppableContainers.get(next.id)?.node.current?.scrollIntoView?.({ inline: 'nearest', block: 'nearest' })
  }
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: DRAG_THRESHOLD_PX } }),
    useSensor(TouchSensor, { activationConstraint: { distance: DRAG_THRESHOLD_PX } }),
    useSensor(KeyboardSensor, { coordinateGetter: chooseColumn }),
  )
  const collisionDetection: CollisionDetection = (args) =>
    args.pointerCoordinates ? pointerWithin(args) : keyTarget === undefined ? [] : [{ id: keyTarget }]
  const endDrag = () => {
    setLifted(undefined)
    setKeyTarget(undefined)
  }
  const describeReturn = (id: unknown) => `วางกลับที่ ${nameIn(board, cardIn(board, id)?.stage)}`
  const announcements: Announcements = {
    onDragStart: ({ active: { id } }) => {
      const card = cardIn(board, id)
      return card && `ยก ${card.name} จาก ${nameIn(board, card.stage)} ใช้ลูกศรซ้ายขวาเลือกคอลัมน์`
    },
    onDragOver: ({ over }) => {
      const at = board.stages.findIndex(({ id }) => id === over?.id)
      return at < 0 ? undefined : `${nameIn(board, over?.id)} คอลัมน์ที่ ${at + 1} จาก ${board.stages.length}`
    },
    onDragEnd: ({ active: { id }, over }) =>
      over ? `วาง ${cardIn(board, id)?.name ?? ''} ที่ ${nameIn(board, over.id)}` : describeReturn(id),
    onDragCancel: ({ active: { id } }) => describeReturn(id),
  }
  return {
    lifted,
    dragContext: {
      sensors,
      collisionDetection,
      accessibility: {
        announcements,
        screenReaderInstructions: {
          draggable: 'กดเว้นวรรคเพื่อยกการ์ด ลูกศรซ้ายขวาเลือกคอลัมน์ เว้นวรรคอีกครั้งเพื่อวาง Esc เพื่อวางกลับ ลูกศรขึ้นลงไปการ์ดอื่นในคอลัมน์',
        },
        // `focusTarget` follows the card into its new column.
        restoreFocus: false,
      },
      onDragStart: (event: Pick<DragEndEvent, 'active' | 'activatorEvent'>) => {
        if (!isKeyboard(event)) setLifted(cardIn(board, event.active.id))
      },
      onDragEnd: (event: DragEndEvent) => {
        endDrag()
        if (event.over) onMove(event.active.id, event.over.id, isKeyboard(event))
      },
      onDragCancel: endDrag,
    },
  }
}

/** The toast offers an undo that restores the previous reason. Resolves to false if the server refused. */
async function moveCard(card: PursuitCard, stage: PursuitStage, answer: MoveAnswer = {}): Promise<boolean> {
  const move = (actions: PursuitAction[], failed: string) => patchPursuit(card.project_id, actions, { failed })
  const { reason, decision: newDecision } = answer
  const isDone = await move(
    [
      { action: 'set_stage', stage: stage.id, ...(reason !== undefined && { reason }) },
      ...(newDecision ? [{ action: 'decide', decision: newDecision } as const] : []),
    ],
    'ย้ายการ์ดไม่สำเร็จ',
  )
  if (!isDone) return false
  const { decision = null, reason: previousReason = null } = card
  const restoredReason = (decision === 'no_bid' ? previousReason : card.lost_reason) ?? null
  showDoneToast(
    `ย้ายไป “${stage.name}” แล้ว`,
    () =>
      void move(
        [
          { action: 'set_stage', stage: card.stage, ...(restoredReason !== null && { reason: restoredReason }) },
          { action: 'decide', decision, reason: previousReason },
        ],
        'เลิกทำไม่สำเร็จ',
      ),
  )
  return true
}
