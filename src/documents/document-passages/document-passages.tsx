import { useQuery } from '@tanstack/react-query'
import { MAX_COUNTED_PAGE_MATCHES } from '#contract/documents/document-search.ts'
import { documentSearchQuery } from '#src/documents/api/documents.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { formatQueryString } from '#src/lib/flat-search-params.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { HighlightedExcerpt } from './highlighted-excerpt.tsx'

const MAX_SHOWN = 3

type DocumentPassagesProps = { readonly projectId: string; readonly query: string; readonly className?: string }

export function DocumentPassages({ projectId, query, className = '' }: DocumentPassagesProps) {
  const search = useQuery(documentSearchQuery(projectId, query))
  const { data: hits } = search
  return (
    <section
      aria-label="พบในเอกสาร"
      className={classNames('rounded-control border border-line px-3 py-2.5 text-sm', className)}
    >
      <p className="font-semibold">
        พบในเอกสาร{' '}
        {hits && (
          <span className="font-normal text-ink-muted">
            {hits.total === MAX_COUNTED_PAGE_MATCHES
              ? `ตั้งแต่ ${formatCount(MAX_COUNTED_PAGE_MATCHES)} หน้า`
              : `${formatCount(hits.total)} หน้า`}
          </span>
        )}
      </p>
      <QueryView
        query={search}
        task="เปิดข้อความในเอกสาร"
        barsClassName="mt-2 flex flex-col gap-2"
        bars={['w-full', 'w-2/3']}
      >
        {({ results, total }) => (
          <ul className="mt-1 flex flex-col gap-1.5">
            {results
              .slice(0, MAX_SHOWN)
              .map(({ document_id: id, document_name: name, page, excerpt, is_from_picture: isFromPicture }) => (
                <li key={`${id}/${page}`}>
                  <a
                    href={`/report/${encodeURIComponent(projectId)}/documents/${encodeURIComponent(id)}${formatQueryString({ page: String(page), q: query })}`}
                    className="group block rounded-control wrap-anywhere touch:py-1"
                  >
                    <span className="line-clamp-2 text-ink-muted group-hover:text-ink">
                      …<HighlightedExcerpt excerpt={excerpt} />…
                    </span>
                    <span className="text-xs text-accent-ink group-hover:underline">
                      {name} หน้า {page}
                      {isFromPicture && <span className="text-ink-muted"> · อ่านจากภาพ</span>}
                    </span>
                  </a>
                </li>
              ))}
            {total === 0 && <li className="text-ink-muted">เอกสารที่เคยพบถูกนำออกแล้ว</li>}
          </ul>
        )}
      </QueryView>
    </section>
  )
}
