import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  useWindowVirtualizer,
  type Virtualizer,
} from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { PursuitCard } from '#contract/team/pursuit.ts'
import type { BoardCardFocusTarget } from './use-board-card-moves.ts'
import type { BoardColumnDistance } from './use-phone-board-columns.ts'

/** Columns up to this length are rendered in full, so that the browser's page search covers every card. */
const MAX_UNVIRTUALIZED_CARDS = 20
const OVERSCAN = 2
const NEIGHBOUR_CARDS = 6
/** Estimated height of a card before it is measured, px; `GAP` is the space below it, px. */
const ESTIMATED_HEIGHT = 150
const GAP = 8

export type BoardCardPosition = {
  readonly index: number
  readonly count: number
  readonly measure?: ((element: HTMLLIElement | null) => void) | undefined
}

type CardListProps = {
  cards: readonly PursuitCard[]
  isPhone: boolean
  nearness: BoardColumnDistance
  /** Returns the page's scroll position when a column becomes active on a phone, px. */
  topOfBoard: () => number
  focusTarget: BoardCardFocusTarget | undefined
  renderCard: (card: PursuitCard, position: BoardCardPosition) => ReactNode
}

/**
 * Cards of a column. Long columns are virtualised, because 2,000 cards are 67,000 elements and cost 34 ms per frame.
 * The card that has or had the focus stays rendered at any scroll position.
 */
export function BoardCardList(props: CardListProps) {
  const { cards } = props
  const list = useRef<HTMLUListElement>(null)
  if (props.nearness === 'far') return null
  if (props.nearness === 'next')
    return <FullList {...props} cards={cards.slice(0, NEIGHBOUR_CARDS)} count={cards.length} list={list} />
  if (cards.length <= MAX_UNVIRTUALIZED_CARDS) return <FullList {...props} count={cards.length} list={list} />
  return props.isPhone ? <PageVirtualList {...props} list={list} /> : <ColumnVirtualList {...props} list={list} />
}

type ListProps = CardListProps & { list: RefObject<HTMLUListElement | null> }

function FullList({ cards, count, isPhone, renderCard, list }: ListProps & { count: number }) {
  return (
    <ul ref={list} className={isPhone ? 'py-2' : 'min-h-0 flex-1 overflow-y-auto px-2 pt-2'}>
      {cards.map((card, index) => renderCard(card, { index, count }))}
    </ul>
  )
}

// The virtualizer is a mutable object, whose results compiled components would cache.
function ColumnVirtualList(props: ListProps) {
  'use no memo'
  const { cards, list } = props
  const { options, onFocus } = useCardRange(props)
  const virtualizer = useVirtualizer<HTMLUListElement, HTMLLIElement>({
    ...options,
    count: cards.length,
    getScrollElement: () => list.current,
    initialRect: { width: 0, height: window.innerHeight },
  })
  return <VirtualCards {...props} {...{ virtualizer, onFocus }} className="min-h-0 flex-1 overflow-y-auto px-2" />
}

function PageVirtualList(props: ListProps) {
  'use no memo'
  const { cards, list, topOfBoard } = props
  const { options, onFocus } = useCardRange(props)
  const [top, setTop] = useState(0)
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    ...options,
    count: cards.length,
    scrollMargin: top,
    overscan: 4,
    // Touch scrolls off the main thread, so rendering in the same frame would only cost a second layout.
    useFlushSync: false,
    initialOffset: topOfBoard,
    initialRect: { width: 0, height: window.innerHeight },
  })
  useLayoutEffect(() => {
    // Content above the list may wrap onto more lines, so measure the list's top again.
    const listTop = Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    setTop(listTop)
  }, [list])
  return <VirtualCards {...props} {...{ virtualizer, onFocus }} className="" />
}

function useCardRange({ cards, focusTarget }: ListProps) {
  const [focused, setFocused] = useState<string>()
  const indexes = [focused, focusTarget?.id].map((id) => cards.findIndex((card) => card.project_id === id))
  const pinned = indexes.filter((index) => index >= 0).join()
  const rangeExtractor = (range: Range) => {
    const pinnedIndexes = pinned === '' ? [] : pinned.split(',').map(Number)
    return [...new Set([...defaultRangeExtractor(range), ...pinnedIndexes])].toSorted((a, b) => a - b)
  }
  const options = {
    estimateSize: () => ESTIMATED_HEIGHT,
    getItemKey: (index: number) => cards[index]?.project_id ?? index,
    overscan: OVERSCAN,
    paddingStart: GAP,
    gap: GAP,
    rangeExtractor,
  }
  return { options, onFocus: setFocused }
}

type VirtualCardsProps = ListProps & {
  virtualizer: Virtualizer<HTMLUListElement, HTMLLIElement> | Virtualizer<Window, HTMLLIElement>
  onFocus: (id: string | undefined) => void
  className: string
}

/** Renders spacers in place of cards out of view, so that a wrong height estimate never makes cards overlap. */
function VirtualCards({ cards, renderCard, list, virtualizer, onFocus, className }: VirtualCardsProps) {
  'use no memo'
  const { scrollMargin: margin } = virtualizer.options
  let end = 0
  const items: ReactNode[] = []
  const addSpacer = (height: number, key: string) => {
    if (height > 0) items.push(<li key={key} aria-hidden style={{ height }} />)
  }
  for (const { index, start, end: itemEnd } of virtualizer.getVirtualItems()) {
    const card = cards[index]
    if (!card) continue
    addSpacer(start - margin - end, `before ${card.project_id}`)
    items.push(renderCard(card, { index, count: cards.length, measure: virtualizer.measureElement }))
    // Add the space below the card, which is a margin of the card itself.
    end = itemEnd - margin + GAP
  }
  addSpacer(virtualizer.getTotalSize() - end, 'after')
  return (
    <ul
      ref={list}
      className={className}
      onFocus={({ target }) => onFocus(target.closest<HTMLElement>('[data-card]')?.dataset.card)}
    >
      {items}
    </ul>
  )
}
