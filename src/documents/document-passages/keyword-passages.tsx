import { useQuery } from '@tanstack/react-query'
import type { DocumentKeywordPassages as Answer } from '#contract/documents/word-passages.ts'
import { toSafeHref } from '#contract/safe-href.ts'
import { keywordPassagesQuery } from '#src/documents/api/documents.ts'
import { formatQueryString } from '#src/lib/flat-search-params.ts'
import { NewTabLink } from '#src/ui/new-tab-link.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { HighlightedExcerpt } from './highlighted-excerpt.tsx'

type Passage = Answer['passages'][number]

const LINK_CLASS = 'inline-flex min-h-6 items-center gap-1 text-xs text-accent-ink hover:underline touch:min-h-11'

export function KeywordPassages({ projectId }: { projectId: string }) {
  const wordPassages = useQuery(keywordPassagesQuery(projectId))
  return (
    <QueryView
      query={wordPassages}
      task="เปิดข้อความในเอกสาร"
      barsClassName="mt-2 flex flex-col gap-2"
      bars={['w-full', 'w-2/3']}
    >
      {({ passages }) => (
        <ul aria-label="ข้อความในเอกสาร" className="mt-2 flex flex-col gap-2 border-l-2 border-line pl-3 text-sm">
          {passages.map((passage) => (
            <li key={`${passage.word} ${passage.page}`} className="wrap-anywhere">
              {passage.excerpt ? (
                <p className="line-clamp-3 text-ink-muted">
                  …<HighlightedExcerpt excerpt={passage.excerpt} />…
                </p>
              ) : (
                <p className="text-ink-muted">ข้อความในหน้านี้เก็บครบกำหนดแล้ว จึงไม่แสดง</p>
              )}
              <SourceLink projectId={projectId} passage={passage} />
            </li>
          ))}
        </ul>
      )}
    </QueryView>
  )
}

function SourceLink({ projectId, passage }: { projectId: string; passage: Passage }) {
  const { word, page, document_id: id, document_name: name, link } = passage
  const text = `${name ?? 'เอกสาร'} หน้า ${page}`
  const search = formatQueryString({ page: String(page), q: word })
  if (id !== null)
    return (
      <a
        href={`/report/${encodeURIComponent(projectId)}/documents/${encodeURIComponent(id)}${search}`}
        className={LINK_CLASS}
      >
        {text}
      </a>
    )
  const href = link === null ? undefined : toSafeHref(link)
  return href === undefined ? (
    <span className="text-xs text-ink-faint">{text}</span>
  ) : (
    <NewTabLink href={href} className={LINK_CLASS}>
      {text} ใน e-GP
    </NewTabLink>
  )
}
