import { useNavigate } from '@tanstack/react-router'
import { mergeColumnSettings } from '#contract/catalogue/column.ts'
import { useUser } from '#src/account/api/users.ts'
import type { ReportManagerCode } from '#src/account/settings-address/settings-address.ts'
import { ReportColumnsDialog } from '#src/report/columns/columns-dialog.tsx'
import { LabelManager } from '#src/report/labels/label-manager.tsx'
import { SavedFilterManager } from '#src/report/saved-filters/saved-filter-manager.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'

export function ReportManager({ manager }: { manager: ReportManagerCode }) {
  const user = useUser()
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/report', search: true, hash: '', replace: true })
  if (manager === 'labels') return <LabelManager onClose={close} />
  if (manager === 'columns')
    return <ReportColumnsDialog layout={mergeColumnSettings(user.customize_report_table)} onClose={close} />
  return (
    <Modal open isTall onClose={close} title="ตัวกรองที่บันทึก">
      <SavedFilterManager
        context={{
          filters: user.project_save_filter_profile,
          search: {},
          open: (address) => void navigate({ to: '/report', search: address, replace: true }),
        }}
        // Every row navigates away, which removes the fragment.
        onDone={() => undefined}
      />
    </Modal>
  )
}
