import { useState } from 'react'
import { type ColumnLayout, mergeColumnSettings } from '#contract/catalogue/column.ts'
import { DEFAULT_REPORT_COLUMN_ORDER } from '#contract/catalogue/report-columns.ts'
import { useUser } from '#src/account/api/users.ts'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { useUnsavedChanges } from '#src/account/pages/settings/form/unsaved-changes.tsx'
import { countVisibleReportColumns, isSameReportColumnLayout } from '#src/report/columns/column-layout-edits.ts'
import { ReportColumnsEditor, ReportColumnsEditorActions } from '#src/report/columns/columns-editor.tsx'
import { saveReportColumns } from '#src/report/columns/save-columns.ts'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'

export function ColumnsTab() {
  const { customize_report_table: settings } = useUser()
  const stored = mergeColumnSettings(settings)
  const [draft, setDraft] = useState<ColumnLayout>()
  const [announcement, setAnnouncement] = useState('')
  const layout = draft ?? stored
  const isChanged = draft !== undefined && !isSameReportColumnLayout(draft, stored)
  useUnsavedChanges(isChanged)

  const change = (update: (now: ColumnLayout) => ColumnLayout) => setDraft((now) => update(now ?? stored))
  const save = () => {
    setDraft(undefined)
    setAnnouncement('บันทึกคอลัมน์แล้ว')
    void saveReportColumns(layout)
  }
  return (
    <SettingsSection
      title="คอลัมน์ในตาราง"
      description={`แสดง ${countVisibleReportColumns(layout)} จาก ${DEFAULT_REPORT_COLUMN_ORDER.length} คอลัมน์ คอลัมน์ที่ปักหมุดอยู่ซ้ายสุดและไม่เลื่อนตาม`}
      flush
    >
      <ReportColumnsEditor
        draft={layout}
        onDraft={change}
        onSay={setAnnouncement}
        className="border-b border-line px-4 py-3"
        searchClassName="sm:max-w-sm"
      />
      <div className="sticky bottom-0 flex flex-wrap items-center gap-2 rounded-b-card border-t border-line bg-surface px-4 py-3">
        <ReportColumnsEditorActions
          draft={layout}
          onDraft={change}
          onSay={setAnnouncement}
          onCancel={isChanged ? () => setDraft(undefined) : undefined}
          canSave={isChanged}
          onSave={save}
        />
      </div>
      <VisuallyHidden live>{announcement}</VisuallyHidden>
    </SettingsSection>
  )
}
