import type { DocumentExcerpt } from '#contract/documents/document-search.ts'

export function HighlightedExcerpt({ excerpt: { text, marks } }: { excerpt: DocumentExcerpt }) {
  return (
    <>
      {marks.map(({ from, to }, index) => (
        <span key={from}>
          {text.slice(marks[index - 1]?.to ?? 0, from)}
          <mark className="bg-[#facc15]/40 text-ink">{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.to ?? 0)}
    </>
  )
}
