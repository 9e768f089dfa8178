import { ExternalLink, Eye, EyeOff, MessageCircle, MoreVertical, PanelBottomOpen, Tag } from 'lucide-react'
import { useRef } from 'react'
import { getEgpProjectHref } from '#contract/report/egp-href.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { copyProjectsForLineChat } from '#src/channels/line-copy/copy-projects-for-line-chat.ts'
import { setProjectsHidden } from '#src/report/hidden-projects/set-projects-hidden.ts'
import { openLabelPicker } from '#src/report/labels/label-panel.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Menu, MenuItem } from '#src/ui/overlay/menu.tsx'

type CardMenuProps = { row: ReportRow; isHidden: boolean; onPeek: ((row: ReportRow) => void) | undefined }

export function ReportCardMenu({ row, isHidden, onPeek }: CardMenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const egp = getEgpProjectHref(row)
  return (
    <Menu
      label={`จัดการ ${row.project_id}`}
      gap={2}
      className="min-w-48"
      triggerRef={button}
      trigger={(props) => <IconButton {...props} icon={MoreVertical} label={`เพิ่มเติม ${row.project_id}`} />}
    >
      {onPeek && (
        <MenuItem icon={PanelBottomOpen} onSelect={() => onPeek(row)}>
          ดูข้อมูลย่อ
        </MenuItem>
      )}
      <MenuItem icon={Tag} onSelect={() => openLabelPicker([row.project_id], button.current)}>
        ป้ายกำกับ
      </MenuItem>
      <MenuItem icon={MessageCircle} onSelect={() => void copyProjectsForLineChat([row])}>
        คัดลอกไปวางใน LINE
      </MenuItem>
      {egp && (
        <MenuItem icon={ExternalLink} href={egp}>
          เปิดในระบบ e-GP
        </MenuItem>
      )}
      <MenuItem icon={isHidden ? Eye : EyeOff} onSelect={() => void setProjectsHidden([row.project_id], !isHidden)}>
        {isHidden ? 'เลิกซ่อน' : 'ซ่อนโครงการนี้'}
      </MenuItem>
    </Menu>
  )
}
