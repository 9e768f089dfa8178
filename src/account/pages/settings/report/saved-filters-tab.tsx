import { Link, useNavigate } from '@tanstack/react-router'
import { useUser } from '#src/account/api/users.ts'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { SavedFilterManager } from '#src/report/saved-filters/saved-filter-manager.tsx'
import { getButtonClasses } from '#src/ui/button.tsx'

export function SavedFiltersTab() {
  const user = useUser()
  const navigate = useNavigate()
  const filters = user.project_save_filter_profile
  return (
    <SettingsSection title="ตัวกรองที่บันทึก" description="กดชื่อเพื่อเปิดในรายงาน" flush>
      <SavedFilterManager
        context={{
          filters,
          labels: user.project_labels,
          search: {},
          open: (address) => void navigate({ to: '/report', search: address }),
          isMailOn: user.is_send_report_email,
          isDemo: false,
        }}
        onDone={() => undefined}
      />
      {filters.length === 0 && (
        <p className="px-4 pb-4">
          <Link to="/report" className={getButtonClasses()}>
            ไปบันทึกตัวกรองแรกในรายงาน
          </Link>
        </p>
      )}
    </SettingsSection>
  )
}
