import { useQuery } from '@tanstack/react-query'
import { ExternalLink, MailSearch } from 'lucide-react'
import { useState } from 'react'
import { errorRequestId, errorText } from '#src/api/problem-error.ts'
import { reportMailPreviewQuery } from '#src/api/report-mail-preview.ts'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'

/** Today's report mail as it would go out now, looked at without sending it. */
export function MailPreview() {
  const [isAsked, setAsked] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({ ...reportMailPreviewQuery, enabled: isAsked })
  return (
    <div className="mt-4 space-y-3">
      <Button
        icon={MailSearch}
        pending={isFetching}
        onClick={() => (isAsked ? void refetch() : setAsked(true))}
        aria-describedby="mail-preview-note"
      >
        {data ? 'ดูตัวอย่างใหม่' : 'ดูตัวอย่างอีเมลของวันนี้'}
      </Button>
      <p id="mail-preview-note" className="text-sm text-ink-muted">
        ดูอย่างเดียว ไม่มีการส่งอีเมล
      </p>
      {error && !isFetching && (
        <ErrorNotice
          title="ทำตัวอย่างอีเมลไม่สำเร็จ"
          reason={errorText(error)}
          requestId={errorRequestId(error)}
          onRetry={() => void refetch()}
        />
      )}
      <div role="status">
        {data && data.address === null && (
          <p className="rounded-control bg-surface-muted px-3 py-2">ตอนนี้ไม่มีอะไรต้องบอก ถ้านำเข้าข้อมูลตอนนี้จะไม่มีอีเมลส่งถึงคุณ</p>
        )}
        {data?.subject && (
          <p className="wrap-anywhere">
            <span className="text-ink-muted">หัวเรื่อง</span> <span className="font-medium">{data.subject}</span>
          </p>
        )}
      </div>
      {data?.address && (
        <>
          <iframe
            key={data.address}
            src={data.address}
            title="ตัวอย่างอีเมลรายงาน"
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            className="h-[34rem] w-full rounded-control border border-line bg-surface"
          />
          <a href={data.address} target="_blank" rel="noreferrer" className={buttonClasses('link')}>
            <ExternalLink aria-hidden className="size-4" />
            เปิดตัวอย่างในแท็บใหม่
          </a>
        </>
      )}
    </div>
  )
}
