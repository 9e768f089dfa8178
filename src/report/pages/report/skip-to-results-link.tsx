import { REPORT_RESULTS_ELEMENT_ID } from './filter/report-segments.tsx'

/**
 * Second skip link, the first tab stop of the content: it skips the heading, filters and search. `focusFirstRow` returns
 * false while there is no row; the results then take the focus themselves.
 */
export function SkipToResultsLink({ focusFirstRow }: { focusFirstRow: () => boolean }) {
  return (
    <a
      href={`#${REPORT_RESULTS_ELEMENT_ID}`}
      onClick={(event) => {
        event.preventDefault()
        if (!focusFirstRow()) document.getElementById(REPORT_RESULTS_ELEMENT_ID)?.focus()
      }}
      className="fixed top-2 left-2 z-[70] -translate-y-20 rounded-control bg-accent px-4 py-2 font-medium text-on-accent focus:translate-y-0 print:hidden"
    >
      ข้ามไปที่ผลลัพธ์
    </a>
  )
}
