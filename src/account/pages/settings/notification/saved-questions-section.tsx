import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { getErrorRequestId, getErrorText } from '#src/api/http/problem-error.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { formatGroupedCount } from '#src/lib/figure-text.ts'
import { savedQuestionsQuery } from '#src/market/api/questions.ts'
import { SavedQuestionSwitches } from '#src/market/saved-questions/saved-question-switches.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'

export function SavedQuestionsSection() {
  const { data, error, refetch, isFetching } = useQuery(useOptimisticQueryOptions(savedQuestionsQuery))
  return (
    <SettingsSection
      title="คำถามที่บันทึก"
      description="คำถามจากมุมมองใครชนะ แจ้งเมื่อมีผู้ชนะรายใหม่หรือสามอันดับแรกเปลี่ยน และส่งคำตอบทุกวันที่ 1 ของเดือนตามที่เลือกไว้"
    >
      {data ? (
        <>
          <SavedQuestionSwitches settings={data} />
          <p className="mt-2 text-sm text-ink-muted">
            {data.questions.length === 0
              ? 'ยังไม่มีคำถามที่บันทึก '
              : `บันทึกไว้ ${formatGroupedCount(data.questions.length)} คำถาม `}
            <Link
              to="/report"
              search={{ view: 'who_wins' }}
              className="inline-flex items-center text-accent-ink underline touch:min-h-11"
            >
              เปิดใครชนะ
            </Link>
          </p>
        </>
      ) : error ? (
        <ErrorNotice
          title="โหลดคำถามที่บันทึกไม่สำเร็จ"
          reason={getErrorText(error)}
          requestId={getErrorRequestId(error)}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <SkeletonGroup label="กำลังโหลดคำถามที่บันทึก">
          <Skeleton className="h-24" />
        </SkeletonGroup>
      )}
    </SettingsSection>
  )
}
