import { useEffect, useRef, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { useIsNearViewport } from '#src/lib/use-in-view.ts'
import { findPhraseHighlightBoxes, type PdfFile, type PdfPageText, type TextHighlightBox } from './pdf-file.ts'

const PRELOAD_MARGIN = '800px'
const MAX_PIXEL_RATIO = 2
/** In px; takes 36 MB per page. Without it, a page at zoom 3 would have 34 million pixels. */
const MAX_CANVAS_WIDTH = 2600

type PageViewProps = {
  file: PdfFile
  number: number
  zoom?: number
  phrases: readonly string[]
  /** Index of the current match among the matches on this page; undefined if it is on another page. */
  current: number | undefined
  /**
   * Sentence from which a fact was read, to be highlighted, normalised by `foldDocumentText`; undefined if it is not on
   * this page.
   */
  sentence: string | undefined
}

export function DocumentPageView({ file, number, zoom = 1, phrases, current, sentence }: PageViewProps) {
  const frame = useRef<HTMLElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const isNear = useIsNearViewport(frame, PRELOAD_MARGIN)
  const [text, setText] = useState<PdfPageText>()
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    if (!isNear || zoom <= 0) return
    const stop = new AbortController()
    const pageCanvas = canvas.current!
    const targetWidth = frame.current!.clientWidth * Math.min(MAX_PIXEL_RATIO, devicePixelRatio)
    pageCanvas.width = Math.min(MAX_CANVAS_WIDTH, Math.round(targetWidth))
    const fail = () => {
      if (!stop.signal.aborted) setFailed(true)
    }
    const loadText = () => {
      if (!stop.signal.aborted) file.text(number).then(setText, fail)
    }
    const drawing = file.draw(number, pageCanvas, stop.signal)
    drawing.then(() => frame.current?.setAttribute('data-drawn', ''), fail).finally(loadText)
    return () => stop.abort()
  }, [file, number, isNear, zoom])

  const matches = text ? findPhraseHighlightBoxes(text, phrases) : []
  const sentenceMarks = text && sentence ? findPhraseHighlightBoxes(text, [sentence]) : []
  return (
    <section
      ref={frame}
      id={`page-${number}`}
      aria-label={`หน้า ${number}`}
      className="relative mx-auto shrink-0 scroll-mt-4 border border-line bg-white"
      style={{
        aspectRatio: text ? text.width / text.height : file.ratio,
        width: zoom === 1 ? 'min(100%, 820px)' : `calc(min(100%, 820px) * ${zoom})`,
      }}
    >
      {isNear && <canvas ref={canvas} aria-hidden className="absolute inset-0 size-full" />}
      {text && (
        <svg
          viewBox={`0 0 ${text.width} ${text.height}`}
          className="absolute inset-0 size-full select-text"
          role="presentation"
        >
          {sentenceMarks.flat().map((mark) => (
            <MarkBox key={`told ${mark.x} ${mark.y}`} mark={mark} className="fill-accent opacity-20" isShown />
          ))}
          {matches.map((marks, at) =>
            marks.map((mark) => (
              <MarkBox
                key={`${mark.x} ${mark.y}`}
                mark={mark}
                isShown={at === current}
                className={classNames('fill-[#facc15]', at === current ? 'stroke-[#c2410c] opacity-60' : 'opacity-40')}
              />
            )),
          )}
          {text.pieces.map((piece) => (
            <text
              key={`${piece.x} ${piece.y} ${piece.text}`}
              x={piece.x}
              y={piece.y}
              fontSize={piece.height}
              textLength={piece.width > 0 ? piece.width : undefined}
              lengthAdjust="spacingAndGlyphs"
              className="cursor-text fill-transparent"
            >
              {piece.text}
            </text>
          ))}
        </svg>
      )}
      {failed && (
        <p role="alert" className="absolute inset-x-0 top-8 text-center text-sm text-urgent">
          วาดหน้านี้ไม่ได้ ดาวน์โหลดไฟล์ไปเปิดเอง
        </p>
      )}
    </section>
  )
}

/** Scrolls the page container, not the window, until the element is at the given fraction of its height. */
export function scrollPageContainer(element: Element, fraction: number): void {
  const pages = element.closest('[role="document"]')
  if (!pages) return
  const { top, height } = pages.getBoundingClientRect()
  pages.scrollTop += element.getBoundingClientRect().top - top - height * fraction
}

type MarkBoxProps = { mark: TextHighlightBox; className: string; isShown: boolean }

function scrollToMark(box: Element | null): void {
  if (box) scrollPageContainer(box, 0.4)
}

function MarkBox({ mark: { x, y, width, height }, className, isShown }: MarkBoxProps) {
  return (
    <rect
      ref={isShown ? scrollToMark : undefined}
      data-mark={isShown ? 'present' : 'found'}
      x={x}
      y={y - height * 0.95}
      width={width}
      height={height * 1.2}
      className={className}
    />
  )
}
