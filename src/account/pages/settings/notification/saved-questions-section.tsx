import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { savedQuestionsQuery } from '#src/market/api/questions.ts'
import { SavedQuestionSwitches } from '#src/market/saved-questions/saved-question-switches.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'

export function SavedQuestionsSection() {
  const savedQuestions = useQuery(useOptimisticQueryOptions(savedQuestionsQuery))
  return (
    <SettingsSection
      title="คำถามที่บันทึก"
      description="คำถามจากมุมมองใครชนะ แจ้งเมื่อมีผู้ชนะรายใหม่หรือสามอันดับแรกเปลี่ยน และส่งคำตอบทุกวันที่ 1 ของเดือนตามที่เลือกไว้"
    >
      <QueryView
        query={savedQuestions}
        errorTitle="โหลดคำถามที่บันทึกไม่สำเร็จ"
        skeleton={<SkeletonGroup label="กำลังโหลดคำถามที่บันทึก" bars={['h-24']} />}
      >
        {(settings) => (
          <>
            <SavedQuestionSwitches settings={settings} />
            <p className="mt-2 text-sm text-ink-muted">
              {settings.questions.length === 0
                ? 'ยังไม่มีคำถามที่บันทึก '
                : `บันทึกไว้ ${formatCountWithSeparators(settings.questions.length)} คำถาม `}
              <Link
                to="/report"
                search={{ view: 'who_wins' }}
                className="inline-flex items-center text-accent-ink underline touch:min-h-11"
              >
                เปิดใครชนะ
              </Link>
            </p>
          </>
        )}
      </QueryView>
    </SettingsSection>
  )
}
