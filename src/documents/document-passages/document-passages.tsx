import { useQuery } from '@tanstack/react-query'
import { MOST_HITS } from '#contract/documents/document-search.ts'
import { errorRequestId, errorText } from '#src/api/http/problem-error.ts'
import { documentSearchQuery } from '#src/documents/api/documents.ts'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/money-text.ts'
import { printSearchText } from '#src/lib/search-text.ts'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import { MarkedExcerpt } from './marked-excerpt.tsx'

/** Enough to explain why a project is listed; the reader shows all. */
const SHOWN = 3

type DocumentPassagesProps = { readonly projectId: string; readonly question: string; readonly className?: string }

export function DocumentPassages({ projectId, question, className = '' }: DocumentPassagesProps) {
  const asked = useQuery(documentSearchQuery(projectId, question))
  const { data: found } = asked
  return (
    <section
      aria-label="พบในเอกสาร"
      className={classNames('rounded-control border border-line px-3 py-2.5 text-sm', className)}
    >
      <p className="font-semibold">
        พบในเอกสาร{' '}
        {found && (
          <span className="font-normal text-ink-muted">
            {found.total === MOST_HITS ? `ตั้งแต่ ${countText(MOST_HITS)} หน้า` : `${countText(found.total)} หน้า`}
          </span>
        )}
      </p>
      {found ? (
        <ul className="mt-1 flex flex-col gap-1.5">
          {found.results
            .slice(0, SHOWN)
            .map(({ document_id: id, document_name: name, page, excerpt, is_from_picture: isFromPicture }) => (
              <li key={`${id}/${page}`}>
                <a
                  href={`/report/${encodeURIComponent(projectId)}/documents/${encodeURIComponent(id)}${printSearchText({ page: String(page), q: question })}`}
                  className="group block rounded-control wrap-anywhere touch:py-1"
                >
                  <span className="line-clamp-2 text-ink-muted group-hover:text-ink">
                    …<MarkedExcerpt excerpt={excerpt} />…
                  </span>
                  <span className="text-xs text-accent-ink group-hover:underline">
                    {name} หน้า {page}
                    {isFromPicture && <span className="text-ink-muted"> · อ่านจากภาพ</span>}
                  </span>
                </a>
              </li>
            ))}
          {found.total === 0 && <li className="text-ink-muted">เอกสารที่เคยพบถูกนำออกแล้ว</li>}
        </ul>
      ) : asked.error ? (
        <ErrorNotice
          title="เปิดข้อความในเอกสารไม่สำเร็จ"
          reason={errorText(asked.error)}
          requestId={errorRequestId(asked.error)}
          onRetry={() => void asked.refetch()}
          retrying={asked.isFetching}
        />
      ) : (
        <SkeletonGroup label="กำลังเปิดข้อความในเอกสาร" className="mt-2 flex flex-col gap-2">
          <Skeleton className="w-full" />
          <Skeleton className="w-2/3" />
        </SkeletonGroup>
      )}
    </section>
  )
}
