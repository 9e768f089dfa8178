import { type KeyboardEvent, type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Stage } from '#contract/account/pursuit-settings.ts'
import type { PursuitCard } from '#contract/team/pursuit.ts'
import { patchPursuit } from '#src/team/api/pursuit-patches.ts'
import { showToast } from '#src/ui/overlay/toast.ts'
import { asksDecision, asksWhy, type BoardColumn, declinedOf } from './board-cards.ts'
import { useCardDrag } from './use-card-drag.ts'

type Move = { readonly card: PursuitCard; readonly stage: Stage }
export type WantedCard = { readonly id: string; readonly stage: string }
type Shown = { readonly columns: readonly BoardColumn[]; readonly stages: readonly Stage[] }

const cardIn = ({ columns }: Shown, id: string): PursuitCard | undefined => {
  for (const { cards } of columns) {
    const card = cards.find(({ project_id }) => project_id === id)
    if (card) return card
  }
  return undefined
}
function nextIn({ columns }: Shown, card: PursuitCard, key: string): PursuitCard | undefined {
  const cards = columns.find((column) => column.cards.includes(card))?.cards ?? []
  const at = cards.indexOf(card)
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: cards.length - 1 }[key]
  return to === undefined ? undefined : cards[to]
}
const nameIn = ({ stages }: Shown, id: string | undefined) => stages.find((stage) => stage.id === id)?.name ?? ''

type CardMovesOptions = Shown & { board: RefObject<HTMLElement | null>; ghost: RefObject<HTMLElement | null> }

/**
 * Handles all ways of moving a card: pointer (`useCardDrag`), menu, and keyboard with screen reader announcements. Asks
 * for a reason before lost and declined stages (`asking`, `answer`) and for the bid decision past the decision stage
 * (`deciding`, `decide`, `decline`). Callbacks are stable, so that only the changed card re-renders.
 */
export function useCardMoves({ columns, stages, board, ghost }: CardMovesOptions) {
  const [said, setSaid] = useState('')
  const [wanted, setWanted] = useState<WantedCard>()
  const onFocused = useCallback(() => setWanted(undefined), [])
  const [asking, setAsking] = useState<Move>()
  const [deciding, setDeciding] = useState<Move>()
  const shown = useRef<Shown>({ columns, stages })
  const onMove = useCallback((id: string, to: string) => {
    const card = cardIn(shown.current, id)
    const stage = shown.current.stages.find((one) => one.id === to)
    if (!card || !stage || card.stage === to) return
    if (asksWhy(stage)) setAsking({ card, stage })
    else if (asksDecision(card, stage, shown.current.stages)) setDeciding({ card, stage })
    else
      void moveCard(card, stage).then((isDone) => {
        // The card is back in its old column, so the focus returns too.
        if (!isDone) setWanted({ id, stage: card.stage })
      })
  }, [])
  const { drag, setDrag, begin } = useCardDrag({ board, ghost, onDrop: onMove })
  const hand = useRef({ drag, begin })
  useEffect(() => {
    shown.current = { columns, stages }
    hand.current = { drag, begin }
  })

  const onHandleKey = useCallback(
    (event: KeyboardEvent, id: string) => {
      const lifted = hand.current.drag
      const now = shown.current
      const card = cardIn(now, id)
      if (!card) return
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      if (event.key === ' ' || event.key === 'Enter') {
        event.preventDefault()
        if (!lifted) {
          setDrag({ id, over: card.stage, by: 'keys' })
          setSaid(`ยก ${card.name} จาก ${nameIn(now, card.stage)} ใช้ลูกศรซ้ายขวาเลือกคอลัมน์`)
          return
        }
        flushSync(() => setDrag(undefined))
        setSaid(`วาง ${card.name} ที่ ${nameIn(now, lifted.over)}`)
        if (lifted.over !== undefined) onMove(id, lifted.over)
        const stage = now.stages.find((one) => one.id === lifted.over)
        // A dialog manages the focus itself.
        const isAsked = stage && stage.id !== card.stage && (asksWhy(stage) || asksDecision(card, stage, now.stages))
        const isFolded = now.columns.some((column) => column.stage.id === stage?.id && column.isFolded)
        if (stage && !isAsked && !isFolded) setWanted({ id, stage: stage.id })
      } else if (event.key === 'Escape' && lifted) {
        event.preventDefault()
        setDrag(undefined)
        setSaid(`วางกลับที่ ${nameIn(now, card.stage)}`)
      } else if (lifted && step !== undefined) {
        event.preventDefault()
        const at = now.stages.findIndex((stage) => stage.id === lifted.over) + step
        const next = now.stages[at]
        if (!next) return
        setDrag({ ...lifted, over: next.id })
        setSaid(`${next.name} คอลัมน์ที่ ${at + 1} จาก ${now.stages.length}`)
        const column = board.current?.querySelector(`[data-column="${CSS.escape(next.id)}"]`)
        column?.scrollIntoView?.({ inline: 'nearest', block: 'nearest' })
      } else if (!lifted) {
        const next = nextIn(now, card, event.key)
        if (!next) return
        event.preventDefault()
        setWanted({ id: next.project_id, stage: card.stage })
      }
    },
    [board, onMove, setDrag],
  )
  const onPointerDown = useCallback((event: PointerEvent, id: string) => hand.current.begin(event, id), [])
  /** Undefined cancels the move. */
  const answer = (reason: string | undefined) => {
    if (asking && reason !== undefined) void moveCard(asking.card, asking.stage, reason)
    setAsking(undefined)
  }
  /** Undefined moves the card without a decision. */
  const decide = (decision: 'bid' | undefined) => {
    if (deciding) void moveCard(deciding.card, deciding.stage, undefined, decision)
    setDeciding(undefined)
  }
  const decline = (reason: string) => {
    const declined = declinedOf(stages)
    if (deciding && declined) void moveCard(deciding.card, declined, reason)
    setDeciding(undefined)
  }
  const lifted = drag && cardIn({ columns, stages }, drag.id)
  return {
    drag,
    lifted,
    said,
    wanted,
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
async function moveCard(card: PursuitCard, stage: Stage, reason?: string, said?: 'bid'): Promise<boolean> {
  const action = { action: 'set_stage', stage: stage.id, ...(reason !== undefined && { reason }) } as const
  const actions = said === undefined ? [action] : [action, { action: 'decide', decision: said } as const]
  const isDone = await patchPursuit(card.project_id, actions, { failed: 'ย้ายการ์ดไม่สำเร็จ' })
  if (!isDone) return false
  const { decision = null, reason: before = null } = card
  const back = (decision === 'no_bid' ? before : card.lost_reason) ?? null
  showToast({
    tone: 'done',
    text: `ย้ายไป “${stage.name}” แล้ว`,
    action: {
      label: 'เลิกทำ',
      run: () =>
        void patchPursuit(
          card.project_id,
          [
            { action: 'set_stage', stage: card.stage, ...(back !== null && { reason: back }) },
            { action: 'decide', decision, reason: before },
          ],
          { failed: 'เลิกทำไม่สำเร็จ' },
        ),
    },
  })
  return true
}
