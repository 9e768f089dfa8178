import { ExternalLink, Eye, EyeOff, MessageCircle, MoreVertical, PanelBottomOpen, Tag } from 'lucide-react'
import { useRef } from 'react'
import { getEgpProjectHref } from '#contract/report/egp-href.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { copyProjectsForLineChat } from '#src/channels/line-copy/copy-projects-for-line-chat.ts'
import { setProjectsHidden } from '#src/report/hidden-projects/set-projects-hidden.ts'
import { openLabelPicker } from '#src/report/labels/label-panel.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { MENU_ITEM_CLASSES, Menu, MenuItem } from '#src/ui/overlay/menu.tsx'

type CardMenuProps = { row: ReportRow; isHidden: boolean; onPeek: ((row: ReportRow) => void) | undefined }

export function ReportCardMenu({ row, isHidden, onPeek }: CardMenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Menu
      label={`จัดการ ${row.project_id}`}
      gap={2}
      className="min-w-48"
      trigger={({ ref, ...props }) => (
        <IconButton
          {...props}
          ref={(element) => {
            button.current = element
            if (typeof ref === 'function') ref(element)
            else if (ref) ref.current = element
          }}
          icon={MoreVertical}
          label={`เพิ่มเติม ${row.project_id}`}
        />
      )}
    >
      {(close) => {
        const egp = getEgpProjectHref(row)
        const run = (action: () => void) => () => {
          close()
          // The menu item unmounts, and a dialog later returns the focus to the element that has it now.
          button.current?.focus()
          action()
        }
        return (
          <>
            {onPeek && (
              <MenuItem icon={PanelBottomOpen} onSelect={run(() => onPeek(row))}>
                ดูข้อมูลย่อ
              </MenuItem>
            )}
            <MenuItem icon={Tag} onSelect={run(() => openLabelPicker([row.project_id], button.current))}>
              ป้ายกำกับ
            </MenuItem>
            <MenuItem icon={MessageCircle} onSelect={run(() => void copyProjectsForLineChat([row]))}>
              คัดลอกไปวางใน LINE
            </MenuItem>
            {egp && (
              <a
                role="menuitem"
                tabIndex={-1}
                href={egp}
                target="_blank"
                rel="noopener noreferrer"
                onClick={close}
                className={MENU_ITEM_CLASSES}
              >
                <ExternalLink aria-hidden className="size-4 shrink-0 text-ink-faint" />
                เปิดในระบบ e-GP
              </a>
            )}
            <MenuItem
              icon={isHidden ? Eye : EyeOff}
              onSelect={run(() => void setProjectsHidden([row.project_id], !isHidden))}
            >
              {isHidden ? 'เลิกซ่อน' : 'ซ่อนโครงการนี้'}
            </MenuItem>
          </>
        )
      }}
    </Menu>
  )
}
