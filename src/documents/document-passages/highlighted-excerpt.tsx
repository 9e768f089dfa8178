import type { DocumentExcerpt } from '#contract/documents/document-search.ts'

export function HighlightedExcerpt({ excerpt: { text, marks } }: { excerpt: DocumentExcerpt }) {
  let end = 0
  const markedParts = marks.map(({ from, to }) => {
    const before = text.slice(end, from)
    end = to
    return (
      <span key={from}>
        {before}
        <mark className="bg-[#facc15]/40 text-ink">{text.slice(from, to)}</mark>
      </span>
    )
  })
  return (
    <>
      {markedParts}
      {text.slice(end)}
    </>
  )
}
