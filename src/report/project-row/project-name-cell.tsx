import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ReportRow } from '#contract/report/report.ts'
import { classNames } from '#src/lib/class-names.ts'
import { EligibilityMark } from '#src/report/eligibility/eligibility-mark.tsx'
import { FitMark } from '#src/report/fit/fit-mark.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { LabelChip } from '#src/ui/project/label-chip.tsx'
import { CopyProjectIdButton, ProjectIdText } from '#src/ui/project/project-id.tsx'
import { DataIssuesButton } from './data-issues-button.tsx'
import { getNameHighlights, useProjectRowDisplayData } from './project-row-display-data.ts'
import { ProjectRowViewers, PursuitSummary } from './pursuit-summary.tsx'
import { ShortMatchReason } from './short-match-reason.tsx'

/**
 * Matches a quantity or phase, which distinguishes similar names and is usually at the end of the name. The number is
 * the first group.
 */
const QUANTITY_PATTERN = /(?:จำนวน|ระยะที่)\s{0,3}([\d๐-๙][\d๐-๙,.]{0,11})(?:\s?[ก-๛]{1,8}(?![ก-๛]))?/g

const ELLIPSIS_WIDTH_PX = 16

function hiddenQuantity(element: HTMLElement, name: string): string | undefined {
  // Compact rows have a single line, reserved for the subject.
  if (element.closest('[data-compact]')) return undefined
  const lastMatch = [...name.matchAll(QUANTITY_PATTERN)].at(-1)
  const number = lastMatch?.[1]
  if (!lastMatch || !number || number === '1' || number === '๑') return undefined
  const digits = boxOf(element, lastMatch.index + lastMatch[0].indexOf(number) + number.length)
  if (!digits) return undefined
  const box = element.getBoundingClientRect()
  const isSeen =
    digits.bottom < box.bottom + 4 && (digits.bottom < box.bottom - 8 || digits.right < box.right - ELLIPSIS_WIDTH_PX)
  return isSeen ? undefined : lastMatch[0]
}

function boxOf(element: HTMLElement, end: number): DOMRect | undefined {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('[data-quantity]') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  for (let offset = 0; walker.nextNode(); ) {
    const { length } = walker.currentNode as Text
    if (end <= offset + length) {
      const range = document.createRange()
      range.setStart(walker.currentNode, end - offset - 1)
      range.setEnd(walker.currentNode, end - offset)
      return range.getBoundingClientRect()
    }
    offset += length
  }
  return undefined
}

/** Moves the trailing quantity next to the preceding text, closing the gap left where a word wrapped. */
function closeGap(element: HTMLElement | null, tail: HTMLElement | null): void {
  if (!element || !tail) return
  tail.style.transform = ''
  const box = tail.getBoundingClientRect()
  const words = document.createRange()
  words.selectNodeContents(element)
  words.setStartAfter(tail)
  // A space at the end of the text may overlap the trailing quantity.
  const lineEnds = [...words.getClientRects()]
    .filter(({ top, bottom }) => Math.abs(top + bottom - box.top - box.bottom) < box.height)
    .map(({ right }) => Math.min(right, box.left))
  const gap = box.left - Math.max(...lineEnds)
  if (gap > 1 && Number.isFinite(gap)) tail.style.transform = `translateX(${-gap}px)`
}

/** A float is placed at the end of the last line only in a plain block, two lines high. */
const TAILED_CLASSES =
  'not-focus-visible:not-in-data-compact:data-tail:block! not-focus-visible:not-in-data-compact:data-tail:h-[2lh] not-focus-visible:not-in-data-compact:data-tail:before:float-right not-focus-visible:not-in-data-compact:data-tail:before:h-[1lh] not-focus-visible:not-in-data-compact:data-tail:before:content-[""]'

type NameTextProps = {
  id: string
  href: string
  name: string
  words: readonly string[]
  watched: readonly string[]
}

