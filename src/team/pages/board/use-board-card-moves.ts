import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { PursuitStage } from '#contract/account/pursuit-settings.ts'
import type { PursuitCard } from '#contract/team/pursuit.ts'
import { patchPursuit } from '#src/team/api/pursuit-patches.ts'
import { showToast } from '#src/ui/overlay/toast.ts'
import { type BoardColumn, findDeclinedStage, moveNeedsBidDecision, stageNeedsReason } from './board-column-data.ts'
import { useBoardCardDrag } from './use-board-card-drag.ts'

type Move = { readonly card: PursuitCard; readonly stage: PursuitStage }
export type BoardCardFocusTarget = { readonly id: string; readonly stage: string }
type BoardState = { readonly columns: readonly BoardColumn[]; readonly stages: readonly PursuitStage[] }

const cardIn = ({ columns }: BoardState, id: string): PursuitCard | undefined => {
  for (const { cards } of columns) {
    const card = cards.find(({ project_id }) => project_id === id)
    if (card) return card
  }
  return undefined
}
function nextIn({ columns }: BoardState, card: PursuitCard, key: string): PursuitCard | undefined {
  const cards = columns.find((column) => column.cards.includes(card))?.cards ?? []
  const at = cards.indexOf(card)
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: cards.length - 1 }[key]
  return to === undefined ? undefined : cards[to]
}
const nameIn = ({ stages }: BoardState, id: string | undefined) => stages.find((stage) => stage.id === id)?.name ?? ''

type CardMovesOptions = BoardState & { board: RefObject<HTMLElement | null>; ghost: RefObject<HTMLElement | null> }

/**
 * Handles all ways of moving a card: pointer (`useBoardCardDrag`), menu, and keyboard with screen reader announcements. Asks
 * for a reason before lost and declined stages (`asking`, `answer`) and for the bid decision past the decision stage
 * (`deciding`, `decide`, `decline`). Callbacks are stable, so that only the changed card re-renders.
 */
export function useBoardCardMoves({ columns, stages, board, ghost }: CardMovesOptions) {
  const [announcement, setAnnouncement] = useState('')
  const [focusTarget, setFocusTarget] = useState<BoardCardFocusTarget>()
  const onFocused = () => setFocusTarget(undefined)
  const [asking, setAsking] = useState<Move>()
  const [deciding, setDeciding] = useState<Move>()
  const boardState = useRef<BoardState>({ columns, stages })
  const onMove = (id: string, to: string) => {
    const card = cardIn(boardState.current, id)
    const stage = boardState.current.stages.find((item) => item.id === to)
    if (!card || !stage || card.stage === to) return
    if (stageNeedsReason(stage)) setAsking({ card, stage })
    else if (moveNeedsBidDecision(card, stage, boardState.current.stages)) setDeciding({ card, stage })
    else
      void moveCard(card, stage).then((isDone) => {
        // If the server refused, the card returns to its old column, so return the focus too.
        if (!isDone) setFocusTarget({ id, stage: card.stage })
      })
  }
  const { drag, setDrag, begin: startDrag } = useBoardCardDrag({ board, ghost, onDrop: onMove })
  const dragRef = useRef({ drag, begin: startDrag })
  useEffect(() => {
    boardState.current = { columns, stages }
    dragRef.current = { drag, begin: startDrag }
  })

  const onHandleKey = (event: KeyboardEvent, id: string) => {
    const lifted = dragRef.current.drag
    const current = boardState.current
    const card = cardIn(current, id)
    if (!card) return
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      if (!lifted) {
        setDrag({ id, over: card.stage, by: 'keys' })
        setAnnouncement(`ยก ${card.name} จาก ${nameIn(current, card.stage)} ใช้ลูกศรซ้ายขวาเลือกคอลัมน์`)
        return
      }
      flushSync(() => setDrag(undefined))
      setAnnouncement(`วาง ${card.name} ที่ ${nameIn(current, lifted.over)}`)
      if (lifted.over !== undefined) onMove(id, lifted.over)
      const stage = current.stages.find((item) => item.id === lifted.over)
      // A dialog manages the focus itself, so do not move the focus if one opens.
      const opensDialog =
        stage &&
        stage.id !== card.stage &&
        (stageNeedsReason(stage) || moveNeedsBidDecision(card, stage, current.stages))
      const isFolded = current.columns.some((column) => column.stage.id === stage?.id && column.isFolded)
      if (stage && !opensDialog && !isFolded) setFocusTarget({ id, stage: stage.id })
    } else if (event.key === 'Escape' && lifted) {
      event.preventDefault()
      setDrag(undefined)
      setAnnouncement(`วางกลับที่ ${nameIn(current, card.stage)}`)
    } else if (lifted && step !== undefined) {
      event.preventDefault()
      const at = current.stages.findIndex((stage) => stage.id === lifted.over) + step
      const next = current.stages[at]
      if (!next) return
      setDrag({ ...lifted, over: next.id })
      setAnnouncement(`${next.name} คอลัมน์ที่ ${at + 1} จาก ${current.stages.length}`)
      const column = board.current?.querySelector(`[data-column="${CSS.escape(next.id)}"]`)
      column?.scrollIntoView?.({ inline: 'nearest', block: 'nearest' })
    } else if (!lifted) {
      const next = nextIn(current, card, event.key)
      if (!next) return
      event.preventDefault()
      setFocusTarget({ id: next.project_id, stage: card.stage })
    }
  }
  const onPointerDown = (event: PointerEvent, id: string) => dragRef.current.begin(event, id)
  const answer = (reason: string | undefined) => {
    if (asking && reason !== undefined) void moveCard(asking.card, asking.stage, reason)
    setAsking(undefined)
  }
  const decide = (decision: 'bid' | undefined) => {
    if (deciding) void moveCard(deciding.card, deciding.stage, undefined, decision)
    setDeciding(undefined)
  }
  const decline = (reason: string) => {
    const declined = findDeclinedStage(stages)
    if (deciding && declined) void moveCard(deciding.card, declined, reason)
    setDeciding(undefined)
  }
  const lifted = drag && cardIn({ columns, stages }, drag.id)
  return {
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
    onPointerDown,
    onHandleKey,
    onMove,
  }
}

/**
 * Moves a card optimistically; the toast offers an undo that restores the previous reason. Resolves to false if the
 * server refused.
 */
async function moveCard(
  card: PursuitCard,
  stage: PursuitStage,
  reason?: string,
  newDecision?: 'bid',
): Promise<boolean> {
  const action = { action: 'set_stage', stage: stage.id, ...(reason !== undefined && { reason }) } as const
  const actions = newDecision === undefined ? [action] : [action, { action: 'decide', decision: newDecision } as const]
  const isDone = await patchPursuit(card.project_id, actions, { failed: 'ย้ายการ์ดไม่สำเร็จ' })
  if (!isDone) return false
  const { decision = null, reason: previousReason = null } = card
  const restoredReason = (decision === 'no_bid' ? previousReason : card.lost_reason) ?? null
  showToast({
    tone: 'done',
    text: `ย้ายไป “${stage.name}” แล้ว`,
    action: {
      label: 'เลิกทำ',
      run: () =>
        void patchPursuit(
          card.project_id,
          [
            { action: 'set_stage', stage: card.stage, ...(restoredReason !== null && { reason: restoredReason }) },
            { action: 'decide', decision, reason: previousReason },
          ],
          { failed: 'เลิกทำไม่สำเร็จ' },
        ),
    },
  })
  return true
}
