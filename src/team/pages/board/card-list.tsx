import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  useWindowVirtualizer,
  type Virtualizer,
} from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { PursuitCard } from '#contract/team/pursuit.ts'
import type { WantedCard } from './use-card-moves.ts'
import type { Nearness } from './use-phone-columns.ts'

/** Shorter columns are rendered in full, so that the browser's page search covers every card. */
const WHOLE = 20
const OVERSCAN = 2
/** Cards rendered in a neighbouring column before the user swipes to it. */
const BESIDE = 6
/** Estimated height of a card before it is measured, px; `GAP` is the space below it, px. */
const ESTIMATE = 150
const GAP = 8

/** Position of a card within its whole column, including cards that are not rendered. */
export type CardPlace = {
  readonly index: number
  readonly count: number
  /** Measures the card; undefined in a column that is rendered in full. */
  readonly measure?: ((element: HTMLLIElement | null) => void) | undefined
}

type CardListProps = {
  cards: readonly PursuitCard[]
  isPhone: boolean
  nearness: Nearness
  /** On a phone, the page's scroll position when a column becomes active, px. */
  topOfBoard: () => number
  /** Card to focus once it appears in this list. */
  wanted: WantedCard | undefined
  onFocused: () => void
  draw: (card: PursuitCard, place: CardPlace) => ReactNode
}

/**
 * Cards of a column. Long columns are virtualised: 2,000 cards are 67,000 elements and cost 34 ms per frame. The card
 * that has or had the focus stays rendered at any scroll position.
 */
export function CardList(props: CardListProps) {
  const { cards, wanted, onFocused } = props
  const list = useRef<HTMLUListElement>(null)
  const isHere = wanted !== undefined && cards.some(({ project_id }) => project_id === wanted.id)
  useLayoutEffect(() => {
    if (!isHere) return
    const handle = list.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(wanted.id)}"]`)
    if (!handle) return
    const active = document.activeElement
    // Do not steal the focus if the user has moved on.
    if (active === null || active === document.body || active.closest('[data-card]')) handle.focus()
    onFocused()
  })
  if (props.nearness === 'far') return null
  if (props.nearness === 'next')
    return <Whole {...props} cards={cards.slice(0, BESIDE)} count={cards.length} list={list} />
  if (cards.length <= WHOLE) return <Whole {...props} count={cards.length} list={list} />
  return props.isPhone ? <ByPage {...props} list={list} /> : <ByColumn {...props} list={list} />
}

type ListProps = CardListProps & { list: RefObject<HTMLUListElement | null> }

function Whole({ cards, count, isPhone, draw, list }: ListProps & { count: number }) {
  return (
    <ul ref={list} className={isPhone ? 'py-2' : 'min-h-0 flex-1 overflow-y-auto px-2 pt-2'}>
      {cards.map((card, index) => draw(card, { index, count }))}
    </ul>
  )
}

function ByColumn(props: ListProps) {
  const { cards, list } = props
  const { options, onFocus } = useCardRange(props)
  const virtualizer = useVirtualizer<HTMLUListElement, HTMLLIElement>({
    ...options,
    count: cards.length,
    getScrollElement: () => list.current,
    initialRect: { width: 0, height: window.innerHeight },
  })
  return (
    <Drawn {...props} virtualizer={virtualizer} onFocus={onFocus} className="min-h-0 flex-1 overflow-y-auto px-2" />
  )
}

function ByPage(props: ListProps) {
  const { cards, list, topOfBoard } = props
  const { options, onFocus } = useCardRange(props)
  const [top, setTop] = useState(0)
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    ...options,
    count: cards.length,
    scrollMargin: top,
    overscan: 4,
    // Touch scrolling runs off the main thread: cards may render a frame late, which saves a second layout.
    useFlushSync: false,
    // The virtualizer scrolls to its initial offset on mount.
    initialOffset: topOfBoard,
    initialRect: { width: 0, height: window.innerHeight },
  })
  useLayoutEffect(() => {
    // Content above the list may wrap onto more lines.
    const now = Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    setTop(now)
  }, [list])
  return <Drawn {...props} virtualizer={virtualizer} onFocus={onFocus} className="" />
}

function useCardRange({ cards, wanted }: ListProps) {
  const [focused, setFocused] = useState<string>()
  const places = [focused, wanted?.id].map((id) => cards.findIndex((card) => card.project_id === id))
  const kept = places.filter((place) => place >= 0).join()
  const rangeExtractor = useCallback(
    (range: Range) => {
      const more = kept === '' ? [] : kept.split(',').map(Number)
      return [...new Set([...defaultRangeExtractor(range), ...more])].toSorted((one, other) => one - other)
    },
    [kept],
  )
  const options = {
    estimateSize: () => ESTIMATE,
    getItemKey: useCallback((index: number) => cards[index]?.project_id ?? index, [cards]),
    overscan: OVERSCAN,
    paddingStart: GAP,
    gap: GAP,
    rangeExtractor,
  }
  return { options, onFocus: setFocused }
}

type DrawnProps<Scroller extends Element | Window> = ListProps & {
  virtualizer: Virtualizer<Scroller, HTMLLIElement>
  onFocus: (id: string | undefined) => void
  className: string
}

/**
 * Renders cards in normal flow with spacers for the missing ones, so that a wrong height estimate never makes cards
 * overlap.
 */
function Drawn<Scroller extends Element | Window>({
  cards,
  draw,
  list,
  virtualizer,
  onFocus,
  className,
}: DrawnProps<Scroller>) {
  const margin = virtualizer.options.scrollMargin
  let end = 0
  const drawn: ReactNode[] = []
  const addRoom = (height: number, key: string) => {
    if (height > 0) drawn.push(<li key={key} aria-hidden style={{ height }} />)
  }
  for (const { index, start, end: next } of virtualizer.getVirtualItems()) {
    const card = cards[index]
    if (!card) continue
    addRoom(start - margin - end, `before ${card.project_id}`)
    drawn.push(draw(card, { index, count: cards.length, measure: virtualizer.measureElement }))
    // The space below a card is the card's margin.
    end = next - margin + GAP
  }
  addRoom(virtualizer.getTotalSize() - end, 'after')
  return (
    <ul
      ref={list}
      className={className}
      onFocus={({ target }) => onFocus(target.closest<HTMLElement>('[data-card]')?.dataset.card)}
    >
      {drawn}
    </ul>
  )
}