/** A longer name expands on keyboard focus, so it can be read without a mouse; the text remains selectable. */
function NameText({ id, href, name, words, watched }: NameTextProps) {
  const text = useRef<HTMLAnchorElement>(null)
  const quantity = useRef<HTMLSpanElement>(null)
  const [isCut, setIsCut] = useState(false)
  const [tail, setTail] = useState<string>()
  useEffect(() => {
    const element = text.current
    if (!element) return
    const measure = () => {
      // While the name is expanded it is not truncated, but its text is the same, so the previous result stays valid.
      if (document.activeElement === element) return
      // Measure without the trailing quantity, because it takes space itself.
      const hadTail = element.hasAttribute('data-tail')
      element.toggleAttribute('data-tail', false)
      const { scrollHeight, clientHeight } = element
      const isLong = scrollHeight > clientHeight + 1
      const hidden = isLong ? hiddenQuantity(element, name) : undefined
      element.toggleAttribute('data-tail', hadTail)
      if (hadTail) closeGap(element, quantity.current)
      setIsCut(isLong)
      setTail(hidden)
    }
    // The observer reports the initial size too; measuring here would force a second layout of the table.
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [name])
  useLayoutEffect(() => {
    if (tail !== undefined) closeGap(text.current, quantity.current)
  }, [tail])
  return (
    <a
      ref={text}
      href={href}
      // The text of a draggable link cannot be selected, so dragging is off; Chromium additionally needs `select-text`.
      draggable={false}
      title={isCut ? name : undefined}
      data-tail={tail === undefined ? undefined : ''}
      // The page's click handler opens the panel for links with this attribute.
      data-project-link={id}
      className={classNames(
        'line-clamp-2 rounded-control select-text decoration-line-strong underline-offset-4 hover:underline',
        isCut && 'focus-visible:line-clamp-none',
        tail !== undefined && TAILED_CLASSES,
      )}
    >
      {tail !== undefined && (
        <span
          ref={quantity}
          aria-hidden
          data-quantity
          className="float-right clear-both pl-0.5 select-none in-focus-visible:hidden in-data-compact:hidden not-in-data-tail:hidden"
        >
          …{tail}
        </span>
      )}
      <HighlightedText text={name} words={words} watched={watched} />
    </a>
  )
}

/** The actions reserve their place next to the labels, and appear for the row under the pointer or focus. */
const HOVER_CLASSES =
  'pointer-fine:opacity-0 pointer-fine:group-hover/row:opacity-100 pointer-fine:group-focus-within/row:opacity-100 pointer-fine:has-[[aria-expanded=true]]:opacity-100'

export function ProjectNameCell({ row, children }: { row: ReportRow; children: ReactNode }) {
  const { labelsOf, showsHidden, nameWords, hrefOf } = useProjectRowDisplayData()
  const { project_id: id, name } = row
  return (
    <>
      <NameText id={id} href={hrefOf(id)} name={name} {...getNameHighlights(row, nameWords)} />
      <span className="flex items-center gap-x-1.5 text-ink-muted pointer-fine:h-5 pointer-coarse:flex-wrap">
        <span className="flex min-w-0 flex-1 items-center gap-x-1.5 pointer-fine:overflow-hidden pointer-coarse:flex-wrap">
          <ProjectIdText id={id} />
          <DataIssuesButton doubts={row.doubts} className="-mx-1 -my-1 touch:-my-2.5" />
          <FitMark row={row} />
          <EligibilityMark row={row} />
          <PursuitSummary pursuit={row.pursuit} className="max-w-40 shrink-0" />
          <ProjectRowViewers projectId={id} />
          {labelsOf(id).map((label) => (
            <LabelChip key={label.id} label={label} className="min-w-8" />
          ))}
          <ShortMatchReason row={row} className="max-w-32 min-w-0" />
        </span>
        <span
          className={classNames(
            'flex shrink-0 items-center pointer-fine:[&_button]:size-6',
            !showsHidden && HOVER_CLASSES,
          )}
        >
          {children}
          <CopyProjectIdButton id={id} />
        </span>
      </span>
    </>
  )
}
