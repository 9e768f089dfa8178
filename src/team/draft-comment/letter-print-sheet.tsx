import { createPortal } from 'react-dom'

/** The letter in the typeface of the page, which every device has, for printing or saving as PDF. */
export function LetterPrintSheet({ text }: { text: string }) {
  return createPortal(
    <div className="print-alone hidden bg-white text-[11pt] leading-snug whitespace-pre-wrap text-black [tab-size:25mm] print:block">
      {text}
    </div>,
    document.body,
  )
}
